#include "server/alarm/incident_queries.h"

#include <math.h>

bool srv__incident_find(srv_store *store, int64_t series, det_incident_kind kind, int64_t since,
                        int64_t *id, GError **error) {
    return srv__number(store,
                       "SELECT id FROM incident WHERE series_id=$1 AND kind=$2"
                       " AND to_experiment=$3",
                       SRV__ARGS(SRV__I(series), SRV__T(det_incident_text(kind)), SRV__I(since)), 0,
                       id, error);
}

bool srv__incident_insert(srv_store *store, int64_t series, const det_incident *i, int64_t seen,
                          int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store,
                       "INSERT INTO incident(project_id, series_id, kind, state, to_experiment,"
                       " from_experiment, seen_experiment, lasts, factor, factor_low,"
                       " factor_high, moved, configurations, opened_ms, reason)"
                       " SELECT project_id, id, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11,"
                       " $12, $13 FROM series WHERE id=$1 RETURNING id",
                       SRV__ARGS(SRV__I(series), SRV__T(det_incident_text(i->kind)),
                                 SRV__I(i->since), SRV__ID(i->before), SRV__I(seen),
                                 SRV__I(i->lasts), SRV__D(i->factor), SRV__D(i->low),
                                 SRV__D(i->high), SRV__I(i->moved), SRV__I(i->seen), SRV__I(now_ms),
                                 SRV__T(i->reason)),
                       id, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, *id);
}

bool srv__incident_update(srv_store *store, int64_t id, const det_incident *i, int64_t seen,
                          GError **error) {
    return srv__run(store,
                    "UPDATE incident SET from_experiment=$2, seen_experiment=$3, factor=$4,"
                    " factor_low=$5, factor_high=$6, moved=$7, configurations=$8, reason=$9,"
                    " state=CASE state WHEN 'withdrawn' THEN 'open' ELSE state END WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__ID(i->before), SRV__I(seen), SRV__D(i->factor),
                              SRV__D(i->low), SRV__D(i->high), SRV__I(i->moved), SRV__I(i->seen),
                              SRV__T(i->reason)),
                    NULL, error);
}

bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms, GError **error) {
    return srv__run(
               store,
               "INSERT INTO incident_audit(incident_id, at_ms, old_state, new_state, author,"
               " reason) SELECT id, $2, state, $3, $4, $5 FROM incident WHERE id=$1",
               SRV__ARGS(SRV__I(id), SRV__I(now_ms), SRV__T(state), SRV__T(author), SRV__T(reason)),
               NULL, error) &&
           srv__run(store, "UPDATE incident SET state=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__T(state)), NULL, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, id);
}

bool srv__incident_over(srv_store *store, int64_t id, int64_t experiment, GError **error) {
    return srv__run(store, "UPDATE incident SET lasts=0, over_experiment=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__I(experiment)), NULL, error);
}

#define OPEN                                                                                       \
    "SELECT i.id, i.kind, i.factor, i.lasts AS \"lasts?\","                                        \
    " (SELECT count(*) FROM experiment e JOIN experiment s"                                        \
    "  ON s.id=i.seen_experiment WHERE e.series_id=i.series_id"                                    \
    "  AND e.state='measured'"                                                                     \
    "  AND (e.night, e.time_ms, e.id)>(s.night, s.time_ms, s.id)) AS nights"                       \
    " FROM incident i WHERE i.series_id=$1 AND i.state='open' ORDER BY i.id"

json_t *srv__incidents_open(srv_store *store, int64_t series, GError **error) {
    return srv__array(store, OPEN, SRV__ARGS(SRV__I(series)), error);
}

json_t *srv__incidents_of_series(srv_store *store, int64_t series, GError **error) {
    return srv__array(store,
                      "SELECT id, seen_experiment FROM incident WHERE series_id=$1"
                      " AND state<>'withdrawn' ORDER BY id",
                      SRV__ARGS(SRV__I(series)), error);
}

bool srv__incident_state(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store, "SELECT state FROM incident WHERE id=$1", SRV__ARGS(SRV__I(id)), row,
                       error);
}

bool srv__incident_row(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT i.id, p.name AS project, i.kind, i.state, i.lasts AS \"lasts?\", i.opened_ms,"
        " i.from_experiment, i.to_experiment, i.seen_experiment, i.over_experiment,"
        " i.factor AS \"factor.mean\", i.factor_low AS \"factor.low\","
        " i.factor_high AS \"factor.high\", i.moved AS \"configurations.moved\","
        " i.configurations AS \"configurations.seen\", i.reason AS sentence"
        " FROM incident i JOIN project p ON p.id=i.project_id WHERE i.id=$1",
        SRV__ARGS(SRV__I(id)), row, error);
}

bool srv__incident_end(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT r.sha AS \"commit.sha\", substr(r.sha,1,9) AS \"commit.short\","
                       " r.author AS \"commit.author\", r.time_ms AS \"commit.time_ms\","
                       " r.subject AS \"commit.subject\", e.night, e.id AS experiment"
                       " FROM experiment e JOIN revision r ON r.id=e.revision_id WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

json_t *srv__incident_audit(srv_store *store, int64_t id, GError **error) {
    return srv__array(store,
                      "SELECT at_ms, old_state AS \"from\", new_state AS \"to\", author, reason"
                      " FROM incident_audit WHERE incident_id=$1 ORDER BY id",
                      SRV__ARGS(SRV__I(id)), error);
}

GArray *srv__incident_keys(srv_store *store, int64_t project, const char *state, int64_t below,
                           unsigned count, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM incident WHERE ($1=0 OR project_id=$1)"
                    " AND (state=$2 OR ($2 IS NULL AND state<>'withdrawn')) AND id<$3"
                    " ORDER BY id DESC LIMIT $4",
                    SRV__ARGS(SRV__I(project), SRV__T(state), SRV__I(below), SRV__I(count)), error);
}

json_t *srv__incidents_between(srv_store *store, int64_t project, const char *since,
                               const char *until, GError **error) {
    return srv__array(store,
                      "SELECT i.to_experiment AS experiment, i.id, i.kind, i.state,"
                      " i.factor AS \"factor.mean\", i.moved AS \"configurations.moved\","
                      " i.configurations AS \"configurations.seen\", i.reason AS sentence"
                      " FROM incident i JOIN experiment e ON e.id=i.to_experiment"
                      " WHERE i.project_id=$1 AND i.state<>'withdrawn' AND e.night>=$2"
                      " AND e.night<=$3 ORDER BY i.id",
                      SRV__ARGS(SRV__I(project), SRV__T(since), SRV__T(until)), error);
}

bool srv__incident_match(srv_store *store, int64_t project, const char *kind, const char *commit,
                         int64_t *id, GError **error) {
    return srv__number(store,
                       "SELECT i.id FROM incident i JOIN experiment e ON e.id=i.to_experiment"
                       " JOIN revision r ON r.id=e.revision_id WHERE i.project_id=$1 AND i.kind=$2"
                       " AND r.sha=$3 AND i.state<>'withdrawn' ORDER BY i.id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(project), SRV__T(kind), SRV__T(commit)), 0, id, error);
}

bool srv__incident_answered(srv_store *store, int64_t id, int64_t at_ms, const char *author,
                            int64_t *there, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM incident_audit WHERE incident_id=$1 AND at_ms=$2"
                       " AND author=$3",
                       SRV__ARGS(SRV__I(id), SRV__I(at_ms), SRV__T(author)), 0, there, error);
}
