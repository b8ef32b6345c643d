#pragma once
/*
 * cache - prepared trees by what they were made of, so that no commit is built twice.
 *
 * <work_dir>/cache/<key>/: tree/, maybe artifact/, and entry.json. The agent's own: what is
 * measured is a copy, never the entry itself. With a user of its own for code under test nobody
 * else can enter the folder. Without one that code could: then an entry counts only while the agent
 * that made it runs, and only if its bytes still have the hash that this agent remembers. The least
 * recently used entries go when all of them have more than prepared_cache_bytes.
 */
#include "runner/node/node.h"
#include "runner/process/process.h"

typedef struct run_cache run_cache;

/* run_cache_open - what must not be believed any more is removed. Never NULL. */
run_cache *run_cache_open(const run_node *node);
void run_cache_free(run_cache *cache);

/**
 * run_cache_get - a copy of an entry as the new directory `folder`.
 * key     [0-9a-f]{32}
 * record  out: what was put with it; to json_decref; NULL: there is none (or it was damaged)
 * False only when stopped (RUN_ERROR_STOPPED, RUN_ERROR_LOST, …: the tick's own error).
 */
bool run_cache_get(run_cache *cache, const char *key, const char *folder, run_process_tick tick,
                   void *tick_data, json_t **record, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_cache_put - a copy of the directory `folder` as an entry; nothing happens when it is too
 * large or the disk too full, which is logged. Errors as above.
 */
bool run_cache_put(run_cache *cache, const char *key, const char *folder, json_t *record,
                   run_process_tick tick, void *tick_data,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_cache_shrink - the least recently used go until there are at most so many bytes. */
void run_cache_shrink(run_cache *cache, uint64_t bytes);

/* run_cache_bytes - of all entries. */
uint64_t run_cache_bytes(run_cache *cache);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_cache, run_cache_free)

/*
 * tree - a whole directory copied as it is, whoever wrote it.
 *
 * Files, folders and links; no link is followed, special files are left out, permissions are kept
 * but for set-user-id and the like, times of files are kept (builds look at them), holes stay
 * holes. Nothing may write to the source meanwhile.
 */

typedef struct {
    uint64_t limit_bytes;  /* on disk; beyond it the copy fails */
    run_process_tick tick; /* now and then, may be NULL */
    void *tick_data;
    uint64_t bytes; /* out: copied */
} run_tree_copying;

/**
 * run_tree_copy - from a directory to a new one.
 * sum  gets names, modes and contents in a fixed order; where a file's holes are does not matter
 * Errors: RUN_ERROR_JOB when it is too deep to be of use, RUN_ERROR_NODE, or the tick's own. A half
 * copy is left to the caller.
 */
bool run_tree_copy(const char *from, const char *to, run_tree_copying *copying, GChecksum *sum,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
