#include "server/ingest/ingest_dimensions.h"

#include "detector/statistics/dimension.h"
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

static bool add(srv_store *store, int64_t experiment, const counted *c, double level,
                GError **error) {
    det_portions of;
    if (c->loops == 0 ||
        det_portions_of(&of, &c->tree->chain, c->values, c->loops, level) != DET_OK)
        return true;
    for (size_t i = 0; i < c->tree->chain.count; i++) {
        const int parent = c->tree->chain.parent[i];
        const det_interval *mean = c->dimension->whole ? &of.configuration[i] : &of.portion[i];
        if (mean->n > 0 &&
            !srv__run(store, SQL(dimension_add),
                      SRV__ARGS(SRV__I(experiment), SRV__T(c->dimension->name), SRV__I(i),
                                SRV__T(c->counter), SRV__T(c->tree->name[i]),
                                SRV__T(parent >= 0 ? c->tree->name[parent] : NULL),
                                SRV__T(c->tree->portion[i]), SRV__D(mean->mean), SRV__D(mean->low),
                                SRV__D(mean->high), SRV__D(of.configuration[i].mean)),
                      NULL, error))
            return false;
    }
    return true;
}

bool srv__dimensions_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                            const srv__result *result, double level, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    const json_t *counters = json_object_get(counts, "counters");
    bool good = true;
    for (size_t i = 0; good && i < DET_DIMENSIONS; i++) {
        counted c = {.tree = tree, .dimension = &det_dimensions[i]};
        c.counter = json_string_value(json_object_get(counters, c.dimension->name));
        if (det_dimension_counted(c.dimension))
            c.values = srv__counts_read(json_object_get(counts, "configurations"), tree,
                                        c.dimension->name, &c.loops);
        else
            fill_readings(&c, result);
        good = add(store, experiment, &c, level, error);
        g_free(c.values);
    }
    return good;
}
