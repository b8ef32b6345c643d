#pragma once
/*
 * alert_fix - a regression that a later improvement has taken back.
 */
#include "server/store/store_sql.h"

/* srv__alert_fixes - a new alert tells of an improvement: open regressions whose every portion
 * has been taken back by at least half become "fixed". */
bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_unfix - that alert was withdrawn: what it had fixed is open again. */
bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
