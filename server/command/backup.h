#pragma once
/*
 * backup - what was measured to another place: the database, then every raw file it speaks of.
 * A file is written beside its name, hashed, on disk for good, and only then named.
 */
#include "server/store/bucket.h"
#include "server/store/store.h"

#include <gio/gio.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A database, and where the raw files are that it speaks of. */
typedef struct {
    const char *database; /* as srv_store_open takes it; of what is written: a file */
    const char *raw;      /* folder */
    srv_bucket *bucket;   /* for those that are not in it; NULL: none. Not of what is written */
} srv__backup_place;

/* What came of it. */
typedef struct {
    unsigned raw_files, lost; /* that are there now; that are missing or damaged, each was told */
    GPtrArray *made;          /* [char*] paths of the raw files that were not there before, owned */
} srv__backup_copied;

/**
 * srv__backup_copy - source stays as it is. A raw file that target has is not copied again, if it
 * is_trusted or its bytes are those of its name. One that is missing or damaged in source is named
 * on standard error, and its row stays.
 * copied  out, made also with error: free it with g_ptr_array_unref
 */
bool srv__backup_copy(srv__backup_place source, srv__backup_place target, bool is_trusted,
                      srv__backup_copied *copied, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_tokens - from a folder to another one, if it has any; readable by the owner alone. */
bool srv__backup_tokens(const char *from, const char *to, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_raw_check - is the raw file there, with the bytes of its name? */
bool srv__backup_raw_check(const char *raw, const char *sha256) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_sync - a file or folder is on disk for good. Error: FULL. */
bool srv__backup_sync(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_fail - sets error, FULL: "what path: " and errno's text. Returns false. */
bool srv__backup_fail(GError **error, const char *what, const char *path);

/* srv__backup_hash - a file's SHA-256, owned; NULL: it cannot be read. */
char *srv__backup_hash(const char *path) G_GNUC_WARN_UNUSED_RESULT;

/*
 * backup_manifest - what a backup says of itself, in its backup.json: which files it wrote, and how
 * many rows and raw files the database has.
 */

#define SRV__MANIFEST "backup.json"

/* srv__manifest_write - of the database and the tokens in folder. raw_files: that it has. */
bool srv__manifest_write(const char *folder, unsigned raw_files, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_read - of a backup, after a look at its files: they are those that were written.
 * manifest: out, owned; NULL with error. */
bool srv__manifest_read(const char *folder, json_t **manifest,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__manifest_compare - has a copy of its database the same version, and as many rows in each
 * table? compared: out, rows. */
bool srv__manifest_compare(const json_t *manifest, const char *database, int64_t *compared,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * backup_folder - the folder that backups go to. Each of them is a folder in it (a generation,
 * 000007-2026-11-27: a number that only grows, and the day), with the database, the tokens and
 * backup.json; anything else in the folder is left alone. The raw files of all of them are in raw/.
 * A generation is made under another name and gets its own in one step, when it is whole, checked
 * and on disk; it is never written again.
 */

#define SRV__BACKUP_DATABASE "moowatch.db"

/* srv__backups - [char*] the generations, oldest first; folder may be a generation itself. Free
 * with g_ptr_array_unref. Error: NOT_FOUND, there is none. */
GPtrArray *srv__backups(const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_raw - where the raw files of a generation are; owned. */
char *srv__backup_raw(const char *generation);

/**
 * srv__backup_begin - an empty folder for the next generation, after what a killed backup left is
 * gone. lock: out, closes it who is ready. Returns its path, owned; NULL with error (CONFLICT:
 * another backup goes on).
 */
char *srv__backup_begin(const char *folder, int *lock, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__backup_take_over - what was begun is the newest generation, for good. now_ms: of the day in
 * its name. Returns its path, owned; NULL with error: all generations before it are as they were.
 */
char *srv__backup_take_over(const char *folder, const char *begun, int64_t now_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_thin - the oldest generations beyond keep go. Returns how many of them could not;
 * each was named on standard error. */
unsigned srv__backup_thin(const char *folder, unsigned keep) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_clear - a folder of files goes; one that is not there is fine. Error: FULL. */
bool srv__backup_clear(const char *path, GError **error);
