#pragma once
/*
 * private - places that every user may write to or talk to, replaced by a process' own.
 *
 * /tmp, /var/tmp, /dev/shm and /dev/mqueue: code under test could fill them, or leave something for
 * a later job. /run: in it are the sockets of D-Bus, systemd, logind, containers and databases, by
 * which a process can have others started that outlive its job. So, where the agent may (it is
 * root, with a user of its own for code under test), its processes see a mount namespace with
 * folders of ours in their place: weighed with what else they write, and gone with it; /run is
 * empty but for the file that /etc/resolv.conf leads to. What the agent needs of such a place
 * (work_dir, the harnesses) stays where it is.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define RUN_PRIVATE_PLACES 6
#define RUN_PRIVATE_KEPT 4

typedef enum {
    RUN_PRIVATE_FOLDER, /* on disk, weighed */
    RUN_PRIVATE_MEMORY, /* a file system in memory, as large as it may be */
    RUN_PRIVATE_QUEUES, /* POSIX message queues of its namespace */
    RUN_PRIVATE_EMPTY   /* nothing, and nothing can be put there */
} run_private_kind;

/* Strings are borrowed by run_private_enter, owned here. */
typedef struct {
    unsigned count; /* 0: nothing is private */
    run_private_kind kind[RUN_PRIVATE_PLACES];
    char *source[RUN_PRIVATE_PLACES]; /* of a FOLDER */
    const char *target[RUN_PRIVATE_PLACES];
    unsigned kept_count;
    char *kept[RUN_PRIVATE_KEPT]; /* paths in those places that stay */
    bool kept_writable[RUN_PRIVATE_KEPT];
    char memory[48]; /* options of a MEMORY's mount */
} run_private;

/**
 * run_private_prepare - which places, and the folders for them.
 * folder    made anew; the sources are below it
 * writable  NULL-terminated: paths that stay, wherever they lie
 * readable  the same, but nothing can be written there
 * bytes     that /dev/shm may hold, at most half of the memory; 0: that half
 */
bool run_private_prepare(run_private *places, const char *folder, const char *const *writable,
                         const char *const *readable, uint64_t bytes, GError **error);
void run_private_clear(run_private *places);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_private, run_private_clear)

/* run_private_hides - the place that keeps `path` from being seen; NULL: it is seen. */
const char *run_private_hides(const run_private *places, const char *path);

/* run_private_enter - between fork and exec, as root; async-signal-safe. False with errno. */
bool run_private_enter(const run_private *places);

/* run_private_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_private_refused(void);
