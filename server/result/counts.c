#include "config/json_text.h"
#include "server/result/result.h"

#include <math.h>

#define LOOPS_MOST 100 /* that count one dimension of one configuration */

/* A number that can have been counted; NaN: this is none. */
static double count_read(const json_t *value) {
    const double count = json_number_value(value);
    return json_is_number(value) && det_dimension_valid(count) ? count : NAN;
}

/* The number at "a.b" below an object; NAN: none. */
static double number_at(const json_t *object, const char *path) {
    return count_read(cfg_json_at(object, path));
}

/* Paths as det_dimension.from has them. */
static double number_from(const json_t *readings, const char *from) {
    g_auto(GStrv) ways = g_strsplit(from, "|", -1);
    double number = NAN;
    for (guint i = 0; ways[i] && isnan(number); i++) {
        g_auto(GStrv) parts = g_strsplit(ways[i], "+", -1);
        number = 0;
        for (guint k = 0; parts[k]; k++)
            number += number_at(readings, parts[k]);
    }
    return number;
}

/* Of the records that were expected; NAN: nobody counted both, or more came than were. */
static double lost_percent(const json_t *told) {
    const double records = number_at(told, "records"), expected = number_at(told, "expected");
    return expected > 0 && records <= expected ? 100 * (1 - records / expected) : NAN;
}

/* Who counted them. */
static const json_t *records_told(const json_t *readings) {
    const json_t *received = json_object_get(readings, "receiver");
    return isnan(lost_percent(received)) ? json_object_get(readings, "verify") : received;
}

double srv__records_expected(const json_t *readings) {
    return number_at(records_told(readings), "expected");
}

double srv__reading_of(const det_dimension *dimension, const json_t *readings,
                       const det_summary *calls) {
    const det_summary_member *statistic = det_summary_find(dimension->name);
    if (dimension->from)
        return number_from(readings, dimension->from);
    if (calls && statistic)
        return det_summary_get(calls, statistic);
    return g_str_equal(dimension->name, "lost_percent") ? lost_percent(records_told(readings))
                                                        : NAN;
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
        if (isnan(count_read(value)))
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
