#pragma once
/*
 * incidents - what happened to machine or harness, and what people answered.
 *
 * At most one of a kind for a series and night, ever. It is open, closed (by a person, or by itself
 * once it has gone, or was not taken back for some nights), or withdrawn (nights that came in late
 * showed that it was none).
 */
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"

/**
 * srv_incident_set - a person changes the state.
 * state    "closed" or "open"
 * author   who; reason why: both not empty
 * Returns false with error: NOT_FOUND, INVALID (state, author, reason), CONFLICT (withdrawn ones do
 * not change any more).
 */
bool srv_incident_set(srv_store *store, int64_t incident, const char *state, const char *author,
                      const char *reason, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_note - another state, by whom and why, and an event. */
bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
