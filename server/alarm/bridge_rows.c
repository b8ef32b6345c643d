#include "server/alarm/bridge_rows.h"
#include "sql/bridge.h"

bool srv__bridge_end(srv_store *store, int64_t incident, const char *state, const char *reason,
                     GError **error) {
    return srv__run(store, SQL(bridge_end),
                    SRV__ARGS(SRV__I(incident), SRV__T(state), SRV__T(reason)), NULL, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, incident);
}
