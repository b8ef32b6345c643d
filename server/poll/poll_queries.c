#include "server/poll/poll_queries.h"

json_t *srv__releases_marked(srv_store *store, int64_t project, GError **error) {
    return srv__array(store,
                      "SELECT sha, release FROM revision WHERE project_id=$1"
                      " AND release IS NOT NULL ORDER BY id",
                      SRV__ARGS(SRV__I(project)), error);
}

bool srv__release_set(srv_store *store, int64_t project, const char *sha, const char *release,
                      GError **error) {
    return srv__run(store,
                    "UPDATE revision SET release=$3 WHERE project_id=$1 AND sha=$2"
                    " AND release IS DISTINCT FROM $3",
                    SRV__ARGS(SRV__I(project), SRV__T(sha), SRV__T(release)), NULL, error);
}

/* The commit behind alert a: what a search found, or the only one between its ends. */
#define CULPRIT                                                                                    \
    "coalesce((SELECT r.sha FROM bisection b JOIN bisection_commit c ON c.bisection_id=b.id"       \
    " AND c.place=b.high JOIN revision r ON r.id=c.revision_id WHERE b.alert_id=a.id"              \
    " AND b.state='found'), (SELECT t.sha FROM experiment e JOIN revision t ON t.id=e.revision_id" \
    " JOIN experiment d ON d.id=a.from_experiment JOIN revision f ON f.id=d.revision_id"           \
    " WHERE e.id=a.to_experiment AND t.parent=f.sha))"

json_t *srv__backports_wanted(srv_store *store, const char *project, const char *head,
                              unsigned count, GError **error) {
    return srv__array(store,
                      "SELECT w.alert, w.project, w.commit_id AS \"commit\" FROM (SELECT"
                      " a.id AS alert, o.name AS project, " CULPRIT " AS commit_id,"
                      " coalesce(t.tries, 0) AS tries FROM project p"
                      " JOIN project o ON o.id<>p.id AND (o.name=coalesce(p.main, p.name)"
                      " OR o.main=coalesce(p.main, p.name)) JOIN alert a ON a.project_id=o.id"
                      " LEFT JOIN backport k ON k.alert_id=a.id AND k.project_id=p.id"
                      " LEFT JOIN backport_try t ON t.alert_id=a.id AND t.project_id=p.id"
                      " WHERE p.name=$1 AND a.state NOT IN ('withdrawn','false')"
                      " AND (k.head IS NULL OR k.head<>$2)) w WHERE w.commit_id IS NOT NULL"
                      " ORDER BY w.tries, w.alert DESC LIMIT $3",
                      SRV__ARGS(SRV__T(project), SRV__T(head), SRV__I(count)), error);
}

bool srv__backport_tried(srv_store *store, const char *project, int64_t alert, GError **error) {
    return srv__run(store,
                    "INSERT INTO backport_try(alert_id, project_id, tries)"
                    " SELECT $1, id, 1 FROM project WHERE name=$2"
                    " ON CONFLICT(alert_id, project_id) DO UPDATE SET tries=backport_try.tries+1",
                    SRV__ARGS(SRV__I(alert), SRV__T(project)), NULL, error);
}

static bool forget_tries(srv_store *store, const srv__backport *backport, GError **error) {
    return srv__run(store,
                    "DELETE FROM backport_try WHERE alert_id=$1"
                    " AND project_id=(SELECT id FROM project WHERE name=$2)",
                    SRV__ARGS(SRV__I(backport->alert), SRV__T(backport->project)), NULL, error);
}

bool srv__backport_keep(srv_store *store, const srv__backport *backport, GError **error) {
    return srv__run(store,
                    "INSERT INTO backport(alert_id, project_id, head, state, sha)"
                    " SELECT $1, id, $3, $4, $5 FROM project WHERE name=$2"
                    " ON CONFLICT(alert_id, project_id) DO UPDATE SET head=excluded.head,"
                    " state=excluded.state, sha=excluded.sha",
                    SRV__ARGS(SRV__I(backport->alert), SRV__T(backport->project),
                              SRV__T(backport->head), SRV__T(backport->state),
                              SRV__T(backport->as)),
                    NULL, error) &&
           forget_tries(store, backport, error);
}
