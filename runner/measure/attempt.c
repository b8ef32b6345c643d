#include "runner/measure/attempt.h"

#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/measure/plan.h"
#include "runner/node/gate.h"
#include "runner/process/complaint.h"
#include "runner/process/descendants.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define VERIFY_TIMEOUT_S 600 /* it only looks at what one process wrote */
#define ATTEMPTS_MAX 2       /* at the same time */

/* The process at hand: a configuration of the attempt, where it runs, and how it went. */
typedef struct {
    run_attempt *attempt;
    unsigned configuration;
    run_places at;
    run_placeholder values;
    run_receiver *receiver; /* NULL: the configuration needs none */
    run_course *course;
    cpu_set_t cpus;
    bool beside;        /* the other commit's process runs at the same time */
    int64_t started_us; /* CLOCK_MONOTONIC */
    run_loop *loop;     /* NULL: it is in the spool */
    char *problem;      /* why the loop failed; NULL: it did not */
} process;

static void process_clear(process *self) {
    g_clear_pointer(&self->receiver, run_receiver_free);
    g_clear_pointer(&self->course, run_course_free);
    g_clear_pointer(&self->loop, run_loop_free);
    g_free(self->problem);
    run_places_clear(&self->at);
}

/* How it ended, when that was not well. */
static void take_end(process *self, const run_process_result *result) {
    self->problem = run_failure_of(result, "");
    if (!self->problem)
        return;
    g_free(self->attempt->last_log);
    self->attempt->last_log = g_strdup(result->log);
}

/* What the code under test brought about fails its loop; false with error: what it did not. `what`
 * is taken over. */
static bool take_problem(process *self, GError *what, GError **error) {
    if (!g_error_matches(what, RUN_ERROR, RUN_ERROR_JOB)) {
        g_propagate_error(error, what);
        return false;
    }
    self->problem = g_strdup(what->message);
    g_error_free(what);
    return true;
}

typedef struct {
    const process *processes; /* [count] */
    unsigned count;
    run_usage *usage;
    const run_process_result *result; /* [count] */
} ticker;

static bool tick(void *data, GError **error) {
    const ticker *self = data;
    const run_attempt *attempt = self->processes[0].attempt;
    run_usage_tick(self->usage, false);
    for (unsigned i = 0; i < self->count; i++)
        run_course_look(self->processes[i].course, self->result[i].pid,
                        (double)(g_get_monotonic_time() - self->result[i].started_us) / 1e6);
    return !attempt->tick || attempt->tick(attempt->tick_data, error);
}

/* Of all threads, and of the processes that it waited for. */
static double milliseconds_of(const struct rusage *usage) {
    const struct timeval *user = &usage->ru_utime, *system = &usage->ru_stime;
    return (double)(user->tv_sec + system->tv_sec) * 1e3 +
           (double)(user->tv_usec + system->tv_usec) * 1e-3;
}

/* What the node and the process did meanwhile, and whether that speaks against the loop. */
static void record_readings(const process *self, const run_readings_span *span,
                            const run_process_result *result, const run_usage *usage) {
    run_loop *loop = self->loop;
    const run_gate_bounds bounds = run_gate_disturbed(self->attempt->node->config);
    loop->readings = run_readings_json(span);
    run_loop_add_reading(loop, "usage", run_usage_json(usage));
    run_loop_add_reading(loop, "process",
                         json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:i}", "voluntary_switches",
                                   (json_int_t)result->usage.ru_nvcsw, "involuntary_switches",
                                   (json_int_t)result->usage.ru_nivcsw, "major_faults",
                                   (json_int_t)result->usage.ru_majflt, "minor_faults",
                                   (json_int_t)result->usage.ru_minflt, "peak_mb",
                                   (double)result->usage.ru_maxrss / 1024, "cpu_ms",
                                   milliseconds_of(&result->usage), "left",
                                   (int)result->stragglers));
    json_t *course = run_course_json(self->course, result->seconds);
    if (course)
        run_loop_add_reading(loop, "course", course);
    if (self->beside) {
        g_autofree char *cpus = run_cpus_format(&self->cpus);
        run_loop_add_reading(loop, "duet", json_pack("{s:s}", "cpus", cpus));
    }
    g_autofree char *reason = run_gate_judge(span, &bounds);
    run_loop_set_disturbed(loop, reason);
}

/* What a process of the benchmark is started with. */
typedef struct {
    GPtrArray *argv, *environment;
    char *framework;
} command;

static void command_clear(command *self) {
    g_clear_pointer(&self->argv, g_ptr_array_unref);
    g_clear_pointer(&self->environment, g_ptr_array_unref);
    g_free(self->framework);
}

