#pragma once
/* import_line - a night, or what people answered, from one line of an export. */
#include "server/store/store_sql.h"
#include "server/transfer/export.h"

typedef struct {
    srv_store *store;
    int64_t project, now_ms;
    char *branch;
    GHashTable *benchmarks; /* hash in the export → int64_t, key here */
    srv_import_counts counts;
} srv__importing;

/* In a transaction. Error: INVALID. */
bool srv__import_night(srv__importing *into, const json_t *object, GError **error);
bool srv__import_alert(srv__importing *into, const json_t *object, GError **error);
