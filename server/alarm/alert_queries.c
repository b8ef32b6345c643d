#include "server/alarm/alert_queries.h"

#include <math.h>

static const char *direction_text(const srv__anomaly *a) {
    return a->direction > 0 ? "up" : "down";
}

static double percent(const srv__anomaly *a) {
    return a->before.mean != 0 ? 100 * a->difference.mean / fabs(a->before.mean) : NAN;
}

bool srv__alert_find(srv_store *store, int64_t series, const srv__anomaly *a, srv__alert_of *out,
                     GError **error) {
    json_t *row;
    *out = (srv__alert_of){0};
    if (!srv__object(store,
                     "SELECT a.id, a.state='withdrawn' AS \"withdrawn?\" FROM alert a"
                     " JOIN alert_portion p ON p.alert_id=a.id WHERE a.series_id=$1"
                     " AND p.configuration=$2 AND a.to_experiment=$3 AND p.direction=$4"
                     " ORDER BY 2, 1 DESC LIMIT 1",
                     SRV__ARGS(SRV__I(series), SRV__T(a->configuration_name), SRV__I(a->to),
                               SRV__T(direction_text(a))),
                     &row, error))
        return false;
    out->id = json_integer_value(json_object_get(row, "id"));
    out->withdrawn = json_is_true(json_object_get(row, "withdrawn"));
    json_decref(row);
    return true;
}

bool srv__alert_joins(srv_store *store, int64_t series, const srv__anomaly *a, int64_t *id,
                      GError **error) {
    return srv__number(store,
                       "SELECT id FROM alert a WHERE series_id=$1 AND to_experiment=$2"
                       " AND state IN ('open','acknowledged') AND NOT EXISTS"
                       " (SELECT 1 FROM alert_portion p WHERE p.alert_id=a.id"
                       "  AND p.configuration=$3) ORDER BY id LIMIT 1",
                       SRV__ARGS(SRV__I(series), SRV__I(a->to), SRV__T(a->configuration_name)), 0,
                       id, error);
}

bool srv__alert_withdrawn_around(srv_store *store, int64_t series, const srv__anomaly *a,
                                 int64_t *id, GError **error) {
    return srv__number(store,
                       "SELECT a.id FROM alert a JOIN alert_portion p ON p.alert_id=a.id"
                       " JOIN experiment f ON f.id=a.from_experiment"
                       " JOIN experiment t ON t.id=a.to_experiment"
                       " JOIN experiment g ON g.id=$4 JOIN experiment u ON u.id=$5"
                       " WHERE a.series_id=$1 AND a.state='withdrawn' AND p.configuration=$2"
                       " AND p.direction=$3 AND (f.night, f.time_ms, f.id)<="
                       "(g.night, g.time_ms, g.id) AND (u.night, u.time_ms, u.id)<="
                       "(t.night, t.time_ms, t.id) ORDER BY a.id LIMIT 1",
                       SRV__ARGS(SRV__I(series), SRV__T(a->configuration_name),
                                 SRV__T(direction_text(a)), SRV__I(a->from), SRV__I(a->to)),
                       0, id, error);
}

bool srv__alert_insert(srv_store *store, int64_t series, const srv__anomaly *a, int64_t now_ms,
                       int64_t *id, GError **error) {
    return srv__insert(store,
                       "INSERT INTO alert(project_id, series_id, portion, configuration,"
                       " direction, state, from_experiment, to_experiment, seen_experiment,"
                       " raised_ms, reason) SELECT project_id, id, $2, $3, $4, 'open', $5, $6, $7,"
                       " $8, $9 FROM series WHERE id=$1 RETURNING id",
                       SRV__ARGS(SRV__I(series), SRV__T(a->portion), SRV__T(a->configuration_name),
                                 SRV__T(direction_text(a)), SRV__I(a->from), SRV__I(a->to),
                                 SRV__I(a->seen), SRV__I(now_ms), SRV__T(a->reason)),
                       id, error) &&
           srv__alert_lead(store, *id, a, error) && srv__alert_portion_put(store, *id, a, error);
}

bool srv__alert_lead(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(store,
                    "UPDATE alert SET from_experiment=$2, seen_experiment=$4, before_mean_ns=$5,"
                    " before_low_ns=$6, before_high_ns=$7, after_mean_ns=$8, after_low_ns=$9,"
                    " after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,"
                    " difference_high_ns=$13, difference_percent=$14, reason=$15, portion=$16,"
                    " configuration=$17, direction=$18, " SRV__ALERT_TO("$3") " WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__I(a->from), SRV__I(a->to), SRV__I(a->seen),
                              SRV__D(a->before.mean), SRV__D(a->before.low), SRV__D(a->before.high),
                              SRV__D(a->after.mean), SRV__D(a->after.low), SRV__D(a->after.high),
                              SRV__D(a->difference.mean), SRV__D(a->difference.low),
                              SRV__D(a->difference.high), SRV__D(percent(a)), SRV__T(a->reason),
                              SRV__T(a->portion), SRV__T(a->configuration_name),
                              SRV__T(direction_text(a))),
                    NULL, error);
}

