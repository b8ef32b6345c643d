#include "server/ingest/ingest_night.h"

#include "server/alarm/series.h"
#include "server/ingest/ingest_queries.h"
#include "server/ingest/ingest_rows.h"
#include "server/queue/queue_queries.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"

static bool environment_keep(srv_store *store, const srv__result *result, int64_t *id,
                             GError **error) {
    g_autofree char *body = srv_json_canonical(result->environment);
    return srv__environment_insert(store, result->environment_hash, body, error) &&
           srv__environment_find(store, result->environment_hash, id, error);
}

static bool experiment_insert(srv_store *store, const srv__night *n, const srv__result *result,
                              int64_t environment, int64_t series, int64_t *experiment,
                              GError **error) {
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    const srv__experiment_row row = {n, result, detail, environment, series};
    /* What failed before, or could not be used, is no longer this commit's answer. */
    return (srv__is_sweep(n->kind) || srv__experiments_hide(store, n->revision, error)) &&
           srv__experiment_insert(store, &row, experiment, error);
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) {
    int64_t environment, series = 0;
    const bool judged = !night->flaw && !srv__is_sweep(night->kind);
    if (!environment_keep(store, result, &environment, error))
        return false;
    if (judged && !srv__series_find(store, night->project, night->branch, night->lineage,
                                    environment, &series, error))
        return false;
    return experiment_insert(store, night, result, environment, series, experiment, error) &&
           srv__rows_insert(store, *experiment, tree, result, night->level, night->flaw, error) &&
           (!judged || srv__series_add(store, series, *experiment, now_ms, error));
}
