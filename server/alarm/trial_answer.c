#include "config/model/detection.h"
#include "detector/statistics/portion.h"
#include "detector/watch/confirm.h"
#include "server/alarm/bisection.h"
#include "server/alarm/bridge.h"
#include "server/alarm/series.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "sql/series.h"
#include "sql/trial.h"

#include <math.h>

typedef struct {
    int64_t job, loop;
    double value[4];
} one_round;

void srv__rounds_clear(srv__rounds *rounds) {
    for (int i = 0; i < 4; i++)
        g_clear_pointer(&rounds->column[i], g_array_unref);
}

/* The pairs of the configuration (0) and of its parent (1), where both commits have theirs. */
static void keep(srv__rounds *r, const one_round *now, int64_t newest) {
    for (int of = 0; of < 2; of++) {
        if (isnan(now->value[of]) || isnan(now->value[2 + of]))
            continue;
        g_array_append_val(r->column[of], now->value[of]);
        g_array_append_val(r->column[2 + of], now->value[2 + of]);
        r->of_job[of] += now->job == newest;
    }
}

static void begin(one_round *now, int64_t job, int64_t loop) {
    *now = (one_round){job, loop, {NAN, NAN, NAN, NAN}};
}

srv__rounds srv__rounds_of(const GArray *means, int64_t newest) {
    srv__rounds r = {.paired = means->len > 0, .of_job = {0, 0}};
    one_round now;
    for (int i = 0; i < 4; i++)
        r.column[i] = g_array_new(FALSE, FALSE, sizeof(double));
    begin(&now, 0, 0);
    for (guint i = 0; i < means->len; i++) {
        const srv__trial_mean *mean = &g_array_index(means, srv__trial_mean, i);
        if (mean->job != now.job || mean->loop != now.loop) {
            keep(&r, &now, newest);
            begin(&now, mean->job, mean->loop);
        }
        r.paired = r.paired && mean->duet;
        now.value[2 * mean->before + (mean->of_parent ? 1 : 0)] = mean->mean_ns;
    }
    keep(&r, &now, newest);
    return r;
}

/* Not NULL where there are none: that would be a portion without a parent. */
static const double *column(const srv__rounds *r, int i) {
    static const double none = 0;
    return r->column[i]->len > 0 ? (const double *)(const void *)r->column[i]->data : &none;
}

det_confirm_sample srv__rounds_sample(const srv__rounds *r, bool has_parent) {
    return (det_confirm_sample){.before = column(r, 2),
                                .before_parent = has_parent ? column(r, 3) : NULL,
                                .after = column(r, 0),
                                .after_parent = has_parent ? column(r, 1) : NULL,
                                .loops = r->column[0]->len,
                                .parent_loops = r->column[1]->len,
                                .paired = r->paired};
}

static bool series_detection(srv_store *store, int64_t series, cfg_detection *detection,
                             GError **error) {
    static const model_member member[] = {
        {.noun = &cfg_detection_model, .type = MODEL_PART, .name = "detection"}};
    static const model_noun noun = MODEL_NOUN(cfg_detection, member, "project");
    return srv__one(store, ASK(series_detection, series), &noun, detection, NULL, error);
}

/* What the test says of a question so far, and after how many loops in all it will have an end. One
 * that was measured alone and moved goes on with its parent. */
static bool question_answer(srv_store *store, int64_t id, const det_confirm_result *result,
                            size_t ends_loops, GError **error) {
    static const char *const states[] = {[DET_CONFIRM_MORE] = "open",
                                         [DET_CONFIRM_YES] = "yes",
                                         [DET_CONFIRM_NO] = "no",
                                         [DET_CONFIRM_MOVED] = "open",
                                         [DET_CONFIRM_UNDECIDED] = "undecided"};
    static const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    const bool moved = result->state == DET_CONFIRM_MOVED;
    const det_interval *before = moved ? &none : &result->before,
                       *after = moved ? &none : &result->after,
                       *difference = moved ? &none : &result->difference;
    return srv__run(store,
                    ASK(question_answer, id, states[result->state], result->loops,
                        SRV__RANGE(*before), SRV__RANGE(*after), SRV__RANGE(*difference),
                        result->reason, ends_loops, moved),
                    error);
}

bool srv__confirm_policy(srv_store *store, int64_t series, det_confirm_policy *policy,
                         GError **error) {
    MODEL_HELD(cfg_detection, detection, cfg_detection_model);
    det_confirm_policy_init(policy);
    if (!series_detection(store, series, &detection, error))
        return false;
    /* Absent in the settings of a project that was stored by an older version. */
    if (detection.remeasure_loops > 0)
        policy->maximum = detection.remeasure_loops;
    policy->step = MIN(policy->step, policy->maximum);
    return true;
}

det_counted srv__counted_of(const srv__counted *counted) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    const char *name = counted && counted->dimension ? counted->dimension : "instructions";
    return (det_counted){.dimension = det_dimension_find(name),
                         .before = counted ? counted->before : unknown,
                         .after = counted ? counted->after : unknown};
}

