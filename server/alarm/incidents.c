#include "server/alarm/incidents.h"

#include "server/alarm/decision.h"
#include "sql/incident.h"

static bool may_change(srv_store *store, int64_t incident, GError **error) {
    g_autofree char *state = NULL;
    if (!srv__text(store, SQL(incident_state), SRV__ARGS(SRV__I(incident)), &state, error))
        return false;
    const bool there = state != NULL, withdrawn = g_strcmp0(state, "withdrawn") == 0;
    if (!there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no incident %" G_GINT64_FORMAT,
                    incident);
    else if (withdrawn)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "incident %" G_GINT64_FORMAT " was withdrawn and cannot be changed any more",
                    incident);
    return there && !withdrawn;
}

bool srv_incident_set(srv_store *store, int64_t incident, const char *state, const char *author,
                      const char *reason, int64_t now_ms, GError **error) {
    if (g_strcmp0(state, "open") != 0 && g_strcmp0(state, "closed") != 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "state: must be open or closed");
        return false;
    }
    if (!srv__decision_text_check("author", author, error) ||
        !srv__decision_text_check("reason", reason, error) || !srv__begin(store, error))
        return false;
    const srv__decision decision = {"incident", incident, state, author, reason, now_ms};
    const bool good = may_change(store, incident, error) &&
                      srv__incident_note(store, incident, state, author, reason, now_ms, error) &&
                      srv__decision_audit(store, &decision, error);
    return srv__end(store, good, error);
}

bool srv__incident_insert(srv_store *store, int64_t series, const det_incident *i, int64_t seen,
                          int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store, SQL(incident_insert),
                       SRV__ARGS(SRV__I(series), SRV__T(det_incident_text(i->kind)),
                                 SRV__I(i->since), SRV__ID(i->before), SRV__I(seen),
                                 SRV__I(i->lasts), SRV__D(i->factor), SRV__D(i->low),
                                 SRV__D(i->high), SRV__I(i->moved), SRV__I(i->seen), SRV__I(now_ms),
                                 SRV__T(i->reason)),
                       id, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, *id);
}

bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms, GError **error) {
    return srv__run(
               store, SQL(incident_audit_add),
               SRV__ARGS(SRV__I(id), SRV__I(now_ms), SRV__T(state), SRV__T(author), SRV__T(reason)),
               NULL, error) &&
           srv__run(store, SQL(incident_state_set), SRV__ARGS(SRV__I(id), SRV__T(state)), NULL,
                    error) &&
           srv__event(store, SRV_EVENT_INCIDENT, id);
}
