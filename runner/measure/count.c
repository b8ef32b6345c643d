#include "runner/measure/session.h"

#include "config/json_text.h"
#include "config/log.h"
#include "detector/statistics/dimension.h"
#include "runner/count/counter.h"
#include "runner/driver/bounded.h"
#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/measure/attempt.h"
#include "runner/process/complaint.h"
#include "runner/process/scratch.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define COUNTED "counted"                      /* in out: what the counter writes */
#define COUNTED_BYTES_MAX (UINT64_C(64) << 20) /* of that */
#define FAILED_MOST 20                         /* reasons that are told */

/* The process at hand. */
typedef struct {
    const run_count *count;
    const run_counter *counter;
    run_job job; /* with few calls, and a method that does not wait */
    run_unmeasured own;
} process;

bool run_count_wanted(const run_job *job) {
    return job->benchmark.count != CFG_COUNT_NEVER && job->explain_s == 0 &&
           (run_job_commits(job) == 1 || job->benchmark.count_both);
}

static bool judge(const run_process_result *result, GError **error) {
    g_autofree char *why = run_failure_of(result, "");
    return !why || run_wrong(error, "%s", why);
}

static GPtrArray *wrapped(const void *data, const run_placeholder *values, GPtrArray *argv,
                          GError **error) {
    const process *self = data;
    (void)values, (void)error;
    g_autofree char *out = g_build_filename(self->own.at.out, COUNTED, NULL);
    return run_counter_wrap(self->counter, argv, out);
}

static bool run_one(const process *self, GError **error) {
    run_process_result result;
    const bool good =
        run_unmeasured_run(&self->own, wrapped, self, &result, error) && judge(&result, error);
    run_process_result_clear(&result);
    return good;
}

/* What the counter wrote, a call. */
static bool read_counted(const process *self, double *values, GError **error) {
    const int folder = run_bounded_folder(self->own.at.folder, "out", error);
    if (folder < 0)
        return false;
    const char *name = self->counter->main ? RUN_HARVEST_RAW : COUNTED;
    g_autofree char *text = run_bounded_text(folder, name, name, COUNTED_BYTES_MAX, error);
    close(folder);
    const double calls = (double)run_job_calls(&self->job, self->own.configuration);
    if (!text || !self->counter->read(text, strlen(text), calls, values, error))
        return false;
    for (unsigned i = 0; i < RUN_COUNTER_VALUES_MAX && self->counter->dimensions[i]; i++)
        if (!det_dimension_valid(values[i]))
            return run_wrong(error, "it overflowed or went backwards");
    return true;
}

/* Does the job end with it? All else ends what is being counted. */
static bool ends(const GError *problem) {
    return g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED) ||
           g_error_matches(problem, RUN_ERROR, RUN_ERROR_LOST);
}

/* A process that is begun later would only be ended again. */
static bool has_time(const process *self, GError **error) {
    if (g_get_monotonic_time() < self->own.until_us)
        return true;
    return run_wrong(error, "the time for counting is used up (%u s)", self->count->most_s);
}

/* One short loop. */
static bool count_once(process *self, double *values, GError **error) {
    memset(&self->own.at, 0, sizeof self->own.at);
    bool good = run_places_make(&self->own.at, self->count->node, "scratch/loop", error) &&
                run_one(self, error) && read_counted(self, values, error);
    if (self->own.at.folder && !run_scratch_remove(self->own.at.folder, good ? error : NULL))
        good = false;
    run_places_clear(&self->own.at);
    return good;
}

static void add_values(const process *self, const double *values, json_t *counts) {
    const char *of = self->own.which == RUN_BEFORE ? "before" : "configurations";
    const char *name = self->job.benchmark.configurations[self->own.configuration].name;
    json_t *mine = cfg_json_member(cfg_json_member(counts, of, json_object()), name, json_object());
    for (unsigned i = 0; i < RUN_COUNTER_VALUES_MAX && self->counter->dimensions[i]; i++) {
        const char *dimension = self->counter->dimensions[i];
        json_array_append_new(cfg_json_member(mine, dimension, json_array()), json_real(values[i]));
        json_object_set_new(json_object_get(counts, "counters"), dimension,
                            json_string(self->counter->name));
    }
}

