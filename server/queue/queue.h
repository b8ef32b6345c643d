#pragma once
/*
 * queue - what is to be measured, and who is measuring it.
 *
 * A job is queued → leased → done | failed | cancelled. A lease that is not renewed expires and
 * the job is queued again after a pause that doubles with each attempt; after the last attempt
 * it has failed for good and is kept with its log. Higher priority first (webhook, manual,
 * nightly, confirmation, bisection, sweep, backfill, explain: no new night waits for a doubt), then
 * the project that was served longest ago, then the oldest night. JSON in and out as in
 * docs/protocol.md and docs/api.md.
 */
#include "config/config.h"
#include "server/store/job_kind.h"
#include "server/store/projects.h"

/* From cfg_server. */
typedef struct {
    unsigned lease_s;  /* a silent runner loses its job after so long */
    unsigned attempts; /* how often a job is tried */
} srv_queue_rules;

/* What is to be measured; borrowed. */
typedef struct {
    const srv_commit *commit;
    const char *night; /* "YYYY-MM-DD" */
    srv_kind kind;
} srv_measurement;

/**
 * srv_night_add - queue the measuring of one commit.
 * queued  out: false when the same commit with the same benchmark is already queued, running or
 *         measured (MANUAL: queued or running); may be NULL
 * job     out: the new job's number or that of the one there already; may be NULL
 * Returns false with error: NOT_FOUND (project), INVALID (id, night, project disabled).
 */
bool srv_night_add(srv_store *store, const char *project, const srv_measurement *wanted,
                   int64_t now_ms, bool *queued, int64_t *job,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A node that asks for work, as it describes itself; borrowed. */
typedef struct {
    const char *name, *version; /* of the runner; NULL: not said */
    const json_t *labels;       /* array of strings or NULL: jobs of projects that need others
                                   (node_labels) stay */
    int64_t beside; /* a back-filled night that it has and can let wait: only what goes before it,
                       or another night of its project and benchmark; 0: it has nothing */
    bool room;      /* for such another night */
    const json_t *can; /* array of strings or NULL: "confirmation" when it can measure two
                          commits in turn; others get no such jobs, and what they find is told
                          at once */
} srv_node;

/** srv_queue_off_end - jobs that have waited so many days for a project that is not measured are
 * cancelled. ended: out, how many. */
bool srv_queue_off_end(srv_store *store, unsigned days, int64_t now_ms, unsigned *ended,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_queue_lease - hand the next job to a node.
 * answer   out: {"job","lease","expires_seconds"}, owned by the caller; NULL: nothing to do
 * Also notes that the node was seen.
 */
bool srv_queue_lease(srv_store *store, const srv_queue_rules *rules, const srv_node *node,
                     int64_t now_ms, json_t **answer, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_resume - a restarted runner takes its job up again. Returns as lease's answer, or
 * NULL with error: NOT_FOUND, CONFLICT (somebody else has it, or it has ended). */
json_t *srv_queue_resume(srv_store *store, const srv_queue_rules *rules, int64_t job,
                         const char *node, const char *lease, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_progress - heartbeat; body as in docs/protocol.md, lease included. Returns
 * {"expires_seconds"}, or NULL with error: NOT_FOUND, CONFLICT, INVALID. */
json_t *srv_queue_progress(srv_store *store, const srv_queue_rules *rules, int64_t job,
                           const json_t *body, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_failure - the runner gives up; body as in docs/protocol.md. The same report again is
 * fine. Error: NOT_FOUND, CONFLICT, INVALID. */
bool srv_queue_failure(srv_store *store, const srv_queue_rules *rules, int64_t job,
                       const json_t *body, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_holds - does this lease hold this job? Asked before an upload is read.
 * Error: NOT_FOUND, CONFLICT. */
bool srv_queue_holds(srv_store *store, int64_t job, const char *lease,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_expire - take jobs back from silent nodes; call every few seconds and at the start.
 * expired   out: how many; may be NULL */
bool srv_queue_expire(srv_store *store, const srv_queue_rules *rules, int64_t now_ms,
                      unsigned *expired, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_queue_waits_expire - jobs whose artifact has not come in time have failed, and say so.
 * next_ms   out: Unix time at which the next one is due; INT64_MAX: none waits
 */
bool srv_queue_waits_expire(srv_store *store, int64_t now_ms, unsigned *expired, int64_t *next_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_node_pause - a node gets no more work; what it has it ends (drained is when it is idle).
 * why   who and why, kept and shown; NULL: it works again
 * Error: NOT_FOUND (no such node has ever asked).
 */
bool srv_node_pause(srv_store *store, const char *node, const char *why,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_queue_cancel - take a job out of the queue, also from under a runner (its next heartbeat
 * says 409). Error: NOT_FOUND, CONFLICT (it has ended). */
bool srv_queue_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * sweep - one parameter of a project's benchmark at several values (benchmark.sweep), asked for by
 * hand: a job of kind "sweep" for each value, all on the node that takes the first. What they
 * measure is hidden from the nights and in no series (views/views_sweep.c shows it).
 */

/* What is asked for; borrowed. */
typedef struct {
    const srv_commit *commit;
    const char *night;  /* "YYYY-MM-DD" */
    const char *author; /* who asks */
} srv_sweep_wanted;

/**
 * srv_sweep_add - queue all values of the project's sweep.
 * queued  out: false when a sweep of this commit is under way already
 * sweep   out: its number
 * Returns false with error: NOT_FOUND (project), INVALID (no sweep is configured, id, night,
 * project disabled).
 */
bool srv_sweep_add(srv_store *store, const cfg_project *project, const srv_sweep_wanted *wanted,
                   int64_t now_ms, bool *queued, int64_t *sweep,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
