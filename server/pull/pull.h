#pragma once
/*
 * pull - a commit asked about before it is merged: measured in turn (A B B A) with its merge base.
 *
 * held       a fork's: its code runs on the node only after a maintainer's label or comment
 * waiting    its commits are not known yet: the poller looks for them
 * measuring  one job after the other on one node, until every portion has its answer or the
 *            project's minutes (pull_requests.minutes) are spent
 * done       each portion is slower, faster, as before ("same") or unsure (detector/watch/merge.h);
 *            or it has none: no file that the project measures was changed
 * failed     there is no merge base, a commit does not build, ...: the reason says it
 * dropped    another commit replaced it, or it was closed
 */
#include "config/config.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

#define SRV_PULL_SUBMITTED "submit"  /* the provider of what came by the API */
#define SRV_PULL_QUEUE "merge_group" /* and of what comes from a merge queue */
#define SRV_PULL_COMMAND "/moowatch measure"

/* What is asked; borrowed. */
typedef struct {
    const char *provider;
    int64_t number;                   /* 0: none, by the API */
    const char *head;                 /* full commit id */
    const char *ref;                  /* where it is fetched from; NULL: a branch's tip has it */
    const char *title, *author, *url; /* url: NULL: none */
    bool fork, labelled;
} srv_pull_facts;

/**
 * srv_pull_ask - measure this; what was asked for the same number before and is of another commit
 * is dropped. The same commit again gives the same answer, unless that failed or was dropped.
 * Error: INVALID (the project measures none).
 */
bool srv_pull_ask(srv_store *store, const cfg_project *project, const srv_pull_facts *facts,
                  int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_pull_hear - what a webhook says of one (hook/hook.h): opened, pushed to, labelled, commented
 * on, closed.
 * note  out, static: why nothing follows; NULL: something does
 */
bool srv_pull_hear(srv_store *store, const cfg_project *project, const char *provider,
                   const json_t *said, int64_t now_ms, const char **note,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_pull_begin - its commits are known: the first job is queued. */
bool srv_pull_begin(srv_store *store, int64_t id, const srv_commit *after, const srv_commit *before,
                    int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_pull_end - the reason is told.
 * state  "failed": it cannot be measured; "done"
 * other  it is what that one is, and has its portions; 0: none, it changes nothing that is measured
 */
bool srv_pull_end(srv_store *store, int64_t id, const char *state, int64_t other,
                  const char *reason, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * pull_answer - what the jobs of a pull request brought, and what follows. All but one inside a
 * transaction; false with error.
 */

/* What a runner sent for one; hash: of the result without its lease. */
typedef struct {
    int64_t job;
    const srv__result *result;
    const srv__tree *tree;
    const char *hash;
} srv__pull_result;

/* srv__pull_there - has this job's result come in before? pull: out, 0: no. CONFLICT when it was
 * another one. */
bool srv__pull_there(srv_store *store, int64_t job, const char *hash, int64_t *pull,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_take - a job's result: the next job is queued, or the answer is there. */
bool srv__pull_take(srv_store *store, const srv__pull_result *result, int64_t now_ms, int64_t *pull,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pulls_expire - those whose node does not come back are given up; in a transaction of its
 * own. */
bool srv__pulls_expire(srv_store *store, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_failed - a job of it has failed for good or was cancelled. */
bool srv__pull_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* pull_batch - the jobs of a pull request: how many rounds the next one has. */

/* srv__pull_batch - queue its next job, for the portions that are still open; in a transaction.
 * queued: out, false: the time is spent. */
bool srv__pull_batch(srv_store *store, int64_t pull, int64_t now_ms, bool *queued,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * pull_day - how much of a day a project's pull requests may take (pull_requests.minutes_a_day).
 *
 * A day is one of UTC. It is charged with what was begun in it: with the minutes it was measured,
 * and while it is being measured with all that it may take. One may always begin when nothing was
 * charged yet, whatever it may take.
 */

/**
 * srv_pull_today - may this one, which waits for its commits, begin today? If not, it is written
 * down why, and told; when it may again, that is taken back. Not in a transaction.
 * may  out
 */
bool srv_pull_today(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                    bool *may, GError **error) G_GNUC_WARN_UNUSED_RESULT;
