#pragma once
/*
 * loop - a finished loop: what one fresh process of one configuration gave, good or failed.
 *
 * Runner-wide it is this struct; loop.c has the only reader and writer of its JSON, which is
 * both a file of the spool and part of the result (docs/protocol.md).
 */
#include "detector/statistics/stats.h"
#include "runner/ground/durable.h"
#include "runner/job/job.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char *configuration; /* its name */
    char *commit;        /* of a trial: which one ran; else NULL */
    unsigned number;     /* of the round, from 1 */
    unsigned position;   /* in the order in which the loops of the job ran, from 0 */
    unsigned attempt;    /* from 1 */
    int64_t started_ms;  /* Unix time */
    double seconds;
    unsigned turn;      /* of nights measured in turn, from 1; 0: it has the node alone */
    char *failed;       /* why; NULL: it went well */
    bool disturbed;     /* by others on the node, or it stands alone */
    bool stray;         /* it stands alone among its configuration's loops (measure/stray.h) */
    char *disturbed_by; /* in words; NULL: not disturbed */
    uint64_t calls, warmup_calls; /* of all threads */
    det_summary summary;          /* of the calls after warm-up, ns; n = 0: there is none */
    GArray *calls_per_second;     /* uint64_t, full seconds only; NULL: none */
    run_durable_raw raw;          /* the kept raw file; sha256 "": none */
    json_t *readings;             /* of node and process, told as they are; NULL: none */
} run_loop;

/* run_loop_new - of a configuration; commit may be NULL. Both are copied. */
run_loop *run_loop_new(const char *configuration, const char *commit, unsigned number);
void run_loop_free(run_loop *loop);

/* run_loop_add_reading - value is taken over. */
void run_loop_add_reading(run_loop *loop, const char *key, json_t *value);

/* run_loop_set_disturbed - by what, in words (copied); NULL: not at all, and no stray either. */
void run_loop_set_disturbed(run_loop *loop, const char *by);

/* run_loops_new - an empty list, as all lists of loops: GPtrArray of run_loop *, owned by it. */
GPtrArray *run_loops_new(void);

/* run_loops_at - the i-th; borrowed. */
run_loop *run_loops_at(const GPtrArray *loops, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_loop, run_loop_free)

/*
 * loop_json - a finished loop as JSON and back (docs/protocol.md, "loops" of a result).
 */

/* run_loop_json - the loop object; to json_decref. */
json_t *run_loop_json(const run_loop *loop);

/* run_loops_json - an array of them; to json_decref. */
json_t *run_loops_json(const GPtrArray *loops);

/**
 * run_loop_read - the other way round.
 * Returns a loop to run_loop_free, or NULL when it does not say of which configuration and round it
 * is, or went well and has neither raw file nor summary.
 */
run_loop *run_loop_read(const json_t *object);

/*
 * done - a job's loops by number: which configuration and commit each is of, and which one counts.
 *
 * The rule stands here and nowhere else in the runner; it is the server's (docs/protocol.md): of
 * the attempts at one loop the last good undisturbed one counts, else the last good one.
 */

typedef struct {
    unsigned configuration; /* index in the job; G_MAXUINT: none of the job's */
    unsigned loop;          /* from 1 */
    bool failed;
    bool disturbed;
    unsigned which; /* RUN_AFTER or RUN_BEFORE; G_MAXUINT: neither */
} run_loop_done;

/* run_loops_done - GArray of run_loop_done, one for each loop, in their order; g_array_unref. */
GArray *run_loops_done(const run_job *job, const GPtrArray *loops);

/* run_loops_counting - whether each of them counts: [done->len], to g_free. O(n). */
bool *run_loops_counting(const GArray *done);

/**
 * run_loops_least - loops that count, of the configuration (and commit) that has the fewest: with
 * the job's minimum_loops of them a night that must end early still counts.
 */
unsigned run_loops_least(const run_job *job, const GPtrArray *loops);
