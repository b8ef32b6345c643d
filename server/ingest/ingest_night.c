#include "server/ingest/ingest_night.h"

#include "server/alarm/series.h"
#include "server/alarm/series_rows.h"
#include "server/ingest/ingest_rows.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"
#include "server/store/night_count.h"
#include "server/store/store_sql.h"
#include "sql/ingest.h"

/* A night that was measured, as its row; borrowed. */
typedef struct {
    const srv__night *night;
    const srv__result *result;
    int64_t environment, series;        /* keys; series 0: quarantined, or of a sweep */
    const det_interval *total, *median; /* response time of the night, of means and of medians */
} srv__experiment_row;

/* Remeasure is set where the project wants it and the node can. */
static bool srv__experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *id,
                                   GError **error) {
    const srv__night *n = row->night;
    const srv__result *result = row->result;
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    return srv__insert(store, SQL(experiment_insert),
                       SRV__ARGS(SRV__I(n->project), SRV__I(n->job), SRV__I(n->benchmark),
                                 SRV__I(row->environment), SRV__ID(row->series), SRV__T(n->kind),
                                 SRV__T(n->night), SRV__T(n->flaw ? "quarantined" : "measured"),
                                 SRV__T(n->flaw), SRV__T(result->node), SRV__I(result->started_ms),
                                 SRV__I(result->finished_ms), SRV__I(result->rounds),
                                 SRV__T(detail), SRV__T(n->result_hash), SRV__I(n->revision),
                                 SRV__I(n->remeasure), SRV__D(n->level),
                                 SRV__I(srv__is_sweep(n->kind)), SRV__D(row->total->mean),
                                 SRV__D(row->total->low), SRV__D(row->total->high),
                                 SRV__D(row->median->mean), SRV__D(row->median->low),
                                 SRV__D(row->median->high)),
                       id, error) &&
           srv__night_count_add(store, *id, error);
}

static bool experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *experiment,
                              GError **error) {
    /* What failed before, or could not be used, is no longer this commit's answer. */
    return (!row->night->tried || srv__is_sweep(row->night->kind) ||
            srv__nights_hide(store, row->night->revision, error)) &&
           srv__experiment_insert(store, row, experiment, error);
}

static bool environment_find(srv_store *store, const char *hash, int64_t *id, GError **error) {
    return srv__number(store, SQL(environment_find), SRV__ARGS(SRV__T(hash)), 0, id, error);
}

/* Of an environment, which is kept where it is new. */
static bool environment_key(srv_store *store, const char *hash, const json_t *environment,
                            int64_t *id, GError **error) {
    if (!environment_find(store, hash, id, error))
        return false;
    if (*id != 0)
        return true;
    g_autofree char *body = srv_json_canonical(environment);
    return srv__run(store, SQL(environment_key), SRV__ARGS(SRV__T(hash), SRV__T(body)), NULL,
                    error) &&
           environment_find(store, hash, id, error);
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) {
    srv__experiment_row row = {.night = night, .result = result};
    srv__figures figures;
    const bool judged = !night->flaw && !srv__is_sweep(night->kind);
    if (!srv__figures_of(&figures, tree, result, night->level, error) ||
        !environment_key(store, result->environment_hash, result->environment, &row.environment,
                         error))
        return false;
    row.total = &figures.mean.configuration[tree->total];
    row.median = &figures.median.configuration[tree->total];
    return (!judged || srv__series_find(store, night->project, night->branch, night->lineage,
                                        row.environment, &row.series, error)) &&
           experiment_insert(store, &row, experiment, error) &&
           srv__rows_insert(store, *experiment, tree, result, &figures, night->flaw, error) &&
           (!judged || srv__series_add(store, row.series, *experiment, now_ms, error));
}
