#include "server/queue/sweep.h"

#include "config/model/benchmark.h"
#include "server/queue/queue_internal.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"
#include "sql/sweep.h"

static bool invalid(GError **error, const char *project, const char *text) {
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "project %s %s", project, text);
    return false;
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
           srv__insert(store, SQL(sweep_job_insert),
                       SRV__ARGS(SRV__I(row->project), SRV__I(row->revision), SRV__I(benchmark),
                                 SRV__T(srv__kind_name(SRV_KIND_SWEEP)),
                                 SRV__I(srv__priority(SRV_KIND_SWEEP)), SRV__T(row->night),
                                 SRV__I(row->asked_ms)),
                       &job, error) &&
           srv__run(store, SQL(sweep_point_insert),
                    SRV__ARGS(SRV__I(sweep), SRV__I(point),
                              SRV__I(project->benchmark.sweep.values[point]), SRV__I(job)),
                    NULL, error) &&
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
        !srv__number(store, SQL(project_enabled), SRV__ARGS(SRV__I(row.project)), 0, &enabled,
                     error))
        return false;
    if (!enabled)
        return invalid(error, project->name, "is disabled; enable it in its configuration first");
    if (!srv__revision_keep(store, row.project, wanted->commit, &row.revision, error) ||
        !srv__number(store, SQL(sweep_open), SRV__ARGS(SRV__I(row.project), SRV__I(row.revision)),
                     0, sweep, error))
        return false;
    *queued = *sweep == 0;
    if (!*queued)
        return true;
    bool good =
        srv__insert(store, SQL(sweep_insert),
                    SRV__ARGS(SRV__I(row.project), SRV__I(row.revision), SRV__T(row.parameter),
                              SRV__T(row.author), SRV__I(row.asked_ms)),
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
