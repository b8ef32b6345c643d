#pragma once
/*
 * night_count - how many nights a project has, without counting them: a row a year, kept beside the
 * experiments. Inside the transaction that changes those; false with error.
 */
#include "server/store/store_sql.h"

/* srv__night_count_add - this experiment has been inserted. One that is hidden is not a night. */
bool srv__night_count_add(srv_store *store, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__nights_hide - what was not measured of this commit is no longer shown. */
bool srv__nights_hide(srv_store *store, int64_t revision, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A moment in a project's history: that of its last change. */
typedef struct {
    const char *night; /* "YYYY-MM-DD", "": before all nights */
    int64_t time_ms, experiment;
} srv__moment;

/* srv__night_count_since - measured nights that come after it, of those that are shown. */
bool srv__night_count_since(srv_store *store, int64_t project, const srv__moment *moment,
                            int64_t *nights, GError **error) G_GNUC_WARN_UNUSED_RESULT;
