#include "config/json_text.h"
#include "server/alarm/alert_rows.h"
#include "server/ground/clock.h"
#include "server/views/views_parts.h"
#include "web/words/words.h"

#define DAY_MS INT64_C(86400000)

/* One end of an alert: {"commit","night","experiment"}; the member holding its number goes. */
static bool end_add(const srv__alert_parts *parts, json_t *alert, const char *key,
                    const char *column, GError **error) {
    const int64_t experiment = json_integer_value(json_object_get(alert, column));
    json_auto_t *end = srv__alert_only(parts, SRV__ALERT_END, experiment);
    if (!end) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "alert %lld refers to experiment %" G_GINT64_FORMAT ", which does not exist",
                    (long long)json_integer_value(json_object_get(alert, "id")), experiment);
        return false;
    }
    json_object_set_new(alert, key, json_deep_copy(end)); /* other alerts may have the same end */
    json_object_del(alert, column);
    return true;
}

/* When an alert aged after this entry of its history, on which nobody decided: what the detector
 * noted is as old as its night. */
static int64_t aged_ms(const json_t *entry, const char *night, int64_t days) {
    const int64_t at_ms = json_integer_value(json_object_get(entry, "at_ms"));
    const char *author = json_string_value(json_object_get(entry, "author"));
    const bool detector = g_strcmp0(author, SRV__DETECTOR) == 0;
    const int64_t since_ms = detector ? srv_night_over_ms(night, at_ms) : at_ms;
    return MAX(since_ms + days * DAY_MS, at_ms);
}

static json_t *aged_entry(int64_t at_ms, int64_t days) {
    g_autofree char *reason = g_strdup_printf(
        "nothing was decided for %" G_GINT64_FORMAT " days (detection.ageing_days)", days);
    return json_pack("{s:I,s:s,s:s,s:s,s:s}", "at_ms", (json_int_t)at_ms, "from", "open", "to",
                     "open", "author", "ageing", "reason", reason);
}

/* What was done, and where nothing was for so long that the alert aged. */
static json_t *audit_of(const srv__alert_parts *parts, int64_t alert, const json_t *head) {
    const int64_t days = json_integer_value(json_object_get(head, "ageing_days"));
    const char *night = json_string_value(json_object_get(head, "seen_night"));
    json_auto_t *told = srv__alert_rows(parts, SRV__ALERT_AUDIT, alert);
    json_t *audit = json_array(), *entry;
    size_t i;
    json_array_foreach (told, i, entry) {
        const json_t *next = json_array_get(told, i + 1);
        const int64_t at_ms = aged_ms(entry, night, days);
        const bool ended = next ? at_ms < json_integer_value(json_object_get(next, "at_ms"))
                                : json_is_true(json_object_get(head, "aged"));
        json_array_append(audit, entry);
        if (days > 0 && ended &&
            g_strcmp0(json_string_value(json_object_get(entry, "to")), "open") == 0)
            json_array_append_new(audit, aged_entry(at_ms, days));
    }
    return audit;
}

/* Headline and sentence, of the alert and of its portions. */
static void alert_say(const srv__alert_parts *parts, int64_t id, json_t *alert) {
    json_auto_t *all = srv__alert_rows(parts, SRV__ALERT_NAMES, id);
    web_alert_say(alert, cfg_json_number(alert, "level"), all);
}

static json_t *view_of(const srv__alert_parts *parts, int64_t alert, GError **error) {
    json_t *object = srv__alert_only(parts, SRV__ALERT_HEAD, alert);
    if (!object) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no alert %" G_GINT64_FORMAT,
                    alert);
        return NULL;
    }
    if (!end_add(parts, object, "from", "from_experiment", error) ||
        !end_add(parts, object, "to", "to_experiment", error) ||
        !end_add(parts, object, "until", "until_experiment", error)) {
        json_decref(object);
        return NULL;
    }
    json_object_set_new(object, "audit", audit_of(parts, alert, object));
    json_object_del(object, "ageing_days");
    json_object_del(object, "seen_night");
    json_object_set_new(object, "bisection", srv__bisection_view(parts, alert));
    json_object_set_new(object, "explanation", srv__explanation_view(parts, alert));
    json_object_set_new(object, "portions", srv__alert_rows(parts, SRV__ALERT_PORTIONS, alert));
    json_object_set_new(object, "branches", srv__alert_branches(parts, alert, object));
    srv__alert_counted(parts, alert, object);
    alert_say(parts, alert, object);
    web_alert_repeat(object, json_string_value(json_object_get(object, "file")));
    json_object_del(object, "file");
    return object;
}

json_t *srv__alert_views(srv_store *store, const GArray *alerts, GError **error) {
    srv__alert_parts parts;
    json_t *views = json_array();
    bool good = srv__alert_parts_read(&parts, store, alerts, error);
    for (guint i = 0; good && i < alerts->len; i++) {
        json_t *view = view_of(&parts, g_array_index(alerts, int64_t, i), error);
        good = view && json_array_append_new(views, view) == 0;
    }
    srv__alert_parts_free(&parts);
    if (!good)
        g_clear_pointer(&views, json_decref);
    return views;
}

json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) {
    g_autoptr(GArray) alerts = g_array_new(FALSE, FALSE, sizeof alert);
    g_array_append_val(alerts, alert);
    json_auto_t *views = srv__alert_views(store, alerts, error);
    return json_incref(json_array_get(views, 0));
}
