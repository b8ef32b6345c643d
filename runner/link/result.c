#include "runner/link/result.h"

#include "runner/ground/error.h"
#include "runner/protocol.h"

#include <string.h>

static unsigned side_of(const run_job *job, json_t *loop) {
    const char *commit = json_string_value(json_object_get(loop, "commit"));
    for (unsigned side = 0; side < run_job_sides(job); side++)
        if (run_job_sides(job) == 1 || g_strcmp0(commit, run_job_commit(job, side)) == 0)
            return side;
    return G_MAXUINT;
}

GArray *run_result_done(const run_job *job, json_t *loops) {
    GArray *done = g_array_new(FALSE, TRUE, sizeof(run_plan_done));
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        int configuration =
            run_job_find(job, json_string_value(json_object_get(loop, "configuration")));
        run_plan_done one = {.configuration =
                                 configuration < 0 ? G_MAXUINT : (unsigned)configuration,
                             .loop = (unsigned)json_integer_value(json_object_get(loop, "loop")),
                             .failed = json_is_string(json_object_get(loop, "failed")),
                             .disturbed = json_is_true(json_object_get(loop, "disturbed")),
                             .side = side_of(job, loop)};
        g_array_append_val(done, one);
    }
    return done;
}

unsigned run_result_least(const run_job *job, json_t *loops) {
    unsigned sides = run_job_sides(job), least = G_MAXUINT;
    g_autoptr(GArray) done = run_result_done(job, loops);
    for (unsigned at = 0; at < job->configurations_count * sides; at++) {
        g_autoptr(GHashTable) good = g_hash_table_new(NULL, NULL);
        for (guint i = 0; i < done->len; i++) {
            const run_plan_done *one = &g_array_index(done, run_plan_done, i);
            if (!one->failed && one->configuration == at / sides && one->side == at % sides) {
                g_hash_table_add(good,
                                 GUINT_TO_POINTER(one->loop)); /* repeated: one all the same */
            }
        }
        least = MIN(least, g_hash_table_size(good));
    }
    return least;
}

json_t *run_result_build(const char *node, const char *lease, json_t *head, json_t *loops) {
    return json_pack("{s:s, s:s, s:O, s:O, s:O, s:O}", "lease", lease, "node", node, "started_ms",
                     json_object_get(head, "started_ms"), "finished_ms",
                     json_object_get(head, "finished_ms"), "environment",
                     json_object_get(head, "environment"), "loops", loops);
}

json_t *run_result_failure(const char *phase, const GError *problem, const char *log) {
    g_autofree char *cut = g_strndup(problem->message, RUN_REASON_BYTES);
    g_autofree char *reason = g_utf8_make_valid(cut, -1);
    size_t length = log ? strlen(log) : 0;
    const char *tail = length > RUN_FAILURE_LOG_BYTES ? log + (length - RUN_FAILURE_LOG_BYTES)
                       : log                          ? log
                                                      : "";
    /* A letter cut in two at either end must not make the text invalid. */
    g_autofree char *valid = g_utf8_make_valid(tail, -1);
    return json_pack("{s:s, s:s, s:s, s:b}", "phase", phase, "reason", reason, "log", valid,
                     "retry",
                     g_error_matches(problem, RUN_ERROR, RUN_ERROR_NODE) ||
                         g_error_matches(problem, RUN_ERROR, RUN_ERROR_BUSY));
}

double run_result_eta_s(const run_job *job, json_t *loops) {
    g_autofree double *seconds = g_new0(double, job->configurations_count);
    g_autofree unsigned *count = g_new0(unsigned, job->configurations_count);
    double all_seconds = 0, eta = 0;
    unsigned all_count = 0;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        int index = run_job_find(job, json_string_value(json_object_get(loop, "configuration")));
        if (index >= 0) {
            double took = json_number_value(json_object_get(loop, "seconds"));
            seconds[index] += took;
            count[index]++;
            all_seconds += took;
            all_count++;
        }
    }
    for (unsigned c = 0; all_count > 0 && c < job->configurations_count; c++) {
        double mean = count[c] > 0 ? seconds[c] / count[c] : all_seconds / all_count;
        unsigned planned = job->loops * run_job_sides(job);
        unsigned left = planned > count[c] ? planned - count[c] : 0;
        eta += left * (mean + job->rest_s);
    }
    return all_count > 0 ? eta : -1;
}