static command command_of(const process *self) {
    const run_attempt *attempt = self->attempt;
    const run_job *job = attempt->job;
    g_auto(GStrv) variables = run_driver_variables(job, self->configuration);
    return (command){
        .argv = run_driver_command(job, self->configuration, &self->values, self->at.raw),
        .environment = run_driver_environment(&self->values, variables),
        .framework = job->benchmark.framework
                         ? g_build_filename(attempt->checkout, job->benchmark.framework, NULL)
                         : NULL};
}

static run_process_spec benchmark_spec(const process *self, const command *with) {
    const run_attempt *attempt = self->attempt;
    run_process_spec spec = run_places_process(&self->at, attempt->node);
    spec.argv = (char **)with->argv->pdata;
    spec.environment = (char **)with->environment->pdata;
    spec.directory = attempt->checkout;
    spec.log_path = self->at.log;
    spec.printed = attempt->node->printed;
    spec.timeout_s = attempt->job->benchmark.loop_timeout_s;
    spec.watch_directory = with->framework ? with->framework : spec.watch_directory;
    spec.watch_also = self->at.own_places.count > 0 ? self->at.own : NULL;
    spec.cpus = &self->cpus;
    spec.group_cpus = &attempt->node->benchmark_cpus;
    spec.fixed_addresses = attempt->node->fixed_addresses;
    spec.no_network = attempt->job->benchmark.network == CFG_NETWORK_OFF;
    spec.companion = run_receiver_companion(self->receiver);
    return spec;
}

static bool run_programs(process *processes, unsigned count, run_usage *usage,
                         run_process_result *result, GError **error) {
    command with[ATTEMPTS_MAX];
    run_process_spec spec[ATTEMPTS_MAX];
    ticker both = {processes, count, usage, result};
    for (unsigned i = 0; i < count; i++) {
        with[i] = command_of(&processes[i]);
        spec[i] = benchmark_spec(&processes[i], &with[i]);
        spec[i].tick = tick;
        spec[i].tick_data = &both;
    }
    const bool good = count > 1 ? run_process_run_both(spec, result, error)
                                : run_process_run(spec, result, error);
    for (unsigned i = 0; i < count; i++)
        command_clear(&with[i]);
    return good;
}

/* A program of its own may have made another number of calls than it was asked for. */
static void expect_calls(const process *self) {
    const cfg_benchmark *benchmark = &self->attempt->job->benchmark;
    const uint64_t calls =
        benchmark->driver == CFG_DRIVER_COMMAND ? run_harvest_calls(self->at.folder) : 0;
    if (calls > 0)
        run_receiver_expect(self->receiver, calls * benchmark->recursion_depth);
}

/* What was measured, before it is read. */
static void take_result(process *self, const run_readings_span *span,
                        const run_process_result *result, const run_usage *usage) {
    run_loop *loop = self->loop;
    take_end(self, result);
    self->started_us = result->started_us;
    loop->started_ms = result->started_ms;
    loop->seconds = result->seconds;
    record_readings(self, span, result, usage);
    if (self->receiver)
        expect_calls(self);
    if (self->receiver)
        run_loop_add_reading(loop, "receiver", run_receiver_reading(self->receiver));
    if (self->receiver && !self->problem)
        self->problem = run_receiver_judge(self->receiver);
    if (result->stragglers > 0)
        cfg_log("warning", "measure", "stragglers_killed", "configuration=%s count=%u stuck=%d",
                loop->configuration, result->stragglers, result->stuck);
}

/* A process that is never started says nothing of the other commit's, but there is no pair. */
static bool any_problem(process *processes, unsigned count) {
    const char *first = NULL;
    for (unsigned i = 0; i < count && !first; i++)
        first = processes[i].problem;
    for (unsigned i = 0; first && i < count; i++)
        if (!processes[i].problem)
            processes[i].problem = g_strdup(first);
    return first != NULL;
}

/* A program that cannot be executed is the commit's problem; false with error: another one's. */
static bool run_benchmarks(process *processes, unsigned count, GError **error) {
    run_attempt *attempt = processes[0].attempt;
    const cpu_set_t *cpus = &attempt->node->benchmark_cpus;
    g_autoptr(run_usage) usage = run_usage_new();
    g_autoptr(GError) start = NULL;
    run_process_result result[ATTEMPTS_MAX];
    run_readings before;
    run_readings_span span;
    run_readings_take(&before, cpus);
    if (!run_programs(processes, count, usage, result, &start)) {
        const bool theirs = take_problem(&processes[0], g_steal_pointer(&start), error);
        (void)any_problem(processes, count);
        return theirs;
    }
    run_readings_take(&attempt->since, cpus);
    run_readings_between(&before, &attempt->since, &span);
    run_usage_tick(usage, true);
    for (unsigned i = 0; i < count; i++) {
        take_result(&processes[i], &span, &result[i], usage);
        run_process_result_clear(&result[i]);
    }
    return true;
}

