#include "server/hook/delivery.h"

#include "server/hook/hook_queries.h"
#include "server/store/projects.h"

/* Older ones are forgotten; a provider repeats a delivery within days. */
#define KEEP 100000

static bool take_one(srv_store *store, srv_delivery *delivery, int64_t now_ms, GError **error) {
    int64_t changed = 0;
    int64_t project = 0;
    if (!srv__project_id(store, delivery->project, &project, error))
        return false;
    if (!srv__delivery_insert(store, delivery, project, now_ms, &changed, error))
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
    good = good && srv__deliveries_forget(store, KEEP, error);
    return srv__end(store, good, error);
}
