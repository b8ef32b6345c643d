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
                          loop->before, loop->loop, loop->used,
                          loop->failed ? NAN : loop->summary.mean, loop->summary_text,
                          loop->readings_text, loop->duet),
                      error))
            return false;
    }
    return true;
}

/* A loop; its texts are looked at for other dimensions than time. */
typedef struct {
    srv__trial_mean mean;
    char *readings, *summary;
} mean_row;

static const model_member mean_members[] = {
    MODEL(mean_row, mean.job, "job_id"),
    MODEL(mean_row, mean.loop, "loop"),
    MODEL(mean_row, mean.before, "before"),
    MODEL(mean_row, mean.of_parent, "of_parent"),
    MODEL(mean_row, mean.mean_ns, "mean_ns", MODEL_NULL, NAN),
    MODEL(mean_row, mean.duet, "duet"),
    MODEL_NULLS(mean_row, readings, summary)};
static const model_noun mean_noun = MODEL_NOUN(mean_row, mean_members, "loop of a trial");

/* What a loop's readings and summary say of a dimension. */
static double value_of(const mean_row *row, const det_dimension *of) {
    json_auto_t *readings = row->readings ? json_loads(row->readings, 0, NULL) : NULL;
    json_auto_t *summary = row->summary ? json_loads(row->summary, 0, NULL) : NULL;
    det_summary calls;
    (void)cfg_summary_read(summary, &calls);
    return srv__reading_of(of, readings, &calls);
}

GArray *srv__means_read(srv_store *store, const srv_sql *sql, const srv__arg *args,
                        const det_dimension *of, GError **error) {
    g_auto(model_list) rows = {0};
    if (!srv__many(store, sql, args, &mean_noun, &rows, error))
        return NULL;
    GArray *means = g_array_new(FALSE, FALSE, sizeof(srv__trial_mean));
    mean_row *row = rows.items;
    for (unsigned i = 0; i < rows.count; i++, row++) {
        if (of)
            row->mean.mean_ns = value_of(row, of);
        if (!of || isfinite(row->mean.mean_ns))
            g_array_append_val(means, row->mean);
    }
    return means;
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