/* What it counted, when it says so in an object, stands in the result: {"records", "expected"}. */
static void keep_verified(const char *log, run_loop *loop) {
    json_t *told = run_last_object(log);
    if (told)
        run_loop_add_reading(loop, "verify", told);
}

/* Without the configuration's environment: a preloaded framework would monitor the check too. */
static bool run_verify(process *self, GError **error) {
    const run_attempt *attempt = self->attempt;
    const cfg_configuration *one = &attempt->job->benchmark.configurations[self->configuration];
    if (!one->verify[0])
        return true;
    g_autoptr(GPtrArray) argv = run_driver_words(&self->values, one->verify);
    g_autoptr(GPtrArray) environment = run_driver_environment(&self->values, NULL);
    g_autoptr(GError) start = NULL;
    run_process_spec spec = run_places_process(&self->at, attempt->node);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    spec.directory = attempt->checkout;
    spec.timeout_s = VERIFY_TIMEOUT_S;
    spec.tick = attempt->tick;
    spec.tick_data = attempt->tick_data;
    run_process_result result = {0};
    if (!run_process_run(&spec, &result, &start)) {
        if (!take_problem(self, g_steal_pointer(&start), error))
            return false;
    } else {
        take_end(self, &result);
    }
    keep_verified(result.log, self->loop);
    if (self->problem) {
        char *why = g_strconcat("verify: ", self->problem, NULL);
        g_free(self->problem);
        self->problem = why;
    }
    run_process_result_clear(&result);
    return true;
}

/* Verifies and reads: without a problem then the loop is complete, and raw is what to keep of it,
 * if there is anything. */
static bool judge(process *self, run_durable_pack **raw, GError **error) {
    if (!run_verify(self, error))
        return false;
    if (self->problem)
        return true;
    const run_attempt *attempt = self->attempt;
    run_process_spec reader = run_node_process(attempt->node);
    reader.places = &self->at.own_places;
    g_autofree char *keep = run_spool_next_raw_path(attempt->spool);
    run_harvest_places left = {.reader = &reader,
                               .checkout = attempt->checkout,
                               .folder = self->at.folder,
                               .out = self->at.out,
                               .raw = self->at.raw,
                               .bytes_max = attempt->node->config->loop_output_limit_bytes,
                               .started_us = self->started_us,
                               .keep = keep};
    const cfg_configuration *one = &attempt->job->benchmark.configurations[self->configuration];
    g_autoptr(GPtrArray) files = run_driver_words(&self->values, one->loads);
    g_autoptr(GError) unreadable = NULL;
    return (run_harvest_size(attempt->job, self->configuration, (char **)files->pdata,
                             attempt->checkout, self->loop, &unreadable) &&
            run_harvest(attempt->job, self->configuration, &left, self->loop, raw, &unreadable)) ||
           take_problem(self, g_steal_pointer(&unreadable), error);
}

/* A loop that ended because the disk is full says nothing about the code under test. */
static bool has_disk(const process *self, GError **error) {
    const uint64_t reserve_bytes = self->attempt->node->config->disk_reserve_bytes;
    if (!self->problem)
        return true;
    if (!run_scratch_reserve(self->at.folder, reserve_bytes, error))
        return false;
    /* A careful program has removed its half a file before we could look at the disk. */
    if (!strstr(self->problem, g_strerror(ENOSPC)))
        return true;
    return run_fail(error, RUN_ERROR_NODE, "disk full: %s", self->problem);
}

static void tell(const run_attempt *attempt, const run_loop *loop) {
    const char *of = loop->commit ? " commit=" : "", *commit = loop->commit ? loop->commit : "";
    if (loop->failed) {
        cfg_log("warning", "measure", "loop_failed",
                "job=%" PRId64 "%s%s configuration=%s loop=%u attempt=%u reason=\"%s\"",
                attempt->job->id, of, commit, loop->configuration, loop->number, loop->attempt,
                loop->failed);
        return;
    }
    cfg_log("info", "measure", "loop_done",
            "job=%" PRId64 "%s%s configuration=%s loop=%u mean_ns=%.1f seconds=%.1f disturbed=%d",
            attempt->job->id, of, commit, loop->configuration, loop->number, loop->summary.mean,
            loop->seconds, loop->disturbed);
}

/* From a process that has ended to a loop in the spool. */
static bool finish(process *self, GError **error) {
    run_spool *spool = self->attempt->spool;
    run_loop *loop = self->loop;
    g_autoptr(run_durable_pack) raw = NULL;
    if ((!self->problem && !judge(self, &raw, error)) || !has_disk(self, error))
        return false;
    /* Not valid UTF-8 would be no JSON text, and the loop one that went well. */
    loop->failed = self->problem ? g_utf8_make_valid(self->problem, -1) : NULL;
    loop->position = run_spool_next(spool) - 1;
    if (!run_spool_add(spool, g_steal_pointer(&self->loop), g_steal_pointer(&raw), error))
        return false;
    tell(self->attempt, loop);
    return true;
}

