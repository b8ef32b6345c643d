#pragma once
/*
 * files - a file on its way from the socket to its place in a content-addressed folder, or below a
 * key of a bucket.
 *
 * <dir>/incoming/ holds what is not whole yet; <dir>/00 … <dir>/ff hold what is. A file is hashed
 * and counted while it comes, synced, and renamed: nobody ever sees a part of it. Memory: a few KiB
 * each.
 */
#include "config/packed.h"
#include "server/store/bucket.h"
#include "server/store/store_sql.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where files of a kind are and how much may come; borrowed by the files that come in. */
typedef struct srv__place {
    char *dir;
    const char *what;      /* "raw file", for messages */
    const char *limit_key; /* the setting that bounds it */
    const char *said_in;   /* where its SHA-256 is announced, for a message: " as … says", "" */
    const char *folder; /* in the bucket, and of its files that go (SRV__REMOVAL_…); NULL: nothing
                         * stays, what came is read and goes again */
    const char *suffix; /* of a path: ".csv.zst" or "" */
    uint64_t limit_bytes;   /* of one file */
    uint64_t reserve_bytes; /* free space below which nothing is accepted */
    /* Where files go from now on, those that dir has are still read; then settle, read, remove and
     * sweep wait for the network and end with BUSY as bucket.h says. NULL: into dir. Borrowed. */
    srv_bucket *bucket;
    /* Looks at the first CFG_PACKED_HEAD bytes, before more are taken; NULL: nobody does. */
    bool (*head_check)(const struct srv__place *place, const void *head, size_t size,
                       GError **error);
} srv__place;

/* srv__place_new - as about says, whose dir is taken over; the folders are made when missing, what
 * was left half is removed. Error: FULL, INTERNAL. */
srv__place *srv__place_new(const srv__place *about, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__place_free(srv__place *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv__place, srv__place_free)

/* srv__place_path - where the file of this hash is, or would be, in dir. Caller frees. */
char *srv__place_path(const srv__place *place, const char *sha256);

/* srv__place_read - a file that is there; descriptor owned by the caller, -1 with error (NOT_FOUND,
 * INTERNAL, BUSY). bytes: out, its size. */
int srv__place_read(const srv__place *place, const char *sha256, uint64_t *bytes,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__place_sweep - at most so many files that may go now (removal, below) go, from dir and from
 * the bucket; more: out, there may be more. Not in a transaction. Error: INTERNAL, BUSY. */
bool srv__place_sweep(const srv__place *place, srv_store *store, int64_t now_ms, unsigned count,
                      bool *more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct srv__incoming srv__incoming;

/* srv__incoming_new - sha256, size_bytes: as announced, or NULL, -1. Error: TOO_LARGE, FULL,
 * INTERNAL. */
srv__incoming *srv__incoming_new(const srv__place *place, const char *sha256, int64_t size_bytes,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_write - the next bytes; short. Error: TOO_LARGE, FULL, INTERNAL, that of the
 * place's head_check; then only free is left. */
bool srv__incoming_write(srv__incoming *incoming, const void *data, size_t size,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_whole - has all that came the SHA-256 that was announced? No more may be written.
 * Error: INVALID. */
bool srv__incoming_whole(srv__incoming *incoming, GError **error) G_GNUC_WARN_UNUSED_RESULT;
const char *srv__incoming_sha256(const srv__incoming *incoming); /* as announced; borrowed */
uint64_t srv__incoming_bytes(const srv__incoming *incoming);

/* srv__incoming_reopen - what came, for reading from its beginning; caller closes. Error:
 * INTERNAL. */
FILE *srv__incoming_reopen(const srv__incoming *incoming, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_settle - durably in its place from now on; nobody removes it within
 * SRV__REMOVAL_AFTER_MS. Error: FULL, INTERNAL, BUSY (it is being removed now, or the bucket). */
bool srv__incoming_settle(srv__incoming *incoming, srv_store *store, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incoming_free - what has not settled goes. NULL is fine. */
void srv__incoming_free(srv__incoming *incoming);

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

/* srv__removal_in_time - may the row be written of a file that was claimed at claimed_ms of
 * srv_monotonic_ms()? Error: BUSY (after half the time, it is not said whether the file stays). */
bool srv__removal_in_time(int64_t claimed_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__removal_back - a row names it again; in the row's transaction. */
bool srv__removal_back(srv_store *store, const char *folder, const char *sha256,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
