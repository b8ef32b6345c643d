#include "server/ingest/ingest_night.h"

#include "server/alarm/alarm_queries.h"
#include "server/alarm/series.h"
#include "server/alarm/stand_in_queries.h"
#include "server/ingest/ingest_queries.h"
#include "server/ingest/ingest_rows.h"
#include "server/queue/queue_queries.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"

static bool experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *experiment,
                              GError **error) {
    /* What failed before, or could not be used, is no longer this commit's answer. */
    return (!row->night->tried || srv__is_aside(row->night->kind) ||
            srv__experiments_hide(store, row->night->revision, error)) &&
           srv__experiment_insert(store, row, experiment, error);
}

/* Whose series it is: the usual node's where this one stands in for it. */
static bool series_of(srv_store *store, const srv__night *n, const srv__stand_in_wanted *wanted,
                      srv__stand_in *stand_in, int64_t *series, GError **error) {
    if (n->told)
        *stand_in = *n->told;
    else if (!srv__stand_in_find(store, wanted, stand_in, error))
        return false;
    *series = stand_in->series;
    return *series != 0 || (srv__series_find(store, n->project, n->branch, n->lineage,
                                             wanted->environment, series, error) &&
                            (n->told ? srv__usual_node_import : srv__usual_node_set)(
                                store, n->project, wanted->result->node, n->night, error));
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) {
    srv__experiment_row row = {.night = night, .result = result};
    srv__stand_in stand_in = {0};
    srv__figures figures;
    const bool judged = !night->flaw && !srv__is_aside(night->kind);
    if (!srv__figures_of(&figures, tree, result, night->level, error) ||
        !srv__environment_key(store, result->environment_hash, result->environment,
                              &row.environment, error))
        return false;
    row.total = &figures.mean.configuration[tree->total];
    row.median = &figures.median.configuration[tree->total];
    const srv__stand_in_wanted wanted = {.project = night->project,
                                         .benchmark = night->benchmark,
                                         .environment = row.environment,
                                         .branch = night->branch,
                                         .lineage = night->lineage,
                                         .tree = tree,
                                         .result = result};
    const bool good =
        (!judged || series_of(store, night, &wanted, &stand_in, &row.series, error)) &&
        experiment_insert(store, &row, experiment, error) &&
        srv__rows_insert(store, *experiment, tree, result, &figures, night->flaw, error) &&
        srv__stand_in_keep(store, &stand_in, *experiment, error) &&
        (!judged || srv__series_add(store, row.series, *experiment, now_ms, error));
    if (!night->told)
        g_free(stand_in.sentence);
    return good;
}
