#include "server/store/store_audit.h"

#include "server/store/store_sql.h"
#include "sql/audit.h"

#define HOUR_MS INT64_C(3600000)

bool srv__audit_change(srv_store *store, const srv_audit_row *row, GError **error) {
    return srv__run(
               store,
               ASK(audit_change, row->at_ms, row->kind, row->who, row->client, row->what, row->why),
               error) &&
           srv__run(store, ASK(audit_changes_remove, SRV_AUDIT_CHANGES), error);
}

bool srv_audit_change(srv_store *store, const srv_audit_row *row, GError **error) {
    if (!srv__begin(store, error))
        return false;
    return srv__end(store, srv__audit_change(store, row, error), error);
}

static bool add_refusal(srv_store *store, const srv_audit_row *row, GError **error) {
    return srv__run(store,
                    ASK(audit_refusal_add, row->at_ms, row->last_ms, row->at_ms / HOUR_MS, row->who,
                        row->client, row->what, row->why, row->count),
                    error);
}

bool srv_audit_refusals(srv_store *store, const srv_audit_row *rows, size_t n, GError **error) {
    bool good = srv__begin(store, error);
    if (!good)
        return false;
    for (size_t i = 0; i < n && good; i++)
        good = add_refusal(store, &rows[i], error);
    return srv__end(store,
                    good && srv__run(store, ASK(audit_refusals_remove, SRV_AUDIT_REFUSALS), error),
                    error);
}
