#pragma once
/*
 * events - what streams are told of a change, as in docs/api.md.
 */
#include "server/store/store.h"

/* srv_event_name - "job", "night" or "alert". */
const char *srv_event_name(srv_event what);

/* srv_event_view - what has changed, as it is now; owned, NULL with error: NOT_FOUND when it has
 * gone since. */
json_t *srv_event_view(srv_store *store, srv_event what, int64_t id,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
