#include "server/store/store_imports.h"

#include "server/store/store_sql.h"
#include "sql/transfer.h"

#include <stdlib.h>

bool srv__imports_last(srv_store *store, int64_t *alert, int64_t *incident, GError **error) {
    return srv__number(store, SQL(alert_last), SRV__NO_ARGS, 0, alert, error) &&
           srv__number(store, SQL(incident_last), SRV__NO_ARGS, 0, incident, error);
}

bool srv__imports_found(srv_store *store, int64_t project, int64_t *alert, int64_t *incident,
                        GError **error) {
    return srv__number(store, SQL(imports_alerts), SRV__ARGS(SRV__I(project), SRV__I(*alert)), 0,
                       alert, error) &&
           srv__number(store, SQL(imports_incidents), SRV__ARGS(SRV__I(project), SRV__I(*incident)),
                       0, incident, error);
}

bool srv__imports_note(srv_store *store, int64_t project, const json_t *report, int64_t now_ms,
                       GError **error) {
    char *text = json_dumps(report, JSON_COMPACT);
    const bool good =
        srv__run(store, SQL(imports_note), SRV__ARGS(SRV__I(project), SRV__I(now_ms), SRV__T(text)),
                 NULL, error);
    free(text);
    return good;
}

bool srv__imports_newest(srv_store *store, int64_t project, json_t **row, GError **error) {
    return srv__object(store, SQL(imports_newest), SRV__ARGS(SRV__I(project)), row, error);
}
