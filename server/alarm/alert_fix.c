#include "server/alarm/alert_fix.h"

#include "server/alarm/alert_rows.h"
#include "sql/alert.h"

static char *reason_of(const GString *fell, const json_t *item) {
    return g_strdup_printf("%s with %s in the night %s", fell->str,
                           json_string_value(json_object_get(item, "commit_id")),
                           json_string_value(json_object_get(item, "night")));
}

static bool set(srv_store *store, int64_t id, int64_t fixed_by, const char *state,
                const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, SQL(alert_fixed_by), SRV__ARGS(SRV__I(id), SRV__ID(fixed_by)), NULL,
                    error) &&
           srv__alert_note(store, id, state, SRV__DETECTOR, reason, now_ms, error);
}

/* "I fell from 12.0 ns to 10.0 ns" */
static void fell_add(GString *fell, const json_t *item) {
    g_string_append_printf(fell, "%s%s fell from %.1f ns to %.1f ns", fell->len > 0 ? ", " : "",
                           json_string_value(json_object_get(item, "portion")),
                           json_number_value(json_object_get(item, "before_mean_ns")),
                           json_number_value(json_object_get(item, "after_mean_ns")));
}

/* One alert a run of rows with its key. */
static bool fixed_tell(srv_store *store, const json_t *list, int64_t alert, int64_t now_ms,
                       GError **error) {
    g_autoptr(GString) fell = g_string_new(NULL);
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i), *next = json_array_get(list, i + 1);
        const json_t *id = json_object_get(item, "id");
        fell_add(fell, item);
        if (json_equal(id, json_object_get(next, "id")))
            continue;
        g_autofree char *reason = reason_of(fell, item);
        good = set(store, json_integer_value(id), alert, "fixed", reason, now_ms, error);
        g_string_truncate(fell, 0);
    }
    return good;
}

bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *list =
        srv__run(store, SQL(alert_portions_fix), SRV__ARGS(SRV__I(alert)), NULL, error)
            ? srv__array(store, SQL(alert_fixed_portions), SRV__ARGS(SRV__I(alert)), error)
            : NULL;
    bool good = list && fixed_tell(store, list, alert, now_ms, error);
    json_decref(list);
    return good;
}

bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *list = srv__array(store, SQL(alert_fixed_list), SRV__ARGS(SRV__I(alert)), error);
    size_t i;
    json_t *item;
    bool good =
        list && srv__run(store, SQL(alert_portions_unfix), SRV__ARGS(SRV__I(alert)), NULL, error);
    json_array_foreach (list, i, item) {
        good = good && set(store, json_integer_value(json_object_get(item, "id")), 0, "open",
                           "the nights no longer show what fixed it", now_ms, error);
    }
    json_decref(list);
    return good;
}
