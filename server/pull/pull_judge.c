#include "server/pull/pull_judge.h"

#include "detector/watch/merge.h"
#include "server/alarm/rounds.h"
#include "server/pull/pull_rows.h"
#include "sql/pull.h"

#include <math.h>

/* Common to all portions of one. */
typedef struct {
    srv_store *store;
    int64_t pull;
    size_t portions;
    bool last;
} judging;

static det_merge_question question_of(const judging *j, const json_t *portion) {
    const json_t *limits = json_object_get(portion, "detection");
    return (det_merge_question){
        .name = json_string_value(json_object_get(portion, "portion")),
        .portions = j->portions,
        .alpha = DET_MERGE_ALPHA,
        .effect_relative = json_number_value(json_object_get(portion, "percent")) / 100,
        .effect_absolute = json_number_value(json_object_get(limits, "minimum_effect_ns")),
        .level = json_number_value(json_object_get(limits, "confidence")),
        .last = j->last};
}

static bool too_few(const judging *j, const json_t *portion, GError **error) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    det_merge_result none = {.answer = j->last ? DET_MERGE_UNSURE : DET_MERGE_MORE,
                             .before = unknown,
                             .after = unknown,
                             .difference = unknown,
                             .least_ns = NAN,
                             .seen_ns = NAN};
    g_strlcpy(none.sentence, "Too few of its loops succeeded to tell", sizeof none.sentence);
    return srv__run(
        j->store, SQL(pull_portion_answer),
        SRV__ARGS(SRV__I(j->pull), SRV__I(json_integer_value(json_object_get(portion, "ordinal"))),
                  SRV__T(det_merge_text(none.answer)), SRV__I(none.loops), SRV__D(none.before.mean),
                  SRV__D(none.before.low), SRV__D(none.before.high), SRV__D(none.after.mean),
                  SRV__D(none.after.low), SRV__D(none.after.high), SRV__D(none.difference.mean),
                  SRV__D(none.difference.low), SRV__D(none.difference.high), SRV__D(none.least_ns),
                  SRV__D(none.seen_ns), SRV__T(none.sentence)),
        NULL, error);
}

static bool portion_judge(const judging *j, const json_t *portion, bool *open, GError **error) {
    const char *parent = json_string_value(json_object_get(portion, "parent"));
    det_merge_result result;
    g_autoptr(GArray) means = srv__pull_means(
        j->store, j->pull, json_string_value(json_object_get(portion, "configuration")), parent,
        error);
    if (!means)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(means, 0);
    const det_confirm_sample sample = srv__rounds_sample(&r, parent != NULL);
    const det_merge_question question = question_of(j, portion);
    const det_status status = det_merge_judge(&result, &question, &sample);
    *open = status == DET_OK ? result.answer == DET_MERGE_MORE : !j->last;
    if (status == DET_OK)
        return srv__run(j->store, SQL(pull_portion_answer),
                        SRV__ARGS(SRV__I(j->pull),
                                  SRV__I(json_integer_value(json_object_get(portion, "ordinal"))),
                                  SRV__T(det_merge_text(result.answer)), SRV__I(result.loops),
                                  SRV__D(result.before.mean), SRV__D(result.before.low),
                                  SRV__D(result.before.high), SRV__D(result.after.mean),
                                  SRV__D(result.after.low), SRV__D(result.after.high),
                                  SRV__D(result.difference.mean), SRV__D(result.difference.low),
                                  SRV__D(result.difference.high), SRV__D(result.least_ns),
                                  SRV__D(result.seen_ns), SRV__T(result.sentence)),
                        NULL, error);
    if (status == DET_ESHORT)
        return too_few(j, portion, error);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed: %s",
                det_status_text(status));
    return false;
}

bool srv__pull_judge(srv_store *store, int64_t pull, bool last, size_t *open, GError **error) {
    *open = 0;
    json_auto_t *portions = srv__array(store, SQL(pull_portions), SRV__ARGS(SRV__I(pull)), error);
    if (!portions)
        return false;
    const judging j = {store, pull, json_array_size(portions), last};
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion) {
        bool more = false;
        if (!portion_judge(&j, portion, &more, error))
            return false;
        *open += more;
    }
    return true;
}
