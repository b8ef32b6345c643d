#include "server/alarm/bisection_step.h"

#include "server/alarm/trial.h"
#include "server/result/result.h"

#include <stdlib.h>
#include <string.h>

/* What the search knows: commits up to low are old, from high on they are new. */
typedef struct {
    int64_t id, alert, old_id;
    int64_t low, high; /* places; low -1: only the old end itself */
    int64_t middle;    /* place to test next, -1: none is left */
    int64_t revision;  /* of the middle */
} search;

static bool bounds_load(srv_store *store, search *s, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT b.alert_id, b.old_id,"
                     " coalesce((SELECT max(c.place) FROM bisection_commit c"
                     "  WHERE c.bisection_id=b.id AND c.state='old'), -1) AS low,"
                     " (SELECT min(c.place) FROM bisection_commit c WHERE c.bisection_id=b.id"
                     "  AND c.state='new') AS high FROM bisection b WHERE b.id=$1",
                     SRV__ARGS(SRV__I(s->id)), &row, error))
        return false;
    s->alert = json_integer_value(json_object_get(row, "alert_id"));
    s->old_id = json_integer_value(json_object_get(row, "old_id"));
    s->low = json_integer_value(json_object_get(row, "low"));
    s->high = json_integer_value(json_object_get(row, "high"));
    json_decref(row);
    return true;
}

/* The untried commit nearest to the middle. */
static bool middle_find(srv_store *store, search *s, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT place, revision_id FROM bisection_commit WHERE bisection_id=$1"
                       " AND state='unknown' AND place>$2 AND place<$3"
                       " ORDER BY abs(2*place-$2-$3), place LIMIT 1",
                       SRV__ARGS(SRV__I(s->id), SRV__I(s->low), SRV__I(s->high)), error);
    if (!query)
        return false;
    GError *failure = NULL;
    s->middle = -1;
    if (srv__query_next(query, &failure)) {
        s->middle = srv__query_int(query, 0);
        s->revision = srv__query_int(query, 1);
    }
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

static bool end(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    bool found = s->high - s->low == 1;
    g_autofree char *reason =
        found
            ? NULL
            : g_strdup_printf("%" G_GINT64_FORMAT " commits between the two could not be measured",
                              s->high - s->low - 1);
    return srv__run(store,
                    "UPDATE bisection SET state=$2, low=$3, high=$4, reason=$5, finished_ms=$6"
                    " WHERE id=$1",
                    SRV__ARGS(SRV__I(s->id), SRV__T(found ? "found" : "range"), SRV__I(s->low),
                              SRV__I(s->high), SRV__T(reason), SRV__I(now_ms)),
                    NULL, error) &&
           srv__event(store, SRV_EVENT_ALERT, s->alert);
}

static size_t configuration_of(const srv__tree *tree, const char *name) {
    for (size_t i = 0; i < tree->chain.count; i++)
        if (g_strcmp0(tree->name[i], name) == 0)
            return i;
    return 0;
}

static bool test(srv_store *store, const search *s, int64_t now_ms, GError **error) {
    json_t *row;
    srv__tree tree;
    int64_t question_id;
    if (!srv__object(store,
                     "SELECT a.series_id, a.seen_experiment, a.configuration,"
                     " a.difference_mean_ns AS expected, e.node, b.body AS \"body{\" FROM alert a"
                     " JOIN experiment e ON e.id=a.seen_experiment"
                     " JOIN benchmark b ON b.id=e.benchmark_id WHERE a.id=$1",
                     SRV__ARGS(SRV__I(s->alert)), &row, error))
        return false;
    bool good = srv__tree_read(&tree, json_object_get(row, "body"), error);
    if (good) {
        const srv__question question = {
            configuration_of(&tree, json_string_value(json_object_get(row, "configuration"))),
            json_number_value(json_object_get(row, "expected"))};
        const srv__trial trial = {.kind = "bisection",
                                  .series = json_integer_value(json_object_get(row, "series_id")),
                                  .revision = s->revision,
                                  .against = s->old_id,
                                  .experiment =
                                      json_integer_value(json_object_get(row, "seen_experiment")),
                                  .node = json_string_value(json_object_get(row, "node")),
                                  .questions = &question,
                                  .count = 1};
        good =
            srv__trial_start(store, &trial, now_ms, &question_id, error) &&
            srv__run(store,
                     "UPDATE bisection_commit SET state='testing', question_id=$3"
                     " WHERE bisection_id=$1 AND place=$2",
                     SRV__ARGS(SRV__I(s->id), SRV__I(s->middle), SRV__I(question_id)), NULL, error);
    }
    json_decref(row);
    return good;
}

bool srv__bisection_step(srv_store *store, int64_t bisection, int64_t now_ms, GError **error) {
    search s = {.id = bisection};
    if (!bounds_load(store, &s, error) || !middle_find(store, &s, error))
        return false;
    return s.middle >= 0
               ? test(store, &s, now_ms, error) && srv__event(store, SRV_EVENT_ALERT, s.alert)
               : end(store, &s, now_ms, error);
}

bool srv__bisection_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                           GError **error) {
    int64_t bisection;
    (void)failed; /* the question says so, and why */
    return srv__run(store,
                    "UPDATE bisection_commit SET state=(SELECT CASE q.state WHEN 'yes' THEN 'new'"
                    " WHEN 'no' THEN 'old' ELSE 'skipped' END FROM question q"
                    " WHERE q.id=bisection_commit.question_id) WHERE state='testing'"
                    " AND question_id IN (SELECT id FROM question WHERE trial_id=$1)",
                    SRV__ARGS(SRV__I(trial)), NULL, error) &&
           srv__number(store,
                       "SELECT c.bisection_id FROM bisection_commit c"
                       " JOIN question q ON q.id=c.question_id WHERE q.trial_id=$1",
                       SRV__ARGS(SRV__I(trial)), 0, &bisection, error) &&
           (bisection == 0 || srv__bisection_step(store, bisection, now_ms, error));
}
