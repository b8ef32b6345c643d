#pragma once
/*
 * queue_internal - what the other parts of the server may do to a job.
 */
#include "server/queue.h"
#include "server/store_sql.h"

#define SRV__LOG_LIMIT_BYTES (64u * 1024u)

/* What one row of job says about who holds it. */
typedef struct {
    int64_t id, project, revision, benchmark, attempts;
    char state[16], kind[16];
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

/* srv__benchmark_keep - the key of a benchmark's row, made when new. */
bool srv__benchmark_keep(srv_store *store, const json_t *body, int64_t *id,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__commit_check - a full commit id and a date? INVALID. */
bool srv__commit_check(const srv_commit *commit, const char *night, GError **error);

/* srv__revision_keep - the key of a commit's row, made when new. */
bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__priority - of a kind; srv__kind_name - as in the API. */
int srv__priority(srv_kind kind);
const char *srv__kind_name(srv_kind kind);

/* srv__job_answer - what lease and resume answer; owned, NULL with error. */
json_t *srv__job_answer(srv_store *store, int64_t job, unsigned lease_s,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
