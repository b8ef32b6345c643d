#include "server/views/views_queries.h"

#define DAY_MS INT64_C(86400000)
#include "server/views/views_parts.h"
#include "web/words/alert.h"

/* One end of an alert: {"commit","night","experiment"}; the member holding its number goes. */
static bool end_add(srv_store *store, json_t *alert, const char *key, const char *column,
                    GError **error) {
    json_int_t experiment = json_integer_value(json_object_get(alert, column));
    json_t *end = srv__alert_end(store, experiment, error);
    if (!end)
        return false;
    json_object_set_new(alert, key, end);
    json_object_del(alert, column);
    return true;
}

/* The largest one first, then by size. */
static json_t *alert_portions(srv_store *store, int64_t alert, GError **error) {
    json_t *portions = srv__alert_portion_rows(store, alert, error);
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        srv__drop_empty(portion, "confirmation", "state");
    return portions;
}

/* When an alert aged that nobody had touched since then. */
static json_t *aged_entry(int64_t since_ms, int64_t days) {
    g_autofree char *reason = g_strdup_printf(
        "nothing was decided for %" G_GINT64_FORMAT " days (detection.ageing_days)", days);
    return json_pack("{s:I,s:s,s:s,s:s,s:s}", "at_ms",
                     (json_int_t)since_ms + (json_int_t)days * DAY_MS, "from", "open", "to", "open",
                     "author", "ageing", "reason", reason);
}

/* What was done, and where nothing was for so long that the alert aged. aged: it is so now. */
static json_t *alert_audit(srv_store *store, int64_t alert, int64_t days, bool aged,
                           GError **error) {
    json_t *told = srv__alert_audit_rows(store, alert, error), *audit = json_array();
    size_t i, count = json_array_size(told);
    json_t *entry;
    json_array_foreach (told, i, entry) {
        const json_t *next = json_array_get(told, i + 1);
        int64_t at_ms = json_integer_value(json_object_get(entry, "at_ms"));
        int64_t until_ms = json_integer_value(json_object_get(next, "at_ms"));
        bool ended = i + 1 < count ? at_ms + days * DAY_MS <= until_ms : aged;
        bool open = g_strcmp0(json_string_value(json_object_get(entry, "to")), "open") == 0;
        json_array_append(audit, entry);
        if (open && days > 0 && ended)
            json_array_append_new(audit, aged_entry(at_ms, days));
    }
    bool good = told != NULL;
    json_decref(told);
    if (good)
        return audit;
    json_decref(audit);
    return NULL;
}

/* Headline and sentence, of the alert and of its portions. */
static bool alert_say(srv_store *store, json_t *alert, GError **error) {
    const json_t *to = json_object_get(alert, "to");
    json_t *all =
        srv__portion_names(store, json_integer_value(json_object_get(to, "experiment")), error);
    if (!all)
        return false;
    web_alert_say(alert, web_words_number(alert, "level"), all);
    json_decref(all);
    return true;
}

json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) {
    json_t *object = srv__alert_row(store, alert, error);
    if (!object)
        return NULL;
    json_t *audit =
        alert_audit(store, alert, json_integer_value(json_object_get(object, "ageing_days")),
                    json_is_true(json_object_get(object, "aged")), error);
    json_t *bisection = srv__bisection_view(store, alert, error);
    json_t *explanation = srv__explanation_view(store, alert, error);
    json_t *portions = alert_portions(store, alert, error);
    if (audit && bisection && explanation && portions &&
        end_add(store, object, "from", "from_experiment", error) &&
        end_add(store, object, "to", "to_experiment", error)) {
        json_object_del(object, "ageing_days");
        json_object_set_new(object, "audit", audit);
        json_object_set_new(object, "bisection", bisection);
        json_object_set_new(object, "explanation", explanation);
        json_object_set_new(object, "portions", portions);
        srv__drop_empty(object, "confirmation", "state");
        if (alert_say(store, object, error))
            return object;
        audit = bisection = explanation = portions = NULL;
    }
    json_decref(audit);
    json_decref(bisection);
    json_decref(explanation);
    json_decref(portions);
    json_decref(object);
    return NULL;
}
