#include "config/json_text.h"
#include "config/model/detection.h"
#include "detector/statistics/dimension.h"
#include "detector/statistics/dist.h"
#include "server/ingest/ingest.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/ingest.h"
#include "sql/raw.h"

#include <math.h>

/* Of a raw file: "1;5\n", and four numbers of twenty digits. */
#define LINE_BYTES_MIN 4
#define LINE_BYTES_MAX 84

bool srv__raw_check_rows(srv_store *store, const srv__result *result, GError **error) {
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (!loop->raw_sha256)
            continue;
        json_auto_t *row = NULL;
        if (!srv__object(store, ASK(raw_get, loop->raw_sha256), &row, error))
            return false;
        const char *wrong = NULL;
        if (!row)
            wrong = "was not uploaded; send it first";
        else if (cfg_json_integer(row, "bytes") != loop->raw_bytes ||
                 cfg_json_integer(row, "uncompressed_bytes") != loop->raw_uncompressed_bytes)
            wrong = "differs in size from the uploaded one";
        else if (loop->raw_uncompressed_bytes / LINE_BYTES_MIN < loop->calls ||
                 loop->raw_uncompressed_bytes / LINE_BYTES_MAX >= loop->calls)
            wrong = "does not hold as many calls as the loop says";
        if (wrong)
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "loops[%u].raw: %.12s… %s", i,
                             loop->raw_sha256, wrong);
    }
    return true;
}

/* The means of the loops that count, of one configuration. */
static size_t means_of(const srv__result *result, size_t configuration, double *means,
                       uint64_t *calls) {
    size_t n = 0;
    *calls = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration == configuration && loop->used) {
            means[n++] = loop->summary.mean;
            *calls += loop->summary.n;
        }
    }
    return n;
}

/*
 * The interval over all calls of all loops, as MooBench prints it; reported, never decided with.
 * Pooled from each loop's n, mean and standard deviation.
 */
static void calls_interval(const srv__result *result, size_t configuration, double level,
                           double *low, double *high) {
    double n = 0, mean = 0, squares = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration != configuration || !loop->used || loop->summary.n == 0)
            continue;
        double m = (double)loop->summary.n, delta = loop->summary.mean - mean;
        squares += delta * delta * n * m / (n + m);
        squares += m > 1 ? (m - 1) * loop->summary.sd * loop->summary.sd : 0;
        mean += delta * m / (n + m);
        n += m;
    }
    double half = n > 1 ? det_normal_quantile(0.5 + level / 2) * sqrt(squares / (n - 1) / n) : NAN;
    *low = mean - half;
    *high = mean + half;
}

/* A quantile of calls: the least and the greatest of all loops, else the mean over the loops of
 * each one's exact quantile. */
static double of_loops(const srv__result *result, size_t configuration,
                       const det_summary_member *quantile) {
    double least = INFINITY, greatest = -INFINITY, sum = 0;
    unsigned n = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration != configuration || !loop->used)
            continue;
        const double value = det_summary_get(&loop->summary, quantile);
        least = fmin(least, value);
        greatest = fmax(greatest, value);
        sum += value;
        n++;
    }
    return quantile->probability == 0 ? least : quantile->probability == 1 ? greatest : sum / n;
}

/* Mean, sd over the loops' means; the quantiles are those of calls. loops: out, that count. */
static det_summary configuration_summary(const srv__result *result, size_t configuration,
                                         size_t *loops) {
    det_summary all = det_summary_unknown();
    g_autofree double *means = g_new(double, result->rounds);
    uint64_t calls = 0;
    const size_t n = *loops = means_of(result, configuration, means, &calls);
    if (n == 0 || det_summary_of(&all, means, n) != DET_OK)
        return all;
    all.n = calls;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++)
        if (!isnan(det_summary_members[i].probability))
            det_summary_set(&all, &det_summary_members[i],
                            of_loops(result, configuration, &det_summary_members[i]));
    return all;
}

static bool configuration_add(srv_store *store, int64_t experiment, const srv__tree *tree,
                              const srv__result *result, size_t c, const srv__figures *f,
                              GError **error) {
    size_t loops;
    const det_summary summary = configuration_summary(result, c, &loops);
    const det_interval *mean = &f->mean.configuration[c], *median = &f->median.configuration[c];
    double calls_low = NAN, calls_high = NAN;
    json_auto_t *json = cfg_summary_json(&summary);
    g_autofree char *statistics = json_dumps(json, JSON_COMPACT);
    if (loops > 0)
        calls_interval(result, c, f->level, &calls_low, &calls_high);
    return srv__run(store,
                    ASK(configuration_add, experiment, c, tree->name[c], tree->label[c], loops,
                        summary.mean, mean->low, mean->high, summary.median, median->low,
                        median->high, calls_low, calls_high, summary.n, statistics),
                    error);
}

static bool portion_add(srv_store *store, int64_t experiment, const srv__tree *tree, size_t c,
                        const srv__figures *f, const char *flaw, GError **error) {
    int parent = tree->chain.parent[c];
    const det_interval *mean = &f->mean.portion[c], *median = &f->median.portion[c];
    return srv__run(store,
                    ASK(portion_add, experiment, c, tree->portion[c], tree->name[c],
                        parent >= 0 ? tree->name[parent] : NULL, SRV__RANGE(*mean),
                        f->stated[c] ? NULL : det_method_text(f->mean.method[c]),
                        flaw ? "harness" : "first", flaw ? flaw : "", SRV__RANGE(*median),
                        tree->unit[c], tree->higher[c] ? "higher" : NULL),
                    error);
}

