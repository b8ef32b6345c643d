#pragma once
/*
 * statements - what a store was asked during a test, held against what SQLite makes of it.
 */
#include "server/store/store.h"

/* statements_check - the tables that each statement writes, as read from its text (sql_writes.h),
 * are those that SQLite's own program for it opens for writing. Fails the test when not. */
void statements_check(srv_store *store);