det_counts srv__counts_say(const srv__counted *counted, int direction) {
    const det_counted read = srv__counted_of(counted);
    return det_counts_say(read.dimension, &read.before, &read.after, direction);
}

/* All that are watched together cost no more false alerts than time alone does. Who clears the
 * commit that did it names an innocent one. */
det_confirm_policy srv__confirm_of(const det_confirm_policy *policy, const char *dimension,
                                   bool search) {
    det_confirm_policy own = *policy;
    own.beta *= search ? 0.1 : 1;
    if (det_dimension_find(dimension))
        own.alpha /= det_dimension_series();
    return own;
}

/* With the limits that the project has now, or those of the dimension; name: of what is asked. */
static det_confirm_question question_of(const srv__open_question *row, const char *name) {
    const det_dimension *of = det_dimension_find(row->dimension);
    const cfg_detection *limits = &row->detection;
    const double least = of ? of->minimum : row->unit ? 0 : limits->minimum_effect_ns;
    const double share = of ? of->minimum_percent : limits->minimum_effect_percent;
    return (det_confirm_question){
        .name = name,
        .unit = of ? of->unit : row->unit,
        .stage = row->stage,
        .expected = row->expected_ns,
        .effect_relative = row->search ? 0 : share / 100,
        .effect_absolute = row->search ? SRV__SEARCHED_SHARE * fabs(row->expected_ns) : least,
        .portion_ns = row->level_ns,
        .search = row->search,
        .level = limits->confidence,
        .counts = srv__counts_say(row->counted, row->expected_ns < 0 ? -1 : 1),
        .counted = srv__counted_of(row->counted).dimension};
}

typedef enum {
    ANSWERED,
    OPEN,    /* more loops are needed */
    USELESS, /* likewise, and the newest job brought none */
} question_state;

/* As it stands; what moved alone is judged with its parent at once where that was measured, too. */
static bool question_put(srv_store *store, srv__open_question *question, const srv__rounds *r,
                         const det_confirm_policy *policy, question_state *state, GError **error) {
    const bool has_parent = question->parent && question->stage != DET_STAGE_ALONE;
    const det_confirm_sample sample = srv__rounds_sample(r, has_parent);
    const det_dimension *of = det_dimension_find(question->dimension);
    const char *whole = question->stage == DET_STAGE_ALONE ? question->whole : question->portion;
    g_autofree char *name = of ? g_strdup_printf("%s of %s", of->noun, whole) : g_strdup(whole);
    const det_confirm_policy own = srv__confirm_of(policy, question->dimension, question->search);
    const det_confirm_question asked = question_of(question, name);
    det_confirm_result result;
    const det_status status = det_confirm_judge(&result, &own, &asked, &sample);
    if (status == DET_ESHORT)
        return true;
    if (status != DET_OK)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed: %s",
                         det_status_text(status));
    const bool moved = result.state == DET_CONFIRM_MOVED;
    size_t ends = result.loops;
    if (result.state == DET_CONFIRM_MORE)
        (void)det_confirm_ends(&ends, &own, &asked, &sample);
    else if (!moved)
        *state = ANSWERED;
    if (!question_answer(store, question->id, &result, ends, error))
        return false;
    if (!moved)
        return true;
    question->stage = DET_STAGE_MOVED;
    return question_put(store, question, r, policy, state, error);
}

static bool question_judge(srv_store *store, int64_t trial, int64_t job,
                           srv__open_question *question, const det_confirm_policy *policy,
                           question_state *state, GError **error) {
    g_autoptr(GArray) means =
        srv__trial_means(store, trial, question->configuration, question->parent,
                         det_dimension_find(question->dimension), error);
    if (!means)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(means, job);
    const bool with_parent = question->parent && question->stage != DET_STAGE_ALONE;
    *state = r.of_job[0] == 0 || (with_parent && r.of_job[1] == 0) ? USELESS : OPEN;
    return question_put(store, question, &r, policy, state, error);
}

/* Put every open question to the test; what was answered before stays counted. */
static bool judge_trial(srv_store *store, int64_t trial, int64_t job,
                        const det_confirm_policy *policy, srv__stand *stand, GError **error) {
    g_auto(model_list) list = {0};
    bool good = srv__trial_questions(store, trial, &list, error);
    srv__open_question *questions = list.items;
    for (unsigned i = 0; good && i < list.count; i++) {
        question_state state;
        good = question_judge(store, trial, job, &questions[i], policy, &state, error);
        if (!good)
            break;
        stand->open += state != ANSWERED;
        stand->answered += state == ANSWERED;
        stand->useless += state == USELESS;
    }
    return good;
}

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
    const int c = srv__tree_find(tree, question->configuration);
    for (size_t i = 0; c >= 0 && i < G_N_ELEMENTS(dimensions); i++) {
        srv__counted counted;
        if (!counted_of(counts, tree, (size_t)c, dimensions[i], question->detection.confidence,
                        &counted))
            continue;
        counted.dimension = dimensions[i];
        return srv__question_count(store, question->id, &counted, error);
    }
    return true;
}

