#include "server/store/store_sql.h"
/* Jobs that wait for what CI hands in. */
#include "server/queue/queue.h"
#include "server/queue/queue_internal.h"
#include "sql/queue.h"

/* How such a failure is known again when the artifact comes after all. */
#define GAVE_UP "artifact: "

static char *why(const json_t *job) {
    const char *name = json_string_value(json_object_get(job, "artifact"));
    if (json_is_true(json_object_get(job, "trial")))
        return g_strdup_printf(GAVE_UP "%s of one of the two commits does not exist (any more)",
                               name);
    return g_strdup_printf(
        GAVE_UP
        "no %s was uploaded for this commit within %.4g h (benchmark.artifact_wait_seconds); if it "
        "still arrives, the night is measured then",
        name, (double)json_integer_value(json_object_get(job, "wait_s")) / 3600);
}

static bool give_up(srv_store *store, const json_t *job, int64_t now_ms, GError **error) {
    srv__holding holding;
    g_autofree char *reason = why(job);
    return srv__holding_get(store, json_integer_value(json_object_get(job, "id")), NULL, &holding,
                            error) &&
           srv__job_give_up(store, &holding, reason, now_ms, error);
}

bool srv_queue_waits_expire(srv_store *store, int64_t now_ms, unsigned *expired, int64_t *next_ms,
                            GError **error) {
    json_t *jobs = srv__array(store, SQL(jobs_overdue), SRV__ARGS(SRV__I(now_ms)), error);
    bool good = jobs != NULL;
    *expired = (unsigned)json_array_size(jobs);
    /* Only this thread hands artifacts in: nothing can come between the look and the giving up. */
    if (good && *expired > 0) {
        good = srv__begin(store, error);
        size_t i;
        json_t *job;
        bool all = good;
        json_array_foreach (jobs, i, job)
            all = all && give_up(store, job, now_ms, error);
        good = good && srv__end(store, all, error);
    }
    json_decref(jobs);
    return good &&
           srv__number(store, SQL(jobs_overdue_next), SRV__NO_ARGS, INT64_MAX, next_ms, error);
}

/* The newest job of the commit, if it gave up waiting for this: once more, as a job of its own. */
static bool queue_again(srv_store *store, int64_t project, const char *sha, const char *name,
                        int64_t now_ms, GError **error) {
    int64_t old, fresh;
    if (!srv__number(store, SQL(job_gave_up),
                     SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(name), SRV__T(GAVE_UP)), 0,
                     &old, error))
        return false;
    return old == 0 || (srv__insert(store, SQL(job_insert_again),
                                    SRV__ARGS(SRV__I(old), SRV__I(now_ms)), &fresh, error) &&
                        srv__event(store, SRV_EVENT_JOB, fresh));
}

bool srv__queue_artifact_came(srv_store *store, int64_t project, const char *sha, const char *name,
                              int64_t now_ms, GError **error) {
    json_t *jobs = srv__array(store, SQL(jobs_waiting_for),
                              SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(name)), error);
    bool good = jobs != NULL;
    size_t i;
    json_t *job;
    json_array_foreach (jobs, i, job) {
        good = good &&
               srv__event(store, SRV_EVENT_JOB, json_integer_value(json_object_get(job, "id")));
    }
    json_decref(jobs);
    return good && queue_again(store, project, sha, name, now_ms, error);
}
