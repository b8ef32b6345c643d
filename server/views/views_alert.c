#include "server/alarm/alert_queries.h"
#include "server/ground/clock.h"
#include "server/views/views_parts.h"
#include "server/views/views_queries.h"
#include "web/words/alert.h"

#define DAY_MS INT64_C(86400000)

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

/* What was done, and where nothing was for so long that the alert aged. row: srv__alert_row's. */
static json_t *alert_audit(srv_store *store, int64_t alert, const json_t *row, GError **error) {
    const int64_t days = json_integer_value(json_object_get(row, "ageing_days"));
    const char *night = json_string_value(json_object_get(row, "seen_night"));
    json_t *told = srv__alert_audit_rows(store, alert, error);
    size_t i;
    json_t *entry;
    if (!told)
        return NULL;
    json_t *audit = json_array();
    json_array_foreach (told, i, entry) {
        const json_t *next = json_array_get(told, i + 1);
        const int64_t at_ms = aged_ms(entry, night, days);
        const bool ended = next ? at_ms < json_integer_value(json_object_get(next, "at_ms"))
                                : json_is_true(json_object_get(row, "aged"));
        json_array_append(audit, entry);
        if (days > 0 && ended &&
            g_strcmp0(json_string_value(json_object_get(entry, "to")), "open") == 0)
            json_array_append_new(audit, aged_entry(at_ms, days));
    }
    json_decref(told);
    return audit;
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
    json_t *audit = alert_audit(store, alert, object, error);
    json_t *bisection = srv__bisection_view(store, alert, error);
    json_t *explanation = srv__explanation_view(store, alert, error);
    json_t *portions = srv__alert_portion_rows(store, alert, error);
    if (audit && bisection && explanation && portions &&
        end_add(store, object, "from", "from_experiment", error) &&
        end_add(store, object, "to", "to_experiment", error) &&
        end_add(store, object, "until", "until_experiment", error)) {
        json_object_del(object, "ageing_days");
        json_object_del(object, "seen_night");
        json_object_set_new(object, "audit", audit);
        json_object_set_new(object, "bisection", bisection);
        json_object_set_new(object, "explanation", explanation);
        json_object_set_new(object, "portions", portions);
        if (srv__alert_branches(store, alert, object, error) &&
            srv__alert_counted(store, object, error) && alert_say(store, object, error))
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
