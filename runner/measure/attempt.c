#include "runner/measure/attempt.h"

#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/measure/places.h"
#include "runner/measure/receiver.h"
#include "runner/measure/told.h"
#include "runner/node/gate.h"
#include "runner/process/scratch.h"
#include "runner/process/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define VERIFY_TIMEOUT_S 600 /* it only looks at what one process wrote */

/* The process at hand: a configuration of the attempt, where it runs, and how it went. */
typedef struct {
    run_attempt *attempt;
    unsigned configuration;
    const run_places *at;
    const run_placeholder *values;
    run_receiver *receiver; /* NULL: the configuration needs none */
    char *problem;          /* why the loop failed; NULL: it did not */
} process;

/* Runs a command of the job in the checkout; self->problem says why it failed. */
static bool run_command(process *self, run_process_spec *spec, const GPtrArray *argv,
                        const GPtrArray *environment, run_process_result *result, GError **error) {
    run_attempt *attempt = self->attempt;
    g_autoptr(GError) start = NULL;
    spec->argv = (char **)argv->pdata;
    spec->environment = (char **)environment->pdata;
    spec->directory = attempt->checkout;
    if (!spec->tick) {
        spec->tick = attempt->tick;
        spec->tick_data = attempt->tick_data;
    }
    if (!run_process_run(spec, result, &start)) {
        if (!g_error_matches(start, RUN_ERROR, RUN_ERROR_JOB)) {
            g_propagate_error(error, g_steal_pointer(&start));
            return false;
        }
        self->problem = g_strdup(start->message);
        return true;
    }
    g_autofree char *why = run_process_describe(result);
    if (why) {
        g_free(attempt->last_log);
        attempt->last_log = g_strdup(result->log);
        g_autofree char *last = run_told_failure(result->log);
        self->problem = g_strdup_printf("%s%s%s", why, last[0] != '\0' ? ": " : "", last);
    }
    return true;
}

typedef struct {
    run_attempt *attempt;
    run_usage *usage;
} ticker;

static bool tick(void *data, GError **error) {
    ticker *self = data;
    run_usage_tick(self->usage);
    return !self->attempt->tick || self->attempt->tick(self->attempt->tick_data, error);
}

/* What the node and the process did meanwhile, and whether that speaks against the loop. */
static void record_readings(run_attempt *attempt, const run_readings *before,
                            const run_process_result *result, run_usage *usage, run_loop *loop) {
    run_readings_span span;
    run_gate_bounds bounds = run_gate_disturbed(attempt->node->config);
    run_readings_take(&attempt->since, &attempt->node->benchmark_cpus);
    run_readings_between(before, &attempt->since, &span);
    run_usage_finish(usage);
    loop->readings = run_readings_json(&span);
    run_loop_add_reading(loop, "usage", run_usage_json(usage));
    run_loop_add_reading(loop, "process",
                         json_pack("{s:I, s:I, s:I, s:I, s:f}", "voluntary_switches",
                                   (json_int_t)result->usage.ru_nvcsw, "involuntary_switches",
                                   (json_int_t)result->usage.ru_nivcsw, "major_faults",
                                   (json_int_t)result->usage.ru_majflt, "minor_faults",
                                   (json_int_t)result->usage.ru_minflt, "peak_mb",
                                   (double)result->usage.ru_maxrss / 1024));
    g_autofree char *reason = run_gate_judge(&span, &bounds);
    run_loop_set_disturbed(loop, reason);
}

static run_process_spec benchmark_spec(const process *self) {
    const run_attempt *attempt = self->attempt;
    run_process_spec spec = run_places_process(self->at, self->attempt->node);
    spec.log_path = self->at->log;
    spec.printed = attempt->node->printed;
    spec.timeout_s = attempt->job->loop_timeout_s;
    spec.watch_also = self->at->own_places.count > 0 ? self->at->own : NULL;
    spec.cpus = &attempt->node->benchmark_cpus;
    spec.fixed_addresses = attempt->node->fixed_addresses;
    spec.no_network = attempt->job->network_off;
    spec.companion = run_receiver_companion(self->receiver);
    return spec;
}

