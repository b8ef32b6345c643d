#pragma once
/*
 * transfer_queries - what an export reads, and what an import looks up and writes.
 */
#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/ingest/ingest_night.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__export_header - the first line of an export; row: out, owned. */
bool srv__export_header(srv_store *store, int64_t project, int64_t now_ms, json_t **row,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_benchmark - a benchmark as a line; row: out, owned. */
bool srv__export_benchmark(srv_store *store, int64_t id, json_t **row,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_alert - an alert as a line, without its audit; row: out, owned. */
bool srv__export_alert(srv_store *store, int64_t id, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_audit - what was done about an alert, in order; owned, NULL with error. */
json_t *srv__export_audit(srv_store *store, int64_t alert,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_benchmarks - the benchmarks of a project's nights and its own: [int64_t] keys; owned,
 * NULL with error. */
GArray *srv__export_benchmarks(srv_store *store, int64_t project,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_nights - the nights that are shown and did not fail, oldest first: [int64_t] keys;
 * owned, NULL with error. */
GArray *srv__export_nights(srv_store *store, int64_t project,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_alerts - the alerts that still follow from the nights: [int64_t] keys; owned, NULL
 * with error. */
GArray *srv__export_alerts(srv_store *store, int64_t project,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_incident - an incident as a line, without its audit; row: out, owned.
 * srv__export_incident_audit - what was done about it, in order; owned, NULL with error.
 * srv__export_incidents - those that people decided about: [int64_t] keys; owned, NULL with error.
 */
bool srv__export_incident(srv_store *store, int64_t id, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__export_incident_audit(srv_store *store, int64_t incident,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
GArray *srv__export_incidents(srv_store *store, int64_t project,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_notes, srv__export_baselines - those in force: [int64_t] keys; owned, NULL with
 * error. srv__export_note, srv__export_baseline - one as a line; row: out, owned. */
GArray *srv__export_notes(srv_store *store, int64_t project,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__export_note(srv_store *store, int64_t id, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
GArray *srv__export_baselines(srv_store *store, int64_t project,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__export_baseline(srv_store *store, int64_t id, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_loops - the loops of a night, in the order they ran; owned, NULL with error. */
json_t *srv__export_loops(srv_store *store, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_experiment - a night as a line, without its result; row: out, owned. */
bool srv__export_experiment(srv_store *store, int64_t experiment, json_t **row,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__export_result - its result without loops; row: out, owned. */
bool srv__export_result(srv_store *store, int64_t experiment, json_t **row,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_project - the key of a project, 0 when there is none. */
bool srv__import_project(srv_store *store, const char *name, int64_t *id,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_newest_benchmark - {"body"} of the newest night of a project; row: out, owned, NULL
 * when there is none. */
bool srv__import_newest_benchmark(srv_store *store, int64_t project, json_t **row,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_project_insert - a project that is not configured here, disabled, with a header's
 * title, repository and detection. */
bool srv__import_project_insert(srv_store *store, const char *name, const json_t *header,
                                const char *branch, int64_t benchmark, int64_t *id,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_release - what a commit was released as. */
bool srv__import_release(srv_store *store, int64_t revision, const char *release,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_settings - a benchmark's lineage and body, and a project's detection; row: out,
 * owned. */
bool srv__import_settings(srv_store *store, int64_t benchmark, int64_t project, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_raw_there - 1 when a raw file is here, else 0. */
bool srv__import_raw_there(srv_store *store, const char *sha256, int64_t *there,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_night_there - how often a run is here already: 0 or 1. */
bool srv__import_night_there(srv_store *store, int64_t revision, const char *lineage,
                             const char *node, int64_t started_ms, int64_t *there,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_job_insert - the job that an imported night had, done. */
bool srv__import_job_insert(srv_store *store, int64_t project, const srv__night *night,
                            const srv__result *result, int64_t now_ms, int64_t *id,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_note_there, srv__import_baseline_there - how often it is here already, in force or
 * not. */
bool srv__import_note_there(srv_store *store, int64_t project, const srv_note *note, int64_t at_ms,
                            int64_t *there, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__import_baseline_there(srv_store *store, int64_t project, const srv_baseline *said,
                                int64_t at_ms, int64_t *there,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_job_close - the night that a job has made. */
bool srv__import_job_close(srv_store *store, int64_t job, int64_t experiment,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_alert_find - the newest alert that tells of a portion's change at a commit, 0 when
 * none does. */
bool srv__import_alert_find(srv_store *store, int64_t project, const char *configuration,
                            const char *direction, const char *commit, int64_t *alert,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_audit_there - how often this answer is here already. */
bool srv__import_audit_there(srv_store *store, int64_t alert, int64_t at_ms, const char *author,
                             int64_t *there, GError **error) G_GNUC_WARN_UNUSED_RESULT;
