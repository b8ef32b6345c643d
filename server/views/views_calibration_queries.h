#pragma once
/* views_calibration_queries - what is shown of nodes that measure one reference commit. */
#include "server/store/store_sql.h"

/* srv__calibration_rows - of all projects, with "id" and "benchmark_changed". Owned. */
json_t *srv__calibration_rows(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_factors - calls take with the factors of each, portion by portion. */
bool srv__calibration_factors(srv_store *store, srv__take take, void *user,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_waits - [{"project","commit","measured","usual"}] of projects that are to be
 * calibrated and of which nothing is known yet. Owned. */
json_t *srv__calibration_waits(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;
