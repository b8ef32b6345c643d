#include "server/alarm/bisection.h"

#include "config/model/alert.h"
#include "server/alarm/alerts.h"
#include "server/alarm/explanation.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/alert.h"
#include "sql/trial.h"

#include <math.h>

/* Between which two commits an alert's change lies. */
typedef struct {
    int64_t project, from, to;
    char *sha; /* of the later one */
} search_ends;

static const model_member search_ends_members[] = {
    MODEL(search_ends, project, "project_id"), MODEL(search_ends, from, "from_id"),
    MODEL(search_ends, to, "to_id"), MODEL(search_ends, sha, "sha")};
static const model_noun search_ends_noun =
    MODEL_NOUN(search_ends, search_ends_members, "ends of a search");

/* How far a search is: commits up to low are as from, or as the last that brought a part, from high
 * on as after. from: what they are measured against; that last one, or the beginning. */
typedef struct {
    int64_t alert, from;
    int64_t low, high, last; /* places; low -1: only the end before itself */
} search_bounds;

/* What is asked of a commit: the alert's portion, where and with which benchmark. */
typedef struct {
    int64_t series, seen;
    char *configuration, *dimension, *node;
    double expected_ns;
    json_t *body;
} search_question;

static const model_member search_members[] = {MODEL(search_question, series, "series_id"),
                                              MODEL(search_question, seen, "seen_experiment"),
                                              MODELS(search_question, configuration, dimension),
                                              MODEL(search_question, expected_ns, "expected"),
                                              MODEL(search_question, node, "node", MODEL_NULL),
                                              MODEL(search_question, body, "body")};
static const model_noun search_question_noun =
    MODEL_NOUN(search_question, search_members, "question of a search");

static bool search_insert(srv_store *store, int64_t alert, int64_t from_id, const char *failure,
                          int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store,
                       ASK(bisection_insert, alert, from_id, failure ? "failed" : "running",
                           failure, now_ms, srv__arg_key(failure ? now_ms : 0)),
                       id, error) &&
           srv__run(store, ASK(alert_searched, alert), error);
}

static bool bounds_get(srv_store *store, int64_t bisection, search_bounds *bounds, GError **error) {
    static const model_member members[] = {MODEL(search_bounds, alert, "alert_id"),
                                           MODEL(search_bounds, from, "from_id"),
                                           MODELS(search_bounds, low, high, last)};
    static const model_noun noun = MODEL_NOUN(search_bounds, members, "search");
    return srv__one(store, ASK(bisection_bounds, bisection), &noun, bounds, NULL, error);
}

/* A part of the change that came after the commit at low, up to the one at high. */
typedef struct {
    int64_t low, high;
    double share, least; /* least: surely; NAN: no step measured it */
} search_part;

/* What the search knows. */
typedef struct {
    int64_t id;
    search_bounds bounds;
    int64_t middle;      /* place to test next, -1: none is left */
    int64_t revision;    /* of the middle */
    search_part largest; /* that it has found; share 0: none yet */
    double remaining;    /* share of the change that came after what it has found */
    bool open;           /* nobody has measured the last of the range */
} search;

/* The untried commit nearest to the middle. */
static bool middle_get(srv_store *store, search *s, GError **error) {
    static const model_member members[] = {MODEL(search, middle, "place"),
                                           MODEL(search, revision, "revision_id")};
    static const model_noun noun = MODEL_NOUN(search, members, "commit in the middle");
    s->middle = -1;
    return srv__more(store, ASK(bisection_middle, s->id, s->bounds.low, s->bounds.high), &noun, s,
                     error);
}

/* What it has found, with the part that is left when no commit is between its bounds. */
static bool parts_get(srv_store *store, search *s, GError **error) {
    static const model_member members[] = {MODELS(search_part, low, high, share),
                                           MODEL(search_part, least, "least", MODEL_NULL, NAN)};
    static const model_noun part = MODEL_NOUN(search_part, members, "part of a change");
    static const model_member left[] = {MODELS(search, remaining, open)};
    static const model_noun rest = MODEL_NOUN(search, left, "rest of a change");
    const int64_t reached = s->middle < 0 ? s->bounds.high : -1;
    return srv__more(store, ASK(bisection_largest, s->id, reached), &part, &s->largest, error) &&
           srv__more(store, ASK(bisection_remaining, s->id, reached), &rest, s, error);
}

