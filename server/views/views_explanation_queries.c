#include "server/views/views_queries.h"

#define STACKS(table)                                                                              \
    "SELECT loop, calls, stacks FROM " table                                                       \
    " WHERE alert_id=$1 AND configuration=$2 AND before=$3 ORDER BY loop"

json_t *srv__profile_rows(srv_store *store, const srv_profile_name *name, GError **error) {
    const bool bytes = g_str_equal(name->dimension, SRV_PROFILE_BYTES);
    return srv__array(
        store, bytes ? STACKS("allocated_profile") : STACKS("profile"),
        SRV__ARGS(SRV__I(name->alert), SRV__T(name->configuration), SRV__I(name->before)), error);
}
