#include "server/ingest/ingest_queries.h"

#include "config/summary_json.h"
#include "server/result/benchmark.h"
#include "server/store/kinds.h"
#include "server/store/night_count.h"

#include <math.h>

#define JOB                                                                                        \
    "SELECT p.name AS project, j.project_id, j.revision_id, j.benchmark_id, j.kind, j.night,"      \
    " j.node, j.branch, b.lineage, b.body AS \"body{\", p.detection AS \"detection{\","            \
    " r.sha, a.sha AS before FROM job j JOIN benchmark b ON b.id=j.benchmark_id"                   \
    " JOIN project p ON p.id=j.project_id JOIN revision r ON r.id=j.revision_id"                   \
    " LEFT JOIN revision a ON a.id=j.before_id WHERE j.id=$1"

#define EARLIER                                                                                    \
    "SELECT id, result_hash, state, reason FROM experiment WHERE job_id=$1"                        \
    " AND result_hash IS NOT NULL UNION ALL"                                                       \
    " SELECT t.experiment_id, j.result_hash, 'measured', NULL FROM trial_job j"                    \
    " JOIN trial t ON t.id=j.trial_id WHERE j.job_id=$1"                                           \
    " AND j.result_hash IS NOT NULL ORDER BY 1 DESC LIMIT 1"

#define TRIED "SELECT 1 FROM experiment WHERE revision_id=$1 AND state<>'measured' LIMIT 1"

bool srv__ingest_tried(srv_store *store, int64_t revision, bool *tried, GError **error) {
    int64_t some;
    const bool good = srv__number(store, TRIED, SRV__ARGS(SRV__I(revision)), 0, &some, error);
    *tried = good && some != 0;
    return good;
}

bool srv__ingest_job(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store, JOB, SRV__ARGS(SRV__I(job)), row, error);
}

bool srv__node_seen_with(srv_store *store, int64_t job, int64_t now_ms, GError **error) {
    return srv__run(store, "UPDATE node SET seen_ms=$2 WHERE job_id=$1",
                    SRV__ARGS(SRV__I(job), SRV__I(now_ms)), NULL, error);
}

bool srv__trial_night(srv_store *store, int64_t job, int64_t *experiment, GError **error) {
    return srv__number(store,
                       "SELECT t.experiment_id FROM trial t JOIN trial_job j ON j.trial_id=t.id"
                       " WHERE j.job_id=$1",
                       SRV__ARGS(SRV__I(job)), 0, experiment, error);
}

bool srv__ingest_earlier(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store, EARLIER, SRV__ARGS(SRV__I(job)), row, error);
}

static bool environment_find(srv_store *store, const char *hash, int64_t *id, GError **error) {
    return srv__number(store, "SELECT id FROM environment WHERE hash=$1", SRV__ARGS(SRV__T(hash)),
                       0, id, error);
}

bool srv__environment_key(srv_store *store, const char *hash, const json_t *environment,
                          int64_t *id, GError **error) {
    if (!environment_find(store, hash, id, error))
        return false;
    if (*id != 0)
        return true;
    g_autofree char *body = srv_json_canonical(environment);
    return srv__run(store,
                    "INSERT INTO environment(hash, body) VALUES($1,$2)"
                    " ON CONFLICT(hash) DO NOTHING",
                    SRV__ARGS(SRV__T(hash), SRV__T(body)), NULL, error) &&
           environment_find(store, hash, id, error);
}

bool srv__experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *id,
                            GError **error) {
    const srv__night *n = row->night;
    const srv__result *result = row->result;
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    return srv__insert(
               store,
               "INSERT INTO experiment(project_id, job_id, revision_id, benchmark_id,"
               " environment_id, series_id, kind, night, time_ms, state, reason, node, started_ms,"
               " finished_ms, loops, environment_detail, result_hash, level, hidden,"
               " total_mean_ns, total_low_ns, total_high_ns, total_median_ns,"
               " total_median_low_ns, total_median_high_ns, remeasure)"
               " SELECT $1, $2, id, $3, $4, $5, $6, $7, time_ms, $8, $9, $10, $11, $12, $13, $14,"
               " $15, $18, $19, $20, $21, $22, $23, $24, $25, CASE WHEN $17=1 AND EXISTS"
               " (SELECT 1 FROM node WHERE name=$10 AND can_confirm=1) THEN 1 ELSE 0 END"
               " FROM revision WHERE id=$16 RETURNING id",
               SRV__ARGS(SRV__I(n->project), SRV__I(n->job), SRV__I(n->benchmark),
                         SRV__I(row->environment), SRV__ID(row->series), SRV__T(n->kind),
                         SRV__T(n->night), SRV__T(n->flaw ? "quarantined" : "measured"),
                         SRV__T(n->flaw), SRV__T(result->node), SRV__I(result->started_ms),
                         SRV__I(result->finished_ms), SRV__I(result->rounds), SRV__T(detail),
                         SRV__T(n->result_hash), SRV__I(n->revision), SRV__I(n->remeasure),
                         SRV__D(n->level), SRV__I(srv__is_sweep(n->kind)), SRV__D(row->total->mean),
                         SRV__D(row->total->low), SRV__D(row->total->high),
                         SRV__D(row->median->mean), SRV__D(row->median->low),
                         SRV__D(row->median->high)),
               id, error) &&
           srv__night_count_add(store, *id, error);
}

