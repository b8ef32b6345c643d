#pragma once
/*
 * bisection_step - one step of a search, and its answer. Inside a transaction.
 */
#include "server/store/store_sql.h"

/* srv__bisection_step - have the untried commit in the middle tested, or end: with the commit, or
 * with the smallest range when those between could not be measured. */
bool srv__bisection_step(srv_store *store, int64_t bisection, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__bisection_settle - a trial has its answer, or failed (why; NULL: it did not): the search
 * that asked takes its next step; nothing when none did. */
bool srv__bisection_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
