#pragma once
/*
 * retention_rows - which jobs have raw data, how old they are, and what speaks for keeping them.
 */
#include "config/config.h"
#include "server/store/store_sql.h"

/* Where a walk through a project's jobs is: it goes on behind it. {0, 0}: at the oldest. */
typedef struct {
    int64_t stored_ms, job;
} srv__retention_place;

/* A job that has raw data. */
typedef struct {
    int64_t job, files, bytes, stored_ms;
    bool in_use; /* it is not over, is of a trial that is not, or of an alert that waits */
    bool kept[CFG_KEEP_COUNT]; /* what speaks for them; ALERTS: of one that was real */
} srv__raw_job;

/* srv__retention_jobs - the next ones of a project, oldest first: [srv__raw_job]. */
bool srv__retention_jobs(srv_store *store, int64_t project, srv__retention_place after,
                         unsigned count, model_list *jobs,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    int64_t id;
    char *name;
} srv__raw_project;

/* srv__retention_projects - all that have or had raw data, by name: [srv__raw_project]. */
bool srv__retention_projects(srv_store *store, model_list *projects,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    int64_t jobs, files, bytes;
} srv_raw_sums;

/* srv__retention_removed - what has gone so far. */
bool srv__retention_removed(srv_store *store, int64_t project, srv_raw_sums *removed,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
