#include "server/store/store_audit.h"

#include "server/store/store_sql.h"
#include "sql/audit.h"

#define HOUR_MS INT64_C(3600000)

bool srv__audit_change(srv_store *store, const srv_audit_row *row, GError **error) {
    return srv__run(store, SQL(audit_change),
                    SRV__ARGS(SRV__I(row->at_ms), SRV__T(row->kind), SRV__T(row->who),
                              SRV__T(row->client), SRV__T(row->what), SRV__T(row->why)),
                    NULL, error) &&
           srv__run(store, SQL(audit_changes_prune), SRV__ARGS(SRV__I(SRV_AUDIT_CHANGES)), NULL,
                    error);
}

bool srv_audit_change(srv_store *store, const srv_audit_row *row, GError **error) {
    if (!srv__begin(store, error))
        return false;
    return srv__end(store, srv__audit_change(store, row, error), error);
}

static bool add_refusal(srv_store *store, const srv_audit_row *row, GError **error) {
    return srv__run(store, SQL(audit_refusal_add),
                    SRV__ARGS(SRV__I(row->at_ms), SRV__I(row->last_ms),
                              SRV__I(row->at_ms / HOUR_MS), SRV__T(row->who), SRV__T(row->client),
                              SRV__T(row->what), SRV__T(row->why), SRV__I(row->count)),
                    NULL, error);
}

bool srv_audit_refusals(srv_store *store, const srv_audit_row *rows, size_t n, GError **error) {
    bool good = srv__begin(store, error);
    if (!good)
        return false;
    for (size_t i = 0; i < n && good; i++)
        good = add_refusal(store, &rows[i], error);
    return srv__end(store,
                    good && srv__run(store, SQL(audit_refusals_prune),
                                     SRV__ARGS(SRV__I(SRV_AUDIT_REFUSALS)), NULL, error),
                    error);
}

json_t *srv__audit_page(srv_store *store, const char *kind, int64_t below, unsigned count,
                        GError **error) {
    return srv__array(store, SQL(audit_page), SRV__ARGS(SRV__I(below), SRV__T(kind), SRV__I(count)),
                      error);
}
