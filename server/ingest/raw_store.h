#pragma once
/*
 * raw_store - the raw calls of every loop, as the runner sent them.
 *
 * Content-addressed files named by the SHA-256 of their bytes; written to
 * a temporary name, synced, renamed. The database says which exist; a file it does not know is
 * harmless and is overwritten by the next upload of the same bytes. A file that has come in is what
 * its hash says, and says how long it is unpacked; nobody unpacks it before its calls are asked
 * for. A raw store may be used by several threads at once, an upload by one.
 */
#include "server/store/bucket.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

typedef struct srv_raw_store srv_raw_store;
typedef struct srv_raw_upload srv_raw_upload;

/**
 * srv_raw_open - the folder is made when missing; left-over temporary files are removed.
 * limit_bytes     greatest compressed size of a file (unpacked at most SRV_RAW_EXPANSION times it)
 * reserve_bytes   free space below which nothing is accepted
 */
srv_raw_store *srv_raw_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_raw_close(srv_raw_store *raw);

/**
 * srv_raw_use_bucket - from now on files go into the bucket, under raw/ and their path in the
 * folder; those that the folder has are still read from it. To be called before any other thread
 * uses raw. bucket is borrowed. Then srv_raw_finish and srv_raw_read wait for the network, and
 * end with BUSY as bucket.h says.
 */
void srv_raw_use_bucket(srv_raw_store *raw, srv_bucket *bucket);
/* srv_raw_is_remote - whether they do. */
bool srv_raw_is_remote(const srv_raw_store *raw);

/* Of the limit in all; a file as large as the limit that is not made up unpacks to less. */
#define SRV_RAW_EXPANSION 64

/**
 * srv_raw_begin - start an upload.
 * sha256       64 lower-case hex digits
 * size_bytes   Content-Length, or -1 when unknown
 * Error: INVALID (hash), TOO_LARGE, FULL.
 */
srv_raw_upload *srv_raw_begin(srv_raw_store *raw, const char *sha256, int64_t size_bytes,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_raw_write - the next bytes. Error: TOO_LARGE, FULL, INVALID; then only abort is left. */
bool srv_raw_write(srv_raw_upload *upload, const void *data, size_t size,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_raw_finish - check, make durable, and tell the database. Frees the upload in any case.
 * job, lease   who sends it
 * created      out: false when the store had it already
 * Error: INVALID (hash differs, no packed file, empty), TOO_LARGE, FULL, NOT_FOUND, CONFLICT.
 */
bool srv_raw_finish(srv_raw_upload *upload, srv_store *store, int64_t job, const char *lease,
                    int64_t now_ms, bool *created, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_raw_abort(srv_raw_upload *upload);

/**
 * srv_raw_read - open a stored file for reading.
 * bytes   out: its size
 * Returns a file descriptor owned by the caller, -1 with error (NOT_FOUND, INTERNAL).
 */
int srv_raw_read(srv_raw_store *raw, const char *sha256, uint64_t *bytes,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_raw_remove - the file goes, from the folder and the bucket; one that is not there is fine. No
 * row may name it (below). With a bucket it waits for the network. Error: INTERNAL, BUSY.
 */
bool srv_raw_remove(srv_raw_store *raw, const char *sha256,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_raw_store, srv_raw_close)

/*
 * raw_rows - which raw files there are, whose they are, and which of them go.
 *
 * A row of raw is a file that is there. When its row has gone (srv__raw_drop), the file goes a
 * while later (store/files.h).
 */

/* A raw file, as its row. */
typedef struct {
    const char *sha256;                 /* of the packed bytes; borrowed */
    uint64_t bytes, uncompressed_bytes; /* packed, and unpacked as the file says */
    int64_t job;                        /* the first that sent it */
} srv__raw_row;

/* srv__raw_share - what this experiment's loops name of other jobs' files is its job's, too. In a
 * transaction. */
bool srv__raw_share(srv_store *store, int64_t experiment, int64_t job, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__raw_drop - the job has no raw files any more; those that are another job's, too, are only
 * that one's from now on. In a transaction. rule   why, one word files  out, how many rows went
 */
bool srv__raw_drop(srv_store *store, int64_t job, const char *rule, int64_t now_ms, int64_t *files,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
