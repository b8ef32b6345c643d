#pragma once
/* calibration_queries - what calibrations write and ask of the database. */
#include "detector/statistics/calibration.h"
#include "server/store/store_sql.h"

/* srv__calibrations_due - [{"project","name","node","revision","every_ms","last_ms","last_state",
 * "runs"}]: each node of each project that is calibrated and has no run under way; last_ms: when
 * one was last queued, 0: never; runs: that count. Only nodes seen since. Owned. */
json_t *srv__calibrations_due(srv_store *store, int64_t seen_since_ms, int64_t now_ms,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    int64_t project, revision; /* keys */
    const char *node, *night;
} srv__calibration_run;

bool srv__calibration_job_insert(srv_store *store, const srv__calibration_run *run, int64_t now_ms,
                                 int64_t *job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_jobs_left - queued before, or of a project that is not calibrated any more. */
GArray *srv__calibration_jobs_left(srv_store *store, int64_t before_ms,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_about - {"usual","environment","benchmark","revision","limit_ms","level",
 * "body"} of a project that is calibrated; environment: of its usual node's newest night; revision
 * null: the commit was never measured. row: out, owned, NULL: it is not, or has no usual node. */
bool srv__calibration_about(srv_store *store, int64_t project, json_t **row,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_runs - [{"node","environment","experiment","finished_ms"}], newest first. */
json_t *srv__calibration_runs(srv_store *store, int64_t project, const json_t *about,
                              int64_t since_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_means - [{"name","mean_ns"}] of the configurations of a run. */
json_t *srv__calibration_means(srv_store *store, int64_t experiment,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_nodes - [{"name","error"}] but for the usual one: that have the project's
 * labels; error: why the newest run failed, null: it did not. */
json_t *srv__calibration_nodes(srv_store *store, int64_t project, const char *usual,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__calibration_other - 1: factors of the project are for another node or environment than its
 * newest night of its own. */
bool srv__calibration_other(srv_store *store, int64_t project, int64_t *other,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    int64_t project, benchmark, revision, from_environment, to_environment, until_ms; /* 0: none */
    const char *from, *to, *problem;
    size_t from_runs, to_runs;
} srv__calibration_row;

bool srv__calibrations_drop(srv_store *store, int64_t project,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__calibration_insert(srv_store *store, const srv__calibration_row *row, int64_t now_ms,
                             int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a factor is of, beside its number. */
typedef struct {
    int64_t calibration;
    size_t ordinal;
    const char *configuration, *portion;
} srv__calibration_place;

bool srv__calibration_portion_insert(srv_store *store, const srv__calibration_place *place,
                                     const det_factor *factor,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
