#include "server/alarm/trial_answer.h"

#include "detector/watch/confirm.h"
#include "server/alarm/bisection_step.h"
#include "server/alarm/series.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_judge.h"

/* A node that does not come back for so long will not answer; its suspicions must not wait. */
#define STRANDED_MS (INT64_C(3) * 24 * 3600 * 1000)

/* Of which trial the job is, and how that stands. */
typedef struct {
    int64_t id, batches, series;
    bool bisection;
} standing;

static bool standing_get(srv_store *store, int64_t job, standing *s, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT t.id, t.batches, t.series_id, t.kind='bisection' AS \"bisection?\""
                     " FROM trial_job j JOIN trial t ON t.id=j.trial_id WHERE j.job_id=$1",
                     SRV__ARGS(SRV__I(job)), &row, error))
        return false;
    s->id = json_integer_value(json_object_get(row, "id"));
    s->bisection = json_is_true(json_object_get(row, "bisection"));
    s->batches = json_integer_value(json_object_get(row, "batches"));
    s->series = json_integer_value(json_object_get(row, "series_id"));
    json_decref(row);
    if (s->id == 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "job %" G_GINT64_FORMAT " belongs to no trial", job);
    return s->id != 0;
}

/* Suspicions that were the trial's questions have their outcome: the series is judged again. */
static bool suspicions_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                              GError **error) {
    json_t *row;
    g_autofree char *unable =
        failed ? g_strdup_printf("it could not be measured again (%s): the night is taken at its "
                                 "word",
                                 failed)
               : NULL;
    if (!srv__run(store,
                  "UPDATE suspicion SET settled_ms=$2, state=(SELECT CASE q.state"
                  " WHEN 'yes' THEN 'confirmed' WHEN 'no' THEN 'cleared' ELSE 'believed' END"
                  " FROM question q WHERE q.id=suspicion.question_id),"
                  " reason=(SELECT CASE q.state WHEN 'failed' THEN $3 ELSE q.reason END"
                  " FROM question q WHERE q.id=suspicion.question_id)"
                  " WHERE state='waiting' AND question_id IN"
                  " (SELECT id FROM question WHERE trial_id=$1)",
                  SRV__ARGS(SRV__I(trial), SRV__I(now_ms), SRV__T(unable)), NULL, error) ||
        !srv__object(store, "SELECT series_id, experiment_id FROM trial WHERE id=$1",
                     SRV__ARGS(SRV__I(trial)), &row, error))
        return false;
    int64_t series = json_integer_value(json_object_get(row, "series_id"));
    int64_t experiment = json_integer_value(json_object_get(row, "experiment_id"));
    json_decref(row);
    return srv__series_again(store, series, experiment, now_ms, error) &&
           srv__event(store, SRV_EVENT_NIGHT, experiment);
}

/* failed: why there will be no answer, NULL when the questions have theirs. */
static bool settle(srv_store *store, const standing *s, const char *failed, int64_t now_ms,
                   GError **error) {
    return srv__run(store,
                    "UPDATE question SET state='failed', reason=$2"
                    " WHERE trial_id=$1 AND state='open'",
                    SRV__ARGS(SRV__I(s->id), SRV__T(failed)), NULL, error) &&
           srv__run(store, "UPDATE trial SET state=$2, finished_ms=$3 WHERE id=$1",
                    SRV__ARGS(SRV__I(s->id), SRV__T(failed ? "failed" : "done"), SRV__I(now_ms)),
                    NULL, error) &&
           (s->bisection ? srv__bisection_settle(store, s->id, failed, now_ms, error)
                         : suspicions_settle(store, s->id, failed, now_ms, error));
}

bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms, GError **error) {
    det_confirm_policy policy;
    standing s;
    size_t open, useless;
    if (!standing_get(store, job, &s, error) ||
        !srv__confirm_policy(store, s.series, &policy, error) ||
        !srv__run(store, "UPDATE trial_job SET result_hash=$2 WHERE job_id=$1",
                  SRV__ARGS(SRV__I(job), SRV__T(hash)), NULL, error) ||
        !srv__trial_loops_insert(store, s.id, job, result, tree, error) ||
        !srv__trial_judge(store, s.id, job, &policy, &open, &useless, error))
        return false;
    if (open == 0)
        return settle(store, &s, NULL, now_ms, error);
    if (useless > 0)
        return settle(store, &s, "its processes failed", now_ms, error);
    /* Failed loops may make it longer than the test's own maximum, but not endless. */
    if (s.batches >= 2 * (int64_t)(policy.maximum / policy.step))
        return settle(store, &s, "too many of its processes failed", now_ms, error);
    return srv__trial_batch(store, s.id, now_ms, error);
}

bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) {
    standing s;
    return standing_get(store, job, &s, error) && settle(store, &s, reason, now_ms, error);
}

/* The queued jobs of trials whose node is gone, or no longer can. */
static GArray *stranded(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM trial t JOIN trial_job l ON l.trial_id=t.id"
                    " JOIN job j ON j.id=l.job_id LEFT JOIN node n ON n.name=t.node"
                    " WHERE t.state='running' AND t.node IS NOT NULL AND j.state='queued'"
                    " AND j.queued_ms<$1 AND (coalesce(n.seen_ms, 0)<$1"
                    " OR n.can NOT LIKE '%\"confirmation\"%')",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const char reason[] = "its node has been away for three days";
    g_autoptr(GArray) jobs = stranded(store, now_ms - STRANDED_MS, error);
    if (!jobs || jobs->len == 0)
        return jobs != NULL;
    if (!srv__begin(store, error))
        return false;
    bool good = true;
    for (guint i = 0; good && i < jobs->len; i++) {
        int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__run(store,
                        "UPDATE job SET state='cancelled', error=$2, finished_ms=$3 WHERE id=$1",
                        SRV__ARGS(SRV__I(job), SRV__T(reason), SRV__I(now_ms)), NULL, error) &&
               srv__event(store, SRV_EVENT_JOB, job) &&
               srv__trial_failed(store, job, reason, now_ms, error);
    }
    return srv__end(store, good, error);
}
