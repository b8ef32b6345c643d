#include "server/alarm/trial_rows.h"

#include "config/model/detection.h"

#include "server/result/result.h"
#include "sql/trial.h"

#include <math.h>

bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store, ASK(job_cancel, job, reason, now_ms), error) &&
           srv__run(store, ASK(node_free_of, job), error) && srv__event(store, SRV_EVENT_JOB, job);
}

static const model_member counted_members[] = {
    MODEL(srv__counted, dimension, "dimension", MODEL_NULL),
    MODEL_A(srv__counted, before, cfg_interval_model, MODEL_PART, "before"),
    MODEL_A(srv__counted, after, cfg_interval_model, MODEL_PART, "after")};
const model_noun srv__counted_model = MODEL_NOUN(srv__counted, counted_members, "count");

bool srv__question_count(srv_store *store, int64_t id, const srv__counted *counted,
                         GError **error) {
    json_auto_t *json = model_write(&srv__counted_model, counted);
    g_autofree char *text = json_dumps(json, JSON_COMPACT);
    return srv__run(store, ASK(question_count, id, text), error);
}

bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree, GError **error) {
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (!srv__run(store,
                      ASK(trial_loop_insert, trial, job, i, tree->name[loop->configuration],
                          loop->before, loop->loop, loop->position, loop->used, loop->failed,
                          loop->seconds, loop->failed ? NAN : loop->summary.mean,
                          loop->summary_text, loop->readings_text, loop->raw_sha256, loop->duet),
                      error))
            return false;
    }
    return true;
}

/* What a loop's readings and summary say of a dimension. */
static double value_of(srv__query *query, const det_dimension *of) {
    const char *told = srv__query_text(query, 6), *summarised = srv__query_text(query, 7);
    json_auto_t *readings = told ? json_loads(told, 0, NULL) : NULL;
    json_auto_t *summary = summarised ? json_loads(summarised, 0, NULL) : NULL;
    det_summary calls;
    (void)cfg_summary_read(summary, &calls);
    return srv__reading_of(of, readings, &calls);
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
    MODELS(srv__open_question, id, configuration),
    MODEL(srv__open_question, parent, "parent", MODEL_NULL),
    MODELS(srv__open_question, portion, dimension),
    MODEL(srv__open_question, unit, "unit", MODEL_NULL),
    MODEL(srv__open_question, stage, "stage", .words = stages),
    MODEL_NULLS(srv__open_question, whole, level_ns),
    MODEL(srv__open_question, expected_ns, "expected_ns"),
    MODEL_A(srv__open_question, counted, srv__counted_model, MODEL_OWN, "counted", MODEL_NULL),
    MODEL(srv__open_question, search, "search"),
    MODEL_A(srv__open_question, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun question_noun =
    MODEL_NOUN(srv__open_question, question_members, "question");

bool srv__trial_questions(srv_store *store, int64_t trial, model_list *questions, GError **error) {
    return srv__many(store, ASK(trial_questions, trial), &question_noun, questions, error);
}

bool srv__causes_ask(srv_store *store, int64_t trial, int64_t now_ms, int64_t *open,
                     GError **error) {
    *open = 0;
    for (size_t i = 0; i < DET_DIMENSIONS; i++) {
        const det_dimension *of = &det_dimensions[i];
        int64_t now;
        if (!of->cause)
            continue;
        if (!srv__run(store, ASK(cause_ask, trial, of->name, of->cause), error) ||
            !srv__run(store, ASK(cause_suspect, trial, of->name, of->cause, now_ms), error) ||
            !srv__number(store, ASK(causes_open, trial, of->name, of->cause), 0, &now, error))
            return false;
        *open += now;
    }
    return true;
}