static bool run_benchmark(process *self, run_loop *loop, GError **error) {
    run_attempt *attempt = self->attempt;
    const run_job *job = attempt->job;
    g_autoptr(GPtrArray) argv =
        run_driver_command(job, self->configuration, self->values, self->at->raw);
    g_auto(GStrv) variables = run_driver_variables(job, self->configuration);
    g_autoptr(GPtrArray) environment = run_driver_environment(self->values, variables);
    g_autofree char *framework =
        job->framework ? g_build_filename(attempt->checkout, job->framework, NULL) : NULL;
    g_autoptr(run_usage) usage = run_usage_new();
    ticker both = {attempt, usage};
    run_process_spec spec = benchmark_spec(self);
    spec.watch_directory = framework ? framework : spec.watch_directory;
    spec.tick = tick;
    spec.tick_data = &both;
    run_process_result result = {0};
    run_readings before;
    run_readings_take(&before, &attempt->node->benchmark_cpus);
    if (!run_command(self, &spec, argv, environment, &result, error))
        return false;
    if (result.started_ms == 0)
        return true; /* not even started; problem says why */
    loop->started_ms = result.started_ms;
    loop->seconds = result.seconds;
    record_readings(attempt, &before, &result, usage, loop);
    if (self->receiver)
        run_loop_add_reading(loop, "receiver", run_receiver_told(self->receiver));
    if (self->receiver && !self->problem)
        self->problem = run_receiver_judge(self->receiver);
    if (result.stragglers > 0)
        run_log("warning", "measure", "stragglers_killed", "configuration=%s count=%u stuck=%d",
                loop->configuration, result.stragglers, result.stuck);
    run_process_result_clear(&result);
    return true;
}

/* What it counted, when it says so in an object, stands in the result: {"records", "expected"}. */
static void keep_verified(const char *log, run_loop *loop) {
    json_t *told = run_told_object(log);
    if (told)
        run_loop_add_reading(loop, "verify", told);
}

/* Without the configuration's environment: a preloaded framework would monitor the check too. */
static bool run_verify(process *self, run_loop *loop, GError **error) {
    const run_configuration *one = &self->attempt->job->configurations[self->configuration];
    if (!one->verify[0])
        return true;
    g_autoptr(GPtrArray) argv = run_driver_words(self->values, one->verify);
    g_autoptr(GPtrArray) environment = run_driver_environment(self->values, NULL);
    run_process_spec spec = run_places_process(self->at, self->attempt->node);
    spec.timeout_s = VERIFY_TIMEOUT_S;
    run_process_result result = {0};
    if (!run_command(self, &spec, argv, environment, &result, error))
        return false;
    keep_verified(result.log, loop);
    if (self->problem) {
        char *why = g_strconcat("verify: ", self->problem, NULL);
        g_free(self->problem);
        self->problem = why;
    }
    run_process_result_clear(&result);
    return true;
}

/* Verifies and reads: without a problem then the loop is complete, and raw is the file to keep, if
 * there is one. */
static bool judge(process *self, run_loop *loop, char **raw, GError **error) {
    if (!run_verify(self, loop, error))
        return false;
    if (self->problem)
        return true;
    run_process_spec reader = run_node_process(self->attempt->node);
    reader.places = &self->at->own_places;
    run_harvest_places left = {.reader = &reader,
                               .checkout = self->attempt->checkout,
                               .folder = self->at->folder,
                               .out = self->at->out,
                               .raw = self->at->raw,
                               .bytes_max = self->attempt->node->config->loop_output_limit_bytes};
    g_autoptr(GError) unreadable = NULL;
    if (!run_harvest(self->attempt->job, self->configuration, &left, loop, raw, &unreadable)) {
        if (!g_error_matches(unreadable, RUN_ERROR, RUN_ERROR_JOB)) {
            g_propagate_error(error, g_steal_pointer(&unreadable));
            return false;
        }
        self->problem = g_strdup(unreadable->message);
    }
    return true;
}

/* A loop that ended because the disk is full says nothing about the code under test. */
static bool has_disk(const process *self, GError **error) {
    const uint64_t reserve_bytes = self->attempt->node->config->disk_reserve_bytes;
    if (!self->problem)
        return true;
    if (!run_scratch_reserve(self->at->folder, reserve_bytes, error))
        return false;
    /* A careful program has removed its half a file before we could look at the disk. */
    if (!strstr(self->problem, g_strerror(ENOSPC)))
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "disk full: %s", self->problem);
    return false;
}

static void tell(const run_attempt *attempt, const run_loop *loop) {
    const char *of = loop->commit ? " commit=" : "", *commit = loop->commit ? loop->commit : "";
    if (loop->failed) {
        run_log("warning", "measure", "loop_failed",
                "job=%" PRId64 "%s%s configuration=%s loop=%u attempt=%u reason=\"%s\"",
                attempt->job->id, of, commit, loop->configuration, loop->number, loop->attempt,
                loop->failed);
        return;
    }
    run_log("info", "measure", "loop_done",
            "job=%" PRId64 "%s%s configuration=%s loop=%u mean_ns=%.1f seconds=%.1f disturbed=%d",
            attempt->job->id, of, commit, loop->configuration, loop->number, loop->summary.mean,
            loop->seconds, loop->disturbed);
}