bool srv__alert_portion_put(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(
        store,
        "INSERT INTO alert_portion(alert_id, configuration, portion, direction, seen_experiment,"
        " before_mean_ns, before_low_ns, before_high_ns, after_mean_ns, after_low_ns,"
        " after_high_ns, difference_mean_ns, difference_low_ns, difference_high_ns,"
        " difference_percent, reason) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,"
        "$16) ON CONFLICT(alert_id, configuration) DO UPDATE SET direction=excluded.direction,"
        " seen_experiment=excluded.seen_experiment, before_mean_ns=excluded.before_mean_ns,"
        " before_low_ns=excluded.before_low_ns, before_high_ns=excluded.before_high_ns,"
        " after_mean_ns=excluded.after_mean_ns, after_low_ns=excluded.after_low_ns,"
        " after_high_ns=excluded.after_high_ns, difference_mean_ns=excluded.difference_mean_ns,"
        " difference_low_ns=excluded.difference_low_ns,"
        " difference_high_ns=excluded.difference_high_ns,"
        " difference_percent=excluded.difference_percent, reason=excluded.reason",
        SRV__ARGS(SRV__I(id), SRV__T(a->configuration_name), SRV__T(a->portion),
                  SRV__T(direction_text(a)), SRV__I(a->seen), SRV__D(a->before.mean),
                  SRV__D(a->before.low), SRV__D(a->before.high), SRV__D(a->after.mean),
                  SRV__D(a->after.low), SRV__D(a->after.high), SRV__D(a->difference.mean),
                  SRV__D(a->difference.low), SRV__D(a->difference.high), SRV__D(percent(a)),
                  SRV__T(a->reason)),
        NULL, error);
}

bool srv__alert_portion_drop(srv_store *store, int64_t id, const char *configuration,
                             GError **error) {
    return srv__run(store, "DELETE FROM alert_portion WHERE alert_id=$1 AND configuration=$2",
                    SRV__ARGS(SRV__I(id), SRV__T(configuration)), NULL, error);
}

bool srv__alert_portions_drop(srv_store *store, int64_t id, GError **error) {
    return srv__run(store, "DELETE FROM alert_portion WHERE alert_id=$1", SRV__ARGS(SRV__I(id)),
                    NULL, error);
}

bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author,"
                    " reason) SELECT id, $2, state, $3, $4, $5 FROM alert WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms), SRV__T(state), SRV__T(author),
                              SRV__T(reason)),
                    NULL, error) &&
           srv__run(store, "UPDATE alert SET state=$2, aged=0 WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__T(state)), NULL, error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store,
                    "INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author,"
                    " reason) SELECT id, $2, state, state, $3, $4 FROM alert WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms), SRV__T(SRV__DETECTOR), SRV__T(reason)),
                    NULL, error) &&
           srv__run(store, "UPDATE alert SET aged=0 WHERE id=$1 AND aged=1",
                    SRV__ARGS(SRV__I(alert)), NULL, error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_state_ok(const char *state) {
    static const char *const states[] = {"open", "acknowledged", "accepted", "fixed", "false"};
    for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
        if (g_strcmp0(state, states[i]) == 0)
            return true;
    return false;
}

bool srv__alert_withdrawn(srv_store *store, int64_t alert, json_t **row, GError **error) {
    return srv__object(store, "SELECT state='withdrawn' AS \"withdrawn?\" FROM alert WHERE id=$1",
                       SRV__ARGS(SRV__I(alert)), row, error);
}

bool srv__alert_reason(srv_store *store, int64_t id, json_t **row, GError **error) {
    return srv__object(store, "SELECT reason FROM alert WHERE id=$1", SRV__ARGS(SRV__I(id)), row,
                       error);
}

json_t *srv__alert_portions_of_series(srv_store *store, int64_t series, GError **error) {
    return srv__array(store,
                      "SELECT a.id, a.to_experiment, p.configuration, p.direction='up' AS \"up?\","
                      " a.from_experiment, p.configuration=a.configuration AS \"largest?\","
                      " p.seen_experiment FROM alert a JOIN alert_portion p ON p.alert_id=a.id"
                      " WHERE a.series_id=$1 AND a.state<>'withdrawn' AND NOT EXISTS"
                      " (SELECT 1 FROM baseline b WHERE b.alert_id=a.id AND b.undone_ms IS NULL)"
                      " ORDER BY a.id, p.configuration<>a.configuration, p.configuration",
                      SRV__ARGS(SRV__I(series)), error);
}

bool srv__alert_still_told(srv_store *store, int64_t series, const char *configuration, int64_t to,
                           int64_t *alert, GError **error) {
    return srv__number(store,
                       "SELECT a.id FROM alert a JOIN alert_portion p ON p.alert_id=a.id"
                       " WHERE a.series_id=$1 AND p.configuration=$2"
                       " AND a.to_experiment=$3 AND a.state<>'withdrawn'",
                       SRV__ARGS(SRV__I(series), SRV__T(configuration), SRV__I(to)), 0, alert,
                       error);
}

json_t *srv__alert_fixed_portions(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT o.id, d.portion, d.before_mean_ns, d.after_mean_ns, e.night,"
                      " substr(r.sha,1,9) AS commit_id FROM alert n"
                      " JOIN experiment e ON e.id=n.to_experiment"
                      " JOIN revision r ON r.id=e.revision_id"
                      " JOIN alert_portion m ON m.fixed_by=n.id"
                      " JOIN alert_portion d ON d.alert_id=n.id"
                      " AND d.configuration=m.configuration"
                      " JOIN alert o ON o.id=m.alert_id AND o.state IN ('open','acknowledged')"
                      " WHERE n.id=$1 AND NOT EXISTS (SELECT 1 FROM alert_portion u"
                      "  WHERE u.alert_id=o.id AND u.direction='up' AND u.fixed_by IS NULL)"
                      " ORDER BY o.id, m.configuration",
                      SRV__ARGS(SRV__I(alert)), error);
}

