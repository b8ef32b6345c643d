#include "server/views/views_parts.h"

#include "server/queue/queue_internal.h"

#define JOB_COLUMNS                                                                                \
    "j.id, p.name AS project, j.kind, j.priority, j.state, j.night, " SRV__COMMIT(                 \
        "r") ", j.attempts, j.node, j.queued_ms, j.started_ms, j.finished_ms, j.error,"            \
             " j.experiment_id AS experiment, j.progress AS \"progress{\","                        \
             " CASE WHEN j.state='queued' AND " SRV__ARTIFACT_MISSING " THEN b.artifact END"       \
             " AS \"waiting.artifact\", " SRV__ARTIFACT_UNTIL                                      \
             " AS \"waiting.until_ms\", " SRV__LABELS_NOWHERE " AS \"unmatched_labels{\""
#define JOB_TABLES                                                                                 \
    " FROM job j JOIN project p ON p.id=j.project_id JOIN revision r ON r.id=j.revision_id"        \
    " JOIN benchmark b ON b.id=j.benchmark_id"

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

void srv__drop_empty(json_t *object, const char *key, const char *member) {
    json_t *inner = json_object_get(object, key);
    if (inner != NULL && json_is_null(json_object_get(inner, member)))
        json_object_set_new(object, key, json_null());
}

json_t *srv__one(srv_store *store, const char *sql, int64_t id, const char *what, GError **error) {
    json_t *object;
    if (!srv__object(store, sql, SRV__ARGS(SRV__I(id)), &object, error))
        return NULL;
    if (object == NULL)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no %s %" G_GINT64_FORMAT, what,
                    id);
    return object;
}

json_t *srv__job_view(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_t *view = srv__one(store,
                            with_log ? "SELECT " JOB_COLUMNS ", j.log" JOB_TABLES " WHERE j.id=$1"
                                     : "SELECT " JOB_COLUMNS JOB_TABLES " WHERE j.id=$1",
                            job, "job", error);
    if (view != NULL)
        srv__drop_empty(view, "waiting", "artifact");
    return view;
}

/* One end of an alert: {"commit","night","experiment"}; the member holding its number goes. */
static bool alert_end(srv_store *store, json_t *alert, const char *key, const char *column,
                      GError **error) {
    json_int_t experiment = json_integer_value(json_object_get(alert, column));
    json_t *end =
        srv__one(store,
                 "SELECT " SRV__COMMIT("r") ", e.night, e.id AS experiment FROM experiment e"
                                            " JOIN revision r ON r.id=e.revision_id WHERE e.id=$1",
                 experiment, "experiment", error);
    if (end == NULL)
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
    json_array_foreach(portions, i, portion) srv__drop_empty(portion, "confirmation", "state");
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

json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) {
    json_t *object = srv__one(store, ALERT_COLUMNS, alert, "alert", error);
    if (object == NULL)
        return NULL;
    json_t *audit = alert_audit(store, alert, error);
    json_t *bisection = srv__bisection_view(store, alert, error);
    json_t *portions = alert_portions(store, alert, error);
    if (audit != NULL && bisection != NULL && portions != NULL &&
        alert_end(store, object, "from", "from_experiment", error) &&
        alert_end(store, object, "to", "to_experiment", error)) {
        json_object_set_new(object, "audit", audit);
        json_object_set_new(object, "bisection", bisection);
        json_object_set_new(object, "portions", portions);
        srv__drop_empty(object, "confirmation", "state");
        return object;
    }
    json_decref(audit);
    json_decref(bisection);
    json_decref(portions);
    json_decref(object);
    return NULL;
}
