#pragma once
/*
 * store_move - everything of one database into another one, of whichever kind, row by row.
 *
 * The old one is locked meanwhile: it can be read, and is not written. The new one gets all rows in
 * one transaction, which is committed after each of them was read back and compared: what is
 * interrupted leaves a new database without rows, and can be done again.
 */
#include "server/store/store.h"

/* What was moved: for whoever asks how far it is, and how much it was. */
typedef struct {
    const char *table; /* the one under way */
    int64_t rows;      /* so far, of all tables */
    int64_t compared;  /* likewise */
} srv_move;

typedef void (*srv_move_fn)(const srv_move *so_far, void *user);

/**
 * srv_store_move - from and to: as srv_store_open takes them. to has no rows; its tables are made
 * when they are not there. from has the version of this program.
 * tell   called after each table; may be NULL
 * Error: INTERNAL, BUSY, FULL; CONFLICT: to has rows.
 */
bool srv_store_move(const char *from, const char *to, srv_move *moved, srv_move_fn tell, void *user,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