/* From a process that has ended to a loop in the spool; the loop is taken over. */
static bool finish(process *self, run_loop *loop, GError **error) {
    g_autoptr(run_loop) own = loop;
    g_autofree char *raw = NULL;
    if ((!self->problem && !judge(self, loop, &raw, error)) || !has_disk(self, error))
        return false;
    /* Not valid UTF-8 would be no JSON text, and the loop one that went well. */
    loop->failed = self->problem ? g_utf8_make_valid(self->problem, -1) : NULL;
    if (!run_spool_add(self->attempt->spool, g_steal_pointer(&own), loop->failed ? NULL : raw,
                       error))
        return false;
    tell(self->attempt, loop);
    return true;
}

static run_loop *begin_loop(const run_attempt *attempt, const run_plan_step *step,
                            unsigned configuration, unsigned number) {
    const bool trial = run_job_commits(attempt->job) > 1;
    run_loop *loop = run_loop_new(attempt->job->configurations[configuration].name,
                                  trial ? attempt->commit : NULL, step->loop);
    loop->position = run_spool_next(attempt->spool) - 1;
    loop->attempt = number;
    loop->started_ms = g_get_real_time() / 1000;
    return loop;
}

/* How often this configuration and loop are in the spool, of this commit. */
static unsigned attempts(const run_attempt *attempt, const run_plan_step *step, const char *name) {
    unsigned count = 0;
    const GPtrArray *loops = run_spool_loops(attempt->spool);
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *one = run_loops_at(loops, i);
        count += g_str_equal(one->configuration, name) && one->number == step->loop &&
                 (!one->commit || g_strcmp0(one->commit, attempt->commit) == 0);
    }
    return count;
}

/* One process was a whole round: a loop of every configuration, each with its part of the time. */
static bool finish_round(const process *self, const run_plan_step *step, const run_loop *whole,
                         GError **error) {
    const run_job *job = self->attempt->job;
    bool good = true;
    for (unsigned c = 0; good && c < job->configurations_count; c++) {
        const char *name = job->configurations[c].name;
        run_loop *own = begin_loop(self->attempt, step, c, attempts(self->attempt, step, name) + 1);
        process part = *self;
        part.configuration = c;
        part.problem = g_strdup(self->problem);
        own->started_ms = whole->started_ms;
        own->seconds = whole->seconds / job->configurations_count;
        own->readings = whole->readings ? json_deep_copy(whole->readings) : NULL;
        run_loop_set_disturbed(own, whole->disturbed_by);
        good = finish(&part, own, error);
        g_free(part.problem);
    }
    return good;
}

static bool run_step(run_attempt *attempt, const run_plan_step *step, const run_places *at,
                     GError **error) {
    bool whole = attempt->job->whole_rounds;
    unsigned configuration = whole ? 0 : step->configuration;
    run_placeholder values = {.checkout = attempt->checkout,
                              .scratch = at->scratch,
                              .harness = attempt->node->harness_dir,
                              .commit = attempt->commit,
                              .artifact = attempt->artifact,
                              .calls = run_job_calls(attempt->job, configuration),
                              .depth = attempt->job->depth,
                              .result = at->result};
    process self = {
        .attempt = attempt, .configuration = configuration, .at = at, .values = &values};
    g_autoptr(run_receiver) receiver = run_receiver_new(
        attempt->node, &attempt->job->configurations[configuration], &values, at->folder);
    g_autoptr(run_loop) loop = begin_loop(attempt, step, configuration, step->attempt);
    self.receiver = receiver;
    self.problem = receiver ? run_receiver_open(receiver, attempt->checkout, &values) : NULL;
    bool good = (self.problem || run_benchmark(&self, loop, error)) &&
                (whole ? finish_round(&self, step, loop, error)
                       : finish(&self, g_steal_pointer(&loop), error));
    g_free(self.problem);
    return good;
}

bool run_attempt_measure(run_attempt *attempt, const run_plan_step *step, GError **error) {
    const cfg_runner *config = attempt->node->config;
    g_auto(run_places) at = {0};
    if (!run_scratch_reserve(config->work_dir, config->disk_reserve_bytes, error) ||
        !run_gate_wait(attempt->node, &attempt->since, attempt->tick, attempt->tick_data, error) ||
        !run_places_make(&at, attempt->node, error))
        return false;
    bool good = run_step(attempt, step, &at, error);
    return run_scratch_remove(at.folder, good ? error : NULL) && good;
}
