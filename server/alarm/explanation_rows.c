#include "server/alarm/explanation_rows.h"

#include "server/store/kinds.h"
#include "sql/explanation.h"

static bool is_of_bytes(const char *dimension) {
    return g_str_equal(dimension, SRV_PROFILE_BYTES);
}

bool srv__profile_insert(srv_store *store, const srv__profile_row *row, GError **error) {
    return srv__run(
        store, is_of_bytes(row->dimension) ? SQL(allocated_profile_insert) : SQL(profile_insert),
        SRV__ARGS(SRV__I(row->alert), SRV__T(row->configuration), SRV__I(row->before),
                  SRV__I(row->loop), SRV__I(row->calls), SRV__T(row->stacks)),
        NULL, error);
}

bool srv__explanation_portion_insert(srv_store *store, const srv__explanation_portion_row *row,
                                     GError **error) {
    return srv__run(store,
                    is_of_bytes(row->dimension) ? SQL(allocated_portion_insert)
                                                : SQL(explanation_portion_insert),
                    SRV__ARGS(SRV__I(row->alert), SRV__T(row->configuration), SRV__T(row->parent),
                              SRV__T(row->portion), SRV__T(row->sentence), SRV__D(row->change_ns),
                              SRV__D(row->before_units), SRV__D(row->after_units),
                              SRV__T(row->functions)),
                    NULL, error);
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

bool srv__explanation_done(srv_store *store, int64_t alert, const json_t *body, const char *hash,
                           int64_t now_ms, GError **error) {
    const json_t *allocations = json_object_get(body, "allocations");
    return srv__run(
        store, SQL(explanation_done),
        SRV__ARGS(SRV__I(alert), SRV__T(text_of(body, "profiler")), SRV__T(text_of(body, "unit")),
                  SRV__T(hash), SRV__I(now_ms), SRV__T(text_of(body, "note")),
                  SRV__T(text_of(allocations, "profiler")), SRV__T(text_of(allocations, "reason"))),
        NULL, error);
}
