#include "server/alarm/bisection.h"

#include "server/alarm/bisection_step.h"
#include "server/alarm/explanation.h"
#include "server/alarm/trial_rows.h"
#include "server/store/store_sql.h"
#include "sql/trial.h"

bool srv_bisections_wanted(srv_store *store, const char *project, model_list *list,
                           GError **error) {
    static const model_member members[] = {MODEL(srv_search_wanted, alert, "alert"),
                                           MODEL(srv_search_wanted, from, "from"),
                                           MODEL(srv_search_wanted, to, "to")};
    static const model_noun noun = MODEL_NOUN(srv_search_wanted, members, "search");
    return srv__many(store, SQL(bisections_wanted), SRV__ARGS(SRV__T(project)), &noun, list, error);
}

static bool ends_load(srv_store *store, int64_t alert, srv__search_ends *at, GError **error) {
    bool there;
    if (!srv__one(store, SQL(bisection_ends), SRV__ARGS(SRV__I(alert)), &srv__search_ends_model, at,
                  &there, error))
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
           srv__run(store, SQL(bisection_commit_insert),
                    SRV__ARGS(SRV__I(bisection), SRV__I(place), SRV__I(revision),
                              SRV__T(last ? "after" : "unknown")),
                    NULL, error);
}

static bool begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                  const char *reason, int64_t now_ms, GError **error) {
    srv__search_ends at = {0};
    int64_t bisection;
    if (!ends_load(store, alert, &at, error))
        return false;
    g_autofree char *to_sha = at.sha;
    if (count > SRV_BISECTION_COMMITS ||
        (count > 0 && !g_str_equal(commits[count - 1].sha, to_sha))) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the commits of alert %" G_GINT64_FORMAT
                    " must be at most %u and end with %.12s",
                    alert, SRV_BISECTION_COMMITS, to_sha);
        return false;
    }
    const char *failure = reason ? reason : "the repository has no such commits";
    if (!srv__bisection_insert(store, alert, at.from, count > 0 ? NULL : failure, now_ms,
                               &bisection, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!commit_keep(store, &at, bisection, i, &commits[i], i + 1 == count, error))
            return false;
    return count > 0 ? srv__bisection_step(store, bisection, now_ms, error)
                     : srv__explanation_start(store, alert, now_ms, error) &&
                           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv_bisection_begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                         const char *reason, int64_t now_ms, GError **error) {
    int64_t there;
    if (!srv__begin(store, error))
        return false;
    bool good =
        srv__number(store, SQL(bisection_of_alert), SRV__ARGS(SRV__I(alert)), 0, &there, error) &&
        (there != 0 || begin(store, alert, commits, count, reason, now_ms, error));
    return srv__end(store, good, error);
}