static run_loop *begin_loop(const run_attempt *attempt, const run_plan_step *step,
                            unsigned configuration, unsigned number) {
    const bool trial = run_job_commits(attempt->job) > 1;
    run_loop *loop = run_loop_new(attempt->job->benchmark.configurations[configuration].name,
                                  trial ? attempt->commit : NULL, step->loop);
    loop->attempt = number;
    loop->turn = attempt->turn;
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
static bool finish_round(process *self, const run_plan_step *step, GError **error) {
    const run_job *job = self->attempt->job;
    g_autoptr(run_loop) whole = g_steal_pointer(&self->loop);
    bool good = true;
    for (unsigned c = 0; good && c < job->benchmark.configurations_count; c++) {
        const char *name = job->benchmark.configurations[c].name;
        run_loop *own = begin_loop(self->attempt, step, c, attempts(self->attempt, step, name) + 1);
        process part = *self;
        part.configuration = c;
        part.loop = own;
        part.problem = g_strdup(self->problem);
        own->started_ms = whole->started_ms;
        own->seconds = whole->seconds / job->benchmark.configurations_count;
        own->readings = whole->readings ? json_deep_copy(whole->readings) : NULL;
        run_loop_set_disturbed(own, whole->disturbed_by);
        good = finish(&part, error);
        g_clear_pointer(&part.loop, run_loop_free);
        g_free(part.problem);
    }
    return good;
}

/* Of both at the same time each has a folder of its own; their names are of one length, as a longer
 * path in the environment alone can make a process slower. */
static const char *const folders[ATTEMPTS_MAX] = {"scratch/loop", "scratch/pair"};

/* A kill can lose the second loop of a pair: then its commit has one attempt less. */
static bool begin(process *self, unsigned place, run_attempt *attempt, const run_plan_step *step,
                  GError **error) {
    const run_job *job = attempt->job;
    self->attempt = attempt;
    self->course = run_course_new();
    self->configuration = job->benchmark.whole_rounds ? 0 : step->configuration;
    if (!run_places_make(&self->at, attempt->node, folders[place], error))
        return false;
    self->values = (run_placeholder){.checkout = attempt->checkout,
                                     .scratch = self->at.scratch,
                                     .harness = attempt->node->harness_dir,
                                     .commit = attempt->commit,
                                     .artifact = attempt->artifact,
                                     .calls = run_job_calls(job, self->configuration),
                                     .depth = job->benchmark.recursion_depth,
                                     .result = self->at.result,
                                     .jdk = job->benchmark.jdk,
                                     .path = attempt->node->config->path};
    const cfg_configuration *one = &job->benchmark.configurations[self->configuration];
    self->loop = begin_loop(attempt, step, self->configuration,
                            self->beside ? attempts(attempt, step, one->name) + 1 : step->attempt);
    self->cpus = self->beside ? run_duet_half(&attempt->node->benchmark_cpus, place, step->loop,
                                              step->attempt)
                              : attempt->node->benchmark_cpus;
    self->receiver = run_receiver_new(attempt->node, one, &self->values, self->at.folder);
    if (self->receiver)
        self->problem = run_receiver_open(self->receiver, attempt->checkout, &self->values);
    return true;
}

static bool run_step(process *processes, unsigned count, const run_plan_step *step,
                     GError **error) {
    bool good = any_problem(processes, count) || run_benchmarks(processes, count, error);
    for (unsigned i = 0; good && i < count; i++)
        good = processes[i].attempt->job->benchmark.whole_rounds
                   ? finish_round(&processes[i], step, error)
                   : finish(&processes[i], error);
    return good;
}

bool run_attempt_measure(run_attempt *attempts, unsigned count, const run_plan_step *step,
                         GError **error) {
    g_assert(count >= 1 && count <= ATTEMPTS_MAX);
    const run_node *node = attempts[0].node;
    process processes[ATTEMPTS_MAX] = {0};
    bool good =
        run_scratch_reserve(node->config->work_dir, node->config->disk_reserve_bytes, error) &&
        run_gate_wait(node, &attempts[0].since, attempts[0].tick, attempts[0].waits,
                      attempts[0].tick_data, error);
    for (unsigned i = 0; good && i < count; i++) {
        processes[i].beside = count > 1;
        good = begin(&processes[i], i, &attempts[i], step, error);
    }
    good = good && run_step(processes, count, step, error);
    for (unsigned i = 0; i < count; i++) {
        if (processes[i].at.folder)
            good = run_scratch_remove(processes[i].at.folder, good ? error : NULL) && good;
        process_clear(&processes[i]);
    }
    return good;
}
