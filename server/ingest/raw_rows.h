#pragma once
/*
 * raw_rows - which raw files there are, whose they are, and which of them go.
 *
 * A row of raw is a file that is there. When its row has gone (srv__raw_drop), the file goes a
 * while later (store/gone.h).
 */
#include "server/store/store_sql.h"

/* A raw file, as its row. */
typedef struct {
    const char *sha256;                 /* of the packed bytes; borrowed */
    uint64_t bytes, uncompressed_bytes; /* packed, and unpacked as the file says */
    int64_t job;                        /* the first that sent it */
} srv__raw_row;

/* srv__raw_insert - a raw file that is there; created: out, false when it was before, and is this
 * job's, too, from now on. In a transaction. */
bool srv__raw_insert(srv_store *store, const srv__raw_row *row, int64_t now_ms, bool *created,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

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
