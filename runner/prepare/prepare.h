#pragma once
/*
 * step - what every step on the way to a prepared tree is given: checkout, artifact, command.
 */
#include "config/credential.h"
#include "runner/job/job.h"
#include "runner/node/node.h"
#include "runner/prepare/cache.h"

#include <glib.h>
#include <stdbool.h>

typedef struct {
    const run_node *node;
    const run_job *job;
    run_process_tick tick; /* as in run_process_spec */
    void *tick_data;
    char **log; /* out: head and tail of what a program that failed printed; g_free */
} run_prepare_step;

/*
 * artifact - what CI handed in of a commit, fetched from the server and put where it is used.
 *
 * Only the agent's own server is asked. The bytes are counted and hashed while they come; an
 * archive is unpacked in a process of its own (unpack.h).
 */

/**
 * run_artifact_get - into the new directory `folder`; unpacking has the job's time to prepare.
 * While the server is away it waits, as long as the tick lets it. Errors: RUN_ERROR_JOB (too large,
 * no archive, leads outside), RUN_ERROR_NODE (disk full, damaged on the way), RUN_ERROR_REFUSED,
 * RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_artifact_get(const run_prepare_step *step, const run_job_artifact *artifact,
                      const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_artifact_path - what {artifact} stands for; to g_free. */
char *run_artifact_path(const run_job_artifact *artifact, const char *folder);

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

/*
 * locks - what a git that was killed has locked in a mirror for ever.
 *
 * git takes a lock by making NAME.lock and removes it when it ends; after kill -9, a limit or a
 * power cut it stays, and each later fetch is refused that name: a branch stays where it was, and
 * all after it is fetched again each time.
 */

/*
 * checkout - the commit's files in an empty directory, its submodules included.
 *
 * Through bare mirrors (git.c). The result has no .git: what is built cannot reach a mirror. Files
 * kept in Git LFS are not fetched: a commit that has some is refused, unless what is measured comes
 * as an artifact.
 */

/**
 * run_checkout - fetch what is missing and write the commit's tree to `directory`.
 * commit     one of the job's
 * step->log  out: git's last words when it failed
 * Errors: RUN_ERROR_JOB when the commit does not exist there, or a submodule or LFS is not to be
 * had; RUN_ERROR_NODE when git, network or disk failed, RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_checkout(const run_prepare_step *step, const char *commit, const char *directory,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * submodule - which submodules a commit has, and whether their addresses may be asked.
 *
 * .gitmodules is written by whoever wrote the commit. An address in it may not lead to this
 * machine's files, to other transports, or use what was given for the repository itself: its
 * password is left out, ssh (the agent's keys) only follows ssh, local paths only follow local
 * ones.
 */

typedef struct {
    char *path;   /* below the tree that has it */
    char *commit; /* full id */
    char *url;    /* as written; NULL: .gitmodules does not know the path */
} run_submodule;

/*
 * ready - one commit's tree, ready to be measured: from the cache, or checked out, with its
 * artifact, and prepared.
 *
 * The folder is <work_dir>/checkout/<key>/ with tree/ and, where CI hands something in, artifact/.
 * The key says what the tree is made of (repository, commit, artifact, command), so that paths that
 * a build wrote into its outputs hold for every copy of them; and all keys are of one length: a
 * longer path in argv or environment moves the stack, and that alone can make a process faster or
 * slower (Mytkowicz et al. 2009). It is hashed with a secret of the node (128 random bits), so that
 * code under test cannot tell where another commit's tree is; and while one of a trial's runs, the
 * other's folder is closed to it.
 */

typedef struct {
    run_prepare_step step; /* its log is of the program that failed */
    run_cache *cache;      /* NULL: none */
    bool (*phase)(void *data, const char *phase, GError **error); /* told what begins */
    void *phase_data;
} run_ready;

/* run_ready_folder - of a commit; to g_free. run_ready_artifact - what {artifact} is, or NULL. */
char *run_ready_folder(const run_node *node, const run_job *job, unsigned which);
char *run_ready_artifact(const run_job *job, unsigned which, const char *folder);

/* run_ready_show - opens the folder to code under test, or closes it. */
bool run_ready_show(const char *folder, bool shown, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_ready_make - makes the folder of a commit anew; it is closed then.
 * record  out, to json_decref: {"commit", "from": "cache" | "build" | "checkout", "seconds": of the
 *         command when it ran, "checkout_seconds", "artifact": {"name", "sha256", "bytes",
 *         "seconds"}, "disk_mb"}
 * Errors as of checkout, artifact and prepare.
 */
bool run_ready_make(const run_ready *ready, unsigned which, json_t **record,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
