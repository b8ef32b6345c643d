#include "server/ingest/ingest_rows.h"

#include "detector/statistics/dist.h"

#include <math.h>
#include <string.h>

bool srv__raw_check_rows(srv_store *store, const srv__result *result, GError **error) {
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (!loop->raw_sha256)
            continue;
        json_t *row;
        if (!srv__object(store, "SELECT bytes, uncompressed_bytes, lines FROM raw WHERE sha256=$1",
                         SRV__ARGS(SRV__T(loop->raw_sha256)), &row, error))
            return false;
        const char *wrong = NULL;
        if (!row)
            wrong = "was not uploaded; send it first";
        else if (json_integer_value(json_object_get(row, "bytes")) != loop->raw_bytes ||
                 json_integer_value(json_object_get(row, "uncompressed_bytes")) !=
                     loop->raw_uncompressed_bytes)
            wrong = "has another size than the one uploaded";
        else if (json_integer_value(json_object_get(row, "lines")) != loop->calls)
            wrong = "does not hold as many calls as the loop";
        json_decref(row);
        if (wrong) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "loops[%u].raw: %.12s… %s", i,
                        loop->raw_sha256, wrong);
            return false;
        }
    }
    return true;
}

static char *dump(const json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

static bool loop_insert(srv_store *store, int64_t experiment, const srv__loop *loop,
                        GError **error) {
    g_autofree char *summary = dump(loop->summary_json);
    g_autofree char *bins = dump(loop->calls_per_second);
    g_autofree char *readings = dump(loop->readings);
    bool good = !loop->failed;
    return srv__run(
        store,
        "INSERT INTO loop(experiment_id, ordinal, loop, position, started_ms, seconds, disturbed,"
        " failed, used, calls, warmup_calls, mean_ns, sd_ns, summary, calls_per_second, readings,"
        " raw_sha256, raw_bytes, raw_uncompressed_bytes) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,"
        "$11,$12,$13,$14,$15,$16,$17,$18,$19)",
        SRV__ARGS(SRV__I(experiment), SRV__I(loop->configuration), SRV__I(loop->loop),
                  SRV__I(loop->order), SRV__I(loop->started_ms), SRV__D(loop->seconds),
                  SRV__I(loop->disturbed), SRV__T(loop->failed), SRV__I(loop->used),
                  SRV__ID(loop->calls), SRV__I(loop->warmup_calls),
                  SRV__D(good ? loop->summary.mean : NAN), SRV__D(good ? loop->summary.sd : NAN),
                  SRV__T(summary), SRV__T(bins), SRV__T(readings), SRV__T(loop->raw_sha256),
                  SRV__I(loop->raw_bytes), SRV__I(loop->raw_uncompressed_bytes)),
        NULL, error);
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

static size_t loops_used(const srv__result *result, size_t configuration) {
    size_t n = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        n += loop->configuration == configuration && loop->used;
    }
    return n;
}

/*
 * The interval over all calls of all loops, as MooBench prints it; reported, never decided with.
 * Pooled from each loop's n, mean and standard deviation.
 */
static void calls_interval(const srv__result *result, size_t configuration, double confidence,
                           double *low, double *high) {
    double n = 0, mean = 0, squares = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration != configuration || !loop->used || loop->summary.n == 0)
            continue;
        double m = (double)loop->summary.n, delta = loop->summary.mean - mean;
        squares += (m - 1) * loop->summary.sd * loop->summary.sd + delta * delta * n * m / (n + m);
        mean += delta * m / (n + m);
        n += m;
    }
    double half =
        n > 1 ? det_normal_quantile(0.5 + confidence / 2) * sqrt(squares / (n - 1) / n) : NAN;
    *low = mean - half;
    *high = mean + half;
}

/*
 * Mean, sd over the loops' means. The order statistics are those of calls: the means over the loops
 * of each loop's exact quartiles, the smallest and the largest call of all.
 */
static det_summary configuration_summary(const srv__result *result, size_t configuration) {
    det_summary all = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    g_autofree double *means = g_new(double, result->rounds);
    uint64_t calls = 0;
    size_t n = means_of(result, configuration, means, &calls);
    if (n == 0 || det_summary_of(&all, means, n) != DET_OK)
        return all;
    if (n < 2)
        all.sd = NAN;
    all.n = calls;
    all.min = INFINITY;
    all.max = -INFINITY;
    all.q1 = all.median = all.q3 = 0;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration != configuration || !loop->used)
            continue;
        all.min = fmin(all.min, loop->summary.min);
        all.max = fmax(all.max, loop->summary.max);
        all.q1 += loop->summary.q1 / (double)n;
        all.median += loop->summary.median / (double)n;
        all.q3 += loop->summary.q3 / (double)n;
    }
    return all;
}

