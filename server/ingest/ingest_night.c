#include "server/ingest/ingest_night.h"

#include "server/alarm/series.h"
#include "server/ingest/ingest_rows.h"
#include "server/result/benchmark.h"

static bool environment_keep(srv_store *store, const srv__result *result, int64_t *id,
                             GError **error) {
    g_autofree char *body = srv_json_canonical(result->environment);
    return srv__run(store,
                    "INSERT INTO environment(hash, body) VALUES($1,$2)"
                    " ON CONFLICT(hash) DO NOTHING",
                    SRV__ARGS(SRV__T(result->environment_hash), SRV__T(body)), NULL, error) &&
           srv__number(store, "SELECT id FROM environment WHERE hash=$1",
                       SRV__ARGS(SRV__T(result->environment_hash)), 0, id, error);
}

static bool experiment_insert(srv_store *store, const srv__night *n, const srv__result *result,
                              const char *hash, int64_t environment, int64_t series,
                              int64_t *experiment, GError **error) {
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    /* What failed before, or could not be used, is no longer this commit's answer. */
    return srv__run(store,
                    "UPDATE experiment SET hidden=1 WHERE revision_id=$1 AND state<>'measured'",
                    SRV__ARGS(SRV__I(n->revision)), NULL, error) &&
           srv__insert(
               store,
               "INSERT INTO experiment(project_id, job_id, revision_id, benchmark_id,"
               " environment_id, series_id, kind, night, time_ms, state, reason, node, started_ms,"
               " finished_ms, loops, environment_detail, result_hash, remeasure)"
               " SELECT $1, $2, id, $3, $4, $5, $6, $7, time_ms, $8, $9, $10, $11, $12, $13, $14,"
               " $15, $17 AND coalesce((SELECT can LIKE '%\"confirmation\"%' FROM node"
               " WHERE name=$10), 0)"
               " FROM revision WHERE id=$16",
               SRV__ARGS(SRV__I(n->project), SRV__I(n->job), SRV__I(n->benchmark),
                         SRV__I(environment), SRV__ID(series), SRV__T(n->kind), SRV__T(n->night),
                         SRV__T(n->flaw ? "quarantined" : "measured"), SRV__T(n->flaw),
                         SRV__T(result->node), SRV__I(result->started_ms),
                         SRV__I(result->finished_ms), SRV__I(result->rounds), SRV__T(detail),
                         SRV__T(hash), SRV__I(n->revision), SRV__I(n->remeasure)),
               experiment, error);
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, const char *hash, int64_t now_ms,
                      int64_t *experiment, GError **error) {
    int64_t environment, series = 0;
    if (!environment_keep(store, result, &environment, error))
        return false;
    if (!night->flaw && !srv__series_find(store, night->project, night->branch, night->identity,
                                          environment, &series, error))
        return false;
    return experiment_insert(store, night, result, hash, environment, series, experiment, error) &&
           srv__rows_insert(store, *experiment, tree, result, night->confidence, night->flaw,
                            error) &&
           (night->flaw || srv__series_add(store, series, *experiment, now_ms, error));
}
