#include "server/alarm/trial_counts.h"

#include "detector/statistics/portion.h"
#include "server/alarm/trial_rows.h"
#include "server/result/counts.h"

#include <math.h>

/* What it counted of one commit, portion by portion; false: not of this dimension. */
static bool side_read(det_portions *out, const json_t *configurations, const srv__tree *tree,
                      const char *dimension, double level) {
    size_t loops;
    g_autofree double *values = srv__counts_read(configurations, tree, dimension, &loops);
    return loops > 0 && det_portions_of(out, &tree->chain, values, loops, level) == DET_OK;
}

/* One loop alone has no ends: nobody knows by how much it wavers. */
static bool is_whole(const det_interval *interval) {
    return interval->n > 0 && isfinite(interval->low) && isfinite(interval->high);
}

/* Of configuration c; false where one of the two is not known. */
static bool counted_of(const json_t *counts, const srv__tree *tree, size_t c, const char *dimension,
                       double level, srv__counted *out) {
    det_portions before, after;
    if (!side_read(&before, json_object_get(counts, "before"), tree, dimension, level) ||
        !side_read(&after, json_object_get(counts, "configurations"), tree, dimension, level) ||
        !is_whole(&before.portion[c]) || !is_whole(&after.portion[c]))
        return false;
    *out = (srv__counted){.before = before.portion[c], .after = after.portion[c]};
    return true;
}

static bool question_take(srv_store *store, const srv__open_question *question,
                          const srv__tree *tree, const json_t *counts, GError **error) {
    static char instructions[] = "instructions", bytes[] = "bytes";
    static char *const dimensions[] = {instructions, bytes};
    size_t c = 0;
    while (c < tree->chain.count && g_strcmp0(tree->name[c], question->configuration) != 0)
        c++;
    for (size_t i = 0; c < tree->chain.count && i < G_N_ELEMENTS(dimensions); i++) {
        srv__counted counted;
        if (!counted_of(counts, tree, c, dimensions[i], question->detection.confidence, &counted))
            continue;
        counted.dimension = dimensions[i];
        return srv__question_count(store, question->id, &counted, error);
    }
    return true;
}

bool srv__trial_counts_take(srv_store *store, int64_t trial, const srv__result *result,
                            const srv__tree *tree, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    g_auto(model_list) list = {0};
    if (!json_is_object(counts))
        return true;
    bool good = srv__trial_questions(store, trial, &list, error);
    const srv__open_question *questions = list.items;
    for (unsigned i = 0; good && i < list.count; i++)
        good = det_dimension_find(questions[i].dimension) ||
               question_take(store, &questions[i], tree, counts, error);
    return good;
}
