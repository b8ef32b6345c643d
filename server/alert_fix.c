#include "server/alert_fix.h"

#include "server/series_alerts.h"

#define AUTHOR "detector"

/* Change the state of every alert that the statement lists, and of nothing else. */
static bool note_all(srv_store *store, const char *sql, int64_t alert, const char *state,
                     const char *reason, int64_t now_ms, GError **error) {
    json_t *list = srv__array(store, sql, SRV__ARGS(SRV__I(alert)), error);
    size_t i;
    json_t *item;
    bool good = list != NULL;
    json_array_foreach(list, i, item) {
        int64_t id = json_integer_value(json_object_get(item, "id"));
        good = good &&
               srv__run(store, "UPDATE alert SET fixed_by=$2 WHERE id=$1",
                        SRV__ARGS(SRV__I(id), SRV__ID(g_str_equal(state, "fixed") ? alert : 0)),
                        NULL, error) &&
               srv__alert_note(store, id, state, AUTHOR, reason, now_ms, error);
    }
    json_decref(list);
    return good;
}

bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT a.portion, a.direction, a.before_mean_ns, a.after_mean_ns, e.night,"
                     " substr(r.sha,1,9) AS commit_id FROM alert a"
                     " JOIN experiment e ON e.id=a.to_experiment"
                     " JOIN revision r ON r.id=e.revision_id WHERE a.id=$1",
                     SRV__ARGS(SRV__I(alert)), &row, error))
        return false;
    g_autofree char *reason =
        g_strdup_printf("%s fell from %.1f ns to %.1f ns with %s in the night %s",
                        json_string_value(json_object_get(row, "portion")),
                        json_number_value(json_object_get(row, "before_mean_ns")),
                        json_number_value(json_object_get(row, "after_mean_ns")),
                        json_string_value(json_object_get(row, "commit_id")),
                        json_string_value(json_object_get(row, "night")));
    bool down = g_str_equal(json_string_value(json_object_get(row, "direction")), "down");
    json_decref(row);
    return !down ||
           note_all(store,
                    "SELECT o.id FROM alert n JOIN alert o ON o.series_id=n.series_id"
                    " AND o.configuration=n.configuration AND o.direction='up' AND o.id<>n.id"
                    " AND o.state IN ('open','acknowledged')"
                    " JOIN experiment x ON x.id=o.to_experiment"
                    " JOIN experiment y ON y.id=n.to_experiment WHERE n.id=$1"
                    " AND (x.night, x.time_ms, x.id)<(y.night, y.time_ms, y.id)"
                    " AND n.after_mean_ns<=(o.before_mean_ns+o.after_mean_ns)/2",
                    alert, "fixed", reason, now_ms, error);
}

bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    return note_all(store, "SELECT id FROM alert WHERE fixed_by=$1 AND state='fixed'", alert,
                    "open", "what had fixed it no longer follows from the nights", now_ms, error);
}
