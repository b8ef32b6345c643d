#pragma once
/*
 * pull_answer - what the jobs of a pull request brought, and what follows. All but one inside a
 * transaction; false with error.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* What a runner sent for one; hash: of the result without its lease. */
typedef struct {
    int64_t job;
    const srv__result *result;
    const srv__tree *tree;
    const char *hash;
} srv__pull_result;

/* srv__pull_there - has this job's result come in before? pull: out, 0: no. CONFLICT when it was
 * another one. */
bool srv__pull_there(srv_store *store, int64_t job, const char *hash, int64_t *pull,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_take - a job's result: the next job is queued, or the answer is there. */
bool srv__pull_take(srv_store *store, const srv__pull_result *result, int64_t now_ms, int64_t *pull,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pulls_expire - those whose node does not come back are given up; in a transaction of its
 * own. */
bool srv__pulls_expire(srv_store *store, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_failed - a job of it has failed for good or was cancelled. */
bool srv__pull_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
