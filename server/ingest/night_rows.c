#include "server/ingest/night_rows.h"

#include "config/summary_json.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"
#include "server/store/night_count.h"
#include "sql/ingest.h"

#include <math.h>

bool srv__ingest_tried(srv_store *store, int64_t revision, bool *tried, GError **error) {
    int64_t some;
    const bool good =
        srv__number(store, SQL(ingest_tried), SRV__ARGS(SRV__I(revision)), 0, &some, error);
    *tried = good && some != 0;
    return good;
}

static bool environment_find(srv_store *store, const char *hash, int64_t *id, GError **error) {
    return srv__number(store, SQL(environment_find), SRV__ARGS(SRV__T(hash)), 0, id, error);
}

bool srv__environment_key(srv_store *store, const char *hash, const json_t *environment,
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

bool srv__experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *id,
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

bool srv__loop_add(srv_store *store, int64_t experiment, const srv__loop *loop, GError **error) {
    bool good = !loop->failed;
    return srv__run(store, SQL(loop_add),
                    SRV__ARGS(SRV__I(experiment), SRV__I(loop->configuration), SRV__I(loop->loop),
                              SRV__I(loop->position), SRV__I(loop->started_ms),
                              SRV__D(loop->seconds), SRV__I(loop->disturbed), SRV__T(loop->failed),
                              SRV__I(loop->used), SRV__ID(loop->calls), SRV__I(loop->warmup_calls),
                              SRV__D(good ? loop->summary.mean : NAN),
                              SRV__D(good ? loop->summary.sd : NAN), SRV__T(loop->summary_text),
                              SRV__T(loop->calls_per_second_text), SRV__T(loop->readings_text),
                              SRV__T(loop->raw_sha256), SRV__I(loop->raw_bytes),
                              SRV__I(loop->raw_uncompressed_bytes)),
                    NULL, error);
}

bool srv__configuration_add(srv_store *store, int64_t experiment, const srv__configuration_row *row,
                            GError **error) {
    const det_summary *s = &row->summary;
    json_auto_t *json = cfg_summary_json(s);
    g_autofree char *statistics = json_dumps(json, JSON_COMPACT);
    return srv__run(store, SQL(configuration_add),
                    SRV__ARGS(SRV__I(experiment), SRV__I(row->ordinal), SRV__T(row->name),
                              SRV__T(row->label), SRV__I(row->loops), SRV__D(s->mean),
                              SRV__D(row->mean.low), SRV__D(row->mean.high), SRV__D(s->median),
                              SRV__D(row->median.low), SRV__D(row->median.high),
                              SRV__D(row->calls_low), SRV__D(row->calls_high), SRV__I(s->n),
                              SRV__T(statistics)),
                    NULL, error);
}
