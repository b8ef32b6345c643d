#pragma once
/*
 * alerts - what people were told, and what they answered.
 *
 * At most one alert for a series, portion, night and direction, ever. It is open, acknowledged,
 * accepted (the new level is wanted), fixed, false, or withdrawn (an earlier night came in late
 * and the change is not where it was). Each change of state is kept with author, reason and time.
 */
#include "server/store/store.h"
#include "server/store/store_sql.h"

/**
 * srv_alert_set - a person changes the state.
 * state    "acknowledged", "accepted", "false", "fixed" or "open"
 * author   who; reason why: both not empty
 * Returns false with error: NOT_FOUND, INVALID (state, author, reason), CONFLICT (withdrawn
 * alerts do not change any more).
 */
bool srv_alert_set(srv_store *store, int64_t alert, const char *state, const char *author,
                   const char *reason, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_alerts_age - note which open alerts nobody has decided on for as long as their project allows
 * (detection.ageing_days), and which are young again because that has changed. Days count from the
 * last decision of a person, or from the night that showed the change: one of long ago that comes
 * in today starts aged. next_ms   out, when the next one ages; INT64_MAX: none will Returns false
 * with error.
 */
bool srv_alerts_age(srv_store *store, int64_t now_ms, int64_t *next_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Who a change of state is by when nobody decided it. */
#define SRV__DETECTOR "detector"

/* srv__alert_note - a change of state, with its audit line; who listens is told. */
bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_keep - an audit line of the detector that leaves the state as it is; likewise. */
bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_state_ok - may a person give an alert this state: open, acknowledged, accepted, fixed,
 * false? */
bool srv__alert_state_ok(const char *state);

/*
 * alert_fix - a regression that a later improvement has taken back.
 */

/* srv__alert_fixes - an alert has a portion more, or less: what it took back, and what a later one
 * took back of it. Open regressions whose every portion is by at least half become "fixed". */
bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_unfix - that alert was withdrawn: what it had fixed is open again. */
bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
