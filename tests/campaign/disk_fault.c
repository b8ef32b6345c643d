/* Preloaded into moowatchd or moowatch-runner: files below a folder fail as a full or dying disk
 * does, or take less than they are given. What, how often and where stands in the file DISK_FAULT,
 * which the campaign changes meanwhile. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NONE, NO_SPACE, IO_ERROR, SHORT };
enum { FOLDER_BYTES = 240, PATH_BYTES = 4096, LINK_BYTES = 64, OF = 1000 };

/* As tests/campaign/faults.py lays it out. */
typedef struct {
    atomic_uint kind, per_mille, random, injected;
    char folder[FOLDER_BYTES];
} control;

static control *control_of_all(void) {
    static control *all;
    static atomic_bool looked;
    if (atomic_load(&looked))
        return all;
    const char *path = getenv("DISK_FAULT");
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *mapped = mmap(NULL, sizeof(control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (mapped != MAP_FAILED)
            all = mapped;
        (void)close(fd);
    }
    atomic_store(&looked, true);
    return all;
}

/* One sequence for all threads and processes: the seed decides it. */
static unsigned draw(control *all) {
    unsigned old = atomic_load(&all->random);
    unsigned new;
    do {
        new = old;
        new ^= new << 13;
        new ^= new >> 17;
        new ^= new << 5;
    } while (!atomic_compare_exchange_weak(&all->random, &old, new));
    return new % OF;
}

static bool is_below(const control *all, int fd) {
    char link[LINK_BYTES];
    char path[PATH_BYTES];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return strncmp(path, all->folder, strlen(all->folder)) == 0;
}

/* The fault of this call, NONE nearly always. */
static unsigned fault(int fd) {
    control *all = control_of_all();
    const unsigned kind = all ? atomic_load(&all->kind) : NONE;
    const int before = errno;
    const bool hit = kind != NONE && draw(all) < atomic_load(&all->per_mille) && is_below(all, fd);
    errno = before;
    return hit ? kind : NONE;
}

static void count(void) {
    atomic_fetch_add(&control_of_all()->injected, 1);
}

static int failed(unsigned kind) {
    count();
    errno = kind == NO_SPACE ? ENOSPC : EIO;
    return -1;
}

/* What is left of a call that takes size bytes; 0: it fails with errno. */
static size_t taken(int fd, size_t size) {
    const unsigned kind = size > 0 ? fault(fd) : NONE;
    if (kind == NONE)
        return size;
    if (kind != SHORT)
        return failed(kind) == 0 ? size : 0;
    if (size < 2)
        return size;
    count();
    return size / 2;
}

#define REAL(type, name, ...)                                                                      \
    union {                                                                                        \
        void *object;                                                                              \
        type (*function)(__VA_ARGS__);                                                             \
    } real = {.object = dlsym(RTLD_NEXT, name)}

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    const size_t less = taken(fd, size);
    return less == 0 && size > 0 ? -1 : real.function(fd, bytes, less);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    const size_t less = taken(fd, size);
    return less == 0 && size > 0 ? -1 : real.function(fd, bytes, less, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    const size_t less = taken(fd, size);
    return less == 0 && size > 0 ? -1 : real.function(fd, bytes, less, at);
}

static int changed(int fd, const char *name) {
    REAL(int, name, int);
    const unsigned kind = fault(fd);
    return kind == IO_ERROR ? failed(kind) : real.function(fd);
}

int fsync(int fd) {
    return changed(fd, "fsync");
}

int fdatasync(int fd) {
    return changed(fd, "fdatasync");
}

int ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    const unsigned kind = fault(fd);
    return kind == NO_SPACE || kind == IO_ERROR ? failed(kind) : real.function(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    const unsigned kind = fault(fd);
    return kind == NO_SPACE || kind == IO_ERROR ? failed(kind) : real.function(fd, size);
}