/* One loop, used or not. */
static bool loop_add(srv_store *store, int64_t experiment, const srv__loop *loop, GError **error) {
    return srv__run(store,
                    ASK(loop_add, experiment, loop->configuration, loop->loop, loop->position,
                        loop->started_ms, loop->seconds, loop->disturbed, loop->failed, loop->used,
                        srv__arg_key(loop->calls), loop->warmup_calls,
                        loop->failed ? NAN : loop->summary.mean, loop->summary_text,
                        loop->calls_per_second_text, loop->readings_text, loop->raw_sha256,
                        loop->raw_bytes, loop->raw_uncompressed_bytes),
                    error);
}

/*
 * ingest_dimensions - what an experiment counted beside the time of a call, as rows: what loops of
 * their own counted (docs/protocol.md, environment.detail.counts), and what is read off the loops
 * that were measured.
 */

/* The values of one dimension as the detector wants them. */
typedef struct {
    const srv__tree *tree;
    const det_dimension *dimension;
    const char *counter;
    double *values; /* [configurations * loops]; NaN: not counted */
    size_t loops;
} counted;

static void fill_readings(counted *c, const srv__result *result) {
    const size_t size = c->tree->chain.count * result->rounds;
    bool any = false;
    c->values = g_new(double, size);
    for (size_t i = 0; i < size; i++)
        c->values[i] = NAN;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (!loop->used)
            continue;
        /* Of values that are no times there is no tail of calls. */
        const det_summary *calls = c->tree->unit[loop->configuration] ? NULL : &loop->summary;
        const double value = srv__reading_of(c->dimension, loop->readings, calls);
        c->values[loop->configuration * result->rounds + (size_t)loop->loop - 1] = value;
        any = any || !isnan(value);
    }
    c->loops = any ? result->rounds : 0;
}

/* The values of a configuration's loops that count, for whoever judges them; NULL: what is counted
 * has two that agree. */
static char *loops_of(const counted *c, size_t configuration) {
    json_auto_t *list = json_array();
    if (c->dimension->kind == DET_DIMENSION_COUNTED)
        return NULL;
    for (size_t l = 0; l < c->loops; l++)
        if (!isnan(c->values[configuration * c->loops + l]))
            json_array_append_new(list, json_real(c->values[configuration * c->loops + l]));
    return json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(9));
}

/* Of what was counted, also where its parent was not: what stands on it is judged by its loops. */
static bool portion_count_add(srv_store *store, int64_t experiment, const counted *c,
                              const det_portions *of, size_t i, GError **error) {
    const int parent = c->tree->chain.parent[i];
    const det_interval *mean = c->dimension->whole ? &of->configuration[i] : &of->portion[i];
    g_autofree char *loops = loops_of(c, i);
    return of->configuration[i].n == 0 ||
           srv__run(store,
                    ASK(dimension_add, experiment, c->dimension->name, i, c->counter,
                        c->tree->name[i], parent >= 0 ? c->tree->name[parent] : NULL,
                        c->tree->portion[i], SRV__RANGE(*mean), of->configuration[i].mean, loops),
                    error);
}

/* One night alone tells of a share, and no trial follows: so sure its interval is. */
#define SHARE_SURE 0.9999

/* Loops that all lost nothing say no more than their records do (Wilson's interval). */
static void widen(det_interval *share, const srv__result *result, size_t configuration) {
    const double z = det_normal_quantile(0.5 + SHARE_SURE / 2), p = share->mean / 100;
    double n = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        n += loop->used && loop->configuration == configuration
                 ? fmax(srv__records_expected(loop->readings), 0)
                 : 0;
    }
    const double half = 100 * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    share->low = fmin(share->low, share->mean - half);
    share->high = fmax(share->high, share->mean + half);
}

static bool add(srv_store *store, int64_t experiment, const counted *c, const srv__result *result,
                double level, GError **error) {
    det_portions of;
    const bool share = c->dimension->kind == DET_DIMENSION_SHARE;
    bool good = true;
    if (c->loops == 0 || det_portions_of(&of, &c->tree->chain, c->values, c->loops,
                                         share ? SHARE_SURE : level) != DET_OK)
        return true;
    for (size_t i = 0; good && i < c->tree->chain.count; i++) {
        if (share && of.configuration[i].n > 1)
            widen(&of.configuration[i], result, i);
        good = portion_count_add(store, experiment, c, &of, i, error);
    }
    return good;
}

static bool dimensions_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                              const srv__result *result, double level, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    const json_t *counters = json_object_get(counts, "counters");
    bool good = true;
    for (size_t i = 0; good && i < DET_DIMENSIONS; i++) {
        srv__tree own = *tree;
        counted c = {.tree = &own, .dimension = &det_dimensions[i]};
        srv__tree_of(&own, c.dimension);
        c.counter = cfg_json_word(counters, c.dimension->name, NULL);
        if (c.dimension->kind == DET_DIMENSION_SHARE)
            c.counter = "records";
        if (c.dimension->kind == DET_DIMENSION_COUNTED)
            c.values = srv__counts_read(json_object_get(counts, "configurations"), tree,
                                        c.dimension->name, &c.loops);
        else
            fill_readings(&c, result);
        good = add(store, experiment, &c, result, level, error);
        g_free(c.values);
    }
    return good;
}

bool srv__rows_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                      const srv__result *result, const srv__figures *figures,
                      const srv__night *night, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < result->loops->len; i++)
        good = loop_add(store, experiment, &g_array_index(result->loops, srv__loop, i), error);
    for (size_t c = 0; good && c < tree->chain.count; c++)
        good = night->to_come[c] ||
               (configuration_add(store, experiment, tree, result, c, figures, error) &&
                portion_add(store, experiment, tree, c, figures, night->flaw, error));
    return good && dimensions_insert(store, experiment, tree, result, figures->level, error);
}
