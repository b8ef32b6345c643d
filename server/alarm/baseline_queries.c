#include "server/alarm/baseline_queries.h"

#include "server/alarm/alert_queries.h"

bool srv__baseline_insert(srv_store *store, const srv__baseline_row *row, int64_t now_ms,
                          int64_t *id, GError **error) {
    const srv_baseline *said = row->said;
    return srv__insert(
        store,
        "INSERT INTO baseline(project_id, night, portions, alert_id, from_id, to_id, old_state,"
        " reason, author, made_ms) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) RETURNING id",
        SRV__ARGS(SRV__I(row->project), SRV__T(said->night), SRV__T(row->portions),
                  SRV__ID(said->alert), SRV__ID(row->from), SRV__ID(row->to),
                  SRV__T(row->old_state), SRV__T(said->reason), SRV__T(said->author),
                  SRV__I(now_ms)),
        id, error);
}

bool srv__baseline_end(srv_store *store, int64_t id, const char *author, int64_t now_ms,
                       int64_t *changed, GError **error) {
    return srv__run(store,
                    "UPDATE baseline SET undone_ms=$2, undone_by=$3 WHERE id=$1"
                    " AND undone_ms IS NULL",
                    SRV__ARGS(SRV__I(id), SRV__I(now_ms), SRV__T(author)), changed, error);
}

bool srv__baseline_get(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT b.project_id AS project, b.night, b.alert_id AS alert,"
                       " a.series_id AS series, b.from_id AS \"from\", b.to_id AS \"to\","
                       " b.old_state, t.night AS was FROM baseline b"
                       " LEFT JOIN alert a ON a.id=b.alert_id"
                       " LEFT JOIN experiment t ON t.id=b.to_id"
                       " WHERE b.id=$1 AND b.undone_ms IS NULL",
                       SRV__ARGS(SRV__I(id)), row, error);
}

#define OF_SERIES                                                                                  \
    "SELECT b.id, b.night, b.portions AS \"portions{\", b.alert_id AS alert,"                      \
    " t.night AS was, b.reason, b.author FROM series s"                                            \
    " JOIN baseline b ON b.project_id=s.project_id AND b.undone_ms IS NULL"                        \
    " LEFT JOIN alert a ON a.id=b.alert_id"                                                        \
    " LEFT JOIN experiment t ON t.id=b.to_id WHERE s.id=$1"                                        \
    " AND (b.alert_id IS NULL OR a.series_id=s.id) ORDER BY b.id"

json_t *srv__baselines_of_series(srv_store *store, int64_t series, GError **error) {
    return srv__array(store, OF_SERIES, SRV__ARGS(SRV__I(series)), error);
}

json_t *srv__baselines_of_night(srv_store *store, int64_t project, const char *night,
                                GError **error) {
    return srv__array(store,
                      "SELECT id, portions AS \"portions{\" FROM baseline WHERE project_id=$1"
                      " AND night=$2 AND undone_ms IS NULL ORDER BY id",
                      SRV__ARGS(SRV__I(project), SRV__T(night)), error);
}

bool srv__baseline_alert(srv_store *store, int64_t project, int64_t alert, json_t **row,
                         GError **error) {
    return srv__object(store,
                       "SELECT a.state, a.series_id AS series, a.from_experiment AS \"from\","
                       " a.to_experiment AS \"to\", t.night, (SELECT max(b.id) FROM baseline b"
                       "  WHERE b.alert_id=a.id AND b.undone_ms IS NULL) AS held FROM alert a"
                       " JOIN experiment t ON t.id=a.to_experiment"
                       " WHERE a.id=$2 AND a.project_id=$1",
                       SRV__ARGS(SRV__I(project), SRV__I(alert)), row, error);
}

json_t *srv__baseline_alert_portions(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT portion, configuration FROM alert_portion WHERE alert_id=$1"
                      " ORDER BY configuration",
                      SRV__ARGS(SRV__I(alert)), error);
}

json_t *srv__baseline_night_portions(srv_store *store, int64_t project, const char *night,
                                     GError **error) {
    return srv__array(store,
                      "SELECT DISTINCT o.portion, o.configuration FROM experiment e"
                      " JOIN portion o ON o.experiment_id=e.id WHERE e.project_id=$1"
                      " AND e.night=$2 AND e.state='measured' AND e.series_id IS NOT NULL"
                      " ORDER BY o.portion, o.configuration",
                      SRV__ARGS(SRV__I(project), SRV__T(night)), error);
}

bool srv__baseline_alert_of(srv_store *store, int64_t project, const char *night, int64_t moved,
                            int64_t *alert, GError **error) {
    return srv__number(store,
                       "SELECT a.id FROM alert a JOIN experiment t ON t.id=a.to_experiment"
                       " WHERE a.project_id=$1 AND t.night=$2 AND a.state<>'withdrawn'"
                       " AND a.id<>$3 AND ($3=0 OR EXISTS(SELECT 1 FROM alert m"
                       " JOIN alert_portion p ON p.alert_id=m.id JOIN alert_portion q"
                       " ON q.configuration=p.configuration WHERE m.id=$3 AND q.alert_id=a.id"
                       " AND m.series_id=a.series_id)) ORDER BY a.id LIMIT 1",
                       SRV__ARGS(SRV__I(project), SRV__T(night), SRV__I(moved)), 0, alert, error);
}

bool srv__baseline_alert_move(srv_store *store, int64_t alert, int64_t from, int64_t to,
                              GError **error) {
    return srv__run(store,
                    "UPDATE alert SET from_experiment=$2, " SRV__ALERT_TO("$3") " WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(from), SRV__I(to)), NULL, error);
}

GArray *srv__baseline_series(srv_store *store, int64_t project, const char *night, GError **error) {
    return srv__ids(store,
                    "SELECT DISTINCT series_id FROM experiment WHERE project_id=$1 AND night=$2"
                    " AND state='measured' AND series_id IS NOT NULL ORDER BY series_id",
                    SRV__ARGS(SRV__I(project), SRV__T(night)), error);
}

bool srv__baseline_place(srv_store *store, int64_t series, const char *night, json_t **row,
                         GError **error) {
    return srv__object(store,
                       "SELECT e.id, (SELECT o.id FROM experiment o WHERE o.series_id=$1"
                       "  AND o.state='measured'"
                       "  AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"
                       "  ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1) AS before"
                       " FROM experiment e WHERE e.series_id=$1 AND e.state='measured'"
                       " AND e.night>=$2 ORDER BY e.night, e.time_ms, e.id LIMIT 1",
                       SRV__ARGS(SRV__I(series), SRV__T(night)), row, error);
}
