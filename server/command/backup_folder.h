#pragma once
/*
 * backup_folder - the folder that backups go to. Each of them is a folder in it (a generation,
 * 000007-2026-11-27: a number that only grows, and the day), with the database, the tokens and
 * backup.json; anything else in the folder is left alone. The raw files of all of them are in raw/.
 * A generation is made under another name and gets its own in one step, when it is whole, checked
 * and on disk; it is never written again. Earlier versions made one, in the folder itself: it is
 * the oldest generation.
 */
#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

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
