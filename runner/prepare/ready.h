#pragma once
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
#include "runner/prepare/cache.h"
#include "runner/prepare/step.h"

#include <glib.h>

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

/*
 * outside - what `prepare` names that no commit holds: a script of the node's. When somebody edits
 * it, what was prepared with it before is out of date.
 */

/**
 * run_outside_hash - hex SHA-256 over the files that words name by an absolute path, or below
 * {harness}; NULL: there are none. To g_free.
 * words        of the command; NULL-ended, may be NULL
 * harness_dir  what {harness} stands for
 * The bytes of a regular file count; of what cannot be read or is larger than 64 MiB its size, its
 * inode and when it was changed. Folders and programs that PATH finds are not looked at.
 */
char *run_outside_hash(char *const *words, const char *harness_dir);
