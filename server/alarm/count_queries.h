#pragma once
/*
 * count_queries - what the watch of counts asks of the database. All inside a transaction; false
 * with error.
 */
#include "detector/watch/counts.h"
#include "server/store/store_sql.h"

/* srv__counts_of_night - what a night counted, with what was known before:
 * {"ordinal","dimension","mean","low","high","last": {"experiment","mean","low","high"} of the last
 * night of the series that counted it by the same counter, or null,"level": {"mean","half",
 * "nights","to"} after that night, or null}; owned, NULL with error. */
json_t *srv__counts_of_night(srv_store *store, int64_t experiment,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

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
