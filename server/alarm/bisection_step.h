#pragma once
/*
 * bisection_step - one step of a search, and its answer.
 */
#include "server/store/store_sql.h"

/* srv__bisection_step - test the next commit, or end; in a transaction. */
bool srv__bisection_step(srv_store *store, int64_t bisection, int64_t now_ms, GError **error);
/* srv__bisection_settle - a trial of it has its answer, or failed. */
bool srv__bisection_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                           GError **error);
