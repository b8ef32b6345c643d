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

/* srv__job_cancel - a job that is not wanted any more: its lease ends, and people are told. */
bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What was counted of a portion in two commits. */
typedef struct {
    char *dimension; /* NULL: instructions; an older trial's has no name */
    det_interval before, after;
} srv__counted;
extern const model_noun srv__counted_model;

/* srv__question_count - what was counted of a question's portion. */
bool srv__question_count(srv_store *store, int64_t id, const srv__counted *counted,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_loops_insert - keep a job's loops, each with the commit it measured; in a transaction.
 */
bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree,
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
    char *unit;   /* of values that are no times; else NULL */
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

/* srv__confirm_of - the settings for a question about this dimension ("time"), of a search for a
 * commit or not. */
det_confirm_policy srv__confirm_of(const det_confirm_policy *policy, const char *dimension,
                                   bool search);

/* srv__counted_of - as the detector takes it (NULL: nothing was counted, its means are no numbers);
 * srv__counts_say - what it says of a suspicion in a direction, +1 or -1. */
det_counted srv__counted_of(const srv__counted *counted);
det_counts srv__counts_say(const srv__counted *counted, int direction);

/* How the questions of a trial stand after a job. */
typedef struct {
    size_t open;     /* have no answer yet */
    size_t useless;  /* of those: got nothing from this job */
    size_t answered; /* have theirs since this job */
} srv__stand;
