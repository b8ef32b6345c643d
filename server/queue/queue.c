#include "server/queue/queue.h"

#include "server/alarm/trial_answer.h"
#include "server/queue/queue_internal.h"
#include "server/store/projects.h"

static bool job_insert(srv_store *store, int64_t project, int64_t revision, const char *night,
                       srv_kind kind, int64_t now_ms, int64_t *job, GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
                       " priority, night, state, queued_ms) SELECT p.id, $2, p.benchmark_id,"
                       " p.branch, $3, $4, $5, 'queued', $6 FROM project p WHERE p.id=$1",
                       SRV__ARGS(SRV__I(project), SRV__I(revision), SRV__T(srv__kind_name(kind)),
                                 SRV__I(srv__priority(kind)), SRV__T(night), SRV__I(now_ms)),
                       job, error);
}

/* The job that makes another one for this revision needless, 0 when there is none. */
static bool job_same(srv_store *store, int64_t project, int64_t revision, srv_kind kind,
                     int64_t *job, GError **error) {
    return srv__number(
        store,
        "SELECT j.id FROM job j JOIN benchmark b ON b.id=j.benchmark_id"
        " WHERE j.revision_id=$2 AND j.kind NOT IN ('confirmation','bisection')"
        " AND (j.state IN ('queued','leased') OR $3=0)"
        " AND b.identity=(SELECT c.identity FROM project p"
        " JOIN benchmark c ON c.id=p.benchmark_id WHERE p.id=$1)"
        " ORDER BY j.id DESC LIMIT 1",
        SRV__ARGS(SRV__I(project), SRV__I(revision), SRV__I(kind == SRV_KIND_MANUAL)), 0, job,
        error);
}

static bool night_add(srv_store *store, const char *name, const srv_commit *commit,
                      const char *night, srv_kind kind, int64_t now_ms, bool *queued, int64_t *job,
                      GError **error) {
    int64_t project, revision, enabled;
    if (!srv__project_id(store, name, &project, error) ||
        !srv__number(store, "SELECT enabled FROM project WHERE id=$1", SRV__ARGS(SRV__I(project)),
                     0, &enabled, error))
        return false;
    if (!enabled) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "project %s is disabled; enable it in its configuration first", name);
        return false;
    }
    if (!srv__revision_keep(store, project, commit, &revision, error) ||
        !job_same(store, project, revision, kind, job, error))
        return false;
    *queued = *job == 0;
    return !*queued || (job_insert(store, project, revision, night, kind, now_ms, job, error) &&
                        srv__event(store, SRV_EVENT_JOB, *job));
}

bool srv_night_add(srv_store *store, const char *project, const srv_commit *commit,
                   const char *night, srv_kind kind, int64_t now_ms, bool *queued, int64_t *job,
                   GError **error) {
    bool is_queued = false;
    int64_t number = 0;
    if (!srv__commit_check(commit, night, error) || !srv__begin(store, error))
        return false;
    bool good = night_add(store, project, commit, night, kind, now_ms, &is_queued, &number, error);
    if (!srv__end(store, good, error))
        return false;
    if (queued)
        *queued = is_queued;
    if (job)
        *job = number;
    return true;
}

bool srv__concerns_job(srv_store *store, int64_t job, GError **error) {
    GError *failure = NULL;
    g_autoptr(srv__query) query = srv__query_new(
        store, "SELECT p.name FROM job j JOIN project p ON p.id=j.project_id WHERE j.id=$1",
        SRV__ARGS(SRV__I(job)), error);
    if (!query)
        return false;
    if (srv__query_next(query, &failure))
        srv__concerns(store, srv__query_text(query, 0));
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}
