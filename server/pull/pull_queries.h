#pragma once
/*
 * pull_queries - what is asked of pull requests, their jobs, loops and portions.
 */
#include "detector/watch/merge.h"
#include "server/pull/pull.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__pull_latest - the newest one of a number: {"id","head","state","labelled","fork","ref",
 * "title","author","url"}; row: out, owned, NULL when there is none. */
bool srv__pull_latest(srv_store *store, int64_t project, const char *provider, int64_t number,
                      json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_same - the newest of a commit that was handed in, and neither failed nor was dropped;
 * 0: none. */
bool srv__pull_same(srv_store *store, int64_t project, const char *head, int64_t *id,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_insert(srv_store *store, int64_t project_id, const cfg_project *project,
                      const srv_pull_facts *facts, int64_t now_ms, int64_t *id,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pulls_open - those of a number that are held, waiting or measured: [int64_t]; owned. */
GArray *srv__pulls_open(srv_store *store, int64_t project, const char *provider, int64_t number,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_jobs_open - its jobs that are queued or leased: [int64_t]; owned. */
GArray *srv__pull_jobs_open(srv_store *store, int64_t pull,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_jobs_stranded - those queued since before then whose node was silent as long, or does
 * not measure two commits any more: [int64_t]; owned. */
GArray *srv__pull_jobs_stranded(srv_store *store, int64_t before_ms,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_labelled(srv_store *store, int64_t pull, bool labelled,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_release - a held one may be measured. */
bool srv__pull_release(srv_store *store, int64_t pull, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_commits - both are known: it is being measured, by the benchmark the project has now.
 */
bool srv__pull_commits(srv_store *store, int64_t pull, int64_t after, int64_t before,
                       int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_project - {"project_id","body"} with the project's benchmark, and "state"; row: out,
 * owned, NULL when there is no such pull request. */
bool srv__pull_project(srv_store *store, int64_t pull, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_portion_insert(srv_store *store, int64_t pull, const srv__tree *tree, size_t c,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_about - for its next job, after srv__pull_commits:
 * {"minutes","body","spent_ms","rounds","loops","loop_seconds"}; row: out, owned. */
bool srv__pull_about(srv_store *store, int64_t pull, json_t **row,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_names_open - the open portions' configurations and their parents: a set of names,
 * owned; NULL with error. */
GHashTable *srv__pull_names_open(srv_store *store, int64_t pull,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_job_insert(srv_store *store, int64_t pull, int64_t benchmark, const char *night,
                          int64_t now_ms, int64_t *job, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__pull_job_note(srv_store *store, int64_t job, int64_t pull, int64_t rounds,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_of_job - {"id","state","result_hash"}; row: out, owned, NULL: of none. */
bool srv__pull_of_job(srv_store *store, int64_t job, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__pull_job_result(srv_store *store, int64_t job, const char *hash,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__pull_node - all of its jobs run where the first one did. */
bool srv__pull_node(srv_store *store, int64_t pull, const char *node,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__pull_loop_insert(srv_store *store, int64_t pull, int64_t job, guint place,
                           const srv__loop *loop, const srv__tree *tree,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_portions - for judging: ordinal, names, percent, the project's detection; owned. */
json_t *srv__pull_portions(srv_store *store, int64_t pull,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__pull_means - as srv__trial_means (alarm/trial_queries.h). */
GArray *srv__pull_means(srv_store *store, int64_t pull, const char *name, const char *parent,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__pull_portion_answer - portion: a row of srv__pull_portions. */
bool srv__pull_portion_answer(srv_store *store, int64_t pull, const json_t *portion,
                              const det_merge_result *result,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pulls_charged - what the pull requests of this one's project that were begun since then took
 * so far, or may take while they are measured. */
bool srv__pulls_charged(srv_store *store, int64_t pull, int64_t since_ms, int64_t *charged_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__pull_wish - {"minutes", "reason"}: what this one may take, and why it waits, if it does;
 * owned, NULL: there is no such one. */
bool srv__pull_wish(srv_store *store, int64_t pull, json_t **row,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__pull_waits - why one that waits is not begun; NULL: it may. changed: out, the reason is a
 * new one. */
bool srv__pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_end(srv_store *store, int64_t pull, const char *state, const char *reason,
                   int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
