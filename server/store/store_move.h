#pragma once
/*
 * store_move - everything of one database into another one, of whichever kind, row by row.
 *
 * The old one can be locked meanwhile: it can be read, and is not written. The new one gets all
 * rows in one transaction, which is committed after each of them was read back and compared: what
 * is interrupted leaves a new database without rows, and can be done again.
 */
#include "server/store/db.h"
#include "server/store/store.h"

#include <jansson.h>

/* What was moved: for whoever asks how far it is, and how much it was. */
typedef struct {
    const char *table; /* the one under way */
    int64_t rows;      /* so far, of all tables */
    int64_t compared;  /* likewise */
} srv_move;

/* Who wants to know after each table. */
typedef struct {
    void (*tell)(const srv_move *so_far, void *user);
    void *user;
} srv_move_watch;

/**
 * srv_store_move - from and to: as srv_store_open takes them. to has no rows; its tables are made
 * when they are not there. from has the version of this program.
 * locks  nobody may write into from meanwhile; else what is written meanwhile is not moved
 * watch  may be NULL
 * Error: INTERNAL, BUSY, FULL; CONFLICT: to has rows.
 */
bool srv_store_move(const char *from, const char *to, bool locks, const srv_move_watch *watch,
                    srv_move *moved, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* store_counts - how many rows each table of a database has: what a backup says of itself. */

/**
 * srv_store_counts - {"version": steps of the schema, "rows": {"table": rows}}, of one moment;
 * owned, NULL with error. url: as srv_store_open takes it; it is not upgraded.
 */
json_t *srv_store_counts(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* store_backup - a consistent copy of the database while the daemon goes on writing. */

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

/* store_remove - all rows of a project, in whatever table the schema has. */

/**
 * srv__project_remove - a project and its further branches, with every row that could not be
 * without them; what else names one of these has been told before. In a transaction. name: "" where
 * there is no such project is fine.
 */
bool srv__project_remove(srv_store *store, const char *name,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
