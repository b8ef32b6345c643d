#pragma once
/* baseline_rows - what is asked of levels that people set. Inside a transaction; false or NULL
 * with error. */
#include "server/alarm/baselines.h"
#include "server/store/store_sql.h"

/* A row to be; portions: JSON text, NULL: all. from, to, old_state: of the alert; 0, NULL: none. */
typedef struct {
    int64_t project;
    const srv_baseline *said;
    const char *portions, *old_state;
    int64_t from, to;
} srv__baseline_row;

bool srv__baseline_insert(srv_store *store, const srv__baseline_row *row, int64_t now_ms,
                          int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;
