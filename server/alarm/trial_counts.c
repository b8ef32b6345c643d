#include "server/alarm/trial_counts.h"

#include "detector/statistics/portion.h"
#include "server/alarm/trial_queries.h"
#include "server/result/counts.h"

#include <math.h>

/* What it counted of one commit, portion by portion; false: not of this dimension. */
static bool side_read(det_portions *out, const json_t *configurations, const srv__tree *tree,
                      const char *dimension, double level) {
    size_t loops;
    g_autofree double *values = srv__counts_read(configurations, tree, dimension, &loops);
    return loops > 0 && det_portions_of(out, &tree->chain, values, loops, level) == DET_OK;
}

static json_t *interval_json(const det_interval *interval) {
    return json_pack("{s:f, s:f, s:f}", "mean", interval->mean, "low", interval->low, "high",
                     interval->high);
}

/* One loop alone has no ends: nobody knows by how much it wavers. */
static bool is_whole(const det_interval *interval) {
    return interval->n > 0 && isfinite(interval->low) && isfinite(interval->high);
}

/* Of configuration c: {"dimension","before","after"}; NULL where one of the two is not known. */
static json_t *counted_of(const json_t *counts, const srv__tree *tree, size_t c,
                          const char *dimension, double level) {
    det_portions before, after;
    if (!side_read(&before, json_object_get(counts, "before"), tree, dimension, level) ||
        !side_read(&after, json_object_get(counts, "configurations"), tree, dimension, level) ||
        !is_whole(&before.portion[c]) || !is_whole(&after.portion[c]))
        return NULL;
    return json_pack("{s:s, s:o, s:o}", "dimension", dimension, "before",
                     interval_json(&before.portion[c]), "after", interval_json(&after.portion[c]));
}

static bool question_take(srv_store *store, const json_t *question, const srv__tree *tree,
                          const json_t *counts, GError **error) {
    static const char *const dimensions[] = {"instructions", "bytes"};
    const char *name = json_string_value(json_object_get(question, "configuration"));
    const double level =
        json_number_value(json_object_get(json_object_get(question, "detection"), "confidence"));
    json_auto_t *counted = NULL;
    size_t c = 0;
    while (c < tree->chain.count && g_strcmp0(tree->name[c], name) != 0)
        c++;
    for (size_t i = 0; c < tree->chain.count && !counted && i < G_N_ELEMENTS(dimensions); i++)
        counted = counted_of(counts, tree, c, dimensions[i], level);
    return !counted ||
           srv__question_count(store, json_integer_value(json_object_get(question, "id")), counted,
                               error);
}

bool srv__trial_counts_take(srv_store *store, int64_t trial, const srv__result *result,
                            const srv__tree *tree, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    if (!json_is_object(counts))
        return true;
    json_auto_t *questions = srv__trial_questions(store, trial, error);
    bool good = questions != NULL;
    for (size_t i = 0; good && i < json_array_size(questions); i++)
        good = question_take(store, json_array_get(questions, i), tree, counts, error);
    return good;
}
