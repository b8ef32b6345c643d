#include "server/store/changes.h"

#include "server/ground/error.h"
#include "server/store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

struct srv_changes {
    _Atomic uint64_t *number;
    bool mapped; /* from a file, shared with the other processes */
};

/* Of all databases that are servers: what others commit there is heard (news.h). */
static _Atomic uint64_t of_servers;

static _Atomic uint64_t *file_map(const char *database, GError **error) {
    g_autofree char *path = g_strconcat(database, "-changes", NULL);
    void *memory = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    /* Allocated for good: a page that a full disk has no room for would be a SIGBUS. */
    int code = fd >= 0 ? posix_fallocate(fd, 0, sizeof(_Atomic uint64_t)) : errno;
    if (code == 0)
        memory = mmap(NULL, sizeof(_Atomic uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (code == 0)
        code = errno;
    if (fd >= 0)
        close(fd);
    if (memory != MAP_FAILED)
        return memory;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "%s cannot be opened: %s; its folder must be writable", path, g_strerror(code));
    return NULL;
}

srv_changes *srv_changes_open(const char *url, GError **error) {
    const bool is_server = srv_db_is_server(url);
    _Atomic uint64_t *number = is_server ? &of_servers : file_map(srv_db_place(url), error);
    if (!number)
        return NULL;
    srv_changes *changes = g_new0(srv_changes, 1);
    *changes = (srv_changes){number, !is_server};
    return changes;
}

void srv_changes_close(srv_changes *changes) {
    if (changes && changes->mapped)
        munmap(changes->number, sizeof *changes->number);
    g_free(changes);
}

uint64_t srv_changes_now(const srv_changes *changes) {
    return atomic_load(changes->number);
}

void srv_changes_note(srv_changes *changes) {
    atomic_fetch_add(changes->number, 1);
}
