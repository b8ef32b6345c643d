#pragma once
/*
 * queue_internal - what the other parts of the server may do to a job.
 */
#include "server/ground/auth_random.h"
#include "server/queue/queue.h"
#include "server/store/store_sql.h"

#define SRV__PAUSE_LAST_MS 3600000 /* no job waits longer for its next attempt */
#define SRV__LOG_LIMIT_BYTES (64u * 1024u)

/* What one row of job says about who holds it. */
typedef struct {
    int64_t id, project, revision, benchmark, attempts;
    char state[16], kind[16], lease[SRV_AUTH_UUID_SIZE]; /* lease "": nobody has it */
    bool held; /* the given lease is the job's present one */
} srv__holding;

/* srv__holding_get - NOT_FOUND when there is no such job. lease NULL: never held. */
bool srv__holding_get(srv_store *store, int64_t job, const char *lease, srv__holding *holding,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__holding_lost - set CONFLICT: who has it now; returns false. */
bool srv__holding_lost(const srv__holding *holding, GError **error);

/* srv__job_done - the job's result is in; inside a transaction. */
bool srv__job_done(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_give_up - no further attempt; inside a transaction. */
bool srv__job_give_up(srv_store *store, const srv__holding *holding, const char *reason,
                      int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__queue_artifact_came - jobs that waited for it may go, one that gave up is queued anew;
 * inside a transaction. */
bool srv__queue_artifact_came(srv_store *store, int64_t project, const char *sha, const char *name,
                              int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
