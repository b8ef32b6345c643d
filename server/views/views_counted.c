/* What a night counted and its time does not show, as it is told by itself. */
#include "detector/watch/watch.h"
#include "detector/words/counted.h"
#include "server/views/views.h"

#include <math.h>

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_anomaly(const json_t *portion) {
    return g_strcmp0(text_of(portion, "verdict"), det_verdict_text(DET_VERDICT_ANOMALY)) == 0;
}

static det_interval interval_of(const json_t *object) {
    return (det_interval){.mean = number_of(object, "mean"),
                          .low = number_of(object, "low"),
                          .high = number_of(object, "high")};
}

/* What a dimension counted of a configuration; NULL: it did not move. */
static const json_t *moved_of(const json_t *dimension, const char *configuration) {
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(dimension, "portions"), i, portion)
        if (is_anomaly(portion) && g_strcmp0(text_of(portion, "configuration"), configuration) == 0)
            return portion;
    return NULL;
}

/* One portion, as an alert has its own; the first dimension that moved gives direction and size.
 * NULL: none moved. */
static json_t *portion_json(const json_t *dimensions, const json_t *portion) {
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    const json_t *first = NULL, *dimension;
    size_t count = 0, i;
    json_array_foreach (dimensions, i, dimension) {
        const json_t *moved = moved_of(dimension, text_of(portion, "configuration"));
        if (!moved || count >= DET_DIMENSIONS)
            continue;
        list[count++] =
            (det_counted){.dimension = det_dimension_find(text_of(dimension, "dimension")),
                          .before = interval_of(json_object_get(moved, "before")),
                          .after = interval_of(moved),
                          .slow = json_is_true(json_object_get(moved, "slow"))};
        first = first ? first : moved;
    }
    if (!first)
        return NULL;
    det_counted_change(text, sizeof text, text_of(portion, "portion"), list, count);
    const double before = list[0].before.mean, gap = list[0].after.mean - before;
    return json_pack(
        "{s:O, s:O, s:O, s:{s:o?}, s:s}", "portion", json_object_get(portion, "portion"),
        "configuration", json_object_get(portion, "configuration"), "direction",
        json_object_get(first, "direction"), "difference", "percent",
        before != 0 ? json_real(100 * gap / fabs(before)) : json_null(), "sentence", text);
}

/* "I +410 instructions a call; C -2 allocations a call" */
static char *all_of(const json_t *portions) {
    g_autoptr(GString) all = g_string_new(NULL);
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        g_string_append_printf(all, "%s%s", i > 0 ? "; " : "", text_of(portion, "sentence"));
    return g_string_free(g_steal_pointer(&all), FALSE);
}

json_t *srv_view_counted(srv_store *store, int64_t experiment, GError **error) {
    json_auto_t *night = srv_view_experiment(store, experiment, error);
    if (!night)
        return NULL;
    json_auto_t *portions = json_array();
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        json_t *one = is_anomaly(portion)
                          ? NULL
                          : portion_json(json_object_get(night, "dimensions"), portion);
        if (one)
            json_array_append_new(portions, one);
    }
    const json_t *first = json_array_get(portions, 0);
    g_autofree char *all = all_of(portions);
    g_autofree char *sentence = g_strdup_printf("%s; the time did not change (yet)", all);
    return json_pack("{s:I, s:s, s:s, s:O*, s:O*, s:O*, s:O, s:{s:O, s:O, s:I}}", "id",
                     (json_int_t)experiment, "headline", all, "sentence", sentence, "portion",
                     json_object_get(first, "portion"), "direction",
                     json_object_get(first, "direction"), "difference",
                     json_object_get(first, "difference"), "portions", portions, "to", "night",
                     json_object_get(night, "night"), "commit", json_object_get(night, "commit"),
                     "experiment", (json_int_t)experiment);
}
