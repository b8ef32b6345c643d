#include "server/alarm/alerts.h"

#include "server/alarm/alert_queries.h"
#include "server/alarm/decision.h"

static bool state_check(const char *state, GError **error) {
    if (srv__alert_state_ok(state))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "state: must be open, acknowledged, accepted, fixed or false");
    return false;
}

static bool may_change(srv_store *store, int64_t alert, GError **error) {
    json_t *row;
    if (!srv__alert_withdrawn(store, alert, &row, error))
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

bool srv_alerts_age(srv_store *store, int64_t now_ms, int64_t *next_ms, GError **error) {
    if (!srv__begin(store, error))
        return false;
    bool good = srv__alerts_set_young(store, now_ms, error) &&
                srv__alerts_set_aged(store, now_ms, error) &&
                srv__alerts_next_aged(store, next_ms, error);
    return srv__end(store, good, error);
}
