#pragma once
/* store_backup - a consistent copy of the database while the daemon goes on writing. */
#include "server/store/store.h"

/**
 * srv_store_backup - copy the database from to the file to (replaced when it is whole).
 * from   as srv_store_open takes it; of whichever kind, to is a file of SQLite
 * Returns false with error; then to is as before.
 */
bool srv_store_backup(const char *from, const char *to, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_store_file_check - is this file an undamaged database of ours, and each name of a raw file a
 * SHA-256?
 * raw  out, [char*] the SHA-256 of every raw file it speaks of; free with g_ptr_array_unref
 */
bool srv_store_file_check(const char *path, GPtrArray **raw,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_store_raw_there - does the database (as srv_store_open takes it) still speak of this raw
 * file? */
bool srv_store_raw_there(const char *url, const char *sha256, bool *there,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_store_file_forget - these raw files are not there any more, in this file of ours: they were
 * removed while it was copied. A job that has none left says so. raw  [char*] SHA-256
 */
bool srv_store_file_forget(const char *path, const GPtrArray *raw, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
