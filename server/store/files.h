#pragma once
/*
 * files - a file on its way from the socket to its place in a content-addressed folder.
 *
 * <dir>/incoming/ holds what is not whole yet; <dir>/00 … <dir>/ff hold what is. A file is hashed
 * and counted while it comes, synced, and renamed: nobody ever sees a part of it. Memory: a few KiB
 * each.
 */
#include "server/store/bucket.h"
#include "server/store/store_sql.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where it goes and how much may; borrowed by the files that come in. */
typedef struct {
    char *dir;
    const char *what;       /* "raw file", for messages */
    const char *limit_key;  /* the setting that bounds it */
    uint64_t limit_bytes;   /* of one file */
    uint64_t reserve_bytes; /* free space below which nothing is accepted */
    bool passing;           /* nothing stays: what came is read and goes again */
} srv__place;

/* srv__place_open - the folders are made when missing, what was left half is removed. */
bool srv__place_open(const srv__place *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__place_path - where the file of this hash is; suffix as ".csv.zst" or "". Caller frees. */
char *srv__place_path(const srv__place *place, const char *sha256, const char *suffix);

/* srv__place_read - a file that is there; descriptor owned by the caller, -1 with error (NOT_FOUND,
 * INTERNAL). bytes: out, its size. */
int srv__place_read(const srv__place *place, const char *path, uint64_t *bytes,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct srv__incoming srv__incoming;

/* srv__incoming_new - size_bytes: as announced, or -1. Error: TOO_LARGE, FULL, INTERNAL. */
srv__incoming *srv__incoming_new(const srv__place *place, int64_t size_bytes,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_write - the next bytes; short. Error: TOO_LARGE, FULL, INTERNAL. */
bool srv__incoming_write(srv__incoming *incoming, const void *data, size_t size,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_sha256 - of all that came, hex; borrowed. No more may be written. */
const char *srv__incoming_sha256(srv__incoming *incoming);
uint64_t srv__incoming_bytes(const srv__incoming *incoming);

/* srv__incoming_reopen - what came, for reading from its beginning; caller closes. Error:
 * INTERNAL. */
FILE *srv__incoming_reopen(const srv__incoming *incoming, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_settle - durably at path from now on. Error: FULL, INTERNAL. */
bool srv__incoming_settle(srv__incoming *incoming, const char *path,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_free - what has not settled goes. NULL is fine. */
void srv__incoming_free(srv__incoming *incoming);

/* bucket_place - files on their way between a place on the disk and a bucket. */

/* srv__bucket_settle - what came is under key for good. sha256: of it. Error: as of srv_bucket_put.
 */
bool srv__bucket_settle(srv_bucket *bucket, srv__incoming *incoming, const char *key,
                        const char *sha256, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bucket_fetch - a copy of what is under key, in a file of the place without a name; at its
 * beginning, owned by the caller. -1 with error as of srv_bucket_get. bytes: out, its size. */
int srv__bucket_fetch(srv_bucket *bucket, const srv__place *place, const char *key,
                      const char *sha256, uint64_t *bytes,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * raw_path - where a raw file of this hash is, in a store's folder, in a backup's, or below a key:
 * two levels, as ab/cdef….csv.zst.
 */

/* srv_raw_path - caller frees. */
char *srv_raw_path(const char *folder, const char *sha256);

/*
 * removal - content-addressed files that no row names any more, on their way from a folder or a
 * bucket.
 *
 * Between the row's end and the file's an hour passes: whoever has brought the same bytes meanwhile
 * has his row by then, or has claimed the file anew. A crash forgets nothing: the table is read
 * again.
 */

#define SRV__REMOVAL_AFTER_MS INT64_C(3600000)

#define SRV__REMOVAL_RAW "raw"
#define SRV__REMOVAL_ARTIFACTS "artifacts"

/* srv__removal_add - no row names this file of that folder any more. */
bool srv__removal_add(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_claim - the file may be written: nobody removes it within SRV__REMOVAL_AFTER_MS.
 * Error: BUSY (it is being removed now). */
bool srv__removal_claim(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_in_time - may the row be written of a file that was claimed at claimed_ms of
 * srv_monotonic_ms()? Error: BUSY (after half the time, it is not said whether the file stays). */
bool srv__removal_in_time(int64_t claimed_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_back - a row names it again; in the row's transaction. */
bool srv__removal_back(srv_store *store, const char *folder, const char *sha256,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_take - at most so many files that may be removed now, [{"sha256"}]; owned, NULL with
 * error. They cannot be claimed any more. Not in a transaction, nor is srv__removal_done. */
json_t *srv__removal_take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_done - the first count of the rows that were taken are removed. */
bool srv__removal_done(srv_store *store, const char *folder, const json_t *rows, size_t count,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
