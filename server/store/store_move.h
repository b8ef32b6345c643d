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
