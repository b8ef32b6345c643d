#include "server/alarm/incident_rows.h"
#include "sql/incident.h"

#include <math.h>

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
