#include "server/pull/pull_judge.h"

#include "config/model/detection.h"
#include "detector/watch/merge.h"
#include "server/alarm/rounds.h"
#include "server/alarm/trial_rows.h"
#include "server/pull/pull.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#include <math.h>

/* Common to all portions of one. */
typedef struct {
    srv_store *store;
    int64_t pull;
    size_t portions;
    bool last;
} judging;

/* A portion that a pull request asks about. */
typedef struct {
    int64_t ordinal;
    char *configuration, *parent, *portion; /* parent: NULL, it is a root */
    double percent;
    cfg_detection detection;
} asked_portion;

static const model_member asked_members[] = {
    MODEL(asked_portion, ordinal, "ordinal"),
    MODEL(asked_portion, configuration, "configuration"),
    MODEL(asked_portion, parent, "parent", MODEL_NULL),
    MODEL(asked_portion, portion, "portion"),
    MODEL(asked_portion, percent, "percent", MODEL_NULL),
    MODEL_A(asked_portion, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun asked_noun = MODEL_NOUN(asked_portion, asked_members, "portion");

static det_merge_question question_of(const judging *j, const asked_portion *portion) {
    return (det_merge_question){.name = portion->portion,
                                .portions = j->portions,
                                .alpha = DET_MERGE_ALPHA,
                                .effect_relative = portion->percent / 100,
                                .effect_absolute = portion->detection.minimum_effect_ns,
                                .level = portion->detection.confidence,
                                .last = j->last};
}

static bool too_few(const judging *j, const asked_portion *portion, GError **error) {
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
        SRV__ARGS(SRV__I(j->pull), SRV__I(portion->ordinal), SRV__T(det_merge_text(none.answer)),
                  SRV__I(none.loops), SRV__D(none.before.mean), SRV__D(none.before.low),
                  SRV__D(none.before.high), SRV__D(none.after.mean), SRV__D(none.after.low),
                  SRV__D(none.after.high), SRV__D(none.difference.mean),
                  SRV__D(none.difference.low), SRV__D(none.difference.high), SRV__D(none.least_ns),
                  SRV__D(none.seen_ns), SRV__T(none.sentence)),
        NULL, error);
}

/* As srv__trial_means (alarm/trial_rows.h). */
static GArray *pull_means(srv_store *store, int64_t pull, const char *name, const char *parent,
                          GError **error) {
    return srv__means_read(store, SQL(pull_means),
                           SRV__ARGS(SRV__I(pull), SRV__T(name), SRV__T(parent ? parent : "")),
                           error);
}

static bool portion_judge(const judging *j, const asked_portion *portion, bool *open,
                          GError **error) {
    const char *parent = portion->parent;
    det_merge_result result;
    g_autoptr(GArray) means = pull_means(j->store, j->pull, portion->configuration, parent, error);
    if (!means)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(means, 0);
    const det_confirm_sample sample = srv__rounds_sample(&r, parent != NULL);
    const det_merge_question question = question_of(j, portion);
    const det_status status = det_merge_judge(&result, &question, &sample);
    *open = status == DET_OK ? result.answer == DET_MERGE_MORE : !j->last;
    if (status == DET_OK)
        return srv__run(j->store, SQL(pull_portion_answer),
                        SRV__ARGS(SRV__I(j->pull), SRV__I(portion->ordinal),
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
    g_auto(model_list) portions = {0};
    if (!srv__many(store, SQL(pull_portions), SRV__ARGS(SRV__I(pull)), &asked_noun, &portions,
                   error))
        return false;
    const judging j = {store, pull, portions.count, last};
    for (unsigned i = 0; i < portions.count; i++) {
        bool more = false;
        if (!portion_judge(&j, (const asked_portion *)portions.items + i, &more, error))
            return false;
        *open += more;
    }
    return true;
}
