#include "runner/measure/explain.h"

#include "detector/profile/callgrind.h"
#include "runner/driver/bounded.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/measure/places.h"
#include "runner/measure/receiver.h"
#include "runner/process/scratch.h"
#include "runner/profile/inlined.h"
#include "runner/profile/profiler.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROFILE "profile"                       /* in out: what the profiler writes */
#define PROFILE_BYTES_MAX (UINT64_C(256) << 20) /* of that */
#define COMMIT_SHORT 12

/* The process at hand. */
typedef struct {
    run_explain *explain;
    const run_profiler *profiler;
    const run_job *job; /* with as many calls as the profiler needs */
    unsigned which, configuration;
    run_places at;
    int64_t until_us; /* monotonic */
} process;

static bool wrong(const process *self, GError **error, const char *why) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s of configuration %s, commit %.*s: %s",
                self->profiler->name, self->job->configurations[self->configuration].name,
                COMMIT_SHORT, run_job_commit(self->job, self->which), why);
    return false;
}

/* At least a second, so that it is the process that is found to take too long. */
static unsigned left_s(const process *self) {
    const int64_t left = (self->until_us - g_get_monotonic_time()) / G_USEC_PER_SEC;
    return (unsigned)CLAMP(left, 1, (int64_t)self->job->explain_s);
}

static bool judge(const process *self, const run_process_result *result, GError **error) {
    g_autofree char *why = run_process_describe(result);
    if (!why)
        return true;
    g_free(self->explain->last_log);
    self->explain->last_log = g_strdup(result->log);
    g_autofree char *last = run_places_last_line(result->log);
    g_autofree char *limit =
        result->end == RUN_END_TIMEOUT
            ? g_strdup_printf(" (detection.explain_minutes: %u)", self->job->explain_s / 60)
            : g_strdup("");
    g_autofree char *words =
        g_strdup_printf("%s%s%s%s", why, limit, last[0] != '\0' ? ": " : "", last);
    return wrong(self, error, words);
}

static run_process_spec spec_of(const process *self, run_receiver *receiver) {
    const run_explain *explain = self->explain;
    run_process_spec spec = run_places_process(&self->at, explain->node);
    spec.directory = explain->trees->checkout[self->which];
    spec.log_path = self->at.log;
    spec.printed = explain->node->printed;
    spec.timeout_s = left_s(self);
    spec.cpus = &explain->node->benchmark_cpus;
    spec.no_network = self->job->network_off;
    spec.companion = run_receiver_companion(receiver);
    spec.tick = run_heartbeat_tick;
    spec.tick_data = explain->beat;
    return spec;
}

static run_placeholder values_of(const process *self) {
    const run_explain *explain = self->explain;
    return (run_placeholder){.checkout = explain->trees->checkout[self->which],
                             .scratch = self->at.scratch,
                             .harness = explain->node->harness_dir,
                             .commit = run_job_commit(self->job, self->which),
                             .artifact = explain->trees->artifact[self->which],
                             .calls = run_job_calls(self->job, self->configuration),
                             .depth = self->job->depth,
                             .result = self->at.result};
}

static bool run_profiled(const process *self, const run_placeholder *values, run_receiver *receiver,
                         GError **error) {
    g_autofree char *out = g_build_filename(self->at.out, PROFILE, NULL);
    g_autoptr(GPtrArray) argv = run_profiler_wrap(
        self->profiler, run_driver_command(self->job, self->configuration, values, self->at.raw),
        out);
    g_auto(GStrv) variables = run_driver_variables(self->job, self->configuration);
    g_autoptr(GPtrArray) environment = run_driver_environment(values, variables);
    run_process_spec spec = spec_of(self, receiver);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    run_process_result result = {0};
    bool good = run_process_run(&spec, &result, error) && judge(self, &result, error);
    run_process_result_clear(&result);
    return good;
}

/* The profiled process; without its configuration's receiver it would not run. */
static bool run_one(const process *self, GError **error) {
    run_placeholder values = values_of(self);
    g_autoptr(run_receiver) receiver =
        run_receiver_new(self->explain->node, &self->job->configurations[self->configuration],
                         &values, self->at.folder);
    g_autofree char *problem =
        receiver ? run_receiver_open(receiver, values.checkout, &values) : NULL;
    return problem ? wrong(self, error, problem) : run_profiled(self, &values, receiver, error);
}

static bool name_inlined(const process *self, const char *const *own, size_t own_count,
                         det_callgrind *profile, GError **error) {
    const run_placeholder values = values_of(self);
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, NULL);
    const run_inlined how = {.spec = spec_of(self, NULL),
                             .environment = (char **)environment->pdata,
                             .folder = self->at.folder,
                             .own = own,
                             .own_count = own_count,
                             .until_us = self->until_us};
    return run_inlined_name(&how, profile, error);
}

/* The share of one profile in what is sent at once. */
static size_t stacks_most(const process *self) {
    const size_t profiles = (size_t)self->profiler->loops * self->job->configurations_count *
                            run_job_commits(self->job);
    return MIN(RUN_PROFILE_BYTES_MAX, RUN_PROFILES_BYTES_MAX / MAX(profiles, 1));
}

/* Why there are no stacks, in words for people; to g_free. */
static char *no_stacks(const process *self, det_status status) {
    const size_t most = stacks_most(self);
    if (status == DET_ESHORT)
        return g_strdup_printf("%s is not in the profile: is the program stripped, or is it "
                               "another one than the harness?",
                               self->profiler->root);
    if (status == DET_ENOMEM)
        return g_strdup("it is too deep and too wide to unfold");
    if (status != DET_OK)
        return g_strdup(det_status_text(status));
    return most == RUN_PROFILE_BYTES_MAX
               ? g_strdup("its stacks are more than 2 MiB")
               : g_strdup_printf("its stacks are more than %" G_GSIZE_FORMAT
                                 " KiB, its share of the 6 MiB of all configurations and commits",
                                 most / 1024);
}

