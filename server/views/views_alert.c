#include "server/views/views_parts.h"
#include "web/words/alert.h"

#define ALERT_COLUMNS                                                                              \
    "SELECT a.id, p.name AS project, a.portion, a.configuration, a.direction, a.state,"            \
    " a.raised_ms, " SRV__ALERT_AGED                                                               \
    " AS \"aged?\", a.before_mean_ns AS \"before.mean_ns\", a.before_low_ns AS \"before.low_ns\"," \
    " a.before_high_ns AS \"before.high_ns\", a.after_mean_ns AS \"after.mean_ns\","               \
    " a.after_low_ns AS \"after.low_ns\", a.after_high_ns AS \"after.high_ns\","                   \
    " a.difference_mean_ns AS \"difference.mean_ns\","                                             \
    " a.difference_low_ns AS \"difference.low_ns\","                                               \
    " a.difference_high_ns AS \"difference.high_ns\","                                             \
    " a.difference_percent AS \"difference.percent\", a.reason, a.fixed_by, a.from_experiment,"    \
    " a.to_experiment, " SRV__CONFIRMATION " FROM alert a JOIN project p ON p.id=a.project_id"     \
    " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration"        \
    " AND s.seen_experiment=a.seen_experiment AND s.since_experiment=a.to_experiment"              \
    " LEFT JOIN question q ON q.id=s.question_id WHERE a.id=$1"

/* One end of an alert: {"commit","night","experiment"}; the member holding its number goes. */
static bool alert_end(srv_store *store, json_t *alert, const char *key, const char *column,
                      GError **error) {
    json_int_t experiment = json_integer_value(json_object_get(alert, column));
    json_t *end =
        srv__one(store,
                 "SELECT " SRV__COMMIT("r") ", e.night, e.id AS experiment FROM experiment e"
                                            " JOIN revision r ON r.id=e.revision_id WHERE e.id=$1",
                 experiment, "experiment", error);
    if (!end)
        return false;
    json_object_set_new(alert, key, end);
    json_object_del(alert, column);
    return true;
}

/* The guilty one first, then by size. */
static json_t *alert_portions(srv_store *store, int64_t alert, GError **error) {
    json_t *portions = srv__array(
        store,
        "SELECT m.portion, m.configuration, m.direction, m.before_mean_ns AS \"before.mean_ns\","
        " m.before_low_ns AS \"before.low_ns\", m.before_high_ns AS \"before.high_ns\","
        " m.after_mean_ns AS \"after.mean_ns\", m.after_low_ns AS \"after.low_ns\","
        " m.after_high_ns AS \"after.high_ns\", m.difference_mean_ns AS \"difference.mean_ns\","
        " m.difference_low_ns AS \"difference.low_ns\","
        " m.difference_high_ns AS \"difference.high_ns\","
        " m.difference_percent AS \"difference.percent\", m.reason, m.fixed_by, " SRV__CONFIRMATION
        " FROM alert_portion m JOIN alert a ON a.id=m.alert_id"
        " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=m.configuration"
        " AND s.seen_experiment=m.seen_experiment AND s.since_experiment=a.to_experiment"
        " LEFT JOIN question q ON q.id=s.question_id WHERE m.alert_id=$1"
        " ORDER BY m.configuration<>a.configuration, abs(m.difference_mean_ns) DESC,"
        " m.configuration",
        SRV__ARGS(SRV__I(alert)), error);
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        srv__drop_empty(portion, "confirmation", "state");
    return portions;
}

/* What was done, and where nothing was for so long that the alert aged. */
static json_t *alert_audit(srv_store *store, int64_t alert, GError **error) {
    return srv__array(
        store,
        "WITH ageing AS (SELECT " SRV__AGEING_MS " AS ms FROM alert a"
        " JOIN project p ON p.id=a.project_id WHERE a.id=$1),"
        " told AS (SELECT id, at_ms, old_state, new_state, author, reason,"
        " lead(at_ms, 1, " SRV__NOW_MS ") OVER (ORDER BY id) AS until_ms"
        " FROM alert_audit WHERE alert_id=$1)"
        " SELECT at_ms, \"from\", \"to\", author, reason FROM (SELECT id, 0 AS later, at_ms,"
        " old_state AS \"from\", new_state AS \"to\", author, reason FROM told UNION ALL"
        " SELECT id, 1, at_ms+ms, 'open', 'open', 'ageing',"
        " 'nothing was decided for '||(ms/86400000)||' days (detection.ageing_days)'"
        " FROM told, ageing WHERE new_state='open' AND ms>0 AND at_ms+ms<=until_ms) AS entry"
        " ORDER BY id, later",
        SRV__ARGS(SRV__I(alert)), error);
}

/* Headline and sentence, of the alert and of its portions. */
static bool alert_say(srv_store *store, json_t *alert, GError **error) {
    const json_t *to = json_object_get(alert, "to");
    json_t *all = srv__array(
        store, "SELECT portion, configuration FROM portion WHERE experiment_id=$1 ORDER BY ordinal",
        SRV__ARGS(SRV__I(json_integer_value(json_object_get(to, "experiment")))), error);
    if (!all)
        return false;
    web_alert_say(alert, web_words_number(alert, "level"), all);
    json_decref(all);
    return true;
}

json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) {
    json_t *object = srv__one(store, ALERT_COLUMNS, alert, "alert", error);
    if (!object)
        return NULL;
    json_t *audit = alert_audit(store, alert, error);
    json_t *bisection = srv__bisection_view(store, alert, error);
    json_t *portions = alert_portions(store, alert, error);
    if (audit && bisection && portions &&
        alert_end(store, object, "from", "from_experiment", error) &&
        alert_end(store, object, "to", "to_experiment", error)) {
        json_object_set_new(object, "audit", audit);
        json_object_set_new(object, "bisection", bisection);
        json_object_set_new(object, "portions", portions);
        srv__drop_empty(object, "confirmation", "state");
        if (alert_say(store, object, error))
            return object;
        audit = bisection = portions = NULL;
    }
    json_decref(audit);
    json_decref(bisection);
    json_decref(portions);
    json_decref(object);
    return NULL;
}
