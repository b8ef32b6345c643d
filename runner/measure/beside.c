#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/measure/attempt.h"
#include "runner/process/scratch.h"

void run_places_clear(run_places *at) {
    g_free(at->folder);
    g_free(at->out);
    g_free(at->scratch);
    g_free(at->raw);
    g_free(at->result);
    g_free(at->log);
    g_free(at->own);
    run_private_clear(&at->own_places);
}

bool run_places_make(run_places *at, const run_node *node, const char *below, GError **error) {
    at->folder = run_node_path(node, below);
    at->out = g_build_filename(at->folder, "out", NULL);
    at->scratch = g_build_filename(at->folder, "scratch", NULL);
    at->raw = g_build_filename(at->out, RUN_HARVEST_RAW, NULL);
    at->result = g_build_filename(at->out, RUN_HARVEST_RESULT, NULL);
    at->log = g_build_filename(at->folder, RUN_HARVEST_LOG, NULL);
    at->own = g_build_filename(at->folder, "private", NULL);
    /* Only what is below is given away: the benchmark cannot swap its own folders for links. */
    return run_scratch_make(at->folder, error) && run_scratch_open(at->folder, error) &&
           run_scratch_make(at->out, error) && run_scratch_make(at->scratch, error) &&
           run_node_give(node, at->out, error) && run_node_give(node, at->scratch, error) &&
           run_node_places(node, at->own, &at->own_places, error);
}

run_process_spec run_places_process(const run_places *at, const run_node *node) {
    run_process_spec spec = run_node_process(node);
    spec.file_limit_bytes = node->config->loop_output_limit_bytes;
    spec.watch_directory = at->folder;
    spec.watch_limit_bytes = node->config->loop_output_limit_bytes;
    spec.places = &at->own_places;
    return spec;
}

/* At least a second, so that it is the process that is found to take too long; and to the end. */
static unsigned left_s(const run_beside *self) {
    const int64_t left =
        (self->until_us - g_get_monotonic_time() + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
    return (unsigned)CLAMP(left, 1, (int64_t)self->most_s);
}

run_placeholder run_beside_values(const run_beside *self) {
    return (run_placeholder){.checkout = self->trees->checkout[self->which],
                             .scratch = self->at.scratch,
                             .harness = self->node->harness_dir,
                             .commit = run_job_commit(self->job, self->which),
                             .artifact = self->trees->artifact[self->which],
                             .calls = run_job_calls(self->job, self->configuration),
                             .depth = self->job->benchmark.recursion_depth,
                             .result = self->at.result};
}

run_process_spec run_beside_spec(const run_beside *self) {
    run_process_spec spec = run_places_process(&self->at, self->node);
    spec.directory = self->trees->checkout[self->which];
    spec.log_path = self->at.log;
    spec.printed = self->node->printed;
    spec.timeout_s = left_s(self);
    spec.cpus = &self->node->benchmark_cpus;
    spec.fixed_addresses = self->fixed_addresses;
    spec.no_network = self->job->benchmark.network == CFG_NETWORK_OFF;
    spec.tick = run_heartbeat_tick;
    spec.tick_data = self->beat;
    return spec;
}

bool run_beside_run(const run_beside *self, run_beside_wrap wrap, const void *data,
                    run_process_result *result, GError **error) {
    run_placeholder values = run_beside_values(self);
    g_autoptr(run_receiver) receiver =
        run_receiver_new(self->node, &self->job->benchmark.configurations[self->configuration],
                         &values, self->at.folder);
    g_autofree char *problem =
        receiver ? run_receiver_open(receiver, values.checkout, &values) : NULL;
    *result = (run_process_result){0};
    if (problem) {
        g_set_error_literal(error, RUN_ERROR, RUN_ERROR_JOB, problem);
        return false;
    }
    g_autoptr(GPtrArray) argv =
        wrap(data, &values,
             run_driver_command(self->job, self->configuration, &values, self->at.raw), error);
    if (!argv)
        return false;
    g_auto(GStrv) variables = run_driver_variables(self->job, self->configuration);
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, variables);
    run_process_spec spec = run_beside_spec(self);
    spec.companion = run_receiver_companion(receiver);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    return run_process_run(&spec, result, error);
}
