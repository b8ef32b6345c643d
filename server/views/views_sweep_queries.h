#pragma once
/* views_sweep_queries - what the JSON of sweeps is read with. */
#include "server/views/views_queries.h"

/* srv__sweep_rows - a project's, newest first, those with a smaller number; owned. */
json_t *srv__sweep_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_row_get - one; row: out, owned, NULL when there is none. */
bool srv__sweep_row_get(srv_store *store, int64_t sweep, json_t **row,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_value_rows - {"value","job","state","error","node","experiment","level"} of each
 * value, in order. srv__sweep_portion_rows - {"value","portion","configuration","parent","mean_ns",
 * "low_ns","high_ns"} of those that were measured. Both owned. */
json_t *srv__sweep_value_rows(srv_store *store, int64_t sweep,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__sweep_portion_rows(srv_store *store, int64_t sweep,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
