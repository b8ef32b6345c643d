#pragma once
/*
 * count_rows - what the watch of counts asks of the database. All inside a transaction; false
 * with error.
 */
#include "detector/watch/counts.h"
#include "server/store/store_sql.h"

/* A night's dimension of a configuration, as it was judged; borrowed. */
typedef struct {
    int64_t experiment, ordinal;
    const char *dimension;
    const det_counts_verdict *verdict;
    const det_counts_level *level;
} srv__count_judged;

/* srv__count_put - the verdict, and the level that is known from then on. */
bool srv__count_put(srv_store *store, const srv__count_judged *judged,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
