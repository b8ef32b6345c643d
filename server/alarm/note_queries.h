#pragma once
/* note_queries - what is asked of notes. */
#include "server/alarm/notes.h"
#include "server/store/store_sql.h"

bool srv__note_insert(srv_store *store, int64_t project, const srv_note *note, int64_t now_ms,
                      int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__note_end - changed: out, 0: there is none, or it was removed before. */
bool srv__note_end(srv_store *store, int64_t id, const char *author, int64_t now_ms,
                   int64_t *changed, GError **error) G_GNUC_WARN_UNUSED_RESULT;
