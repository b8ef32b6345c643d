#pragma once
/*
 * protocol - names and limits that runner and server share (docs/protocol.md, version 1).
 */

#define RUN_PATH_LEASE "/api/v1/runner/lease"
/* /{id}/resume|progress|raw/{sha256}|result|failure */
#define RUN_PATH_JOBS "/api/v1/runner/jobs"
#define RUN_HEADER_LEASE "X-Moowatch-Lease"

/* What this node can do beside a plain night: two commits measured in turn. */
#define RUN_CAN_CONFIRMATION "confirmation"
/* And: what CI handed in is fetched and put under {artifact}. */
#define RUN_CAN_ARTIFACT "artifact"

/* And: two commits profiled, to say where a change is. */
#define RUN_CAN_EXPLAIN "explain"

#define RUN_PHASE_CHECKOUT "checkout"
#define RUN_PHASE_PREPARE "prepare"
#define RUN_PHASE_WAIT "wait" /* until the node is idle; the message says who uses it */
#define RUN_PHASE_MEASURE "measure"
#define RUN_PHASE_COUNT "count"
#define RUN_PHASE_PROFILE "profile"
#define RUN_PHASE_UPLOAD "upload"

#define RUN_FAILURE_LOG_BYTES (64u * 1024) /* of a failed job that is sent: the last lines */
#define RUN_LOG_TAIL_BYTES 4096u           /* of a program's output that goes with the progress */
#define RUN_REASON_BYTES 4096u             /* of a reason or message */
#define RUN_HEARTBEAT_S 15                 /* progress is told at least so often */

/* What else a job may ask for is bounded in config/model/benchmark.c. */
#define CFG_LOOPS_MAX 10000
#define RUN_MINIMUM_LOOPS 2 /* where the job does not say */
#define RUN_EXPLAIN_MINUTES_LEAST 0.001
#define RUN_EXPLAIN_MINUTES_MAX 1440
#define RUN_PROFILE_LOOPS_MAX 20                 /* of each configuration and commit */
#define RUN_PROFILE_BYTES_MAX (2u * 1024 * 1024) /* of one profile's stacks that are sent */
/* Of all of a result, which must fit a request with all else: the server takes 8 MiB by default. */
#define RUN_PROFILES_BYTES_MAX (6u * 1024 * 1024)
#define RUN_ALLOCATED_BYTES_MAX (1u * 1024 * 1024) /* of those, where bytes are profiled too */
