#pragma once
/* views_note_queries - a project's notes, the newest first. */
#include "server/store/store_sql.h"

/* srv__note_rows - with keys below this one, those that were not removed; owned, NULL with error.
 */
json_t *srv__note_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
