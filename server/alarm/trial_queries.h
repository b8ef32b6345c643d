#pragma once
/*
 * trial_queries - what is asked of trials, their questions, and the searches they serve.
 */
#include "detector/watch/confirm.h"
#include "server/alarm/rounds.h"
#include "server/alarm/trial.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__trial_commits - a night's commit and node, and the commit of an earlier one:
 * {"revision_id","node","before_id"}; row: out, owned. */
bool srv__trial_commits(srv_store *store, int64_t experiment, int64_t before, json_t **row,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_names_open - the open questions' configurations, and the parents of those that are not
 * measured alone, or of all: a set of names, owned; NULL with error. */
GHashTable *srv__trial_names_open(srv_store *store, int64_t trial, bool with_parents,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_job_insert - a job for a trial, of a benchmark that asks what is open. One that has
 * confirmed a portion already is no more urgent than the search for the commit. */
bool srv__trial_job_insert(srv_store *store, int64_t trial, int64_t benchmark, int64_t now_ms,
                           int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_job_note - which trial the job is of. */
bool srv__trial_job_note(srv_store *store, int64_t job, int64_t trial,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_batch_count - one more job of it. */
bool srv__trial_batch_count(srv_store *store, int64_t trial,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_about - a trial's series, the benchmark of its night, what a loop of that took, how
 * many jobs it has had, and of how many open questions nothing is counted:
 * {"series_id","body","loop_seconds","batches","uncounted"}; row: out, owned. */
bool srv__trial_about(srv_store *store, int64_t trial, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__question_insert - an open question of a trial. */
bool srv__question_insert(srv_store *store, int64_t trial, const srv__tree *tree,
                          const srv__question *question, int64_t *id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_benchmark - {"body"} of the benchmark of a night; row: out, owned. */
bool srv__night_benchmark(srv_store *store, int64_t experiment, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_insert - a trial that runs. */
bool srv__trial_insert(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *id,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_of_job - how the trial of a job stands: {"id","batches","series_id","bisection"}; row:
 * out, owned, NULL when it is of none. */
bool srv__trial_of_job(srv_store *store, int64_t job, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_of_question - the trial that a question belongs to. */
bool srv__trial_of_question(srv_store *store, int64_t question, int64_t *trial,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_night_of - {"series_id","experiment_id"}; row: out, owned. */
bool srv__trial_night_of(srv_store *store, int64_t trial, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__questions_fail - the open questions of a trial get no answer. */
bool srv__questions_fail(srv_store *store, int64_t trial, const char *reason,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_end - a trial is over: "done" or "failed". */
bool srv__trial_end(srv_store *store, int64_t trial, const char *state, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_job_result - the hash of a job's result. */
bool srv__trial_job_result(srv_store *store, int64_t job, const char *hash,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_jobs_stranded - the queued jobs of trials whose node was last seen before then, or no
 * longer can: [int64_t]; owned, NULL with error. */
GArray *srv__trial_jobs_stranded(srv_store *store, int64_t before_ms,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_cancel - a job that is not wanted any more: its lease ends. */
bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__series_detection - {"detection"} of the project of a series; row: out, owned. */
bool srv__series_detection(srv_store *store, int64_t series, json_t **row,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_loop_insert - one loop of a trial's job, with the commit it measured. */
bool srv__trial_loop_insert(srv_store *store, int64_t trial, int64_t job, guint place,
                            const srv__loop *loop, const srv__tree *tree,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__question_answer - what the test says of a question so far, and after how many loops in all
 * it will have an end. One that was measured alone and moved goes on with its parent. */
bool srv__question_answer(srv_store *store, int64_t id, const det_confirm_result *result,
                          size_t ends_loops, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__question_count - what was counted of a question's portion.
 * counted   {"dimension","before": {"mean","low","high"},"after": {…}} */
bool srv__question_count(srv_store *store, int64_t id, const json_t *counted,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__means_read - the loops of two commits that count, of a configuration ($2) and its parent
 * ($3), round by round: [srv__trial_mean]; owned, NULL with error. sql: SRV__MEANS " FROM … WHERE
 * …" SRV__MEANS_OF */
#define SRV__MEANS                                                                                 \
    "SELECT job_id, loop, before, CASE WHEN configuration=$3 THEN 1 ELSE 0 END, mean_ns, duet"
#define SRV__MEANS_OF " AND used=1 AND configuration IN ($2, $3) ORDER BY job_id, loop"
GArray *srv__means_read(srv_store *store, const char *sql, const srv__arg *args,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_means - the loops of a trial that count, of one configuration and its parent (NULL:
 * none), round by round: [srv__trial_mean]; owned, NULL with error. */
GArray *srv__trial_means(srv_store *store, int64_t trial, const char *name, const char *parent,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_questions - the open questions of a trial, with its project's detection, what was
 * "counted" (null: nothing), and whether it is a "search"'s; owned, NULL with error. */
json_t *srv__trial_questions(srv_store *store, int64_t trial,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_counted - what the nights of a trial's two commits counted of a portion, by the same
 * counter: {"dimension","before": {"mean","low","high"},"after": {…}}, of instructions rather than
 * of bytes; row: out, owned, NULL where one of them did not. srv__night_counted - of two nights. */
bool srv__trial_counted(srv_store *store, int64_t trial, const char *configuration, json_t **row,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__night_counted(srv_store *store, int64_t before, int64_t after, const char *configuration,
                        json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisections_wanted - alerts whose search has not begun: {"alert","from","to"}; owned, NULL
 * with error. */
json_t *srv__bisections_wanted(srv_store *store, const char *project,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_ends - between which two commits an alert's change lies:
 * {"project_id","from_id","to_id","sha"}; row: out, owned, NULL when there is none. */
bool srv__bisection_ends(srv_store *store, int64_t alert, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_commit_insert - a commit of the range; place: from the oldest. */
bool srv__bisection_commit_insert(srv_store *store, int64_t bisection, size_t place,
                                  int64_t revision, const char *state,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_insert - a search.
 * failure   why it failed before it began; NULL: it runs */
bool srv__bisection_insert(srv_store *store, int64_t alert, int64_t from_id, const char *failure,
                           int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_of_alert - its key, 0: there is none. */
bool srv__bisection_of_alert(srv_store *store, int64_t alert, int64_t *bisection,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_bounds - {"alert_id","from_id","low","high"}: up to low the commits are as before,
 * from high on new; row: out, owned. */
bool srv__bisection_bounds(srv_store *store, int64_t bisection, json_t **row,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_middle - the untried commit nearest to the middle; place: out, -1: none is left.
 */
bool srv__bisection_middle(srv_store *store, int64_t bisection, int64_t low, int64_t high,
                           int64_t *place, int64_t *revision,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a search has found; borrowed. */
typedef struct {
    const char *state;  /* "found" or "range" */
    int64_t low, high;  /* places of the last commit as before, and of the first as after */
    const char *reason; /* why it is a range, or NULL */
} srv__bisection_result;

/* srv__bisection_end - it is over. */
bool srv__bisection_end(srv_store *store, int64_t bisection, const srv__bisection_result *result,
                        int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_question - what is asked of a commit: the alert's portion, where and with which
 * benchmark; row: out, owned. */
bool srv__bisection_question(srv_store *store, int64_t alert, json_t **row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_commit_test - a commit is being measured, as this question. */
bool srv__bisection_commit_test(srv_store *store, int64_t bisection, int64_t place,
                                int64_t question, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_commits_settle - the commit that a trial was about is as before or as after, or
 * was skipped.
 */
bool srv__bisection_commits_settle(srv_store *store, int64_t trial,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_of_trial - the search a trial is part of, 0: none. */
bool srv__bisection_of_trial(srv_store *store, int64_t trial, int64_t *bisection,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
