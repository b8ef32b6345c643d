#pragma once
/* memory - bytes as a file that a reader can open by its path; nothing reaches a disk. */
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns the path; *fd to close. */
static inline char *memory_file(const uint8_t *data, size_t size, int *fd) {
    *fd = memfd_create("input", MFD_CLOEXEC);
    if (*fd < 0 || write(*fd, data, size) != (ssize_t)size)
        abort();
    return g_strdup_printf("/proc/self/fd/%d", *fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
