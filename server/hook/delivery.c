#include "server/hook/delivery.h"

#include "server/store/store_sql.h"

/* Older ones are forgotten; a provider repeats a delivery within days. */
#define KEEP 100000

static bool take_one(srv_store *store, srv_delivery *delivery, int64_t now_ms, GError **error) {
    int64_t changed = 0;
    int64_t project = 0;
    if (!srv__number(store, "SELECT id FROM project WHERE name=$1",
                     SRV__ARGS(SRV__T(delivery->project)), 0, &project, error))
        return false;
    if (project == 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no project %s",
                    delivery->project);
        return false;
    }
    if (!srv__run(store,
                  "INSERT INTO delivery(provider, delivery, project_id, sha, received_ms, state)"
                  " VALUES($1, $2, $3, $4, $5, 'waiting') ON CONFLICT DO NOTHING",
                  SRV__ARGS(SRV__T(delivery->provider), SRV__T(delivery->id), SRV__I(project),
                            SRV__T(delivery->sha), SRV__I(now_ms)),
                  &changed, error))
        return false;
    delivery->fresh = changed > 0;
    return true;
}

bool srv_delivery_take(srv_store *store, const GPtrArray *deliveries, int64_t now_ms,
                       GError **error) {
    if (!srv__begin(store, error))
        return false;
    srv__concerns(store, NULL); /* nothing shows a delivery */
    bool good = true;
    for (guint i = 0; good && i < deliveries->len; i++)
        good = take_one(store, g_ptr_array_index(deliveries, i), now_ms, error);
    good = good && srv__run(store,
                            "DELETE FROM delivery WHERE state<>'waiting' AND"
                            " id<(SELECT max(id) FROM delivery)-$1",
                            SRV__ARGS(SRV__I(KEEP)), NULL, error);
    return srv__end(store, good, error);
}

json_t *srv_delivery_waiting(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT d.sha AS sha, max(d.attempts) AS attempts FROM delivery d"
                      " JOIN project p ON p.id=d.project_id WHERE p.name=$1 AND d.state='waiting'"
                      " GROUP BY d.sha ORDER BY attempts, min(d.id) LIMIT $2",
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
