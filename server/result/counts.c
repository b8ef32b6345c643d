#include "server/result/counts.h"

#include "detector/statistics/dimension.h"

#include <math.h>

#define LOOPS_MOST 100 /* that count one dimension of one configuration */

double srv__count_read(const json_t *value) {
    const double count = json_number_value(value);
    return json_is_number(value) && det_dimension_valid(count) ? count : NAN;
}

/* What was counted of one configuration; NULL where one of its loops is no count. */
static const json_t *counts_of(const json_t *configurations, const char *name,
                               const char *dimension) {
    const json_t *loops = json_object_get(json_object_get(configurations, name), dimension);
    size_t i;
    const json_t *value;
    if (json_array_size(loops) > LOOPS_MOST)
        return NULL;
    json_array_foreach (loops, i, value)
        if (isnan(srv__count_read(value)))
            return NULL;
    return loops;
}

double *srv__counts_read(const json_t *configurations, const srv__tree *tree, const char *dimension,
                         size_t *loops) {
    *loops = 0;
    for (size_t i = 0; i < tree->chain.count; i++)
        *loops = MAX(*loops, json_array_size(counts_of(configurations, tree->name[i], dimension)));
    double *values = g_new(double, tree->chain.count *MAX(*loops, 1));
    for (size_t i = 0; i < tree->chain.count; i++) {
        const json_t *mine = counts_of(configurations, tree->name[i], dimension);
        for (size_t l = 0; l < *loops; l++)
            values[i * *loops + l] =
                l < json_array_size(mine) ? json_number_value(json_array_get(mine, l)) : NAN;
    }
    return values;
}
