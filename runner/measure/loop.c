#include "runner/measure/loop.h"

#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/node/gate.h"
#include "runner/process/scratch.h"
#include "runner/process/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define VERIFY_TIMEOUT_S 600 /* it only looks at what one process wrote */
#define LAST_LINE_BYTES 400

/* One process' places: <work_dir>/scratch/loop/{out,scratch} are its own, the log is ours. */
typedef struct {
    char *folder;
    char *out;
    char *scratch;
    char *raw;
    char *result;
    char *log;
    char *own; /* /tmp and the like, where the process has its own */
    run_private own_places;
} places;

static void clear_places(places *at) {
    g_free(at->folder);
    g_free(at->out);
    g_free(at->scratch);
    g_free(at->raw);
    g_free(at->result);
    g_free(at->log);
    g_free(at->own);
    run_private_clear(&at->own_places);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(places, clear_places)

static bool make_places(const run_node *node, places *at, GError **error) {
    at->folder = run_node_path(node, "scratch/loop");
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

/* What a program said last, shortened; "" when it said nothing. */
static char *last_line(const char *log) {
    g_autofree char *said = g_strdup(log);
    g_strstrip(said);
    const char *line = strrchr(said, '\n');
    g_autofree char *cut = g_strndup(line ? line + 1 : said, LAST_LINE_BYTES);
    return g_utf8_make_valid(cut, -1);
}

/* Runs a command of the job in the checkout. problem: why it failed, NULL when it did not. */
static bool run_command(run_loop *loop, run_process_spec *spec, GPtrArray *argv,
                        GPtrArray *environment, run_process_result *result, char **problem,
                        GError **error) {
    g_autoptr(GError) start = NULL;
    spec->argv = (char **)argv->pdata;
    spec->environment = (char **)environment->pdata;
    spec->directory = loop->checkout;
    if (!spec->tick) {
        spec->tick = loop->tick;
        spec->tick_data = loop->tick_data;
    }
    if (!run_process_run(spec, result, &start)) {
        if (!g_error_matches(start, RUN_ERROR, RUN_ERROR_JOB)) {
            g_propagate_error(error, g_steal_pointer(&start));
            return false;
        }
        *problem = g_strdup(start->message);
        return true;
    }
    g_autofree char *why = run_process_describe(result);
    if (why) {
        g_free(loop->last_log);
        loop->last_log = g_strdup(result->log);
        g_autofree char *last = last_line(result->log);
        *problem = g_strdup_printf("%s%s%s", why, last[0] != '\0' ? ": " : "", last);
    }
    return true;
}

typedef struct {
    run_loop *loop;
    run_usage *usage;
} ticker;

static bool tick(void *data, GError **error) {
    ticker *self = data;
    run_usage_tick(self->usage);
    return !self->loop->tick || self->loop->tick(self->loop->tick_data, error);
}

/* What the node and the process did meanwhile, and whether that speaks against the loop. */
static void record_readings(run_loop *loop, const run_readings *before,
                            const run_process_result *result, run_usage *usage, json_t *record) {
    run_readings_span span;
    run_gate_bounds bounds = run_gate_disturbed(loop->node->config);
    run_readings_take(&loop->since, &loop->node->benchmark_cpus);
    run_readings_between(before, &loop->since, &span);
    json_t *readings = run_readings_json(&span);
    run_usage_finish(usage);
    json_object_set_new(readings, "usage", run_usage_json(usage));
    json_object_set_new(readings, "process",
                        json_pack("{s:I, s:I, s:I, s:f}", "voluntary_switches",
                                  (json_int_t)result->usage.ru_nvcsw, "involuntary_switches",
                                  (json_int_t)result->usage.ru_nivcsw, "major_faults",
                                  (json_int_t)result->usage.ru_majflt, "peak_mb",
                                  (double)result->usage.ru_maxrss / 1024));
    g_autofree char *reason = run_gate_judge(&span, &bounds);
    if (reason) {
        json_object_set_new(record, "disturbed", json_true());
        json_object_set_new(readings, "disturbed_by", json_string(reason));
    }
    json_object_set_new(record, "readings", readings);
}

static bool run_benchmark(run_loop *loop, unsigned configuration, const places *at,
                          const run_placeholder *values, json_t *record, char **problem,
                          GError **error) {
    const run_configuration *one = &loop->job->configurations[configuration];
    g_autoptr(GPtrArray) argv = run_driver_command(loop->job, configuration, values, at->raw);
    g_auto(GStrv) variables = run_driver_variables(loop->job, configuration);
    g_autoptr(GPtrArray) environment = run_driver_environment(values, variables);
    g_autofree char *framework =
        loop->job->framework ? g_build_filename(loop->checkout, loop->job->framework, NULL) : NULL;
    g_autoptr(run_usage) usage = run_usage_new();
    ticker both = {loop, usage};
    run_process_spec spec = run_node_process(loop->node);
    spec.log_path = at->log;
    spec.printed = loop->node->printed;
    spec.timeout_s = loop->job->loop_timeout_s;
    spec.file_limit_bytes = loop->node->config->loop_output_limit_bytes;
    spec.watch_directory = framework ? framework : at->folder;
    spec.watch_limit_bytes = loop->node->config->loop_output_limit_bytes;
    spec.watch_also = at->own_places.count > 0 ? at->own : NULL;
    spec.places = &at->own_places;
    spec.cpus = &loop->node->benchmark_cpus;
    spec.fixed_addresses = loop->node->fixed_addresses;
    spec.no_network = loop->job->network_off;
    spec.tick = tick;
    spec.tick_data = &both;
    run_process_result result = {0};
    run_readings before;
    run_readings_take(&before, &loop->node->benchmark_cpus);
    if (!run_command(loop, &spec, argv, environment, &result, problem, error))
        return false;
    if (result.started_ms == 0)
        return true; /* not even started; problem says why */
    json_object_set_new(record, "started_ms", json_integer((json_int_t)result.started_ms));
    json_object_set_new(record, "seconds", json_real(result.seconds));
    record_readings(loop, &before, &result, usage, record);
    if (result.stragglers > 0) {
        run_log("warning", "measure", "stragglers_killed", "configuration=%s count=%u stuck=%d",
                one->name, result.stragglers, result.stuck);
    }
    run_process_result_clear(&result);
    return true;
}

/* Without the configuration's environment: a preloaded framework would monitor the check too. */
static bool run_verify(run_loop *loop, unsigned configuration, const places *at,
                       const run_placeholder *values, char **problem, GError **error) {
    const run_configuration *one = &loop->job->configurations[configuration];
    if (!one->verify[0])
        return true;
    g_autoptr(GPtrArray) argv = run_driver_words(values, one->verify);
    g_autoptr(GPtrArray) environment = run_driver_environment(values, NULL);
    run_process_spec spec = run_node_process(loop->node);
    spec.timeout_s = VERIFY_TIMEOUT_S;
    spec.file_limit_bytes = loop->node->config->loop_output_limit_bytes;
    spec.watch_directory = at->folder;
    spec.watch_limit_bytes = loop->node->config->loop_output_limit_bytes;
    spec.places = &at->own_places;
    run_process_result result = {0};
    g_autofree char *why = NULL;
    if (!run_command(loop, &spec, argv, environment, &result, &why, error))
        return false;
    if (why)
        *problem = g_strconcat("verify: ", why, NULL);
    run_process_result_clear(&result);
    return true;
}

/* Verifies and reads. problem: why the loop failed; NULL when record is complete and raw is the
 * file to keep, if there is one. */
static bool judge(run_loop *loop, unsigned configuration, const places *at,
                  const run_placeholder *values, json_t *record, char **raw, char **problem,
                  GError **error) {
    if (!run_verify(loop, configuration, at, values, problem, error))
        return false;
    if (*problem)
        return true;
    run_harvest_places left = {.checkout = loop->checkout,
                               .folder = at->folder,
                               .out = at->out,
                               .raw = at->raw,
                               .bytes_max = loop->node->config->loop_output_limit_bytes};
    g_autoptr(GError) unreadable = NULL;
    if (!run_harvest(loop->job, configuration, &left, record, raw, &unreadable)) {
        if (!g_error_matches(unreadable, RUN_ERROR, RUN_ERROR_JOB)) {
            g_propagate_error(error, g_steal_pointer(&unreadable));
            return false;
        }
        *problem = g_strdup(unreadable->message);
    }
    return true;
}

/* A loop that ended because the disk is full says nothing about the code under test. */
static bool keep(run_loop *loop, const places *at, json_t *record, const char *raw,
                 const char *problem, GError **error) {
    if (problem && !run_scratch_reserve(at->folder, loop->node->config->disk_reserve_bytes, error))
        return false;
    /* A careful program has removed its half a file before we could look at the disk. */
    if (problem && strstr(problem, g_strerror(ENOSPC))) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "disk full: %s", problem);
        return false;
    }
    /* Not valid UTF-8 would be no JSON text, and the loop one that went well. */
    g_autofree char *why = problem ? g_utf8_make_valid(problem, -1) : NULL;
    json_object_set_new(record, "failed", why ? json_string(why) : json_null());
    return run_spool_add(loop->spool, record, !problem ? raw : NULL, error);
}

