#pragma once
/*
 * artifact_files - the bytes of artifacts: content-addressed files of a folder, or of a bucket
 * under artifacts/ and the same path. What the folder has is read from it in any case.
 *
 * A file in the folder goes with its last row; one in the bucket a while later (store/gone.h),
 * since another server, or another thread of this one, may be about to bring the same bytes.
 */
#include "server/store/bucket.h"
#include "server/store/incoming.h"
#include "server/store/store_sql.h"

typedef struct {
    srv__place place;
    srv_bucket *bucket; /* NULL: all are in place */
    bool is_shared;     /* other servers put files into place, too */
} srv__artifact_files;

/* srv__artifact_files_open - the folder is made when missing; files in it that no row names are
 * removed. Without a bucket, rows without a file are forgotten. */
bool srv__artifact_files_open(const srv__artifact_files *files, srv_store *store,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_file_keep - what came is there for good, and stays at least for an hour without a
 * row. Error: FULL, INTERNAL; with a bucket BUSY. */
bool srv__artifact_file_keep(const srv__artifact_files *files, srv_store *store,
                             srv__incoming *incoming, const char *sha256, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_file_drop - a row of it has gone, or never came: it goes, too, when it was the
 * last. Not in a transaction. */
bool srv__artifact_file_drop(const srv__artifact_files *files, srv_store *store, const char *sha256,
                             int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_file_read - a descriptor owned by the caller, -1 with error: NOT_FOUND, INTERNAL,
 * BUSY. One that the bucket has lost is forgotten: it may be handed in anew. */
int srv__artifact_file_read(const srv__artifact_files *files, srv_store *store, const char *sha256,
                            uint64_t *bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_files_remove - at most so many of those that may go now go; more: out, there may be
 * more. With a bucket it waits for the network. */
bool srv__artifact_files_remove(const srv__artifact_files *files, srv_store *store, int64_t now_ms,
                                unsigned count, bool *more,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
