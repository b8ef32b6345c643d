#pragma once
/* sweep_queries - what sweeps write and ask of the database. */
#include "server/store/store_sql.h"

typedef struct {
    int64_t project, revision; /* keys */
    const char *parameter, *night, *author;
    int64_t asked_ms;
} srv__sweep_row;

/* srv__sweep_open - the newest sweep of a commit that is not over, 0 when there is none. */
bool srv__sweep_open(srv_store *store, int64_t project, int64_t revision, int64_t *sweep,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_insert - a sweep without points. */
bool srv__sweep_insert(srv_store *store, const srv__sweep_row *row, int64_t *sweep,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_job_insert - a job for one of its values. */
bool srv__sweep_job_insert(srv_store *store, const srv__sweep_row *row, int64_t benchmark,
                           int64_t *job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_point_insert - a value and its job. */
bool srv__sweep_point_insert(srv_store *store, int64_t sweep, unsigned place, uint64_t value,
                             int64_t job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__sweep_stays - the other values of this job's sweep are measured on the same node; nothing
 * happens when the job is of none. */
bool srv__sweep_stays(srv_store *store, int64_t job, const char *node,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
