#pragma once
/*
 * incident_rows - what is asked of incidents, of their audit, and of the nights around them.
 * All inside a transaction where something is written; false or NULL with error.
 */
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"

/* srv__incident_insert - opened by the night seen; incident->before 0: none before it. */
bool srv__incident_insert(srv_store *store, int64_t series, const det_incident *incident,
                          int64_t seen, int64_t now_ms, int64_t *id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_note - another state, by whom and why, and an event. */
bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
