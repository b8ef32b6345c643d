#pragma once
/*
 * backup_manifest - what a backup says of itself, in its backup.json: which files it wrote, and how
 * many rows and raw files the database has. One without it was made by an earlier version.
 */
#include "server/store/store.h"

#define SRV__MANIFEST "backup.json"

/* srv__manifest_write - of the database and the tokens in folder. raw_files: that it has. */
bool srv__manifest_write(const char *folder, unsigned raw_files, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_read - of a backup, after a look at its files: they are those that were written.
 * manifest: out, owned; NULL when there is none. */
bool srv__manifest_read(const char *folder, json_t **manifest,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_compare - has a copy of its database the same version, and as many rows in each
 * table? compared: out, rows. manifest NULL: true, 0. */
bool srv__manifest_compare(const json_t *manifest, const char *database, int64_t *compared,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
