#pragma once
/*
 * backup_manifest - what a backup says of itself, in its backup.json: which database it wrote, and
 * how many rows and raw files that has. Written last: a backup without one was made by an earlier
 * version, or not to its end.
 */
#include "server/store/store.h"

/* srv__manifest_write - database: the backup's file in folder. raw_files: that it has. */
bool srv__manifest_write(const char *folder, const char *database, unsigned raw_files,
                         int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_drop - the folder is about to be written. */
bool srv__manifest_drop(const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_read - of a backup, after a look at the database: it is the one that was written.
 * manifest: out, owned; NULL when there is none. */
bool srv__manifest_read(const char *folder, const char *database, json_t **manifest,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_compare - has what was restored (url) as many rows in each table? compared:
 * out, rows; SRV__MANIFEST_UPGRADED: the backup is of an older version, whose rows were changed on
 * their way, and cannot be compared. manifest NULL: true, 0. */
#define SRV__MANIFEST_UPGRADED INT64_C(-1)
bool srv__manifest_compare(const json_t *manifest, const char *url, int64_t *compared,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
