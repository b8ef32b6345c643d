#pragma once
/*
 * git - git as a child with a deadline: no configuration, hook, prompt or exotic transport of
 * anybody.
 *
 * What a server sends is held to limits: address space, processor time, size of the mirror and of
 * each file in it (prepare_output_limit_bytes); in the control group and namespaces of code under
 * test, where there are any, as a user of its own (git_user) where the agent is root. A password is
 * never in a command line (credential.h).
 *
 * Bare mirrors are kept by the address they were fetched from. A password in an address is for that
 * repository only, is never shown, and keeps redirects from being followed.
 */
#include "config/credential.h"
#include "runner/node/node.h"

#include <glib.h>
#include <stdbool.h>

#define RUN_FETCH_TIMEOUT_S 1800 /* the first fetch of a large repository over a slow line */

typedef struct {
    const run_node *node;
    run_process_tick tick; /* NULL: none */
    void *tick_data;
    const char *home;          /* an empty directory, also where git works */
    char **log;                /* out: git's last words when it failed */
    const char *url;           /* of the repository that is worked on */
    cfg_credential credential; /* what of it may stand in a command line; see run_git_select */
    char *mirror;              /* its bare mirror; owned, see run_git_select */
} run_git;

/* run_git_home - makes git->home, empty but for what git is told there. */
bool run_git_home(const run_git *git, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_git_select - from now on this repository; url is borrowed. */
void run_git_select(run_git *git, const char *url);
void run_git_clear(run_git *git);

/**
 * run_git_run - `git <safe settings> words…`, NULL-terminated.
 * index   GIT_INDEX_FILE, or NULL
 * output  a new file for what it prints, or NULL: the head and tail of it go to the log on failure
 * status  out: its exit status, -1 when it was killed
 * False only when it could not be run: RUN_ERROR_NODE, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_git_run(run_git *git, const char *index, const char *output, unsigned timeout_s,
                 int *status, GError **error, ...) G_GNUC_NULL_TERMINATED G_GNUC_WARN_UNUSED_RESULT;

/* run_git_fail - sets "what URL: git's last words" and returns false. */
bool run_git_fail(run_git *git, int code, const char *what, GError **error);

/**
 * run_git_tree - the files of a commit of the selected repository, fetched if need be, into
 * directory (made anew) and its entries into a new file index.
 * branch   where to look for it first; NULL: all of them, after the commit itself
 * A mirror that is damaged is made anew. Errors: RUN_ERROR_JOB when the commit does not exist
 * there, RUN_ERROR_NODE when git, network or disk failed, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_git_tree(run_git *git, const char *commit, const char *branch, const char *directory,
                  const char *index, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_git_url_public - text without the user and password of url; to g_free. */
char *run_git_url_public(const char *text, const char *url);

/* run_git_url_bare - url without user and password (ssh: with the user); to g_free. */
char *run_git_url_bare(const char *url);

/*
 * locks - what a git that was killed has locked in a mirror for ever.
 *
 * git takes a lock by making NAME.lock and removes it when it ends; after kill -9, a limit or a
 * power cut it stays, and each later fetch is refused that name: a branch stays where it was, and
 * all after it is fetched again each time.
 */

/**
 * run_locks_remove - from a bare repository that no git works on now; one that is not there has
 * none. Links are not followed. Returns false with RUN_ERROR_NODE when it cannot be looked through.
 */
bool run_locks_remove(const char *mirror, GError **error) G_GNUC_WARN_UNUSED_RESULT;
