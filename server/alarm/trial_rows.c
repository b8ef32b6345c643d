#include "server/alarm/trial_rows.h"

#include "config/model/detection.h"

#include "server/result/result.h"
#include "server/store/job_kind.h"
#include "sql/trial.h"

#include <math.h>
#include <stdlib.h>

static const model_member ends_members[] = {MODEL(srv__trial_ends, revision, "revision_id"),
                                            MODEL(srv__trial_ends, before, "before_id"),
                                            MODEL(srv__trial_ends, node, "node", MODEL_NULL)};
const model_noun srv__trial_ends_model =
    MODEL_NOUN(srv__trial_ends, ends_members, "ends of a trial");

static const model_member facts_members[] = {
    MODEL(srv__trial_facts, series, "series_id"),
    MODEL(srv__trial_facts, body, "body"),
    MODEL(srv__trial_facts, loop_s, "loop_seconds", MODEL_NULL),
    MODEL(srv__trial_facts, bridge, "bridge"),
    MODEL(srv__trial_facts, batches, "batches"),
    MODEL(srv__trial_facts, uncounted, "uncounted")};
const model_noun srv__trial_facts_model = MODEL_NOUN(srv__trial_facts, facts_members, "trial");

/* "T + I + C + W" */
static char *whole_of(const srv__tree *tree, size_t c) {
    g_autoptr(GString) whole = g_string_new(tree->portion[c]);
    for (int p = tree->chain.parent[c]; p >= 0; p = tree->chain.parent[p]) {
        g_string_prepend(whole, " + ");
        g_string_prepend(whole, tree->portion[p]);
    }
    return g_string_free(g_steal_pointer(&whole), FALSE);
}

bool srv__question_insert(srv_store *store, int64_t trial, const srv__tree *tree,
                          const srv__question *question, int64_t *id, GError **error) {
    const size_t c = question->configuration;
    const int parent = tree->chain.parent[c];
    g_autofree char *whole = whole_of(tree, c);
    return srv__insert(store,
                       ASK(question_insert, trial, tree->name[c],
                           parent >= 0 ? tree->name[parent] : NULL, tree->portion[c],
                           question->expected_ns, question->alone ? "alone" : "both", whole,
                           question->alone ? question->level_ns : NAN,
                           question->dimension ? question->dimension : SRV__TIME),
                       id, error);
}

json_t *srv__night_benchmark(srv_store *store, int64_t experiment, GError **error) {
    static const model_member member[] = {MODEL_IT(json_t *, "body")};
    static const model_noun noun = MODEL_NOUN(json_t *, member, "benchmark");
    json_t *body;
    return srv__one(store, ASK(night_benchmark, experiment), &noun, &body, NULL, error) ? body
                                                                                        : NULL;
}

bool srv__trial_of_job(srv_store *store, int64_t job, srv__trial_standing *standing,
                       GError **error) {
    static const model_member members[] = {MODEL(srv__trial_standing, id, "id"),
                                           MODEL(srv__trial_standing, batches, "batches"),
                                           MODEL(srv__trial_standing, series, "series_id"),
                                           MODEL(srv__trial_standing, experiment, "experiment_id"),
                                           MODEL(srv__trial_standing, bisection, "bisection")};
    static const model_noun noun = MODEL_NOUN(srv__trial_standing, members, "trial");
    bool there;
    return srv__one(store, ASK(trial_of_job, job), &noun, standing, &there, error);
}

bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store, ASK(job_cancel, job, reason, now_ms), error) &&
           srv__run(store, ASK(node_free_of, job), error);
}

bool srv__series_detection(srv_store *store, int64_t series, cfg_detection *detection,
                           GError **error) {
    static const model_member member[] = {
        {.noun = &cfg_detection_model, .type = MODEL_PART, .name = "detection"}};
    static const model_noun noun = MODEL_NOUN(cfg_detection, member, "project");
    return srv__one(store, ASK(series_detection, series), &noun, detection, NULL, error);
}

bool srv__question_answer(srv_store *store, int64_t id, const det_confirm_result *result,
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
                    ASK(question_answer, id, states[result->state], result->loops, result->evidence,
                        SRV__RANGE(*before), SRV__RANGE(*after), SRV__RANGE(*difference),
                        result->reason, ends_loops, moved),
                    error);
}

static const model_member counted_members[] = {
    MODEL(srv__counted, dimension, "dimension", MODEL_NULL),
    MODEL_A(srv__counted, before, cfg_interval_model, MODEL_PART, "before"),
    MODEL_A(srv__counted, after, cfg_interval_model, MODEL_PART, "after")};
const model_noun srv__counted_model = MODEL_NOUN(srv__counted, counted_members, "count");

bool srv__question_count(srv_store *store, int64_t id, const srv__counted *counted,
                         GError **error) {
    json_auto_t *json = model_write(&srv__counted_model, counted);
    char *text = json_dumps(json, JSON_COMPACT);
    const bool good = srv__run(store, ASK(question_count, id, text), error);
    free(text);
    return good;
}

