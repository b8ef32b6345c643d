#pragma once
/*
 * trial - two commits measured in turn on one node, until each question about them is answered.
 *
 * A question is: did this portion change from the old to the new commit by about so much? It is
 * put to the detector's sequential test (detector/watch/confirm.h) after every job; jobs follow
 * until all questions have their yes or no. Suspicions of a night and the steps of a bisection are
 * both trials.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

#define SRV__QUESTIONS_MAX DET_CONFIGURATIONS_MAX

#define SRV__TIME "time" /* the dimension of what is asked, unless it is one of det_dimensions */

typedef struct {
    size_t configuration;  /* index in the full benchmark */
    const char *dimension; /* NULL: time */
    double expected_ns;    /* signed change to test for, ns a call or in the dimension's unit */
    bool alone;            /* its configuration without the parent, to begin with (confirm.h) */
    double level_ns;       /* alone: of the portion, of which the minimum effect is a share */
} srv__question;

typedef struct {
    const char *kind; /* "confirmation" or "bisection" */
    int64_t series;
    int64_t after, before; /* the commits */
    int64_t experiment;    /* the night it is about */
    const char *node;      /* where; NULL: any that can */
    const srv__question *questions;
    size_t count;
    bool later;   /* its first job waits for srv__trials_begin: other dimensions ask in it, too */
    bool in_turn; /* its levels are compared with those of nights: never both commits at once */
} srv__trial;

/* A search looks for the commit that brought the change: so much of it has to be there, be that
 * below what the project ignores, or not. A smaller change beside it would else take all loops that
 * are allowed, and leave no answer. */
#define SRV__SEARCHED_SHARE 0.25

/* srv__benchmark_restrict - nothing but the configurations of these names stays (a set), and so
 * many loops. It stays one tree: where a parent goes, the nearest one above it that stays takes its
 * place, or else the first configuration. With whole_rounds the first that stays runs what the
 * first one ran. */
void srv__benchmark_restrict(json_t *benchmark, GHashTable *names, unsigned loops);

/* srv__rest_shorten - two commits take turns, so a machine that warms up or tires does it to both:
 * more rest than a tenth of what a loop takes would be hours for nothing. loop_s 0: unknown, it
 * stays. */
void srv__rest_shorten(json_t *benchmark, double loop_s);

/* srv__count_not - no counting loops behind those of this benchmark. */
void srv__count_not(json_t *benchmark);

/* srv__trial_start - store it and queue its first job; in a transaction.
 * ids   out [count], the questions' keys */
bool srv__trial_start(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *ids,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trials_begin - queue the first jobs of a project's trials (0: of all) that have none, but of
 * those whose suspicion spans nights of long ago that are still to come; in a transaction. */
bool srv__trials_begin(srv_store *store, int64_t project, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trials_begin_late - those of which the last such night had no result; not in a transaction.
 */
bool srv__trials_begin_late(srv_store *store, int64_t now_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trials_forget - what waits to be asked of the nights after this one, which has just come in:
 * they are judged once more, and ask what is still in doubt; in a transaction. */
bool srv__trials_forget(srv_store *store, int64_t series, int64_t experiment,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_batch - queue its next job, for the questions that are still open; likewise. */
bool srv__trial_batch(srv_store *store, int64_t trial, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* stranded - queued jobs that only one node may take, and that node does not come back. */

#define SRV__STRANDED_MS                                                                           \
    (INT64_C(3) * 24 * 3600 * 1000) /* after it, what waits for the node must wait no longer */

/* srv__job_failed - tells who asked for the job that it gets no answer; in a transaction. */
typedef bool (*srv__job_failed)(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                                GError **error);

/* Jobs that wait for a node, and what is to be said of them. */
typedef struct {
    /* [int64_t] those that were queued before; owned, NULL with error */
    GArray *(*list)(srv_store *store, int64_t before_ms, GError **error);
    const char *reason; /* kept with each job */
    srv__job_failed failed;
} srv__stranded;

/* srv__stranded_cancel - cancel those that have waited for SRV__STRANDED_MS, all or none, and tell
 * who asked for them. One that a node has taken meanwhile is its. Not in a transaction. */
bool srv__stranded_cancel(srv_store *store, const srv__stranded *stranded, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * trial_answer - what a trial's jobs brought, and what follows for who asked: the series of a
 * suspicion is judged again, a bisection takes its next step.
 */

/* srv__trial_take - a job's result; in a transaction. Queues the next job, or settles.
 * hash   of the result: the same one may come again */
bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_failed - a job of it has failed for good or was cancelled; in a transaction.
 * reason   kept with the questions, which get no answer; suspicions are then believed */
bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trials_expire - give up those whose node has been away for three days. Not in a
 * transaction. */
bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * trial_counts - what a trial's first job counted of both commits: instructions, or bytes where
 * these cannot be. They are the same in every run, so once is enough; they stand with the
 * questions, as does what the commits' nights counted, and the test hears them
 * (det_confirm_question.counts).
 */