static void add_failed(const process *self, const GError *problem, json_t *counts) {
    const char *name = self->job.benchmark.configurations[self->own.configuration].name;
    const char *commit = self->count->trees->words[self->own.which]; /* of a trial */
    g_autofree char *words =
        g_strdup_printf("%s of configuration %s%s%s: %s", self->counter->name, name,
                        commit ? ", " : "", commit ? commit : "", problem->message);
    g_autofree char *valid = g_utf8_make_valid(words, -1);
    json_t *failed = cfg_json_member(counts, "failed", json_object());
    const char *which = self->own.which == RUN_BEFORE ? " before" : "";
    g_autofree char *key = g_strdup_printf("%s %s%s", name, self->counter->name, which);
    cfg_log("warning", "count", "not_counted", "job=%" PRId64 " reason=\"%s\"", self->job.id,
            valid);
    if (json_object_size(failed) < FAILED_MOST)
        json_object_set_new(failed, key, json_string(valid));
}

/* All loops of one configuration by one counter; after one that failed there is no other. */
static bool count_configuration(process *self, json_t *counts, GError **error) {
    run_heartbeat *beat = self->count->beat;
    beat->configuration = self->job.benchmark.configurations[self->own.configuration].name;
    beat->message = self->counter->name;
    for (unsigned loop = 0; loop < RUN_COUNT_LOOPS; loop++) {
        double values[RUN_COUNTER_VALUES_MAX];
        g_autoptr(GError) problem = NULL;
        if (!run_heartbeat_beat(beat, false, RUN_CALL_TIMEOUT_S, error))
            return false;
        if (has_time(self, &problem) && count_once(self, values, &problem)) {
            add_values(self, values, counts);
            continue;
        }
        if (ends(problem)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
        add_failed(self, problem, counts);
        break;
    }
    return true;
}

/* The job, in which a method that waits does not: it would spin for as long as it is slowed down.
 */
static run_job own_copy(const run_job *job) {
    run_job copy = *job;
    copy.benchmark.configurations =
        g_memdup2(job->benchmark.configurations,
                  job->benchmark.configurations_count * sizeof *job->benchmark.configurations);
    copy.benchmark.method_time_ns = 0;
    return copy;
}

/* No more calls than say something. */
static void shorten(process *self) {
    const cfg_configuration *whole =
        &self->count->job->benchmark.configurations[self->own.configuration];
    const unsigned threads = cfg_benchmark_threads(&self->job.benchmark, self->own.configuration);
    const uint64_t most = MAX(self->counter->calls_most / threads, 1);
    self->job.benchmark.configurations[self->own.configuration].total_calls =
        MIN(whole->total_calls, most);
}

/* Of the commit at hand. */
static bool count_commit(process *self, const run_counter *const *counters, size_t n,
                         json_t *counts, GError **error) {
    bool good = run_trees_show(self->count->trees, self->own.which, error);
    for (unsigned c = 0; good && c < self->job.benchmark.configurations_count; c++)
        for (size_t i = 0; good && i < n; i++) {
            self->own.configuration = c;
            self->counter = counters[i];
            shorten(self);
            good = count_configuration(self, counts, error);
        }
    return good;
}

static bool count_all(const run_count *count, const run_counter *const *counters, size_t n,
                      json_t *counts, GError **error) {
    process self = {.count = count, .job = own_copy(count->job)};
    /* Addresses are fixed: what is kept by address is found in as many steps each time. */
    self.own = (run_unmeasured){.node = count->node,
                                .trees = count->trees,
                                .beat = count->beat,
                                .job = &self.job,
                                .until_us = g_get_monotonic_time() + count->most_s * G_USEC_PER_SEC,
                                .most_s = self.job.benchmark.loop_timeout_s,
                                .fixed_addresses = true};
    bool good = true;
    for (unsigned which = 0; good && which < run_job_commits(count->job); which++) {
        self.own.which = which;
        good = count_commit(&self, counters, n, counts, error);
    }
    count->beat->configuration = count->beat->message = NULL;
    g_free(self.job.benchmark.configurations);
    return good;
}

bool run_count_make(const run_count *count, json_t **counts, GError **error) {
    const bool trial = run_job_commits(count->job) > 1;
    const run_placeholder where = {
        .scratch = "", .jdk = count->job->benchmark.jdk, .path = count->node->config->path};
    g_autoptr(GPtrArray) programs = run_driver_environment(&where, NULL);
    const run_counter *counters[RUN_COUNTERS_MAX];
    g_autofree char *missing = NULL;
    size_t n = run_counters_of(counters, count->job, (char *const *)programs->pdata, &missing);
    *counts = NULL;
    if (trial)
        n = MIN(n, 1); /* it asks whether a call does more, which one counter tells */
    if (n == 0 && (trial || count->job->benchmark.count == CFG_COUNT_AUTO))
        return true;
    json_auto_t *made = json_pack("{s:{}, s:{}}", "counters", "configurations");
    if (n == 0)
        json_object_set_new(made, "failed", json_pack("{s:s}", "node", missing));
    if (n > 0 && !count_all(count, counters, n, made, error))
        return false;
    *counts = json_incref(made);
    return true;
}
