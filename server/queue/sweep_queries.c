#include "server/queue/sweep_queries.h"

#include "server/store/kinds.h"

bool srv__sweep_open(srv_store *store, int64_t project, int64_t revision, int64_t *sweep,
                     GError **error) {
    return srv__number(store,
                       "SELECT max(s.id) FROM sweep s WHERE s.project_id=$1 AND s.revision_id=$2"
                       " AND EXISTS(SELECT 1 FROM sweep_point q JOIN job j ON j.id=q.job_id"
                       " WHERE q.sweep_id=s.id AND j.state IN ('queued','leased'))",
                       SRV__ARGS(SRV__I(project), SRV__I(revision)), 0, sweep, error);
}

bool srv__sweep_insert(srv_store *store, const srv__sweep_row *row, int64_t *sweep,
                       GError **error) {
    return srv__insert(store,
                       "INSERT INTO sweep(project_id, revision_id, parameter, author, asked_ms)"
                       " VALUES($1,$2,$3,$4,$5) RETURNING id",
                       SRV__ARGS(SRV__I(row->project), SRV__I(row->revision),
                                 SRV__T(row->parameter), SRV__T(row->author),
                                 SRV__I(row->asked_ms)),
                       sweep, error);
}

bool srv__sweep_job_insert(srv_store *store, const srv__sweep_row *row, int64_t benchmark,
                           int64_t *job, GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind,"
                       " priority, night, state, queued_ms) SELECT p.id, $2, $3, p.branch, $4, $5,"
                       " $6, 'queued', $7 FROM project p WHERE p.id=$1 RETURNING id",
                       SRV__ARGS(SRV__I(row->project), SRV__I(row->revision), SRV__I(benchmark),
                                 SRV__T(srv__kind_name(SRV_KIND_SWEEP)),
                                 SRV__I(srv__priority(SRV_KIND_SWEEP)), SRV__T(row->night),
                                 SRV__I(row->asked_ms)),
                       job, error);
}

bool srv__sweep_point_insert(srv_store *store, int64_t sweep, unsigned place, uint64_t value,
                             int64_t job, GError **error) {
    return srv__run(
        store, "INSERT INTO sweep_point(sweep_id, place, value, job_id) VALUES($1,$2,$3,$4)",
        SRV__ARGS(SRV__I(sweep), SRV__I(place), SRV__I(value), SRV__I(job)), NULL, error);
}

bool srv__sweep_stays(srv_store *store, int64_t job, const char *node, GError **error) {
    return srv__run(store,
                    "UPDATE job SET only_node=$2 WHERE only_node IS NULL AND id IN"
                    " (SELECT q.job_id FROM sweep_point q JOIN sweep_point o"
                    " ON o.sweep_id=q.sweep_id WHERE o.job_id=$1)",
                    SRV__ARGS(SRV__I(job), SRV__T(node)), NULL, error);
}
