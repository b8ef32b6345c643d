#include "server/alarm/bridge_queries.h"

bool srv__bridge_ends(srv_store *store, int64_t incident, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT i.from_experiment AS \"from\", i.to_experiment AS \"to\","
                       " e.revision_id AS after_id, f.revision_id AS before_id,"
                       " substr(b.sha,1,9) AS before, e.night, e.node"
                       " FROM incident i JOIN experiment e ON e.id=i.to_experiment"
                       " JOIN experiment f ON f.id=i.from_experiment"
                       " JOIN revision b ON b.id=f.revision_id WHERE i.id=$1",
                       SRV__ARGS(SRV__I(incident)), row, error);
}

bool srv__bridge_insert(srv_store *store, int64_t incident, int64_t trial, const char *state,
                        const char *reason, GError **error) {
    return srv__run(
        store, "INSERT INTO bridge(incident_id, trial_id, state, reason) VALUES($1,$2,$3,$4)",
        SRV__ARGS(SRV__I(incident), SRV__ID(trial), SRV__T(state), SRV__T(reason)), NULL, error);
}

bool srv__bridge_end(srv_store *store, int64_t incident, const char *state, const char *reason,
                     GError **error) {
    return srv__run(store, "UPDATE bridge SET state=$2, reason=$3 WHERE incident_id=$1",
                    SRV__ARGS(SRV__I(incident), SRV__T(state), SRV__T(reason)), NULL, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, incident);
}

bool srv__bridge_of_trial(srv_store *store, int64_t trial, int64_t *incident, GError **error) {
    return srv__number(store, "SELECT incident_id FROM bridge WHERE trial_id=$1",
                       SRV__ARGS(SRV__I(trial)), 0, incident, error);
}

bool srv__bridge_state(srv_store *store, int64_t incident, json_t **row, GError **error) {
    return srv__object(store, "SELECT state, reason AS sentence FROM bridge WHERE incident_id=$1",
                       SRV__ARGS(SRV__I(incident)), row, error);
}

/* The last night before, and the first of the new environment where that is of the same commit. */
json_t *srv__bridge_levels(srv_store *store, int64_t incident, GError **error) {
    return srv__array(store,
                      "SELECT p.portion, p.mean_ns AS \"old.mean\", p.low_ns AS \"old.low\","
                      " p.high_ns AS \"old.high\","
                      " coalesce(q.before_mean_ns, n.mean_ns) AS \"here.mean\","
                      " coalesce(q.before_low_ns, n.low_ns) AS \"here.low\","
                      " coalesce(q.before_high_ns, n.high_ns) AS \"here.high\","
                      " q.difference_mean_ns AS \"change.mean\","
                      " q.difference_low_ns AS \"change.low\","
                      " q.difference_high_ns AS \"change.high\", q.state"
                      " FROM bridge b JOIN incident i ON i.id=b.incident_id"
                      " JOIN portion p ON p.experiment_id=i.from_experiment"
                      " LEFT JOIN question q ON q.trial_id=b.trial_id"
                      "  AND q.configuration=p.configuration"
                      " LEFT JOIN portion n ON n.experiment_id=i.to_experiment"
                      "  AND n.configuration=p.configuration AND b.trial_id IS NULL"
                      " WHERE b.incident_id=$1 AND p.mean_ns IS NOT NULL"
                      " AND (q.before_mean_ns IS NOT NULL OR n.mean_ns IS NOT NULL)"
                      " ORDER BY p.ordinal",
                      SRV__ARGS(SRV__I(incident)), error);
}
