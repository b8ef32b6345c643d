#pragma once
/*
 * bridge_rows - what is asked of bridges. All inside a transaction where something is written;
 * false or NULL with error.
 */
#include "server/store/store_sql.h"

/* srv__bridge_end - it is done, or failed; and why. */
bool srv__bridge_end(srv_store *store, int64_t incident, const char *state, const char *reason,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