/* Configurations and portions, of the loops' means and of their medians. */
typedef struct {
    det_portions mean, median;
} figures;

static bool figures_of(figures *out, const srv__tree *tree, const srv__result *result,
                       double confidence, GError **error) {
    g_autofree double *table = g_new(double, tree->chain.count * result->rounds);
    srv__result_means(result, tree->chain.count, table);
    det_status status =
        det_portions_of(&out->mean, &tree->chain, table, result->rounds, confidence);
    if (status == DET_OK) {
        srv__result_medians(result, tree->chain.count, table);
        status = det_portions_of(&out->median, &tree->chain, table, result->rounds, confidence);
    }
    if (status != DET_OK)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "loops: cannot be evaluated: %s",
                    det_status_text(status));
    return status == DET_OK;
}

static bool configuration_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                                 const srv__result *result, size_t c, const figures *f,
                                 double confidence, GError **error) {
    const det_interval *interval = &f->mean.configuration[c];
    const det_interval *median = &f->median.configuration[c];
    det_summary summary = configuration_summary(result, c);
    size_t n = loops_used(result, c);
    double low = NAN, high = NAN;
    if (n > 0)
        calls_interval(result, c, confidence, &low, &high);
    return srv__run(
        store,
        "INSERT INTO configuration(experiment_id, ordinal, name, label, loops, mean_ns, sd_ns,"
        " low_ns, high_ns, min_ns, q1_ns, median_ns, q3_ns, max_ns, calls_low_ns, calls_high_ns,"
        " n, median_low_ns, median_high_ns)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19)",
        SRV__ARGS(SRV__I(experiment), SRV__I(c), SRV__T(tree->name[c]), SRV__T(tree->label[c]),
                  SRV__I(n), SRV__D(summary.mean), SRV__D(summary.sd), SRV__D(interval->low),
                  SRV__D(interval->high), SRV__D(summary.min), SRV__D(summary.q1),
                  SRV__D(summary.median), SRV__D(summary.q3), SRV__D(summary.max), SRV__D(low),
                  SRV__D(high), SRV__I(summary.n), SRV__D(median->low), SRV__D(median->high)),
        NULL, error);
}

static bool portion_insert(srv_store *store, int64_t experiment, const srv__tree *tree, size_t c,
                           const figures *f, const char *flaw, GError **error) {
    int parent = tree->chain.parent[c];
    const det_interval *interval = &f->mean.portion[c], *median = &f->median.portion[c];
    return srv__run(
        store,
        "INSERT INTO portion(experiment_id, ordinal, portion, configuration, parent, mean_ns,"
        " low_ns, high_ns, method, verdict, reason, median_ns, median_low_ns, median_high_ns)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
        SRV__ARGS(SRV__I(experiment), SRV__I(c), SRV__T(tree->portion[c]), SRV__T(tree->name[c]),
                  SRV__T(parent >= 0 ? tree->name[parent] : NULL), SRV__D(interval->mean),
                  SRV__D(interval->low), SRV__D(interval->high),
                  SRV__T(det_method_text(f->mean.method[c])), SRV__T(flaw ? "harness" : "first"),
                  SRV__T(flaw ? flaw : ""), SRV__D(median->mean), SRV__D(median->low),
                  SRV__D(median->high)),
        NULL, error);
}

bool srv__rows_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                      const srv__result *result, double confidence, const char *flaw,
                      GError **error) {
    figures f;
    if (!figures_of(&f, tree, result, confidence, error))
        return false;
    for (guint i = 0; i < result->loops->len; i++)
        if (!loop_insert(store, experiment, &g_array_index(result->loops, srv__loop, i), error))
            return false;
    for (size_t c = 0; c < tree->chain.count; c++)
        if (!configuration_insert(store, experiment, tree, result, c, &f, confidence, error) ||
            !portion_insert(store, experiment, tree, c, &f, flaw, error))
            return false;
    const det_interval *total = &f.mean.configuration[tree->total];
    const det_interval *median = &f.median.configuration[tree->total];
    return srv__run(store,
                    "UPDATE experiment SET total_mean_ns=$2, total_low_ns=$3, total_high_ns=$4,"
                    " total_median_ns=$5, total_median_low_ns=$6, total_median_high_ns=$7"
                    " WHERE id=$1",
                    SRV__ARGS(SRV__I(experiment), SRV__D(total->mean), SRV__D(total->low),
                              SRV__D(total->high), SRV__D(median->mean), SRV__D(median->low),
                              SRV__D(median->high)),
                    NULL, error);
}
