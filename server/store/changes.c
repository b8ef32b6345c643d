#include "server/store/changes.h"

#include "server/ground/error.h"
#include "server/store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the file holds, in this order. */
enum {
    NIGHTS,
    ALL,
    NEVER,
    EVERYBODY,
    FIRST_SLOT,
    EVERYBODYS_NIGHTS = FIRST_SLOT + SRV_CHANGES_SLOTS,
    FIRST_NIGHTS_SLOT,
    COUNTERS = FIRST_NIGHTS_SLOT + SRV_CHANGES_SLOTS
};
enum { SIZE = COUNTERS * sizeof(_Atomic uint64_t) };

G_STATIC_ASSERT(SRV_CHANGES_SLOTS == 64); /* the bits of srv_changes_whose */

/* Those of a database that is a server are this process's own: what others commit is heard
 * (news.h). */
typedef struct {
    unsigned users;
    _Atomic uint64_t counters[COUNTERS];
} own;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of owns */
static GHashTable *owns;                                 /* URL → own */

struct srv_changes {
    _Atomic uint64_t *counters; /* [COUNTERS], shared with the other processes */
    char *url;                  /* of a server, NULL: a file */
};

static _Atomic uint64_t *own_take(const char *url) {
    pthread_mutex_lock(&lock);
    if (!owns)
        owns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    own *found = g_hash_table_lookup(owns, url);
    if (!found) {
        found = g_new0(own, 1);
        g_hash_table_insert(owns, g_strdup(url), found);
    }
    found->users++;
    pthread_mutex_unlock(&lock);
    return found->counters;
}

static void own_give(const char *url) {
    pthread_mutex_lock(&lock);
    own *found = g_hash_table_lookup(owns, url);
    if (--found->users == 0)
        g_hash_table_remove(owns, url);
    if (g_hash_table_size(owns) == 0)
        g_clear_pointer(&owns, g_hash_table_destroy);
    pthread_mutex_unlock(&lock);
}

static _Atomic uint64_t *file_map(const char *database, GError **error) {
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
    if (memory != MAP_FAILED)
        return memory;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "%s cannot be opened: %s; its folder must be writable", path, g_strerror(code));
    return NULL;
}

srv_changes *srv_changes_open(const char *url, GError **error) {
    const bool is_server = srv_db_is_server(url);
    _Atomic uint64_t *counters = is_server ? own_take(url) : file_map(srv_db_place(url), error);
    if (!counters)
        return NULL;
    srv_changes *changes = g_new0(srv_changes, 1);
    changes->counters = counters;
    changes->url = is_server ? g_strdup(url) : NULL;
    return changes;
}

void srv_changes_close(srv_changes *changes) {
    if (!changes)
        return;
    if (changes->url)
        own_give(changes->url);
    else
        munmap(changes->counters, SIZE);
    g_free(changes->url);
    g_free(changes);
}

static unsigned slot_of(const char *project) {
    return g_str_hash(project) % SRV_CHANGES_SLOTS;
}

unsigned srv_changes_own(const char *project) {
    return SRV_CHANGES_OWN + slot_of(project);
}

unsigned srv_changes_nights(const char *project, gsize length) {
    g_autofree char *name = g_strndup(project, length);
    return SRV_CHANGES_OWN_NIGHTS + slot_of(name);
}

/* Both only grow, so their sum tells of a change of either. */
static uint64_t sum(const srv_changes *changes, unsigned everybody, unsigned slot) {
    return atomic_load(&changes->counters[everybody]) + atomic_load(&changes->counters[slot]);
}

uint64_t srv_changes_now(const srv_changes *changes, unsigned kind) {
    if (kind < SRV_CHANGES_OWN)
        return atomic_load(&changes->counters[kind]);
    if (kind < SRV_CHANGES_OWN_NIGHTS)
        return sum(changes, EVERYBODY, FIRST_SLOT + (kind - SRV_CHANGES_OWN));
    return sum(changes, EVERYBODYS_NIGHTS, FIRST_NIGHTS_SLOT + (kind - SRV_CHANGES_OWN_NIGHTS));
}

/* first: of its slots, beside the counter of everybody's. */
static void note(srv_changes *changes, unsigned everybody, unsigned first,
                 srv_changes_whose whose) {
    if (!whose.known)
        atomic_fetch_add(&changes->counters[everybody], 1);
    for (unsigned i = 0; whose.known && i < SRV_CHANGES_SLOTS; i++)
        if ((whose.slots & (UINT64_C(1) << i)) != 0)
            atomic_fetch_add(&changes->counters[first + i], 1);
}

void srv_changes_add(srv_changes_whose *whose, const char *project) {
    whose->known = true;
    whose->slots |= UINT64_C(1) << slot_of(project);
}

void srv_changes_note(srv_changes *changes, bool nights, srv_changes_whose whose) {
    atomic_fetch_add(&changes->counters[ALL], 1);
    note(changes, EVERYBODY, FIRST_SLOT, whose);
    if (!nights)
        return;
    atomic_fetch_add(&changes->counters[NIGHTS], 1);
    note(changes, EVERYBODYS_NIGHTS, FIRST_NIGHTS_SLOT, whose);
}
