#pragma once
/* store_counts - how many rows each table of a database has: what a backup says of itself. */
#include "server/store/db.h"
#include "server/store/store.h"

/**
 * srv_store_counts - {"version": steps of the schema, "rows": {"table": rows}}, of one moment;
 * owned, NULL with error. url: as srv_store_open takes it; it is not upgraded.
 */
json_t *srv_store_counts(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__table_count - rows: out, of this table; false with a problem of the connection. */
bool srv__table_count(srv_db *db, const char *table, int64_t *rows) G_GNUC_WARN_UNUSED_RESULT;