/* May a larger part than those that are found be in the rest, or, as far as is known without having
 * measured it, a fifth of the change? */
static bool goes_on(const search *s) {
    return (s->remaining > s->largest.share && s->remaining >= SRV__SEARCHED_SHARE) ||
           (s->open && s->largest.least < CFG_WHOLE_SHARE);
}

/* With the largest part: a commit where the one before it was measured, too. A commit that brought
 * less than a quarter is not named: who knows what is among those that were passed over? */
static bool end(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    const search_part whole = {-1, s->bounds.last, 1, NAN};
    const bool large = s->largest.share >= SRV__SEARCHED_SHARE;
    const search_part part = large ? s->largest : whole;
    const int64_t left = part.high - part.low;
    const bool found = large && left == 1;
    g_autofree char *reason =
        found   ? NULL
        : large ? g_strdup_printf("%" G_GINT64_FORMAT " of these %" G_GINT64_FORMAT
                                  " commits gave no answer",
                                  left - 1, left)
                : g_strdup("no commit was found that brought a quarter of the change");
    return (s->bounds.low < s->bounds.high ||
            srv__run(store, ASK(bisection_whole, s->id), error)) &&
           srv__run(store,
                    ASK(bisection_end, s->id, found ? "found" : "range", part.low, part.high,
                        reason, now_ms),
                    error) &&
           srv__explanation_start(store, s->bounds.alert, now_ms, error) &&
           srv__run(store, ASK(alert_begin, s->bounds.alert), error) &&
           srv__event(store, SRV_EVENT_ALERT, s->bounds.alert);
}

static bool test(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    MODEL_HELD(search_question, asked, search_question_noun);
    srv__tree tree;
    int64_t question_id;
    if (!srv__one(store, ASK(bisection_question, s->bounds.alert), &search_question_noun, &asked,
                  NULL, error) ||
        !srv__tree_read(&tree, asked.body, error))
        return false;
    const int c = srv__tree_find(&tree, asked.configuration);
    const srv__question question = {.configuration = (size_t)MAX(c, 0),
                                    .dimension = asked.dimension,
                                    .expected_ns = asked.expected_ns};
    const srv__trial trial = {.kind = "bisection",
                              .series = asked.series,
                              .after = s->revision,
                              .before = s->bounds.from,
                              .experiment = asked.seen,
                              .node = asked.node,
                              .questions = &question,
                              .count = 1};
    return srv__trial_start(store, &trial, now_ms, &question_id, error) &&
           srv__run(store, ASK(bisection_commit_test, s->id, s->middle, question_id), error);
}

/* have the untried commit in the middle tested, search on behind what was found where more of the
 * change came, or end: with the commit, or with the smallest range when those between could not be
 * measured. */
static bool bisection_step(srv_store *store, int64_t bisection, int64_t now_ms, GError **error) {
    search s = {.id = bisection};
    if (!bounds_get(store, bisection, &s.bounds, error) || !middle_get(store, &s, error) ||
        !parts_get(store, &s, error))
        return false;
    if (!goes_on(&s))
        return end(store, &s, now_ms, error);
    if (s.middle < 0) /* another one is, then: the last */
        return srv__run(store, ASK(bisection_part, bisection, s.bounds.high), error) &&
               srv__run(store, ASK(bisection_again, bisection, s.bounds.high), error) &&
               bisection_step(store, bisection, now_ms, error);
    return test(store, &s, now_ms, error) &&
           srv__run(store, ASK(alert_begin, s.bounds.alert), error) &&
           srv__event(store, SRV_EVENT_ALERT, s.bounds.alert);
}

bool srv__bisection_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                           GError **error) {
    int64_t bisection;
    (void)failed; /* the question says so, and why */
    return srv__run(store, ASK(bisection_commits_settle, trial), error) &&
           srv__number(store, ASK(bisection_of_trial, trial), 0, &bisection, error) &&
           (bisection == 0 || bisection_step(store, bisection, now_ms, error));
}

bool srv_bisections_wanted(srv_store *store, const char *project, model_list *list,
                           GError **error) {
    static const model_member members[] = {MODELS(srv_search_wanted, alert, from, to)};
    static const model_noun noun = MODEL_NOUN(srv_search_wanted, members, "search");
    return srv__many(store, ASK(bisections_wanted, project), &noun, list, error);
}

