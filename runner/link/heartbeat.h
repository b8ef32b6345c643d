#pragma once
/*
 * heartbeat - keeps the lease, tells the progress, and learns whether the job is still ours.
 *
 * A silent server is no reason to stop measuring: it is logged, and the job goes on.
 */
#include "runner/link/client.h"
#include "runner/process/output.h"

#include <stdint.h>

typedef struct {
    run_client *client; /* NULL: no server; progress is a line on standard output */
    const char *node;
    int64_t job;
    char *lease;
    bool confirmed;     /* the server knows that we still have the job */
    unsigned expires_s; /* of the lease, as last told */
    int64_t last_us;    /* monotonic time of the last try; 0: none */
    bool away;          /* the last call got no answer */
    const char *phase;
    const char *configuration; /* NULL between processes */
    unsigned loop, loops, done, total;
    double eta_s;               /* < 0: unknown */
    char *waits;                /* why the node does not measure now; owned. NULL: it does */
    const char *message;        /* for people; NULL: none */
    const run_printed *printed; /* its end goes with the progress; NULL: none */
    const GPtrArray *beside;    /* run_heartbeat *: of jobs that are measured in turn with this one,
                                   which is among them; beaten when due. NULL: none */
} run_heartbeat;

#define RUN_CALL_TIMEOUT_S 15 /* between loops */
#define RUN_QUIET_CALL_TIMEOUT_S                                                                   \
    2 /* while a process runs: deadlines and disk are watched meanwhile */

/**
 * run_heartbeat_beat - a progress call, or a resume call as long as we are not confirmed.
 * due_only  only when a third of the lease (at most RUN_HEARTBEAT_S) has gone by
 * Returns false with RUN_ERROR_LOST or RUN_ERROR_STOPPED; everything else is true.
 */
bool run_heartbeat_beat(run_heartbeat *beat, bool due_only, unsigned timeout_s,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_heartbeat_print - one line of JSON on standard output, for who started us without a
 * server. */
void run_heartbeat_print(const json_t *line);

/* run_heartbeat_tick - run_process_tick for a process of this job: beats when due. */
bool run_heartbeat_tick(void *beat, GError **error);

/* run_heartbeat_waits - run_gate_waits for this job: it is told with the next tick. */
void run_heartbeat_waits(void *beat, const char *reason);

/**
 * run_heartbeat_resume - asks for the job again, after a restart or a 409.
 * Returns true with beat->lease fresh; false with RUN_ERROR_LOST, RUN_ERROR_AWAY, RUN_ERROR_STOPPED
 * or RUN_ERROR_REFUSED.
 */
bool run_heartbeat_resume(run_heartbeat *beat, unsigned timeout_s,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
