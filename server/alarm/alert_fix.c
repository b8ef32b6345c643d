#include "server/alarm/alert_fix.h"

#include "server/alarm/alert_rows.h"

static bool portions_mark(srv_store *store, int64_t alert, GError **error) {
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

static char *reason_of(const json_t *item) {
    return g_strdup_printf("%s with %s in the night %s",
                           json_string_value(json_object_get(item, "fell")),
                           json_string_value(json_object_get(item, "commit_id")),
                           json_string_value(json_object_get(item, "night")));
}

/* Those whose every dearer portion has been taken back, and this alert had a part in it. */
static json_t *complete(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT o.id, group_concat(printf('%s fell from %.1f ns to %.1f ns',"
                      " d.portion, d.before_mean_ns, d.after_mean_ns), ', ') AS fell, e.night,"
                      " substr(r.sha,1,9) AS commit_id FROM alert n"
                      " JOIN experiment e ON e.id=n.to_experiment"
                      " JOIN revision r ON r.id=e.revision_id"
                      " JOIN alert_portion m ON m.fixed_by=n.id"
                      " JOIN alert_portion d ON d.alert_id=n.id"
                      " AND d.configuration=m.configuration"
                      " JOIN alert o ON o.id=m.alert_id AND o.state IN ('open','acknowledged')"
                      " WHERE n.id=$1 AND NOT EXISTS (SELECT 1 FROM alert_portion u"
                      "  WHERE u.alert_id=o.id AND u.direction='up' AND u.fixed_by IS NULL)"
                      " GROUP BY o.id ORDER BY o.id",
                      SRV__ARGS(SRV__I(alert)), error);
}

static bool set(srv_store *store, int64_t id, int64_t fixed_by, const char *state,
                const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, "UPDATE alert SET fixed_by=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__ID(fixed_by)), NULL, error) &&
           srv__alert_note(store, id, state, SRV__DETECTOR, reason, now_ms, error);
}

bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *list = portions_mark(store, alert, error) ? complete(store, alert, error) : NULL;
    size_t i;
    json_t *item;
    bool good = list != NULL;
    json_array_foreach (list, i, item) {
        g_autofree char *reason = reason_of(item);
        good = good && set(store, json_integer_value(json_object_get(item, "id")), alert, "fixed",
                           reason, now_ms, error);
    }
    json_decref(list);
    return good;
}

bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *list = srv__array(store,
                              "SELECT DISTINCT o.id FROM alert_portion m"
                              " JOIN alert o ON o.id=m.alert_id WHERE m.fixed_by=$1"
                              " AND o.state='fixed' ORDER BY o.id",
                              SRV__ARGS(SRV__I(alert)), error);
    size_t i;
    json_t *item;
    bool good = list && srv__run(store, "UPDATE alert_portion SET fixed_by=NULL WHERE fixed_by=$1",
                                 SRV__ARGS(SRV__I(alert)), NULL, error);
    json_array_foreach (list, i, item) {
        good = good && set(store, json_integer_value(json_object_get(item, "id")), 0, "open",
                           "what had fixed it no longer follows from the nights", now_ms, error);
    }
    json_decref(list);
    return good;
}
