#include "server/queue/queue.h"

#include "server/alarm/trial.h"
#include "server/queue/queue_internal.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"

static bool night_add(srv_store *store, const char *name, const srv_measurement *wanted,
                      int64_t now_ms, bool *queued, int64_t *job, GError **error) {
    int64_t project, revision, enabled;
    if (!srv__project_id(store, name, &project, error) ||
        !srv__number(store, SQL(project_enabled), SRV__ARGS(SRV__I(project)), 0, &enabled, error))
        return false;
    if (!enabled) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "project %s is disabled; enable it in its configuration first", name);
        return false;
    }
    if (!srv__revision_keep(store, project, wanted->commit, &revision, error) ||
        !srv__number(
            store, SQL(job_same),
            SRV__ARGS(SRV__I(project), SRV__I(revision), SRV__I(wanted->kind == SRV_KIND_MANUAL)),
            0, job, error))
        return false;
    *queued = *job == 0;
    return !*queued || (srv__insert(store, SQL(job_insert),
                                    SRV__ARGS(SRV__I(project), SRV__I(revision),
                                              SRV__T(srv__kind_name(wanted->kind)),
                                              SRV__I(srv__priority(wanted->kind)),
                                              SRV__T(wanted->night), SRV__I(now_ms)),
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