static void tell(const run_loop *loop, json_t *record, const char *problem) {
    const char *name = json_string_value(json_object_get(record, "configuration"));
    json_int_t number = json_integer_value(json_object_get(record, "loop"));
    if (problem) {
        run_log("warning", "measure", "loop_failed",
                "job=%" PRId64 " configuration=%s loop=%" JSON_INTEGER_FORMAT
                " attempt=%" JSON_INTEGER_FORMAT " reason=\"%s\"",
                loop->job->id, name, number, json_integer_value(json_object_get(record, "attempt")),
                problem);
        return;
    }
    run_log("info", "measure", "loop_done",
            "job=%" PRId64 " configuration=%s loop=%" JSON_INTEGER_FORMAT
            " mean_ns=%.1f seconds=%.1f disturbed=%d",
            loop->job->id, name, number,
            json_real_value(json_object_get(json_object_get(record, "summary"), "mean_ns")),
            json_real_value(json_object_get(record, "seconds")),
            json_is_true(json_object_get(record, "disturbed")));
}

/* From a process that has ended to a loop in the spool. failed: why it did; NULL: it did not. */
static bool finish(run_loop *loop, unsigned configuration, const places *at,
                   const run_placeholder *values, json_t *record, const char *failed,
                   GError **error) {
    g_autofree char *problem = g_strdup(failed);
    g_autofree char *raw = NULL;
    if ((!problem && !judge(loop, configuration, at, values, record, &raw, &problem, error)) ||
        !keep(loop, at, record, raw, problem, error))
        return false;
    tell(loop, record, problem);
    return true;
}

