#pragma once
/* views_pull_queries - what pages and messages ask of pull requests. */
#include "server/store/store_sql.h"

/* srv__pull_rows - a project's, newest first, with keys below this one; owned, NULL with error.
 * srv__pull_row - one; row: out, owned, NULL when there is none. */
json_t *srv__pull_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__pull_row(srv_store *store, int64_t pull, json_t **row,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_portion_rows - its portions with their answers, parents first; owned. */
json_t *srv__pull_portion_rows(srv_store *store, int64_t pull,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
