#include "server/views/views_queries.h"

bool srv__explanation_row(srv_store *store, int64_t alert, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT x.state, x.reason, x.profiler, x.unit, x.job_id AS job,"
        " x.allocated_profiler, x.allocated_reason,"
        " x.finished_ms, x.pruned_ms, o.sha AS \"before\", n.sha AS \"after\" FROM explanation x"
        " JOIN revision o ON o.id=x.before_id JOIN revision n ON n.id=x.after_id"
        " WHERE x.alert_id=$1",
        SRV__ARGS(SRV__I(alert)), row, error);
}

static bool is_of_bytes(const char *dimension) {
    return g_str_equal(dimension, SRV_PROFILE_BYTES);
}

/* The alert's own portion first, then what changed most. */
#define PORTIONS(table, change)                                                                    \
    "SELECT x.portion, x.configuration, x.parent, x.sentence, x.change_ns, x.before_units,"        \
    " x.after_units, x.functions AS \"functions{\" FROM " table                                    \
    " x JOIN alert a ON a.id=x.alert_id WHERE x.alert_id=$1"                                       \
    " ORDER BY x.configuration<>a.configuration, abs(" change ") DESC NULLS LAST, x.configuration"

json_t *srv__explanation_portion_rows(srv_store *store, int64_t alert, const char *dimension,
                                      GError **error) {
    return srv__array(store,
                      is_of_bytes(dimension)
                          ? PORTIONS("allocated_portion", "x.after_units-x.before_units")
                          : PORTIONS("explanation_portion", "x.change_ns"),
                      SRV__ARGS(SRV__I(alert)), error);
}

#define PROFILES(table, query)                                                                     \
    "SELECT configuration, CASE WHEN before=1 THEN 'before' ELSE 'after' END AS \"end\","          \
    " count(*) AS loops, '/api/v1/alerts/' || alert_id || '/profiles/' || configuration || '/' ||" \
    " CASE WHEN before=1 THEN 'before' ELSE 'after' END || '" query "' AS url FROM " table         \
    " WHERE alert_id=$1 GROUP BY alert_id, configuration, before"                                  \
    " ORDER BY configuration, before DESC"

json_t *srv__explanation_profile_rows(srv_store *store, int64_t alert, const char *dimension,
                                      GError **error) {
    return srv__array(store,
                      is_of_bytes(dimension)
                          ? PROFILES("allocated_profile", "?dimension=" SRV_PROFILE_BYTES)
                          : PROFILES("profile", ""),
                      SRV__ARGS(SRV__I(alert)), error);
}

#define STACKS(table)                                                                              \
    "SELECT loop, calls, stacks FROM " table                                                       \
    " WHERE alert_id=$1 AND configuration=$2 AND before=$3 ORDER BY loop"

json_t *srv__profile_rows(srv_store *store, const srv_profile_name *name, GError **error) {
    return srv__array(
        store, is_of_bytes(name->dimension) ? STACKS("allocated_profile") : STACKS("profile"),
        SRV__ARGS(SRV__I(name->alert), SRV__T(name->configuration), SRV__I(name->before)), error);
}
