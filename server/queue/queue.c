#include "server/queue/queue.h"

#include "config/model/benchmark.h"
#include "server/queue/queue_internal.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"
#include "sql/sweep.h"

static bool invalid(GError **error, const char *project, const char *text) {
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "project %s %s", project, text);
}

typedef struct {
    int64_t project, revision; /* keys */
    const char *parameter, *night, *author;
    int64_t asked_ms;
} sweep_row;

static bool point_add(srv_store *store, const cfg_project *project, const sweep_row *row,
                      int64_t sweep, unsigned point, GError **error) {
    int64_t benchmark, job;
    const cfg_benchmark measured = cfg_sweep_at(&project->benchmark, point);
    json_auto_t *body = model_write(&cfg_benchmark_model, &measured);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           srv__insert(store,
                       ASK(sweep_job_insert, row->project, row->revision, benchmark,
                           srv__kind_name(SRV_KIND_SWEEP), srv__priority(SRV_KIND_SWEEP),
                           row->night, row->asked_ms),
                       &job, error) &&
           srv__run(
               store,
               ASK(sweep_point_insert, sweep, point, project->benchmark.sweep.values[point], job),
               error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

static bool add(srv_store *store, const cfg_project *project, const srv_sweep_wanted *wanted,
                int64_t now_ms, int64_t *sweep, bool *queued, GError **error) {
    int64_t enabled;
    sweep_row row = {.parameter = cfg_sweep_name(project->benchmark.sweep.of),
                     .night = wanted->night,
                     .author = wanted->author,
                     .asked_ms = now_ms};
    if (!srv__project_id(store, project->name, &row.project, error) ||
        !srv__number(store, ASK(project_enabled, row.project), 0, &enabled, error))
        return false;
    if (!enabled)
        return invalid(error, project->name, "is disabled; enable it in its configuration first");
    if (!srv__revision_keep(store, row.project, wanted->commit, &row.revision, error) ||
        !srv__number(store, ASK(sweep_open, row.project, row.revision), 0, sweep, error))
        return false;
    *queued = *sweep == 0;
    if (!*queued)
        return true;
    bool good = srv__insert(
        store,
        ASK(sweep_insert, row.project, row.revision, row.parameter, row.author, row.asked_ms),
        sweep, error);
    for (unsigned i = 0; good && i < project->benchmark.sweep.count; i++)
        good = point_add(store, project, &row, *sweep, i, error);
    return good;
}

bool srv_sweep_add(srv_store *store, const cfg_project *project, const srv_sweep_wanted *wanted,
                   int64_t now_ms, bool *queued, int64_t *sweep, GError **error) {
    *sweep = 0;
    *queued = false;
    if (project->benchmark.sweep.count == 0)
        return invalid(error, project->name, "has no benchmark.sweep; add it to its configuration");
    return srv__commit_check(wanted->commit, wanted->night, error) && srv__begin(store, error) &&
           srv__end(store, add(store, project, wanted, now_ms, sweep, queued, error), error);
}

/* How such a failure is known again when the artifact comes after all. */
#define GAVE_UP "artifact: "

typedef struct {
    int64_t id, wait_s;
    char *artifact;
    bool trial;
} overdue;

static const model_member overdue_members[] = {MODELS(overdue, id, artifact, wait_s, trial)};
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
    bool good = srv__many(store, ASK(jobs_overdue, now_ms), &overdue_noun, &jobs, error);
    *expired = jobs.count;
    /* Only this thread hands artifacts in: nothing can come between the look and the giving up. */
    if (good && *expired > 0) {
        good = srv__begin(store, error);
        bool all = good;
        for (unsigned i = 0; all && i < jobs.count; i++)
            all = give_up(store, (const overdue *)jobs.items + i, now_ms, error);
        good = good && srv__end(store, all, error);
    }
    return good && srv__number(store, ASK(jobs_overdue_next), INT64_MAX, next_ms, error);
}

/* The newest job of the commit, if it gave up waiting for this: once more, as a job of its own. */
static bool queue_again(srv_store *store, int64_t project, const char *sha, const char *name,
                        int64_t now_ms, GError **error) {
    int64_t old, fresh;
    if (!srv__number(store, ASK(job_gave_up, project, sha, name, GAVE_UP), 0, &old, error))
        return false;
    return old == 0 || (srv__insert(store, ASK(job_insert_again, old, now_ms), &fresh, error) &&
                        srv__event(store, SRV_EVENT_JOB, fresh));
}

bool srv__queue_artifact_came(srv_store *store, int64_t project, const char *sha, const char *name,
                              int64_t now_ms, GError **error) {
    g_autoptr(GArray) jobs = srv__ids(store, ASK(jobs_waiting_for, project, sha, name), error);
    for (guint i = 0; jobs && i < jobs->len; i++)
        (void)srv__event(store, SRV_EVENT_JOB, g_array_index(jobs, int64_t, i));
    return jobs && queue_again(store, project, sha, name, now_ms, error);
}

static bool night_add(srv_store *store, const char *name, const srv_measurement *wanted,
                      int64_t now_ms, bool *queued, int64_t *job, GError **error) {
    int64_t project, revision, enabled;
    if (!srv__project_id(store, name, &project, error) ||
        !srv__number(store, ASK(project_enabled, project), 0, &enabled, error))
        return false;
    if (!enabled)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "project %s is disabled; enable it in its configuration first", name);
    if (!srv__revision_keep(store, project, wanted->commit, &revision, error) ||
        !srv__number(store, ASK(job_same, project, revision, wanted->kind == SRV_KIND_MANUAL), 0,
                     job, error))
        return false;
    *queued = *job == 0;
    return !*queued || (srv__insert(store,
                                    ASK(job_insert, project, revision, srv__kind_name(wanted->kind),
                                        srv__priority(wanted->kind), wanted->night, now_ms),
                                    job, error) &&
                        srv__event(store, SRV_EVENT_JOB, *job));
}

bool srv_night_add(srv_store *store, const char *project, const srv_measurement *wanted,
                   int64_t now_ms, bool *queued, int64_t *job, GError **error) {
    bool is_queued = false;
    int64_t number = 0;
    if (!srv__commit_check(wanted->commit, wanted->night, error) || !srv__begin(store, error))
        return false;
    bool good = night_add(store, project, wanted, now_ms, &is_queued, &number, error);
    if (!srv__end(store, good, error))
        return false;
    if (queued)
        *queued = is_queued;
    if (job)
        *job = number;
    return true;
}
