#include "server/alarm/alerts.h"

#include "server/alarm/alert_rows.h"
#include "server/alarm/decision.h"
#include "server/ground/clock.h"
#include "sql/alert.h"

#define DAY_MS INT64_C(86400000)

static bool state_check(const char *state, GError **error) {
    if (srv__alert_state_ok(state))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "state: must be open, acknowledged, accepted, fixed or false");
    return false;
}

static bool may_change(srv_store *store, int64_t alert, GError **error) {
    json_t *row;
    if (!srv__object(store, SQL(alert_withdrawn), SRV__ARGS(SRV__I(alert)), &row, error))
        return false;
    bool there = row != NULL, withdrawn = json_is_true(json_object_get(row, "withdrawn"));
    json_decref(row);
    if (!there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "unknown alert %" G_GINT64_FORMAT,
                    alert);
    else if (withdrawn)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "alert %" G_GINT64_FORMAT " was withdrawn and cannot be changed any more",
                    alert);
    return there && !withdrawn;
}

bool srv_alert_set(srv_store *store, int64_t alert, const char *state, const char *author,
                   const char *reason, int64_t now_ms, GError **error) {
    if (!state_check(state, error) || !srv__decision_text_check("author", author, error) ||
        !srv__decision_text_check("reason", reason, error) || !srv__begin(store, error))
        return false;
    const srv__decision decision = {"alert", alert, state, author, reason, now_ms};
    bool good = may_change(store, alert, error) &&
                srv__alert_note(store, alert, state, author, reason, now_ms, error) &&
                srv__decision_audit(store, &decision, error);
    return srv__end(store, good, error);
}

/* When an open alert ages that nobody decides on: its last decision counts, or else the night that
 * showed it, since a night that was measured late is no news. INT64_MAX: never. */
static int64_t ages_ms(const json_t *alert) {
    const int64_t days = json_integer_value(json_object_get(alert, "ageing_days"));
    const json_t *decided = json_object_get(alert, "decided_ms");
    const int64_t raised_ms = json_integer_value(json_object_get(alert, "raised_ms"));
    const char *night = json_string_value(json_object_get(alert, "night"));
    if (days == 0)
        return INT64_MAX;
    return days * DAY_MS + (json_is_integer(decided) ? json_integer_value(decided)
                                                     : srv_night_over_ms(night, raised_ms));
}

bool srv_alerts_age(srv_store *store, int64_t now_ms, int64_t *next_ms, GError **error) {
    if (!srv__begin(store, error))
        return false;
    json_auto_t *open =
        srv__array(store, SQL(alerts_ageing), SRV__ARGS(SRV__T(SRV__DETECTOR)), error);
    size_t i;
    const json_t *alert;
    bool good = open != NULL;
    *next_ms = INT64_MAX;
    json_array_foreach (open, i, alert) {
        const int64_t at_ms = ages_ms(alert);
        const bool aged = at_ms <= now_ms;
        if (good && aged != json_is_true(json_object_get(alert, "aged")))
            good = srv__run(
                store, SQL(alert_set_aged),
                SRV__ARGS(SRV__I(json_integer_value(json_object_get(alert, "id"))), SRV__I(aged)),
                NULL, error);
        if (!aged)
            *next_ms = MIN(*next_ms, at_ms);
    }
    return srv__end(store, good, error);
}
