#pragma once
/*
 * trial_rows - what is asked of trials, their questions, and the searches they serve.
 */
#include "config/config.h"
#include "detector/watch/confirm.h"
#include "detector/words/counted.h"
#include "server/alarm/trial.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A night's commit and node, and the commit of an earlier one. */
typedef struct {
    int64_t revision, before;
    char *node;
} srv__trial_ends;
extern const model_noun srv__trial_ends_model;

/* What the next job of a trial is made from. */
typedef struct {
    int64_t series;
    json_t *body;      /* the benchmark of its night */
    double loop_s;     /* that a loop of it took */
    bool bridge;       /* it joins two environments */
    int64_t batches;   /* jobs that it has had */
    int64_t uncounted; /* open questions of which nothing is counted */
} srv__trial_facts;
extern const model_noun srv__trial_facts_model;

/* srv__question_insert - an open question of a trial. */
bool srv__question_insert(srv_store *store, int64_t trial, const srv__tree *tree,
                          const srv__question *question, int64_t *id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_benchmark - of a night; owned, NULL with error. */
json_t *srv__night_benchmark(srv_store *store, int64_t experiment,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* How a trial stands; there is nothing in it to clear. */
typedef struct {
    int64_t id, batches, series, experiment;
    bool bisection;
} srv__trial_standing;

/* srv__trial_of_job - that of a job; id 0: it is of none. */
bool srv__trial_of_job(srv_store *store, int64_t job, srv__trial_standing *standing,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_cancel - a job that is not wanted any more: its lease ends. */
bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__series_detection - of the project of a series; for model_clear of cfg_detection_model. */
bool srv__series_detection(srv_store *store, int64_t series, cfg_detection *detection,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What was counted of a portion in two commits. */
typedef struct {
    char *dimension; /* NULL: instructions; an older trial's has no name */
    det_interval before, after;
} srv__counted;
extern const model_noun srv__counted_model;

/* srv__question_answer - what the test says of a question so far, and after how many loops in all
 * it will have an end. One that was measured alone and moved goes on with its parent. */
bool srv__question_answer(srv_store *store, int64_t id, const det_confirm_result *result,
                          size_t ends_loops, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__question_count - what was counted of a question's portion. */
bool srv__question_count(srv_store *store, int64_t id, const srv__counted *counted,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* of: NULL: their times */
GArray *srv__means_read(srv_store *store, const srv_sql *sql, const srv__arg *args,
                        const det_dimension *of, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_means - the loops of a trial that count, of one configuration and its parent (NULL:
 * none), round by round, in a dimension (NULL: time): [srv__trial_mean]; owned, NULL with error. */
GArray *srv__trial_means(srv_store *store, int64_t trial, const char *name, const char *parent,
                         const det_dimension *of, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* An open question of a trial. */
typedef struct {
    int64_t id;
    char *configuration, *portion, *whole; /* whole: "T + I + C" */
    char *dimension;
    char *parent; /* NULL: its configuration is a root */
    det_confirm_stage stage;
    double expected_ns, level_ns;
    srv__counted *counted; /* NULL: nothing */
    bool search;           /* for the commit that brought a change */
    cfg_detection detection;
} srv__open_question;

/* srv__trial_questions - those that are open, as [srv__open_question]. */
bool srv__trial_questions(srv_store *store, int64_t trial, model_list *questions,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Between which two commits an alert's change lies. */
typedef struct {
    int64_t project, from, to;
    char *sha; /* of the later one */
} srv__search_ends;
extern const model_noun srv__search_ends_model;

/* srv__bisection_insert - a search.
 * failure   why it failed before it began; NULL: it runs */
bool srv__bisection_insert(srv_store *store, int64_t alert, int64_t from_id, const char *failure,
                           int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* How far a search is: commits up to low are as before, from high on as after. */
typedef struct {
    int64_t alert, from;
    int64_t low, high; /* places; low -1: only the end before itself */
} srv__search_bounds;

bool srv__bisection_bounds(srv_store *store, int64_t bisection, srv__search_bounds *bounds,
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

/* What is asked of a commit: the alert's portion, where and with which benchmark. */
typedef struct {
    int64_t series, seen;
    char *configuration, *dimension, *node;
    double expected_ns;
    json_t *body;
} srv__search_question;
extern const model_noun srv__search_question_model;

/* rounds - of two commits measured in turn: the rounds in which both ran a configuration. */

/* The mean of one loop that counts. */
typedef struct {
    int64_t job, loop;
    bool before, of_parent;
    double mean_ns;
    bool duet; /* the other commit's ran at the same time */
} srv__trial_mean;

typedef struct {
    GArray *column[4]; /* after, after_parent, before, before_parent: double */
    bool paired;       /* all of them in duets */
    size_t of_job[2];  /* how many came with the newest job: of the configuration, of its parent */
} srv__rounds;

/* srv__rounds_of - means: [srv__trial_mean] of one portion, by job and loop; newest: a job, 0:
 * none. Clear it afterwards. */
srv__rounds srv__rounds_of(const GArray *means, int64_t newest);
void srv__rounds_clear(srv__rounds *rounds);

/* srv__rounds_sample - as the detector takes them; borrowed. */
det_confirm_sample srv__rounds_sample(const srv__rounds *rounds, bool has_parent);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv__rounds, srv__rounds_clear)

/*
 * trial_judge - a trial's loops, and what they say so far.
 */

/* srv__confirm_policy - the sequential test's settings for a series: the detector's defaults within
 * what its project allows (detection.remeasure_loops). */
bool srv__confirm_policy(srv_store *store, int64_t series, det_confirm_policy *policy,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__confirm_of - the settings for a question about this dimension ("time"). */
det_confirm_policy srv__confirm_of(const det_confirm_policy *policy, const char *dimension);

/* srv__counted_of - as the detector takes it (NULL: nothing was counted, its means are no numbers);
 * srv__counts_say - what it says of a suspicion in a direction, +1 or -1. */
det_counted srv__counted_of(const srv__counted *counted);
det_counts srv__counts_say(const srv__counted *counted, int direction);

/* srv__trial_loops_insert - keep a job's loops, each with the commit it measured; in a
 * transaction. */
bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* How the questions of a trial stand after a job. */
typedef struct {
    size_t open;     /* have no answer yet */
    size_t useless;  /* of those: got nothing from this job */
    size_t answered; /* have theirs since this job */
} srv__stand;

/* srv__trial_judge - put every open question to the test. */
bool srv__trial_judge(srv_store *store, int64_t trial, int64_t job,
                      const det_confirm_policy *policy, srv__stand *stand,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