static bool ends_load(srv_store *store, int64_t alert, search_ends *at, GError **error) {
    bool there;
    if (!srv__one(store, ASK(bisection_ends, alert), &search_ends_noun, at, &there, error))
        return false;
    return there || SRV__NONE(error, "alert", alert);
}

static bool commit_keep(srv_store *store, const search_ends *at, int64_t bisection, size_t place,
                        const srv_commit *commit, bool last, GError **error) {
    int64_t revision;
    return srv__revision_keep(store, at->project, commit, &revision, error) &&
           srv__run(
               store,
               ASK(bisection_commit_insert, bisection, place, revision, last ? "after" : "unknown"),
               error);
}

static bool begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                  const char *reason, int64_t now_ms, GError **error) {
    search_ends at = {0};
    int64_t bisection;
    if (!ends_load(store, alert, &at, error))
        return false;
    g_autofree char *to_sha = at.sha;
    if (count > SRV_BISECTION_COMMITS ||
        (count > 0 && !g_str_equal(commits[count - 1].sha, to_sha)))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "the commits of alert %" G_GINT64_FORMAT
                         " must be at most %u and end with %.12s",
                         alert, SRV_BISECTION_COMMITS, to_sha);
    const char *failure = reason ? reason : "the repository has no such commits";
    if (!search_insert(store, alert, at.from, count > 0 ? NULL : failure, now_ms, &bisection,
                       error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!commit_keep(store, &at, bisection, i, &commits[i], i + 1 == count, error))
            return false;
    return count > 0 ? bisection_step(store, bisection, now_ms, error)
                     : srv__explanation_start(store, alert, now_ms, error) &&
                           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv_bisection_begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                         const char *reason, int64_t now_ms, GError **error) {
    int64_t there;
    if (!srv__begin(store, error))
        return false;
    bool good = srv__number(store, ASK(bisection_of_alert, alert), 0, &there, error) &&
                (there != 0 || begin(store, alert, commits, count, reason, now_ms, error));
    return srv__end(store, good, error);
}

/* A search that its alert's ends have left. */
typedef struct {
    int64_t id;
    char *commit; /* short, that it had found; NULL: none */
} search_left;

static const model_member left_members[] = {MODEL(search_left, id, "id"),
                                            MODEL(search_left, commit, "commit_id", MODEL_NULL)};
static const model_noun left_noun = MODEL_NOUN(search_left, left_members, "search");

/* What it was asked, told and found: as if nobody had searched. */
static bool search_remove(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    static const srv_sql *const gone[] = {SQL(search_nights_untold),    SQL(search_untold),
                                          SQL(search_backports_forget), SQL(search_commits_remove),
                                          SQL(search_remove),           SQL(alert_unsearched)};
    bool good = srv__run(store, ASK(search_nights_again, alert, now_ms), error) &&
                srv__run(store, ASK(search_corrected_over, alert), error) &&
                srv__run(store, ASK(search_corrected, alert, now_ms), error);
    for (size_t i = 0; good && i < G_N_ELEMENTS(gone); i++)
        good = srv__run(store, gone[i], SRV__ARGS(alert), error);
    return good;
}

static bool withdraw(srv_store *store, int64_t alert, const search_left *left, int64_t now_ms,
                     GError **error) {
    static const char another[] = "the search was of another range or change";
    g_autofree char *reason =
        left->commit ? g_strdup_printf(CFG_ALERT_HAD_FOUND
                                       "%s; as the change is dated now, it was not that commit",
                                       left->commit)
                     : g_strdup(another);
    g_autoptr(GArray) jobs = srv__ids(store, ASK(bisection_jobs, left->id), error);
    bool good = jobs && search_remove(store, alert, now_ms, error) &&
                srv__explanation_forget(store, alert, another, now_ms, error) &&
                srv__alert_keep(store, alert, reason, now_ms, error);
    for (guint i = 0; good && i < jobs->len; i++) {
        const int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__job_cancel(store, job, another, now_ms, error) &&
               srv__trial_failed(store, job, another, now_ms, error);
    }
    return good;
}

bool srv__bisection_follow(srv_store *store, int64_t alert, bool moved, int64_t now_ms,
                           GError **error) {
    MODEL_HELD(search_left, left, left_noun);
    bool there;
    return srv__one(store, ASK(bisection_left, alert, moved), &left_noun, &left, &there, error) &&
           (!there || withdraw(store, alert, &left, now_ms, error)) &&
           srv__run(store, ASK(alert_begin, alert), error);
}
