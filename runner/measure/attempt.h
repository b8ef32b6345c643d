#pragma once
/*
 * attempt - one fresh process of one configuration, or one of each commit at the same time: run it,
 * judge it, keep its result.
 */
#include "runner/driver/driver.h"
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/link/spool.h"
#include "runner/measure/plan.h"
#include "runner/measure/trees.h"
#include "runner/node/gate.h"
#include "runner/node/node.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * places - the folders of one process of a benchmark: out and scratch below a folder of work_dir
 * are its own, the log is ours.
 */

typedef struct {
    char *folder;
    char *out;
    char *scratch;
    char *raw;    /* in out: what a harness writes */
    char *result; /* in out: {result} of driver command */
    char *log;
    char *own; /* /tmp and the like, where the process has its own */
    run_sandbox_places own_places;
} run_places;

/* run_places_make - new and empty, given to the user of code under test; below: of work_dir, as
 * "scratch/loop". Clear with run_places_clear; the folder stays until it is removed
 * (run_scratch_remove). */
bool run_places_make(run_places *at, const run_node *node, const char *below,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_places_clear(run_places *at);

/* run_places_process - a process of code under test in them, with this node's limits on files and
 * folders; borrows from both. */
run_process_spec run_places_process(const run_places *at, const run_node *node);

typedef struct {
    const run_node *node;
    const run_job *job;
    const char *checkout; /* of `commit` */
    const char *artifact; /* of `commit`; NULL: none */
    const char *commit;   /* that the next process runs: one of the job's */
    unsigned turn;        /* of its loops (loop.h) */
    run_spool *spool;
    run_process_tick tick;
    run_gate_waits waits; /* for the node to be idle; NULL: nobody asks */
    void *tick_data;      /* of both */
    run_readings since;   /* taken when the last process ended */
    char *last_log;       /* of the last process that failed; owned, may be NULL */
} run_attempt;

/**
 * run_attempt_measure - measures one step of the plan and adds it to the spool, good or failed.
 * Waits at the gate first. A failed process is a result, not an error. Errors: RUN_ERROR_NODE (disk
 * full, no processes), RUN_ERROR_BUSY (never idle), RUN_ERROR_STOPPED, or the tick's own; nothing
 * is added then.
 * attempts  [count]; 2: both commits of a trial at once (plan.h), two loops: of RUN_AFTER and
 *           RUN_BEFORE, alike but for commit, checkout and artifact. The first one's since and both
 *           their last_log are kept up
 */
bool run_attempt_measure(run_attempt *attempts, unsigned count, const run_plan_step *step,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * receiver - the program that takes what one configuration writes: where it listens, and whether
 * all of it came.
 *
 * It runs on the housekeeping processors, as code under test does, from before the benchmark's
 * process until after it. At its end (SIGTERM) the last line it prints may be a JSON object;
 * "records" in it is how many records came, one for each activation of the monitored method that
 * was recorded.
 */

typedef struct run_receiver run_receiver;

/**
 * run_receiver_new - of a configuration; NULL when it needs none.
 * values  calls and depth say what is expected
 * folder  of this process; gets the receiver's log. It has the process' scratch
 */
run_receiver *run_receiver_new(const run_node *node, const cfg_configuration *configuration,
                               const run_placeholder *values, const char *folder);
void run_receiver_free(run_receiver *receiver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_receiver, run_receiver_free)

/**
 * run_receiver_open - chooses the port, or sees that the one asked for is free.
 * values  its port is set, borrowed from the receiver
 * Returns NULL, or why the loop cannot be measured, to g_free.
 */
char *run_receiver_open(run_receiver *receiver, const char *checkout, run_placeholder *values);

/* run_receiver_companion - to start it by; borrowed. NULL for NULL. */
run_companion *run_receiver_companion(run_receiver *receiver);

/* run_receiver_expect - another number of records than the project's calls make. */
void run_receiver_expect(run_receiver *receiver, uint64_t records);

/* run_receiver_reading - what it counted, with "expected" records, for the readings; json_decref.
 */
json_t *run_receiver_reading(const run_receiver *receiver);

/* run_receiver_judge - NULL when enough came, else why the loop has failed, to g_free. */
char *run_receiver_judge(const run_receiver *receiver);

/*
 * unmeasured - one process of a benchmark under a profiler or a counter, apart from the loops that
 * are measured.
 */

typedef struct {
    const run_node *node;
    const run_trees *trees; /* prepared */
    run_heartbeat *beat;
    const run_job *job;            /* as it is run: with as many calls as say something */
    unsigned which, configuration; /* commit, configuration of the job */
    run_places at;                 /* made and cleared by the caller */
    int64_t until_us;              /* monotonic: the process is ended then, but has a second */
    unsigned most_s;               /* of one process, whatever is left */
    bool fixed_addresses;
} run_unmeasured;

/* The command that runs argv, taken over, under what is wanted; NULL with error. */
typedef GPtrArray *(*run_unmeasured_wrap)(const void *data, const run_placeholder *values,
                                          GPtrArray *argv, GError **error);

/* run_unmeasured_values, run_unmeasured_spec - of the process, or of a helper that reads what it
 * left. Both borrow. */
run_placeholder run_unmeasured_values(const run_unmeasured *self);
run_process_spec run_unmeasured_spec(const run_unmeasured *self);

/**
 * run_unmeasured_run - the process, with its configuration's receiver: without it it would not run.
 * result  how it ended, which is for the caller to judge; run_process_result_clear, also after
 * false Returns false with RUN_ERROR_JOB: the receiver cannot be opened; else wrap's or the
 * process' own.
 */
bool run_unmeasured_run(const run_unmeasured *self, run_unmeasured_wrap wrap, const void *data,
                        run_process_result *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_last_object - the last line of a log, when that is a JSON object; else NULL. json_decref.
 * log  NULL: it printed nothing */
json_t *run_last_object(const char *log);
