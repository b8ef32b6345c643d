#include "server/alarm/bisection.h"

#include "server/alarm/explanation.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/trial.h"

#include <stdlib.h>
#include <string.h>

/* What the search knows. */
typedef struct {
    int64_t id;
    srv__search_bounds bounds;
    int64_t middle;   /* place to test next, -1: none is left */
    int64_t revision; /* of the middle */
} search;

static bool end(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    bool found = s->bounds.high - s->bounds.low == 1;
    g_autofree char *reason =
        found
            ? NULL
            : g_strdup_printf("%" G_GINT64_FORMAT " commits between the two could not be measured",
                              s->bounds.high - s->bounds.low - 1);
    const srv__bisection_result result = {.state = found ? "found" : "range",
                                          .low = s->bounds.low,
                                          .high = s->bounds.high,
                                          .reason = reason};
    return srv__run(store,
                    ASK(bisection_end, s->id, result.state, result.low, result.high, result.reason,
                        now_ms),
                    error) &&
           srv__explanation_start(store, s->bounds.alert, now_ms, error) &&
           srv__event(store, SRV_EVENT_ALERT, s->bounds.alert);
}

static size_t configuration_of(const srv__tree *tree, const char *name) {
    for (size_t i = 0; i < tree->chain.count; i++)
        if (g_strcmp0(tree->name[i], name) == 0)
            return i;
    return 0;
}

static bool test(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    srv__search_question asked;
    srv__tree tree;
    int64_t question_id;
    if (!srv__one(store, ASK(bisection_question, s->bounds.alert), &srv__search_question_model,
                  &asked, NULL, error))
        return false;
    bool good = srv__tree_read(&tree, asked.body, error);
    if (good) {
        const srv__question question = {.configuration =
                                            configuration_of(&tree, asked.configuration),
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
        good = srv__trial_start(store, &trial, now_ms, &question_id, error) &&
               srv__run(store, ASK(bisection_commit_test, s->id, s->middle, question_id), error);
    }
    model_clear(&srv__search_question_model, &asked);
    return good;
}

/* have the untried commit in the middle tested, or end: with the commit, or
 * with the smallest range when those between could not be measured. */
static bool bisection_step(srv_store *store, int64_t bisection, int64_t now_ms, GError **error) {
    search s = {.id = bisection};
    if (!srv__bisection_bounds(store, bisection, &s.bounds, error) ||
        !srv__bisection_middle(store, bisection, s.bounds.low, s.bounds.high, &s.middle,
                               &s.revision, error))
        return false;
    return s.middle >= 0 ? test(store, &s, now_ms, error) &&
                               srv__event(store, SRV_EVENT_ALERT, s.bounds.alert)
                         : end(store, &s, now_ms, error);
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
    static const model_member members[] = {MODEL(srv_search_wanted, alert, "alert"),
                                           MODEL(srv_search_wanted, from, "from"),
                                           MODEL(srv_search_wanted, to, "to")};
    static const model_noun noun = MODEL_NOUN(srv_search_wanted, members, "search");
    return srv__many(store, ASK(bisections_wanted, project), &noun, list, error);
}

static bool ends_load(srv_store *store, int64_t alert, srv__search_ends *at, GError **error) {
    bool there;
    if (!srv__one(store, ASK(bisection_ends, alert), &srv__search_ends_model, at, &there, error))
        return false;
    if (!there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "unknown alert %" G_GINT64_FORMAT,
                    alert);
    return there;
}

static bool commit_keep(srv_store *store, const srv__search_ends *at, int64_t bisection,
                        size_t place, const srv_commit *commit, bool last, GError **error) {
    int64_t revision;
    return srv__revision_keep(store, at->project, commit, &revision, error) &&
           srv__run(
               store,
               ASK(bisection_commit_insert, bisection, place, revision, last ? "after" : "unknown"),
               error);
}

static bool begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                  const char *reason, int64_t now_ms, GError **error) {
    srv__search_ends at = {0};
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
    if (!srv__bisection_insert(store, alert, at.from, count > 0 ? NULL : failure, now_ms,
                               &bisection, error))
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
