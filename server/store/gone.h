#pragma once
/*
 * gone - content-addressed files that no row names any more, on their way from a folder or a
 * bucket.
 *
 * Between the row's end and the file's an hour passes: whoever has brought the same bytes meanwhile
 * has his row by then, or has claimed the file anew. A crash forgets nothing: the table is read
 * again.
 */
#include "server/store/store_sql.h"

#define SRV__GONE_AFTER_MS INT64_C(3600000)

#define SRV__GONE_RAW "raw"
#define SRV__GONE_ARTIFACTS "artifacts"

/* srv__gone_add - no row names this file of that folder any more. */
bool srv__gone_add(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__gone_claim - the file may be written: nobody removes it within SRV__GONE_AFTER_MS. Error:
 * BUSY (it is being removed now). */
bool srv__gone_claim(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__gone_in_time - may the row be written of a file that was claimed at claimed_ms of
 * srv_monotonic_ms()? Error: BUSY (after half the time, it is not said whether the file stays). */
bool srv__gone_in_time(int64_t claimed_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__gone_back - a row names it again; in the row's transaction. */
bool srv__gone_back(srv_store *store, const char *folder, const char *sha256,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__gone_take - at most so many files that may be removed now, [{"sha256"}]; owned, NULL with
 * error. They cannot be claimed any more. Not in a transaction, nor is srv__gone_done. */
json_t *srv__gone_take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__gone_done - the first count of the rows that were taken are removed. */
bool srv__gone_done(srv_store *store, const char *folder, const json_t *rows, size_t count,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