bool srv__loop_add(srv_store *store, int64_t experiment, const srv__loop *loop, GError **error) {
    bool good = !loop->failed;
    return srv__run(
        store,
        "INSERT INTO loop(experiment_id, ordinal, loop, position, started_ms, seconds, disturbed,"
        " failed, used, calls, warmup_calls, mean_ns, sd_ns, summary, calls_per_second, readings,"
        " raw_sha256, raw_bytes, raw_uncompressed_bytes) "
        "VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19)",
        SRV__ARGS(SRV__I(experiment), SRV__I(loop->configuration), SRV__I(loop->loop),
                  SRV__I(loop->position), SRV__I(loop->started_ms), SRV__D(loop->seconds),
                  SRV__I(loop->disturbed), SRV__T(loop->failed), SRV__I(loop->used),
                  SRV__ID(loop->calls), SRV__I(loop->warmup_calls),
                  SRV__D(good ? loop->summary.mean : NAN), SRV__D(good ? loop->summary.sd : NAN),
                  SRV__T(loop->summary_text), SRV__T(loop->calls_per_second_text),
                  SRV__T(loop->readings_text), SRV__T(loop->raw_sha256), SRV__I(loop->raw_bytes),
                  SRV__I(loop->raw_uncompressed_bytes)),
        NULL, error);
}

bool srv__configuration_add(srv_store *store, int64_t experiment, const srv__configuration_row *row,
                            GError **error) {
    const det_summary *s = &row->summary;
    json_auto_t *json = cfg_summary_json(s);
    g_autofree char *statistics = json_dumps(json, JSON_COMPACT);
    return srv__run(
        store,
        "INSERT INTO configuration(experiment_id, ordinal, name, label, loops, mean_ns, low_ns,"
        " high_ns, median_ns, median_low_ns, median_high_ns, calls_low_ns, calls_high_ns, n,"
        " statistics) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)",
        SRV__ARGS(SRV__I(experiment), SRV__I(row->ordinal), SRV__T(row->name), SRV__T(row->label),
                  SRV__I(row->loops), SRV__D(s->mean), SRV__D(row->mean.low),
                  SRV__D(row->mean.high), SRV__D(s->median), SRV__D(row->median.low),
                  SRV__D(row->median.high), SRV__D(row->calls_low), SRV__D(row->calls_high),
                  SRV__I(s->n), SRV__T(statistics)),
        NULL, error);
}

bool srv__portion_add(srv_store *store, int64_t experiment, const srv__portion_row *row,
                      GError **error) {
    return srv__run(
        store,
        "INSERT INTO portion(experiment_id, ordinal, portion, configuration, parent, mean_ns,"
        " low_ns, high_ns, method, verdict, reason, median_ns, median_low_ns, median_high_ns) "
        "VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
        SRV__ARGS(SRV__I(experiment), SRV__I(row->ordinal), SRV__T(row->portion),
                  SRV__T(row->configuration), SRV__T(row->parent), SRV__D(row->mean.mean),
                  SRV__D(row->mean.low), SRV__D(row->mean.high), SRV__T(row->method),
                  SRV__T(row->verdict), SRV__T(row->reason), SRV__D(row->median.mean),
                  SRV__D(row->median.low), SRV__D(row->median.high)),
        NULL, error);
}

bool srv__dimension_add(srv_store *store, int64_t experiment, const srv__dimension_row *row,
                        GError **error) {
    return srv__run(
        store,
        "INSERT INTO dimension(experiment_id, dimension, ordinal, counter, configuration, parent,"
        " portion, mean, low, high, total) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)",
        SRV__ARGS(SRV__I(experiment), SRV__T(row->dimension), SRV__I(row->ordinal),
                  SRV__T(row->counter), SRV__T(row->configuration), SRV__T(row->parent),
                  SRV__T(row->portion), SRV__D(row->mean.mean), SRV__D(row->mean.low),
                  SRV__D(row->mean.high), SRV__D(row->total)),
        NULL, error);
}
