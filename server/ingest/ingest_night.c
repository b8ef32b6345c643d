#include "server/ingest/ingest_night.h"

#include "server/alarm/series.h"
#include "server/alarm/series_rows.h"
#include "server/ingest/ingest_rows.h"
#include "server/ingest/night_rows.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"
#include "server/store/night_count.h"
#include "server/store/store_sql.h"

static bool experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *experiment,
                              GError **error) {
    /* What failed before, or could not be used, is no longer this commit's answer. */
    return (!row->night->tried || srv__is_sweep(row->night->kind) ||
            srv__nights_hide(store, row->night->revision, error)) &&
           srv__experiment_insert(store, row, experiment, error);
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) {
    srv__experiment_row row = {.night = night, .result = result};
    srv__figures figures;
    const bool judged = !night->flaw && !srv__is_sweep(night->kind);
    if (!srv__figures_of(&figures, tree, result, night->level, error) ||
        !srv__environment_key(store, result->environment_hash, result->environment,
                              &row.environment, error))
        return false;
    row.total = &figures.mean.configuration[tree->total];
    row.median = &figures.median.configuration[tree->total];
    return (!judged || srv__series_find(store, night->project, night->branch, night->lineage,
                                        row.environment, &row.series, error)) &&
           experiment_insert(store, &row, experiment, error) &&
           srv__rows_insert(store, *experiment, tree, result, &figures, night->flaw, error) &&
           (!judged || srv__series_add(store, row.series, *experiment, now_ms, error));
}
