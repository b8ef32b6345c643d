/* What a night counted and its time does not show, as it is told by itself. */
#include "detector/watch/watch.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"

#include <math.h>

static bool is_anomaly(const char *verdict) {
    return g_strcmp0(verdict, det_verdict_text(DET_VERDICT_ANOMALY)) == 0;
}

/* What a dimension counted of a configuration; NULL: it did not move, or an alert says so. */
static const cfg_counted *moved_of(const cfg_dimension *dimension, const char *configuration) {
    const det_dimension *of = det_dimension_find(dimension->dimension);
    if (!of || !det_dimension_counted(of))
        return NULL;
    for (unsigned i = 0; i < dimension->portions_count; i++)
        if (is_anomaly(dimension->portions[i].verdict) &&
            g_strcmp0(dimension->portions[i].configuration, configuration) == 0)
            return &dimension->portions[i];
    return NULL;
}

/* One portion, as an alert has its own; the first dimension that moved gives direction and size.
 * NULL: none moved. */
static json_t *portion_json(const cfg_night *night, const cfg_portion *portion) {
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    const cfg_counted *first = NULL;
    size_t count = 0;
    for (unsigned i = 0; i < night->dimensions_count && count < DET_DIMENSIONS; i++) {
        const cfg_counted *moved = moved_of(&night->dimensions[i], portion->configuration);
        if (moved)
            list[count++] = srv__counted_words(moved);
        first = first ? first : moved;
    }
    if (!first)
        return NULL;
    det_counted_change(text, sizeof text, portion->portion, list, count);
    const double before = list[0].before.mean, gap = list[0].after.mean - before;
    return json_pack(
        "{s:s, s:s, s:s?, s:{s:o?}, s:s}", "portion", portion->portion, "configuration",
        portion->configuration, "direction", first->direction, "difference", "percent",
        before != 0 ? json_real(100 * gap / fabs(before)) : json_null(), "sentence", text);
}

json_t *srv_view_counted(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    if (!srv_experiment_read(store, experiment, &night, error))
        return NULL;
    json_auto_t *portions = json_array();
    g_autoptr(GString) all = g_string_new(NULL); /* "I +410 instructions a call; C -2 …" */
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *portion = &night.portions[i];
        json_t *one = is_anomaly(portion->verdict) ? NULL : portion_json(&night, portion);
        if (!one)
            continue;
        json_array_append_new(portions, one);
        g_string_append_printf(all, "%s%s", all->len > 0 ? "; " : "",
                               json_string_value(json_object_get(one, "sentence")));
    }
    const json_t *first = json_array_get(portions, 0);
    g_autofree char *sentence = g_strdup_printf("%s; the time did not change (yet)", all->str);
    return json_pack("{s:I, s:s, s:s, s:O*, s:O*, s:O*, s:O, s:{s:s, s:o, s:I}}", "id",
                     (json_int_t)experiment, "headline", all->str, "sentence", sentence, "portion",
                     json_object_get(first, "portion"), "direction",
                     json_object_get(first, "direction"), "difference",
                     json_object_get(first, "difference"), "portions", portions, "to", "night",
                     night.night, "commit", model_write(&cfg_commit_model, &night.commit),
                     "experiment", (json_int_t)experiment);
}
