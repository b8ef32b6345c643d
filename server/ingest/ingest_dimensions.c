#include "server/ingest/ingest_dimensions.h"

#include "detector/statistics/dimension.h"
#include "detector/statistics/dist.h"
#include "server/result/counts.h"
#include "server/store/store_sql.h"
#include "sql/ingest.h"

#include <math.h>

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
        const double value =
            loop->used ? srv__reading_of(c->dimension, loop->readings, loop->summary.p99) : NAN;
        if (!loop->used)
            continue;
        c->values[loop->configuration * result->rounds + (size_t)loop->loop - 1] = value;
        any = any || !isnan(value);
    }
    c->loops = any ? result->rounds : 0;
}

/* The values of a configuration's loops that count, for whoever judges them; NULL: nobody does. */
static char *loops_of(const counted *c, size_t configuration) {
    json_auto_t *list = json_array();
    if (c->dimension->kind != DET_DIMENSION_SCATTERS)
        return NULL;
    for (size_t l = 0; l < c->loops; l++)
        if (!isnan(c->values[configuration * c->loops + l]))
            json_array_append_new(list, json_real(c->values[configuration * c->loops + l]));
    return json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(9));
}

static bool portion_add(srv_store *store, int64_t experiment, const counted *c,
                        const det_portions *of, size_t i, GError **error) {
    const int parent = c->tree->chain.parent[i];
    const det_interval *mean = c->dimension->whole ? &of->configuration[i] : &of->portion[i];
    g_autofree char *loops = loops_of(c, i);
    return mean->n == 0 ||
           srv__run(store, SQL(dimension_add),
                    SRV__ARGS(SRV__I(experiment), SRV__T(c->dimension->name), SRV__I(i),
                              SRV__T(c->counter), SRV__T(c->tree->name[i]),
                              SRV__T(parent >= 0 ? c->tree->name[parent] : NULL),
                              SRV__T(c->tree->portion[i]), SRV__D(mean->mean), SRV__D(mean->low),
                              SRV__D(mean->high), SRV__D(of->configuration[i].mean), SRV__T(loops)),
                    NULL, error);
}

/* One night alone tells of a share, and no trial follows: so sure its interval is. */
#define SHARE_SURE 0.99999

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
        good = portion_add(store, experiment, c, &of, i, error);
    }
    return good;
}

bool srv__dimensions_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                            const srv__result *result, double level, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    const json_t *counters = json_object_get(counts, "counters");
    bool good = true;
    for (size_t i = 0; good && i < DET_DIMENSIONS; i++) {
        counted c = {.tree = tree, .dimension = &det_dimensions[i]};
        c.counter = json_string_value(json_object_get(counters, c.dimension->name));
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
