#pragma once
/*
 * spool - what is measured and not yet acknowledged, on disk before anything else happens with it.
 *
 * <work_dir>/spool/job-<id>/: job.json, then per process n.csv.zst (if it succeeded) and n.json.
 * Every file appears whole or not at all: temporary name, fsync, rename, fsync of the folder.
 * A loop counts when its n.json is there; one whose raw file does not match it is dropped, and in a
 * trial one that does not say which of the two commits it ran.
 */
#include "config/model/model.h"
#include "runner/loop/loop.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* head - what the spool keeps of a job beside its loops, as job.json. */

typedef struct {
    json_t *job; /* as the server sent it */
    int64_t id;  /* this and the following: of the job */
    char *commit, *before;
    bool beside; /* others may be asked for beside it */
    char *lease; /* NULL: of no server */
    int64_t started_ms;
    int64_t finished_ms; /* 0: it is not measured yet */
    json_t *prepared;    /* how each commit was made ready; NULL: they are not */
    json_t *environment, *explanation;
    bool counted;    /* what there is to count is */
    json_t *counts;  /* NULL: nothing was */
    json_t *failure; /* what the server is to be told; NULL: nothing has failed */
} run_head;

/* run_head_detail - what is told beside the loops; borrowed, NULL before there is an environment.
 */
json_t *run_head_detail(const run_head *head);

typedef struct run_spool run_spool;

/* run_spool_list - ids of all jobs in the spool of work_dir, ascending: GArray of int64_t. */
GArray *run_spool_list(const char *work_dir);

/**
 * run_spool_create - a new folder for a job (an old one of the same id is removed).
 * head  written as job.json: {"job", "lease", "started_ms"}
 */
run_spool *run_spool_create(const char *work_dir, int64_t id, json_t *head,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_spool_open - what an earlier run left.
 * Damaged loops are removed with a log line. NULL with error when job.json is missing or damaged.
 */
run_spool *run_spool_open(const char *work_dir, int64_t id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_spool_free(run_spool *spool);

/* run_spool_head - job.json; borrowed. run_spool_update replaces it on disk. */
run_head *run_spool_head(const run_spool *spool);
bool run_spool_update(run_spool *spool, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_spool_loops - in the order they were measured; borrowed list of run_loop *. */
GPtrArray *run_spool_loops(const run_spool *spool);

/* run_spool_next - number that the next loop gets: from 1, rising, never used twice. */
unsigned run_spool_next(const run_spool *spool);

/* run_spool_next_raw_path - where the next loop's raw file is packed. Returns a string to g_free.
 */
char *run_spool_next_raw_path(const run_spool *spool);

/**
 * run_spool_add - one finished loop, made durable.
 * loop, raw  taken over, whatever happens; the loop says what the raw file is
 * raw        begun at run_spool_next_raw_path; NULL for a failed loop, or one without calls
 */
bool run_spool_add(run_spool *spool, run_loop *loop, run_durable_pack *raw,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_spool_forget_loops - all loops away: they were measured under another environment. */
bool run_spool_forget_loops(run_spool *spool, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_spool_raw_path - where the i-th loop's packed raw file is. Returns a string to g_free. */
char *run_spool_raw_path(const run_spool *spool, size_t i);

/* run_spool_drop - the job is acknowledged or lost: remove its folder. */
bool run_spool_drop(run_spool *spool, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_spool, run_spool_free)
