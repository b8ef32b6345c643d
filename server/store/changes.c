#include "server/store/changes.h"

#include "server/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

struct srv_changes {
    _Atomic uint64_t *counters; /* [SRV_CHANGES_KINDS], shared with the other processes */
};

enum { SIZE = SRV_CHANGES_KINDS * sizeof(_Atomic uint64_t) };

srv_changes *srv_changes_open(const char *database, GError **error) {
    g_autofree char *path = g_strconcat(database, "-changes", NULL);
    void *memory = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    /* Allocated for good: a page that a full disk has no room for would be a SIGBUS. */
    int code = fd >= 0 ? posix_fallocate(fd, 0, SIZE) : errno;
    if (code == 0)
        memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (code == 0)
        code = errno;
    if (fd >= 0)
        close(fd);
    if (memory == MAP_FAILED) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s cannot be opened: %s; its folder must be writable", path, g_strerror(code));
        return NULL;
    }
    srv_changes *changes = g_new(srv_changes, 1);
    changes->counters = memory;
    return changes;
}

void srv_changes_close(srv_changes *changes) {
    if (changes == NULL)
        return;
    munmap(changes->counters, SIZE);
    g_free(changes);
}

uint64_t srv_changes_now(const srv_changes *changes, srv_changes_kind kind) {
    return atomic_load(&changes->counters[kind]);
}

void srv_changes_read(const srv_changes *changes, uint64_t now[SRV_CHANGES_KINDS]) {
    for (size_t i = 0; i < SRV_CHANGES_KINDS; i++)
        now[i] = srv_changes_now(changes, (srv_changes_kind)i);
}

void srv_changes_note(srv_changes *changes, bool nights) {
    atomic_fetch_add(&changes->counters[SRV_CHANGES_ALL], 1);
    if (nights)
        atomic_fetch_add(&changes->counters[SRV_CHANGES_NIGHTS], 1);
}
