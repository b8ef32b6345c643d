#pragma once
/* export_night - one night as a line of an export. */
#include "server/store/store_sql.h"

/* srv__export_night - owned; NULL with error. */
json_t *srv__export_night(srv_store *store, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__drop_nulls - members that are null were not there. */
void srv__drop_nulls(json_t *object);
