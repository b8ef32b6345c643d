#pragma once
/*
 * series_counts - the watch of counts (detector/watch/counts.h) over the nights of a series.
 */
#include "server/store/store_sql.h"

/* srv__walk_counts - judge what a night counted, by what the counted nights before it left; in a
 * transaction. The nights before are judged already. */
bool srv__walk_counts(srv_store *store, int64_t experiment,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