/* What a loop's readings and summary say of a dimension. */
static double value_of(srv__query *query, const det_dimension *of) {
    const char *told = srv__query_text(query, 6), *summarised = srv__query_text(query, 7);
    json_auto_t *readings = told ? json_loads(told, 0, NULL) : NULL;
    json_auto_t *summary = summarised ? json_loads(summarised, 0, NULL) : NULL;
    const json_t *p99 = json_object_get(summary, "p99_ns");
    return srv__reading_of(of, readings, json_is_number(p99) ? json_number_value(p99) : NAN);
}

GArray *srv__means_read(srv_store *store, const srv_sql *sql, const srv__arg *args,
                        const det_dimension *of, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return NULL;
    g_autoptr(GArray) means = g_array_new(FALSE, FALSE, sizeof(srv__trial_mean));
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW) {
        const srv__trial_mean mean = {.job = srv__query_int(query, 0),
                                      .loop = srv__query_int(query, 1),
                                      .before = srv__query_int(query, 2) != 0,
                                      .of_parent = srv__query_int(query, 3) != 0,
                                      .mean_ns =
                                          of ? value_of(query, of) : srv__query_real(query, 4),
                                      .duet = srv__query_int(query, 5) != 0};
        if (!of || isfinite(mean.mean_ns))
            g_array_append_val(means, mean);
    }
    return step == SRV_DB_END ? g_steal_pointer(&means) : NULL;
}

GArray *srv__trial_means(srv_store *store, int64_t trial, const char *name, const char *parent,
                         const det_dimension *of, GError **error) {
    return srv__means_read(store, ASK(trial_means, trial, name, parent ? parent : ""), of, error);
}

static const char *const stages[] = {
    [DET_STAGE_BOTH] = "both", [DET_STAGE_ALONE] = "alone", [DET_STAGE_MOVED] = "moved", NULL};

static const model_member question_members[] = {
    MODEL(srv__open_question, id, "id"),
    MODEL(srv__open_question, configuration, "configuration"),
    MODEL(srv__open_question, parent, "parent", MODEL_NULL),
    MODEL(srv__open_question, portion, "portion"),
    MODEL(srv__open_question, dimension, "dimension"),
    MODEL(srv__open_question, stage, "stage", .words = stages),
    MODEL(srv__open_question, whole, "whole", MODEL_NULL),
    MODEL(srv__open_question, level_ns, "level_ns", MODEL_NULL),
    MODEL(srv__open_question, expected_ns, "expected_ns"),
    MODEL_A(srv__open_question, counted, srv__counted_model, MODEL_OWN, "counted", MODEL_NULL),
    MODEL(srv__open_question, search, "search"),
    MODEL_A(srv__open_question, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun question_noun =
    MODEL_NOUN(srv__open_question, question_members, "question");

bool srv__trial_questions(srv_store *store, int64_t trial, model_list *questions, GError **error) {
    return srv__many(store, ASK(trial_questions, trial), &question_noun, questions, error);
}

static const model_member search_ends_members[] = {
    MODEL(srv__search_ends, project, "project_id"), MODEL(srv__search_ends, from, "from_id"),
    MODEL(srv__search_ends, to, "to_id"), MODEL(srv__search_ends, sha, "sha")};
const model_noun srv__search_ends_model =
    MODEL_NOUN(srv__search_ends, search_ends_members, "ends of a search");

bool srv__bisection_insert(srv_store *store, int64_t alert, int64_t from_id, const char *failure,
                           int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store,
                       ASK(bisection_insert, alert, from_id, failure ? "failed" : "running",
                           failure, now_ms, srv__arg_key(failure ? now_ms : 0)),
                       id, error) &&
           srv__run(store, ASK(alert_searched, alert), error);
}

bool srv__bisection_bounds(srv_store *store, int64_t bisection, srv__search_bounds *bounds,
                           GError **error) {
    static const model_member members[] = {
        MODEL(srv__search_bounds, alert, "alert_id"), MODEL(srv__search_bounds, from, "from_id"),
        MODEL(srv__search_bounds, low, "low"), MODEL(srv__search_bounds, high, "high")};
    static const model_noun noun = MODEL_NOUN(srv__search_bounds, members, "search");
    return srv__one(store, ASK(bisection_bounds, bisection), &noun, bounds, NULL, error);
}

bool srv__bisection_middle(srv_store *store, int64_t bisection, int64_t low, int64_t high,
                           int64_t *place, int64_t *revision, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, ASK(bisection_middle, bisection, low, high), error);
    if (!query)
        return false;
    *place = -1;
    const srv_db_step step = srv__query_next(query, error);
    if (step == SRV_DB_ROW) {
        *place = srv__query_int(query, 0);
        *revision = srv__query_int(query, 1);
    }
    return step != SRV_DB_ERROR;
}

static const model_member search_members[] = {
    MODEL(srv__search_question, series, "series_id"),
    MODEL(srv__search_question, seen, "seen_experiment"),
    MODEL(srv__search_question, configuration, "configuration"),
    MODEL(srv__search_question, dimension, "dimension"),
    MODEL(srv__search_question, expected_ns, "expected"),
    MODEL(srv__search_question, node, "node", MODEL_NULL),
    MODEL(srv__search_question, body, "body")};
const model_noun srv__search_question_model =
    MODEL_NOUN(srv__search_question, search_members, "question of a search");