/* From what was counted to collapsed stacks, to g_free; NULL with error. */
static char *collapse(const process *self, det_callgrind *profile, GError **error) {
    const char *const own[] = {self->explain->trees->checkout[self->which],
                               self->explain->node->harness_dir};
    const det_callgrind_wanted wanted = {self->profiler->root, own, G_N_ELEMENTS(own)};
    if (!name_inlined(self, own, G_N_ELEMENTS(own), profile, error))
        return NULL;
    det_stacks *stacks = det_stacks_new(1);
    det_status status = stacks ? det_callgrind_stacks(profile, &wanted, stacks, 0) : DET_ENOMEM;
    char *text = status == DET_OK ? det_stacks_text(stacks, 0, stacks_most(self)) : NULL;
    det_stacks_free(stacks);
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
    free(text);
    /* what is no UTF-8 has become longer */
    if (valid && strlen(valid) <= stacks_most(self))
        return g_steal_pointer(&valid);
    g_autofree char *words = no_stacks(self, status);
    wrong(self, error, words);
    return NULL;
}

static char *read_profile(const process *self, GError **error) {
    g_autoptr(GError) problem = NULL;
    det_stacks_error bad;
    det_callgrind *profile = NULL;
    const int folder = run_bounded_folder(self->at.folder, "out", error);
    if (folder < 0)
        return NULL;
    g_autofree char *text = run_bounded_text(folder, PROFILE, PROFILE, PROFILE_BYTES_MAX, &problem);
    close(folder);
    if (!text) {
        wrong(self, error, problem->message);
        return NULL;
    }
    if (det_callgrind_read(&profile, text, strlen(text), &bad) != DET_OK) {
        g_autofree char *words = g_strdup_printf("its profile, line %zu: %s", bad.line, bad.text);
        wrong(self, error, words);
        return NULL;
    }
    char *stacks = collapse(self, profile, error);
    det_callgrind_free(profile);
    return stacks;
}

static json_t *profile_of(process *self, unsigned loop, GError **error) {
    json_t *profile = NULL;
    if (run_places_make(&self->at, self->explain->node, error) && run_one(self, error)) {
        g_autofree char *stacks = read_profile(self, error);
        if (stacks)
            profile = json_pack(
                "{s:s, s:s, s:i, s:I, s:s}", "commit", run_job_commit(self->job, self->which),
                "configuration", self->job->configurations[self->configuration].name, "loop",
                (int)loop, "calls", (json_int_t)run_job_calls(self->job, self->configuration),
                "stacks", stacks);
    }
    if (self->at.folder && !run_scratch_remove(self->at.folder, profile ? error : NULL))
        g_clear_pointer(&profile, json_decref);
    run_places_clear(&self->at);
    memset(&self->at, 0, sizeof self->at);
    return profile;
}

/* One loop of every configuration with one commit. */
static bool add_loop(process *self, unsigned loop, json_t *profiles, GError **error) {
    run_explain *explain = self->explain;
    if (!run_trees_show(explain->trees, self->which, error))
        return false;
    explain->beat->message = explain->trees->words[self->which];
    for (unsigned c = 0; c < self->job->configurations_count; c++) {
        self->configuration = c;
        explain->beat->configuration = self->job->configurations[c].name;
        explain->beat->loop = loop;
        if (!run_heartbeat_beat(explain->beat, false, RUN_CALL_TIMEOUT_S, error))
            return false;
        json_t *profile = profile_of(self, loop, error);
        if (!profile)
            return false;
        json_array_append_new(profiles, profile);
        explain->beat->done++;
    }
    return true;
}

/* The job with no more calls than say something. */
static run_job shortened(const run_job *job, const run_profiler *profiler) {
    run_job shorter = *job;
    shorter.configurations =
        g_memdup2(job->configurations, job->configurations_count * sizeof *job->configurations);
    if (profiler->no_method_time)
        shorter.method_time_ns = 0;
    for (unsigned i = 0; i < job->configurations_count; i++) {
        run_configuration *one = &shorter.configurations[i];
        one->total_calls = MIN(one->total_calls, profiler->calls_most);
    }
    return shorter;
}

json_t *run_explain_make(run_explain *explain, GError **error) {
    const run_job *job = explain->job;
    char *const programs[] = {(char[]){RUN_DRIVER_PATH}, NULL};
    const run_profiler *profiler = run_profiler_of(job, programs, error);
    if (!profiler)
        return NULL;
    const run_job shorter = shortened(job, profiler);
    process self = {.explain = explain,
                    .profiler = profiler,
                    .job = &shorter,
                    .until_us = g_get_monotonic_time() + job->explain_s * G_USEC_PER_SEC};
    json_t *profiles = json_array();
    bool good = true;
    explain->beat->loops = profiler->loops;
    explain->beat->total = profiler->loops * job->configurations_count * run_job_commits(job);
    for (unsigned loop = 1; good && loop <= profiler->loops; loop++)
        for (unsigned which = 0; good && which < run_job_commits(job); which++) {
            self.which = which;
            good = add_loop(&self, loop, profiles, error);
        }
    explain->beat->configuration = explain->beat->message = NULL;
    g_free(shorter.configurations);
    if (good)
        return json_pack("{s:s, s:s, s:o}", "profiler", profiler->name, "unit", profiler->unit,
                         "profiles", profiles);
    json_decref(profiles);
    return NULL;
}
