#include "runner/link/head.h"

static const model_member job_members[] = {MODEL(run_head, id, "id", .low = 1),
                                           MODEL(run_head, commit, "commit", MODEL_NULL),
                                           MODEL(run_head, before, "before", MODEL_NULL),
                                           MODEL(run_head, beside, "beside", MODEL_LEFT_OUT)};
static const model_noun job = MODEL_NOUN(run_head, job_members, "job");

static bool is_counted(const void *head) {
    return ((const run_head *)head)->counted;
}

static const model_member members[] = {
    MODEL_INSIDE(job, "job"), /* and whole, which is what is written */
    MODEL(run_head, job, "job"),
    MODEL(run_head, lease, "lease", MODEL_LEFT_OUT),
    MODEL(run_head, started_ms, "started_ms", MODEL_WRITTEN),
    MODEL(run_head, prepared, "prepared", MODEL_LEFT_OUT),
    MODEL(run_head, environment, "environment", MODEL_LEFT_OUT),
    MODEL(run_head, explanation, "explanation", MODEL_LEFT_OUT),
    MODEL(run_head, counts, "counts", MODEL_LEFT_OUT),
    MODEL(run_head, counts, "counts", MODEL_NULL, .belongs = is_counted), /* null: there is none */
    MODEL(run_head, finished_ms, "finished_ms", MODEL_LEFT_OUT),
    MODEL(run_head, failure, "failure", MODEL_LEFT_OUT)};
const model_noun run_head_model = MODEL_NOUN(run_head, members, "job.json");

bool run_head_read(run_head *head, const json_t *json, GError **error) {
    if (!model_read(&run_head_model, json, head, error))
        return false;
    head->counted = json_object_get(json, "counts") != NULL;
    return true;
}

json_t *run_head_detail(const run_head *head) {
    return json_object_get(head->environment, "detail");
}
