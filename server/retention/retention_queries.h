#pragma once
/*
 * retention_queries - which jobs have raw data, how old they are, and what speaks for keeping them.
 */
#include "server/store/store_sql.h"

/* Where a walk through a project's jobs is: it goes on behind it. {0, 0}: at the oldest. */
typedef struct {
    int64_t stored_ms, job;
} srv__retention_place;

/**
 * srv__retention_jobs - the next jobs of a project that have raw data, oldest first.
 * Rows: {"job","files","bytes","stored_ms", and yes or no: "in_use","alerts","releases",
 * "first_of_month"};
 * in_use: it is not over, is of a trial that is not, or of an alert that waits for an answer;
 * alerts: of one that has had its answer and was real. Owned, NULL with error.
 */
json_t *srv__retention_jobs(srv_store *store, int64_t project, srv__retention_place after,
                            unsigned count, GError **error);

/* srv__retention_projects - [{"id","name"}] of all that have or had raw data; owned, NULL with
 * error. */
json_t *srv__retention_projects(srv_store *store, GError **error);

/* srv__retention_bytes - what a project's raw data take. */
bool srv__retention_bytes(srv_store *store, int64_t project, int64_t *bytes,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__retention_removed - {"jobs","files","bytes"} of what has gone so far; owned, NULL with
 * error. */
json_t *srv__retention_removed(srv_store *store, int64_t project, GError **error);