/* what a job's result counted, for each open question whose portion has
 * both sides; in a transaction. A result without counts changes nothing. */
static bool trial_counts_take(srv_store *store, int64_t trial, const srv__result *result,
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

/* How a trial stands; there is nothing in it to clear. */
typedef struct {
    int64_t id, batches, series, experiment;
    bool bisection;
} trial_standing;

/* That of a job; id 0: it is of none. */
static bool trial_of_job(srv_store *store, int64_t job, trial_standing *standing, GError **error) {
    static const model_member members[] = {MODELS(trial_standing, id, batches),
                                           MODEL(trial_standing, series, "series_id"),
                                           MODEL(trial_standing, experiment, "experiment_id"),
                                           MODEL(trial_standing, bisection, "bisection")};
    static const model_noun noun = MODEL_NOUN(trial_standing, members, "trial");
    bool there;
    return srv__one(store, ASK(trial_of_job, job), &noun, standing, &there, error);
}

static bool standing_get(srv_store *store, int64_t job, trial_standing *s, GError **error) {
    if (!trial_of_job(store, job, s, error))
        return false;
    return s->id != 0 || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                                   "job %" G_GINT64_FORMAT " belongs to no trial", job);
}

/* Suspicions that were the trial's questions have their outcome: the series is judged again, from
 * the earliest night that has come in meanwhile, too: what it shows of the same portion had to wait
 * for this answer. */
static bool suspicions_settle(srv_store *store, const trial_standing *s, const char *failed,
                              int64_t now_ms, GError **error) {
    int64_t first;
    g_autofree char *unable =
        failed ? g_strdup_printf("it could not be measured again (%s)", failed) : NULL;
    return srv__run(store, ASK(suspicions_settle, s->id, now_ms, unable), error) &&
           srv__number(store, ASK(series_first_since, s->series, s->experiment), s->experiment,
                       &first, error) &&
           srv__series_again(store, s->series, first, now_ms, error) &&
           srv__event(store, SRV_EVENT_NIGHT, s->experiment);
}

/* A search has its answer: where that dates the alert to a later night, the level begins there, and
 * what came since is judged against it. */
static bool search_settle(srv_store *store, const trial_standing *s, const char *failed,
                          int64_t now_ms, GError **error) {
    int64_t later;
    return srv__bisection_settle(store, s->id, failed, now_ms, error) &&
           srv__number(store, ASK(search_begins_later, s->id), 0, &later, error) &&
           (later == 0 || suspicions_settle(store, s, failed, now_ms, error));
}

/* failed: why there will be no answer, NULL when the questions have theirs. */
static bool settle(srv_store *store, const trial_standing *s, const char *failed, int64_t now_ms,
                   GError **error) {
    return srv__run(store, ASK(questions_fail, s->id, failed), error) &&
           srv__run(store, ASK(trial_end, s->id, failed ? "failed" : "done", now_ms), error) &&
           srv__bridge_settle(store, s->id, failed, error) &&
           (s->bisection ? search_settle : suspicions_settle)(store, s, failed, now_ms, error);
}

bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms, GError **error) {
    det_confirm_policy policy;
    trial_standing s;
    srv__stand stand = {0};
    if (!standing_get(store, job, &s, error) ||
        !srv__confirm_policy(store, s.series, &policy, error) ||
        !srv__run(store, ASK(trial_job_result, job, hash), error) ||
        !srv__trial_loops_insert(store, s.id, job, result, tree, error) ||
        !trial_counts_take(store, s.id, result, tree, error) ||
        !judge_trial(store, s.id, job, &policy, &stand, error))
        return false;
    if (stand.open == 0)
        return settle(store, &s, NULL, now_ms, error);
    /* What is decided is told; the others join it later. */
    if (stand.answered > 0 && !s.bisection && !suspicions_settle(store, &s, NULL, now_ms, error))
        return false;
    if (stand.useless > 0)
        return settle(store, &s, "its processes failed", now_ms, error);
    /* Alone, then with the parent, and each may need twice its loops where some fail. */
    if (s.batches >= 4 * (int64_t)(policy.maximum / policy.step))
        return settle(store, &s, "too many of its processes failed", now_ms, error);
    return srv__trial_batch(store, s.id, now_ms, error);
}

bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) {
    trial_standing s;
    return standing_get(store, job, &s, error) && settle(store, &s, reason, now_ms, error);
}

static GArray *stranded_jobs(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store, ASK(trial_jobs_stranded, before_ms), error);
}

bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {.list = stranded_jobs,
                                           .reason = "its node has been silent for three days",
                                           .failed = srv__trial_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error) &&
           srv__trials_begin_late(store, now_ms, error);
}
