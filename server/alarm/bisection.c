#include "server/alarm/bisection.h"

#include "server/alarm/bisection_step.h"
#include "server/store/store_sql.h"

/*
 * The two ends: what was measured in turn where there was such a trial, since the date of a small
 * change is uncertain and these two are known to differ; else the nights of the alert.
 */
#define ENDS                                                                                       \
    " coalesce(t.against_id, f.revision_id) AS old_id, coalesce(t.revision_id, e.revision_id)"     \
    " AS new_id FROM alert a JOIN experiment f ON f.id=a.from_experiment"                          \
    " JOIN experiment e ON e.id=a.to_experiment"                                                   \
    " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration"        \
    "  AND s.seen_experiment=a.seen_experiment AND s.since_experiment=a.to_experiment"             \
    "  AND s.state='confirmed'"                                                                    \
    " LEFT JOIN question q ON q.id=s.question_id LEFT JOIN trial t ON t.id=q.trial_id"

json_t *srv_bisections_wanted(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT w.id AS alert, o.sha AS old, n.sha AS new"
                      " FROM (SELECT a.id, a.project_id," ENDS
                      " JOIN project x ON x.id=a.project_id WHERE a.state='open' AND x.name=$1"
                      "  AND NOT EXISTS (SELECT 1 FROM bisection b WHERE b.alert_id=a.id)"
                      "  AND e.remeasure=1) AS w JOIN project p ON p.id=w.project_id"
                      " JOIN revision o ON o.id=w.old_id JOIN revision n ON n.id=w.new_id"
                      " WHERE p.name=$1 AND p.enabled=1 AND o.id<>n.id ORDER BY w.id",
                      SRV__ARGS(SRV__T(project)), error);
}

/* What the alert says about its search. */
typedef struct {
    int64_t project, old_id, new_id;
    char *new_sha;
} ends;

static bool ends_load(srv_store *store, int64_t alert, ends *at, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT w.project_id, w.old_id, w.new_id, n.sha FROM"
                     " (SELECT a.project_id," ENDS " WHERE a.id=$1) AS w"
                     " JOIN revision n ON n.id=w.new_id",
                     SRV__ARGS(SRV__I(alert)), &row, error))
        return false;
    if (!row) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no alert %" G_GINT64_FORMAT,
                    alert);
        return false;
    }
    at->project = json_integer_value(json_object_get(row, "project_id"));
    at->old_id = json_integer_value(json_object_get(row, "old_id"));
    at->new_id = json_integer_value(json_object_get(row, "new_id"));
    at->new_sha = g_strdup(json_string_value(json_object_get(row, "sha")));
    json_decref(row);
    return true;
}

static bool commit_keep(srv_store *store, const ends *at, int64_t bisection, size_t place,
                        const srv_commit *commit, bool last, GError **error) {
    int64_t revision;
    return srv__revision_keep(store, at->project, commit, &revision, error) &&
           srv__run(store,
                    "INSERT INTO bisection_commit(bisection_id, place, revision_id, state)"
                    " VALUES($1,$2,$3,$4)",
                    SRV__ARGS(SRV__I(bisection), SRV__I(place), SRV__I(revision),
                              SRV__T(last ? "new" : "unknown")),
                    NULL, error);
}

static bool begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                  const char *reason, int64_t now_ms, GError **error) {
    ends at = {0};
    int64_t bisection;
    if (!ends_load(store, alert, &at, error))
        return false;
    g_autofree char *new_sha = at.new_sha;
    if (count > SRV_BISECTION_COMMITS ||
        (count > 0 && !g_str_equal(commits[count - 1].sha, new_sha))) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the commits of alert %" G_GINT64_FORMAT
                    " must be at most %u and end with %.12s",
                    alert, SRV_BISECTION_COMMITS, new_sha);
        return false;
    }
    if (!srv__insert(store,
                     "INSERT INTO bisection(alert_id, old_id, state, reason, started_ms,"
                     " finished_ms) VALUES($1,$2,$3,$4,$5,$6)",
                     SRV__ARGS(SRV__I(alert), SRV__I(at.old_id),
                               SRV__T(count > 0 ? "running" : "failed"),
                               SRV__T(count > 0 ? NULL : reason), SRV__I(now_ms),
                               SRV__ID(count > 0 ? 0 : now_ms)),
                     &bisection, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!commit_keep(store, &at, bisection, i, &commits[i], i + 1 == count, error))
            return false;
    return count > 0 ? srv__bisection_step(store, bisection, now_ms, error)
                     : srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv_bisection_begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                         const char *reason, int64_t now_ms, GError **error) {
    int64_t there;
    if (!srv__begin(store, error))
        return false;
    bool good = srv__number(store, "SELECT id FROM bisection WHERE alert_id=$1",
                            SRV__ARGS(SRV__I(alert)), 0, &there, error) &&
                (there != 0 || begin(store, alert, commits, count, reason, now_ms, error));
    return srv__end(store, good, error);
}
