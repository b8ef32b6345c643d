#pragma once
/*
 * insertion - many rows of one table; in a transaction. To a database server they go by the dozen,
 * since there each statement costs more than its row.
 */
#include "server/store/store_sql.h"

typedef struct srv__insertion srv__insertion;

/* srv__insertion_begin - into: "INSERT INTO table(column, …)", kept until the end. */
srv__insertion *srv__insertion_begin(srv_store *store, const char *into);

/* srv__insertion_add - a row; args as many as there are columns, of the same kinds in each row.
 * Texts and blobs are copied. false: this one failed, or one before it. */
bool srv__insertion_add(srv__insertion *insertion, const srv__arg *args,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__insertion_end - good: what is left is written; else dropped. Frees it; returns good and
 * written. */
bool srv__insertion_end(srv__insertion *insertion, bool good,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
