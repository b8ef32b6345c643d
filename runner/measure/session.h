#pragma once
/*
 * session - one job from lease to acknowledgement: checkout, prepare, measure, upload.
 *
 * All that must survive is in the spool; a session can be begun again from it at any point.
 */
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/link/spool.h"
#include "runner/measure/attempt.h"
#include "runner/measure/trees.h"
#include "runner/node/node.h"
#include "runner/node/tuning.h"
#include "runner/prepare/cache.h"

typedef enum {
    RUN_SESSION_DONE,    /* the result is with the server */
    RUN_SESSION_FAILED,  /* the job failed, and the server knows */
    RUN_SESSION_LOST,    /* the job is somebody else's now, or cancelled */
    RUN_SESSION_STOPPED, /* the agent was told to stop; the spool waits for the next start */
    RUN_SESSION_OPEN     /* its turn is over, the job is not */
} run_session_end;

typedef struct run_session run_session;

/**
 * run_session_open - a job to work on; nothing is done yet.
 * cache      of prepared trees; NULL: none
 * spool      its head is {"job", "lease", "started_ms", …}; it must outlive the session
 * expires_s  of the lease; 0: found in the spool at start, the server must be asked first
 */
run_session *run_session_open(const run_node *node, run_cache *cache, run_spool *spool,
                              unsigned expires_s);
void run_session_close(run_session *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_session, run_session_close)

/* run_session_finish - works on the job until it ends, whatever happens: never RUN_SESSION_OPEN.
 * The spool's folder is gone afterwards, except with RUN_SESSION_STOPPED. */
run_session_end run_session_finish(run_session *session);

/**
 * run_session_turn - makes the job ready, and measures a round of it.
 * RUN_SESSION_OPEN: it goes on with its next turn or, once it is measured, with
 * run_session_finish, which hands it over. Else it has ended, as above.
 */
run_session_end run_session_turn(run_session *session);

/* run_session_measured - whether all of it is measured, and waits to be handed over. */
bool run_session_measured(const run_session *session);

/* run_session_wait - it waits from now on: its heartbeat becomes one of these, which beat for
 * each other (heartbeat.h), and must outlive it there. */
void run_session_wait(run_session *session, GPtrArray *beats);

/* run_session_leave - it is none of these any more. */
void run_session_leave(run_session *session, GPtrArray *beats);

/* run_session_run - run_session_open, _finish and _close. */
run_session_end run_session_run(const run_node *node, run_cache *cache, run_spool *spool,
                                unsigned expires_s) G_GNUC_WARN_UNUSED_RESULT;

/*
 * count - the short loops after a night's last one, in which is counted what a call does beside
 * taking time: two processes of every configuration and counter, wrapped by it, with few calls.
 * Nothing of it is measured, and nothing that goes wrong in it speaks against the night. A trial's
 * come before its first loop, and are of both commits by the driver's first counter: whether they
 * moved is its question.
 */

#define RUN_COUNT_LOOPS 2     /* of each configuration and counter: do they agree? */
#define RUN_COUNT_S_MOST 300u /* of all */

typedef struct {
    const run_node *node;
    const run_job *job;
    const run_trees *trees; /* prepared */
    run_heartbeat *beat;
    unsigned most_s; /* for all of it; what is not counted by then is among what failed */
} run_count;

/* run_count_wanted - does this job count? Nights may, and a trial's first job, which its server
 * names: an older one does not know that trials can. */
bool run_count_wanted(const run_job *job);

/**
 * run_count_make - {"counters": {dimension: counter}, "configurations": {name: {dimension: [a value
 * a call for each loop]}}, "before": likewise of a trial's older commit, "failed": {what: why}} as
 * docs/protocol.md has it; *counts: out, owned. *counts is NULL where nothing can be counted and
 * the job asks for no more than that. False with RUN_ERROR_STOPPED or RUN_ERROR_LOST alone: all
 * else is among what failed.
 */
bool run_count_make(const run_count *count, json_t **counts,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * explain - profiles of two commits, each with the same configurations: what a job asks for that is
 * to say where a change is. Nothing here is measured: the node is neither tuned nor waited for.
 */

typedef struct {
    const run_node *node;
    const run_job *job;
    const run_trees *trees; /* of both commits, prepared */
    run_heartbeat *beat;
    char *last_log;    /* of the last program that failed; owned by the caller */
    size_t bytes_most; /* of the stacks of time; set here */
} run_explain;

/**
 * run_explain_make - {"profiler", "unit", "profiles": [{"commit", "configuration", "loop", "calls",
 * "stacks"}], "note", "allocations"} as docs/protocol.md has it; owned. note: why a better profiler
 * was not used; allocations, of a JVM: likewise of the bytes that are allocated, or {"reason"}.
 * Returns NULL with RUN_ERROR_JOB (no profiler, a process failed, the profile holds nothing of the
 * benchmark, the time is up: which of them and where), RUN_ERROR_NODE or the heartbeat's errors.
 */
json_t *run_explain_make(run_explain *explain, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * environment - what must be equal for two experiments to be compared (docs/protocol.md).
 */

/**
 * run_environment_record - the "environment" object of a result; to json_decref.
 * trees   of the job: what placeholders in the PATH of a configuration stand for
 * tuning  what was set on the node, or NULL
 * Runs the harness and, for the java driver, `java -version` as each configuration's PATH finds it;
 * all must work. Returns NULL with RUN_ERROR_JOB when they do not.
 */
json_t *run_environment_record(const run_node *node, const run_job *job, const run_trees *trees,
                               const run_tuning *tuning, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_environment_hash - SHA-256 of the record without "detail": sorted keys, compact. g_free. */
char *run_environment_hash(json_t *record);

/*
 * rounds - the processes of a job one after the other, until its plan is complete or may end early.
 */

/**
 * run_rounds_measure - every loop that the plan still asks for, into the attempt's spool.
 * attempt  its commit, checkout and artifact are set for each process; with a turn it is but a
 *          round, or as many processes of a block as there are configurations
 * beat     told of each process, and between two of them
 * complete out: false: the turn is over, and more is to be measured
 * A night that is measured well enough, or that has its minimum when the node stays busy, ends
 * before the last round: the spool's head says why, and that is not an error.
 * Errors: RUN_ERROR_JOB (a configuration never works), RUN_ERROR_BUSY (too few loops before),
 * RUN_ERROR_STOPPED, RUN_ERROR_LOST, RUN_ERROR_NODE.
 */
bool run_rounds_measure(run_attempt *attempt, const run_trees *trees, run_heartbeat *beat,
                        bool *complete, GError **error) G_GNUC_WARN_UNUSED_RESULT;
