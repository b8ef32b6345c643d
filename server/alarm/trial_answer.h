#pragma once
/*
 * trial_answer - what a trial's jobs brought, and what follows for who asked: the series of a
 * suspicion is judged again, a bisection takes its next step.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__trial_take - a job's result; in a transaction. Queues the next job, or settles.
 * hash   of the result: the same one may come again */
bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_failed - a job of it has failed for good or was cancelled; in a transaction.
 * reason   kept with the questions, which get no answer; suspicions are then believed */
bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trials_expire - give up those whose node has been away for three days. Not in a
 * transaction. */
bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
