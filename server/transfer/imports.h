#pragma once
/*
 * imports - an export (export.h) on its way in over the network: first to the disk
 * (incoming.h), then all of it or nothing.
 *
 * begin is for any thread, finish for the one that writes. While it is taken in
 * nothing else is written to the database, which is what limit_bytes is for. Memory: the longest
 * line. What is cut off leaves nothing behind.
 */
#include "server/store/incoming.h"
#include "server/transfer/export.h"

typedef struct srv_imports srv_imports;

/**
 * srv_imports_open - the folder is made when missing; what was left half is removed.
 * limit_bytes     of one import
 * reserve_bytes   free space below which nothing is taken
 */
srv_imports *srv_imports_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_imports_close(srv_imports *imports);

/** srv_imports_begin - size_bytes: as announced, or -1. Error: TOO_LARGE, FULL. */
srv__incoming *srv_imports_begin(const srv_imports *imports, int64_t size_bytes,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_imports_finish - takes it in, in one transaction. Frees the upload in any case.
 * project   its name here
 * counts    out, on success
 * line      out: the line that was wrong; 0: none was
 * Error: INVALID, naming line and member; TOO_LARGE, BUSY, FULL. Then nothing was taken in.
 */
bool srv_imports_finish(srv__incoming *upload, srv_store *store, const char *project,
                        int64_t now_ms, json_t **report, unsigned *line,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