static json_t *begin_record(const run_loop *loop, const run_plan_step *step, unsigned configuration,
                            unsigned attempt) {
    json_t *record =
        json_pack("{s:s, s:i, s:i, s:i, s:b, s:I, s:f}", "configuration",
                  loop->job->configurations[configuration].name, "loop", (int)step->loop, "order",
                  (int)run_spool_next(loop->spool) - 1, "attempt", (int)attempt, "disturbed", 0,
                  "started_ms", (json_int_t)(g_get_real_time() / 1000), "seconds", 0.0);
    if (run_job_sides(loop->job) > 1)
        json_object_set_new(record, "commit", json_string(loop->commit));
    return record;
}

/* How often this configuration and loop are in the spool, of this commit. */
static unsigned attempts(const run_loop *loop, const run_plan_step *step, const char *name) {
    unsigned count = 0;
    size_t i;
    json_t *one;
    json_array_foreach (run_spool_loops(loop->spool), i, one) {
        const char *commit = json_string_value(json_object_get(one, "commit"));
        count += g_strcmp0(json_string_value(json_object_get(one, "configuration")), name) == 0 &&
                 json_integer_value(json_object_get(one, "loop")) == step->loop &&
                 (!commit || g_strcmp0(commit, loop->commit) == 0);
    }
    return count;
}

/* One process was a whole round: a loop of every configuration, each with its part of the time. */
static bool finish_round(run_loop *loop, const run_plan_step *step, const places *at,
                         const run_placeholder *values, json_t *record, const char *failed,
                         GError **error) {
    static const char *const shared[] = {"started_ms", "disturbed", "readings"};
    unsigned count = loop->job->configurations_count;
    double seconds = json_real_value(json_object_get(record, "seconds")) / count;
    bool good = true;
    for (unsigned c = 0; good && c < count; c++) {
        const char *name = loop->job->configurations[c].name;
        json_t *own = begin_record(loop, step, c, attempts(loop, step, name) + 1);
        for (size_t i = 0; i < G_N_ELEMENTS(shared); i++) {
            json_t *value = json_object_get(record, shared[i]);
            if (value)
                json_object_set_new(own, shared[i], json_deep_copy(value));
        }
        json_object_set_new(own, "seconds", json_real(seconds));
        good = finish(loop, c, at, values, own, failed, error);
        json_decref(own);
    }
    return good;
}

static bool attempt(run_loop *loop, const run_plan_step *step, const places *at, GError **error) {
    bool whole = loop->job->whole_rounds;
    unsigned configuration = whole ? 0 : step->configuration;
    run_placeholder values = {.checkout = loop->checkout,
                              .scratch = at->scratch,
                              .harness = loop->node->harness_dir,
                              .commit = loop->commit,
                              .artifact = loop->artifact,
                              .calls = run_job_calls(loop->job, configuration),
                              .depth = loop->job->depth,
                              .result = at->result};
    g_autofree char *failed = NULL;
    json_t *record = begin_record(loop, step, configuration, step->attempt);
    bool good = run_benchmark(loop, configuration, at, &values, record, &failed, error) &&
                (whole ? finish_round(loop, step, at, &values, record, failed, error)
                       : finish(loop, configuration, at, &values, record, failed, error));
    json_decref(record);
    return good;
}

bool run_loop_measure(run_loop *loop, const run_plan_step *step, GError **error) {
    g_auto(places) at = {0};
    if (!run_scratch_reserve(loop->node->config->work_dir, loop->node->config->disk_reserve_bytes,
                             error) ||
        !run_gate_wait(loop->node, &loop->since, loop->tick, loop->tick_data, error) ||
        !make_places(loop->node, &at, error))
        return false;
    bool good = attempt(loop, step, &at, error);
    return run_scratch_remove(at.folder, good ? error : NULL) && good;
}
