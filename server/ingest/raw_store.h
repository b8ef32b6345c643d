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
#include "server/store/files.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

/**
 * srv_raw_open - the place of raw files (store/files.h).
 * limit_bytes     greatest compressed size of a file (unpacked at most SRV_RAW_EXPANSION times it)
 * reserve_bytes   free space below which nothing is accepted
 */
srv__place *srv_raw_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Of the limit in all; a file as large as the limit that is not made up unpacks to less. */
#define SRV_RAW_EXPANSION 64

/**
 * srv_raw_begin - start an upload.
 * sha256       64 lower-case hex digits
 * size_bytes   Content-Length, or -1 when unknown
 * Error: INVALID (hash), TOO_LARGE, FULL.
 */
srv__incoming *srv_raw_begin(const srv__place *raw, const char *sha256, int64_t size_bytes,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Who sends it. */
typedef struct {
    int64_t job;
    const char *lease;
} srv__raw_sent;

/**
 * srv_raw_finish - check, make durable, and tell the database. Frees the upload in any case.
 * created      out: false when the store had it already
 * Error: INVALID (hash differs, no packed file, empty), TOO_LARGE, FULL, NOT_FOUND, CONFLICT, BUSY.
 */
bool srv_raw_finish(const srv__place *raw, srv__incoming *upload, srv_store *store,
                    const srv__raw_sent *sent, int64_t now_ms, bool *created,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

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