bool srv__alert_portions_fix(srv_store *store, int64_t alert, GError **error) {
    return srv__run(store,
                    "UPDATE alert_portion SET fixed_by=$1 WHERE direction='up'"
                    " AND fixed_by IS NULL AND (alert_id, configuration) IN"
                    " (SELECT m.alert_id, m.configuration FROM alert n"
                    "  JOIN alert_portion d ON d.alert_id=n.id AND d.direction='down'"
                    "  JOIN alert o ON o.series_id=n.series_id AND o.id<>n.id"
                    "  AND o.state IN ('open','acknowledged')"
                    "  JOIN alert_portion m ON m.alert_id=o.id AND m.direction='up'"
                    "  AND m.configuration=d.configuration"
                    "  JOIN experiment x ON x.id=o.to_experiment"
                    "  JOIN experiment y ON y.id=n.to_experiment WHERE n.id=$1"
                    "  AND (x.night, x.time_ms, x.id)<(y.night, y.time_ms, y.id)"
                    "  AND d.after_mean_ns<=(m.before_mean_ns+m.after_mean_ns)/2)",
                    SRV__ARGS(SRV__I(alert)), NULL, error);
}

bool srv__alert_fixed_by(srv_store *store, int64_t id, int64_t fixed_by, GError **error) {
    return srv__run(store, "UPDATE alert SET fixed_by=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__ID(fixed_by)), NULL, error);
}

json_t *srv__alert_fixed_list(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT DISTINCT o.id FROM alert_portion m"
                      " JOIN alert o ON o.id=m.alert_id WHERE m.fixed_by=$1"
                      " AND o.state='fixed' ORDER BY o.id",
                      SRV__ARGS(SRV__I(alert)), error);
}

bool srv__alert_portions_unfix(srv_store *store, int64_t alert, GError **error) {
    return srv__run(store, "UPDATE alert_portion SET fixed_by=NULL WHERE fixed_by=$1",
                    SRV__ARGS(SRV__I(alert)), NULL, error);
}

json_t *srv__alerts_ageing(srv_store *store, GError **error) {
    return srv__array(store,
                      "SELECT a.id, a.aged AS \"aged?\", a.raised_ms, p.ageing_days,"
                      " (SELECT max(e.night) FROM alert_portion m JOIN experiment e"
                      "  ON e.id=m.seen_experiment WHERE m.alert_id=a.id) AS night,"
                      " (SELECT max(t.at_ms) FROM alert_audit t WHERE t.alert_id=a.id"
                      "  AND t.author<>$1) AS decided_ms FROM alert a"
                      " JOIN project p ON p.id=a.project_id WHERE a.state='open'"
                      " AND (p.ageing_days>0 OR a.aged=1) ORDER BY a.id",
                      SRV__ARGS(SRV__T(SRV__DETECTOR)), error);
}

bool srv__alert_set_aged(srv_store *store, int64_t alert, bool aged, GError **error) {
    return srv__run(store, "UPDATE alert SET aged=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(aged)), NULL, error);
}
