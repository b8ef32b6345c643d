#include "server/hook/delivery.h"

#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"

/* Older ones are forgotten; a provider repeats a delivery within days. */
#define KEEP 100000

static bool take_one(srv_store *store, srv_delivery *delivery, int64_t now_ms, GError **error) {
    int64_t changed = 0;
    int64_t project = 0;
    if (!srv__project_id(store, delivery->project, &project, error))
        return false;
    if (!srv__run(store, SQL(delivery_insert),
                  SRV__ARGS(SRV__T(delivery->provider), SRV__T(delivery->id), SRV__I(project),
                            SRV__T(delivery->sha), SRV__I(now_ms),
                            SRV__T(delivery->pull ? "said" : "waiting"), SRV__T(delivery->pull)),
                  &changed, error))
        return false;
    delivery->fresh = changed > 0;
    return true;
}

bool srv_delivery_take(srv_store *store, const GPtrArray *deliveries, int64_t now_ms,
                       GError **error) {
    if (!srv__begin(store, error))
        return false;
    bool good = true;
    for (guint i = 0; good && i < deliveries->len; i++)
        good = take_one(store, g_ptr_array_index(deliveries, i), now_ms, error);
    good = good && srv__run(store, SQL(deliveries_forget), SRV__ARGS(SRV__I(KEEP)), NULL, error);
    return srv__end(store, good, error);
}
