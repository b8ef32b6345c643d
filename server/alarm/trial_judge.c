#include "server/alarm/trial_judge.h"

#include "server/alarm/rounds.h"
#include "server/alarm/trial_queries.h"

#include <math.h>

bool srv__confirm_policy(srv_store *store, int64_t series, det_confirm_policy *policy,
                         GError **error) {
    json_t *row;
    det_confirm_policy_init(policy);
    if (!srv__series_detection(store, series, &row, error))
        return false;
    /* Absent in the settings of a project that was stored by an older version. */
    json_int_t loops =
        json_integer_value(json_object_get(json_object_get(row, "detection"), "remeasure_loops"));
    json_decref(row);
    if (loops > 0)
        policy->maximum = (unsigned)loops;
    policy->step = MIN(policy->step, policy->maximum);
    return true;
}

bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree, GError **error) {
    for (guint i = 0; i < result->loops->len; i++)
        if (!srv__trial_loop_insert(store, trial, job, i,
                                    &g_array_index(result->loops, srv__loop, i), tree, error))
            return false;
    return true;
}

static det_interval interval_of(const json_t *object) {
    static const char *const ends[] = {"mean", "low", "high"};
    double value[G_N_ELEMENTS(ends)];
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        const json_t *end = json_object_get(object, ends[i]);
        value[i] = json_is_number(end) ? json_number_value(end) : (double)NAN;
    }
    return (det_interval){.mean = value[0], .low = value[1], .high = value[2]};
}

det_counted srv__counted_read(const json_t *counted) {
    const char *name = json_string_value(json_object_get(counted, "dimension"));
    const det_dimension *dimension = det_dimension_find(name ? name : "instructions");
    return (det_counted){.dimension = dimension, /* an older trial's has no name */
                         .before = interval_of(json_object_get(counted, "before")),
                         .after = interval_of(json_object_get(counted, "after"))};
}

det_witness srv__witness_of(const json_t *counted, int direction) {
    const det_counted read = srv__counted_read(counted);
    return det_witness_of(read.dimension, &read.before, &read.after, direction);
}

/* A search looks for the commit that brought the change: so much of it has to be there. A smaller
 * change beside it would else take all loops that are allowed, and leave no answer. */
#define SEARCHED_SHARE 0.25

static det_confirm_stage stage_of(const json_t *question) {
    const char *stage = json_string_value(json_object_get(question, "stage"));
    if (g_strcmp0(stage, "alone") == 0)
        return DET_STAGE_ALONE;
    return g_strcmp0(stage, "moved") == 0 ? DET_STAGE_MOVED : DET_STAGE_BOTH;
}

/* With the limits that the project has now. */
static det_confirm_question question_of(const json_t *row) {
    const json_t *limits = json_object_get(row, "detection");
    const json_t *counted = json_object_get(row, "counted");
    const double expected = json_number_value(json_object_get(row, "expected_ns"));
    const bool search = json_is_true(json_object_get(row, "search"));
    const double part = search ? SEARCHED_SHARE * fabs(expected) : 0;
    const det_confirm_stage stage = stage_of(row);
    const bool alone = stage == DET_STAGE_ALONE;
    return (det_confirm_question){
        .name = json_string_value(json_object_get(row, alone ? "whole" : "portion")),
        .stage = stage,
        .expected = expected,
        .effect_relative =
            json_number_value(json_object_get(limits, "minimum_effect_percent")) / 100,
        .effect_absolute =
            fmax(json_number_value(json_object_get(limits, "minimum_effect_ns")), part),
        .portion_ns = json_number_value(json_object_get(row, "level_ns")),
        .search = search,
        .level = json_number_value(json_object_get(limits, "confidence")),
        .witness = srv__witness_of(counted, expected < 0 ? -1 : 1),
        .counted = srv__counted_read(counted).dimension};
}

typedef enum {
    ANSWERED,
    OPEN,    /* more loops are needed */
    USELESS, /* likewise, and the newest job brought none */
} question_state;

/* As it stands; what moved alone is judged with its parent at once where that was measured, too. */
static bool question_put(srv_store *store, json_t *question, const srv__rounds *r,
                         const det_confirm_policy *policy, question_state *state, GError **error) {
    const bool has_parent = json_is_string(json_object_get(question, "parent")) &&
                            stage_of(question) != DET_STAGE_ALONE;
    const det_confirm_sample sample = srv__rounds_sample(r, has_parent);
    const det_confirm_question asked = question_of(question);
    det_confirm_result result;
    const det_status status = det_confirm_judge(&result, policy, &asked, &sample);
    if (status == DET_ESHORT)
        return true;
    if (status != DET_OK) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed: %s",
                    det_status_text(status));
        return false;
    }
    const bool moved = result.state == DET_CONFIRM_MOVED;
    size_t ends = result.loops;
    if (result.state == DET_CONFIRM_MORE)
        (void)det_confirm_ends(&ends, policy, &asked, &sample);
    else if (!moved)
        *state = ANSWERED;
    if (!srv__question_answer(store, json_integer_value(json_object_get(question, "id")), &result,
                              ends, error))
        return false;
    if (!moved)
        return true;
    json_object_set_new(question, "stage", json_string("moved"));
    return question_put(store, question, r, policy, state, error);
}

static bool question_judge(srv_store *store, int64_t trial, int64_t job, json_t *question,
                           const det_confirm_policy *policy, question_state *state,
                           GError **error) {
    const char *parent = json_string_value(json_object_get(question, "parent"));
    g_autoptr(GArray) means = srv__trial_means(
        store, trial, json_string_value(json_object_get(question, "configuration")), parent, error);
    if (!means)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(means, job);
    const bool with_parent = parent && stage_of(question) != DET_STAGE_ALONE;
    *state = r.of_job[0] == 0 || (with_parent && r.of_job[1] == 0) ? USELESS : OPEN;
    return question_put(store, question, &r, policy, state, error);
}

bool srv__trial_judge(srv_store *store, int64_t trial, int64_t job,
                      const det_confirm_policy *policy, srv__stand *stand, GError **error) {
    *stand = (srv__stand){0};
    json_auto_t *questions = srv__trial_questions(store, trial, error);
    if (!questions)
        return false;
    size_t i;
    json_t *question;
    bool good = true;
    json_array_foreach (questions, i, question) {
        question_state state;
        good = question_judge(store, trial, job, question, policy, &state, error);
        if (!good)
            break;
        stand->open += state != ANSWERED;
        stand->answered += state == ANSWERED;
        stand->useless += state == USELESS;
    }
    return good;
}
