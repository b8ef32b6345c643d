#include "server/alarm/alert_rows.h"
#include "sql/alert.h"

#include <math.h>

static const char *direction_text(const srv__anomaly *a) {
    return a->direction > 0 ? "up" : "down";
}

static double percent(const srv__anomaly *a) {
    return a->before.mean != 0 ? 100 * a->difference.mean / fabs(a->before.mean) : NAN;
}

bool srv__alert_find(srv_store *store, int64_t series, const srv__anomaly *a, srv__alert_of *out,
                     GError **error) {
    static const model_member members[] = {MODEL(srv__alert_of, id, "id"),
                                           MODEL(srv__alert_of, withdrawn, "withdrawn"),
                                           MODEL(srv__alert_of, alike, "alike")};
    static const model_noun noun = MODEL_NOUN(srv__alert_of, members, "alert");
    bool there;
    return srv__one(store, SQL(alert_find),
                    SRV__ARGS(SRV__I(series), SRV__T(a->configuration_name), SRV__I(a->to),
                              SRV__T(direction_text(a)), SRV__T(a->dimension)),
                    &noun, out, &there, error);
}

bool srv__alert_withdrawn_around(srv_store *store, int64_t series, const srv__anomaly *a,
                                 int64_t *id, GError **error) {
    return srv__number(store, SQL(alert_withdrawn_around),
                       SRV__ARGS(SRV__I(series), SRV__T(a->configuration_name),
                                 SRV__T(direction_text(a)), SRV__I(a->from), SRV__I(a->to),
                                 SRV__T(a->dimension)),
                       0, id, error);
}

bool srv__alert_insert(srv_store *store, int64_t series, const srv__anomaly *a, int64_t now_ms,
                       int64_t *id, GError **error) {
    return srv__insert(store, SQL(alert_insert),
                       SRV__ARGS(SRV__I(series), SRV__T(a->portion), SRV__T(a->configuration_name),
                                 SRV__T(direction_text(a)), SRV__I(a->from), SRV__I(a->to),
                                 SRV__I(a->seen), SRV__I(now_ms), SRV__T(a->reason),
                                 SRV__T(a->dimension)),
                       id, error) &&
           srv__alert_lead(store, *id, a, error) && srv__alert_portion_put(store, *id, a, error);
}

bool srv__alert_lead(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(store, SQL(alert_lead),
                    SRV__ARGS(SRV__I(id), SRV__I(a->from), SRV__I(a->to), SRV__I(a->seen),
                              SRV__D(a->before.mean), SRV__D(a->before.low), SRV__D(a->before.high),
                              SRV__D(a->after.mean), SRV__D(a->after.low), SRV__D(a->after.high),
                              SRV__D(a->difference.mean), SRV__D(a->difference.low),
                              SRV__D(a->difference.high), SRV__D(percent(a)), SRV__T(a->reason),
                              SRV__T(a->portion), SRV__T(a->configuration_name),
                              SRV__T(direction_text(a)), SRV__T(a->dimension)),
                    NULL, error);
}

bool srv__alert_portion_put(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(store, SQL(alert_portion_put),
                    SRV__ARGS(SRV__I(id), SRV__T(a->configuration_name), SRV__T(a->portion),
                              SRV__T(direction_text(a)), SRV__I(a->seen), SRV__D(a->before.mean),
                              SRV__D(a->before.low), SRV__D(a->before.high), SRV__D(a->after.mean),
                              SRV__D(a->after.low), SRV__D(a->after.high),
                              SRV__D(a->difference.mean), SRV__D(a->difference.low),
                              SRV__D(a->difference.high), SRV__D(percent(a)), SRV__T(a->reason),
                              SRV__T(a->dimension)),
                    NULL, error);
}

bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, SQL(alert_audit_add),
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms), SRV__T(state), SRV__T(author),
                              SRV__T(reason)),
                    NULL, error) &&
           srv__run(store, SQL(alert_state_set), SRV__ARGS(SRV__I(alert), SRV__T(state)), NULL,
                    error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store, SQL(alert_keep),
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms), SRV__T(SRV__DETECTOR), SRV__T(reason)),
                    NULL, error) &&
           srv__run(store, SQL(alert_kept), SRV__ARGS(SRV__I(alert)), NULL, error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_state_ok(const char *state) {
    static const char *const states[] = {"open", "acknowledged", "accepted", "fixed", "false"};
    for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
        if (g_strcmp0(state, states[i]) == 0)
            return true;
    return false;
}
