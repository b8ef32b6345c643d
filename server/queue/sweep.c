#include "server/queue/sweep.h"

#include "config/model/benchmark.h"
#include "server/queue/queue_queries.h"
#include "server/queue/sweep_queries.h"
#include "server/store/projects.h"

static bool invalid(GError **error, const char *project, const char *text) {
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "project %s %s", project, text);
    return false;
}

static bool point_add(srv_store *store, const cfg_project *project, const srv__sweep_row *row,
                      int64_t sweep, unsigned point, GError **error) {
    int64_t benchmark, job;
    const cfg_benchmark measured = cfg_sweep_at(&project->benchmark, point);
    json_auto_t *body = model_write(&cfg_benchmark_model, &measured);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           srv__sweep_job_insert(store, row, benchmark, &job, error) &&
           srv__sweep_point_insert(store, sweep, point, project->benchmark.sweep.values[point], job,
                                   error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

static bool add(srv_store *store, const cfg_project *project, const srv_sweep_wanted *wanted,
                int64_t now_ms, int64_t *sweep, bool *queued, GError **error) {
    int64_t enabled;
    srv__sweep_row row = {.parameter = cfg_sweep_name(project->benchmark.sweep.of),
                          .night = wanted->night,
                          .author = wanted->author,
                          .asked_ms = now_ms};
    if (!srv__project_id(store, project->name, &row.project, error) ||
        !srv__project_enabled(store, row.project, &enabled, error))
        return false;
    if (!enabled)
        return invalid(error, project->name, "is disabled; enable it in its configuration first");
    if (!srv__revision_keep(store, row.project, wanted->commit, &row.revision, error) ||
        !srv__sweep_open(store, row.project, row.revision, sweep, error))
        return false;
    *queued = *sweep == 0;
    if (!*queued)
        return true;
    bool good = srv__sweep_insert(store, &row, sweep, error);
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
