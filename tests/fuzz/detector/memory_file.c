#include "tests/fuzz/detector/memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int memory_file_new(const uint8_t *bytes, size_t size, char *path) {
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    for (size_t at = 0; at < size;) {
        const ssize_t written = write(fd, bytes + at, size - at);
        if (written <= 0) {
            (void)close(fd);
            return -1;
        }
        at += (size_t)written;
    }
    (void)snprintf(path, MEMORY_FILE_PATH_MAX, "/proc/self/fd/%d", fd);
    return fd;
}
