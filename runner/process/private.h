#pragma once
/*
 * private - /tmp, /var/tmp and /dev/shm of a process' own.
 *
 * Every user may write there: code under test could fill them, or leave something for a later job.
 * So, where the agent may (it is root, with a user of its own for code under test), its processes
 * see a mount namespace with folders of ours in their place: weighed with what else they write, and
 * gone with it. A place that holds work_dir or the harnesses stays as it is.
 */
#include <glib.h>
#include <stdbool.h>

#define RUN_PRIVATE_PLACES 3

/* Strings are borrowed by run_private_enter, owned here. */
typedef struct {
    char *source[RUN_PRIVATE_PLACES]; /* folder; NULL: memory, at most half of all */
    const char *target[RUN_PRIVATE_PLACES];
    unsigned count; /* 0: nothing is private */
} run_private;

/**
 * run_private_prepare - which places, and the folders for them.
 * folder  made anew; the sources are below it
 * keep    NULL-terminated paths that must stay visible
 */
bool run_private_prepare(run_private *places, const char *folder, const char *const *keep,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_private_clear(run_private *places);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_private, run_private_clear)

/* run_private_enter - between fork and exec, as root; async-signal-safe. False with errno. */
bool run_private_enter(const run_private *places);

/* run_private_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_private_refused(void);
