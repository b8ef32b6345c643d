#include "runner/measure/settled.h"

/* Of one configuration; NULL: no loop of it was looked at. */
static json_t *one_json(const cfg_configuration *one, const GPtrArray *loops) {
    unsigned looked = 0, settled = 0;
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        const json_t *mark = json_object_get(loop->readings, "settled");
        if (loop->failed || !json_is_boolean(mark) || !g_str_equal(loop->configuration, one->name))
            continue;
        looked++;
        settled += json_is_true(mark);
    }
    return looked ? json_pack("{s:I, s:I, s:I}", "calls", (json_int_t)one->warmup_calls, "settled",
                              (json_int_t)settled, "loops", (json_int_t)looked)
                  : NULL;
}

json_t *run_settled_report(const run_job *job, const GPtrArray *loops) {
    json_t *configurations = json_object();
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++) {
        json_t *one = one_json(&job->benchmark.configurations[c], loops);
        if (one)
            json_object_set_new(configurations, job->benchmark.configurations[c].name, one);
    }
    if (!job->benchmark.warmup_evidence && json_object_size(configurations) == 0) {
        json_decref(configurations);
        return NULL;
    }
    return json_pack("{s:s*, s:o}", "evidence", job->benchmark.warmup_evidence, "configurations",
                     configurations);
}
