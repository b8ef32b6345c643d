#include "runner/measure/beside.h"

#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/measure/receiver.h"

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
