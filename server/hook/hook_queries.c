#include "server/hook/hook_queries.h"

bool srv__delivery_insert(srv_store *store, const srv_delivery *delivery, int64_t project,
                          int64_t now_ms, int64_t *changed, GError **error) {
    return srv__run(store,
                    "INSERT INTO delivery(provider, delivery, project_id, sha, received_ms, state,"
                    " pull) VALUES($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
                    SRV__ARGS(SRV__T(delivery->provider), SRV__T(delivery->id), SRV__I(project),
                              SRV__T(delivery->sha), SRV__I(now_ms),
                              SRV__T(delivery->pull ? "said" : "waiting"), SRV__T(delivery->pull)),
                    changed, error);
}

bool srv__deliveries_forget(srv_store *store, int64_t keep, GError **error) {
    return srv__run(store,
                    "DELETE FROM delivery WHERE state NOT IN ('waiting','said') AND"
                    " id<(SELECT max(id) FROM delivery)-$1",
                    SRV__ARGS(SRV__I(keep)), NULL, error);
}

json_t *srv_delivery_waiting(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT d.sha AS sha, max(d.attempts) AS attempts FROM delivery d"
                      " JOIN project p ON p.id=d.project_id WHERE p.name=$1 AND d.state='waiting'"
                      " GROUP BY d.sha ORDER BY max(d.attempts), min(d.id) LIMIT $2",
                      SRV__ARGS(SRV__T(project), SRV__I(SRV_DELIVERY_PAGE)), error);
}

#define OF_COMMIT                                                                                  \
    " WHERE state='waiting' AND sha=$2 AND project_id=(SELECT id FROM project WHERE name=$1)"

bool srv_delivery_close(srv_store *store, const char *project, const char *sha, const char *state,
                        int64_t job, const char *note, GError **error) {
    return srv__run(
        store, "UPDATE delivery SET state=$3, job_id=$4, note=$5" OF_COMMIT,
        SRV__ARGS(SRV__T(project), SRV__T(sha), SRV__T(state), SRV__ID(job), SRV__T(note)), NULL,
        error);
}

bool srv_delivery_try(srv_store *store, const char *project, const char *sha, GError **error) {
    return srv__run(store, "UPDATE delivery SET attempts=attempts+1" OF_COMMIT,
                    SRV__ARGS(SRV__T(project), SRV__T(sha)), NULL, error);
}

json_t *srv_delivery_pulls(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT d.id, d.provider, d.pull AS \"pull{\" FROM delivery d"
                      " JOIN project p ON p.id=d.project_id WHERE p.name=$1 AND d.state='said'"
                      " ORDER BY d.id LIMIT $2",
                      SRV__ARGS(SRV__T(project), SRV__I(SRV_DELIVERY_PAGE)), error);
}

bool srv_delivery_heard(srv_store *store, int64_t id, const char *note, GError **error) {
    return srv__run(store, "UPDATE delivery SET state='heard', note=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__T(note)), NULL, error);
}
