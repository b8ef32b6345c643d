#pragma once
/* views_baseline_queries - the levels that people set in a project, the newest first. */
#include "server/store/store_sql.h"

/* srv__baseline_rows - with keys below this one, those in force; owned, NULL with error. */
json_t *srv__baseline_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
