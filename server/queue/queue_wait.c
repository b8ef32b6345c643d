#include "server/store/store_sql.h"
/* Jobs that wait for what CI hands in. */
#include "server/queue/queue.h"
#include "server/queue/queue_internal.h"
#include "sql/queue.h"

/* How such a failure is known again when the artifact comes after all. */
#define GAVE_UP "artifact: "

typedef struct {
    int64_t id, wait_s;
    char *artifact;
    bool trial;
} overdue;

static const model_member overdue_members[] = {
    MODEL(overdue, id, "id"), MODEL(overdue, artifact, "artifact"),
    MODEL(overdue, wait_s, "wait_s"), MODEL(overdue, trial, "trial")};
static const model_noun overdue_noun = MODEL_NOUN(overdue, overdue_members, "job");

static char *why(const overdue *job) {
    if (job->trial)
        return g_strdup_printf(GAVE_UP "%s of one of the two commits does not exist (any more)",
                               job->artifact);
    return g_strdup_printf(
        GAVE_UP
        "no %s was uploaded for this commit within %.4g h (benchmark.artifact_wait_seconds); if it "
        "still arrives, the night is measured then",
        job->artifact, (double)job->wait_s / 3600);
}

static bool give_up(srv_store *store, const overdue *job, int64_t now_ms, GError **error) {
    srv__holding holding;
    g_autofree char *reason = why(job);
    return srv__holding_get(store, job->id, NULL, &holding, error) &&
           srv__job_give_up(store, &holding, reason, now_ms, error);
}

bool srv_queue_waits_expire(srv_store *store, int64_t now_ms, unsigned *expired, int64_t *next_ms,
                            GError **error) {
    g_auto(model_list) jobs = {0};
    bool good =
        srv__many(store, SQL(jobs_overdue), SRV__ARGS(SRV__I(now_ms)), &overdue_noun, &jobs, error);
    *expired = jobs.count;
    /* Only this thread hands artifacts in: nothing can come between the look and the giving up. */
    if (good && *expired > 0) {
        good = srv__begin(store, error);
        bool all = good;
        for (unsigned i = 0; all && i < jobs.count; i++)
            all = give_up(store, (const overdue *)jobs.items + i, now_ms, error);
        good = good && srv__end(store, all, error);
    }
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
    g_autoptr(GArray) jobs = srv__ids(store, SQL(jobs_waiting_for),
                                      SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(name)), error);
    for (guint i = 0; jobs && i < jobs->len; i++)
        (void)srv__event(store, SRV_EVENT_JOB, g_array_index(jobs, int64_t, i));
    return jobs && queue_again(store, project, sha, name, now_ms, error);
}
