#include "runner/measure/session.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/measure/attempt.h"
#include "runner/process/complaint.h"
#include "runner/process/scratch.h"
#include "runner/profile/profiler.h"
#include "runner/protocol.h"

#include <string.h>

#define COMMIT_SHORT 12
#define NOTE_BYTES_MAX 1000

/* The process at hand. */
typedef struct {
    run_explain *explain;
    const run_profiler *profiler;
    const run_job *job; /* with as many calls as the profiler needs */
    run_unmeasured own;
    char *part;    /* of the profiler; NULL: it needs none */
    double cpu_ns; /* of the latest process */
} process;

static bool wrong(const process *self, GError **error, const char *why) {
    return run_wrong(error, "%s of configuration %s, commit %.*s: %s", self->profiler->name,
                     self->job->benchmark.configurations[self->own.configuration].name,
                     COMMIT_SHORT, run_job_commit(self->job, self->own.which), why);
}

static bool judge(const process *self, const run_process_result *result, GError **error) {
    g_autofree char *limit =
        result->end == RUN_END_TIMEOUT
            ? g_strdup_printf(" (detection.explain_minutes: %g)", self->job->explain_s / 60.0)
            : g_strdup("");
    g_autofree char *why = run_failure_of(result, limit);
    if (!why)
        return true;
    g_free(self->explain->last_log);
    self->explain->last_log = g_strdup(result->log);
    return wrong(self, error, why);
}

static double cpu_ns_of(const struct rusage *usage) {
    return ((double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec) * 1e9 +
           ((double)usage->ru_utime.tv_usec + (double)usage->ru_stime.tv_usec) * 1e3;
}

/* py-spy tells nothing of how its program ended; a harness that ended well has left its file. */
static bool has_ended_well(const process *self, const char *log, GError **error) {
    if (self->profiler->kind != RUN_PROFILER_PY_SPY ||
        g_file_test(self->own.at.raw, G_FILE_TEST_IS_REGULAR))
        return true;
    g_autofree char *last = run_complaint_of(log);
    g_autofree char *words =
        g_strconcat("the benchmark ended before it was done; its last output: ", last, NULL);
    return wrong(self, error, words);
}

static GPtrArray *wrapped(const void *data, const run_placeholder *values, GPtrArray *argv,
                          GError **error) {
    const process *self = data;
    const run_places *at = &self->own.at;
    g_autofree char *out = g_build_filename(at->out, run_profiler_file(self->profiler), NULL);
    run_placeholder with_profile = *values;
    with_profile.profile = out;
    const run_wrap how = {.profiler = self->profiler,
                          .part = self->part,
                          .out = out,
                          .folder = at->folder,
                          .command = self->job->profile_command,
                          .values = &with_profile};
    return run_wrap_command(&how, argv, error);
}

/* The profiled process. */
static bool run_one(process *self, GError **error) {
    run_process_result result;
    g_autoptr(GError) problem = NULL;
    bool good = run_unmeasured_run(&self->own, wrapped, self, &result, &problem);
    if (good)
        good = judge(self, &result, error) && has_ended_well(self, result.log, error);
    else if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_JOB))
        wrong(self, error, problem->message);
    else
        g_propagate_error(error, g_steal_pointer(&problem));
    self->cpu_ns = cpu_ns_of(&result.usage);
    run_process_result_clear(&result);
    return good;
}

/* The share of one profile in what is sent at once. */
static size_t stacks_most(const process *self) {
    const size_t profiles = (size_t)self->profiler->loops *
                            self->job->benchmark.configurations_count * run_job_commits(self->job);
    const size_t all = self->profiler->kind == RUN_PROFILER_ALLOCATED ? RUN_ALLOCATED_BYTES_MAX
                                                                      : self->explain->bytes_most;
    return MIN(RUN_PROFILE_BYTES_MAX, all / MAX(profiles, 1));
}

/* From what the profiler wrote to collapsed stacks, to g_free; NULL with error. */
static char *read_profile(const process *self, GError **error) {
    const run_placeholder values = run_unmeasured_values(&self->own);
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, NULL);
    const char *const folders[] = {self->explain->trees->checkout[self->own.which],
                                   self->explain->node->harness_dir};
    const run_collapse how = {.profiler = self->profiler,
                              .spec = run_unmeasured_spec(&self->own),
                              .environment = (char **)environment->pdata,
                              .folder = self->own.at.folder,
                              .file = run_profiler_file(self->profiler),
                              .root = run_profiler_root(self->profiler, self->job),
                              .own = folders,
                              .own_count = G_N_ELEMENTS(folders),
                              .cpu_ns = self->cpu_ns,
                              .bytes_most = stacks_most(self),
                              .until_us = self->own.until_us};
    g_autoptr(GError) problem = NULL;
    char *text = run_collapse_make(&how, &problem);
    if (problem && g_error_matches(problem, RUN_ERROR, RUN_ERROR_JOB))
        wrong(self, error, problem->message);
    else if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return text;
}

static json_t *profile_of(process *self, unsigned loop, GError **error) {
    json_t *profile = NULL;
    if (run_places_make(&self->own.at, self->explain->node, "scratch/loop", error) &&
        run_one(self, error)) {
        g_autofree char *stacks = read_profile(self, error);
        if (stacks)
            profile = json_pack("{s:s, s:s, s:i, s:I, s:s}", "commit",
                                run_job_commit(self->job, self->own.which), "configuration",
                                self->job->benchmark.configurations[self->own.configuration].name,
                                "loop", (int)loop, "calls",
                                self->profiler->whole
                                    ? 1
                                    : (json_int_t)run_job_calls(self->job, self->own.configuration),
                                "stacks", stacks);
    }
    if (self->own.at.folder && !run_scratch_remove(self->own.at.folder, profile ? error : NULL))
        g_clear_pointer(&profile, json_decref);
    run_places_clear(&self->own.at);
    memset(&self->own.at, 0, sizeof self->own.at);
    return profile;
}

/* One loop of every configuration with one commit. */
static bool add_loop(process *self, unsigned loop, json_t *profiles, GError **error) {
    run_explain *explain = self->explain;
    if (!run_trees_show(explain->trees, self->own.which, error))
        return false;
    explain->beat->message = explain->trees->words[self->own.which];
    for (unsigned c = 0; c < self->job->benchmark.configurations_count; c++) {
        self->own.configuration = c;
        explain->beat->configuration = self->job->benchmark.configurations[c].name;
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
    shorter.benchmark.configurations =
        g_memdup2(job->benchmark.configurations,
                  job->benchmark.configurations_count * sizeof *job->benchmark.configurations);
    if (profiler->no_method_time)
        shorter.benchmark.method_time_ns = 0;
    for (unsigned i = 0; profiler->calls_most > 0 && i < job->benchmark.configurations_count; i++) {
        cfg_configuration *one = &shorter.benchmark.configurations[i];
        one->total_calls = MIN(one->total_calls, profiler->calls_most);
    }
    return shorter;
}

/* Every configuration with every commit, or what is there of it goes again. */
static bool add_round(process *self, unsigned loop, json_t *profiles, GError **error) {
    const size_t before = json_array_size(profiles);
    bool good = true;
    for (unsigned which = 0; good && which < run_job_commits(self->job); which++) {
        self->own.which = which;
        good = add_loop(self, loop, profiles, error);
    }
    while (!good && json_array_size(profiles) > before)
        json_array_remove(profiles, json_array_size(profiles) - 1);
    return good;
}

/* Is what is there enough, now that the time is up, or would be in the next loop? */
static bool is_enough(const process *self, unsigned loops, int64_t loop_us) {
    return loops >= self->profiler->loops_least &&
           g_get_monotonic_time() + loop_us > self->own.until_us;
}

static bool add_rounds(process *self, json_t *profiles, GError **error) {
    int64_t longest_us = 0;
    for (unsigned loop = 1; loop <= self->profiler->loops; loop++) {
        g_autoptr(GError) problem = NULL;
        const int64_t begun_us = g_get_monotonic_time();
        if (!add_round(self, loop, profiles, &problem)) {
            const bool job = g_error_matches(problem, RUN_ERROR, RUN_ERROR_JOB);
            if (job && is_enough(self, loop - 1, 0))
                return true;
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
        longest_us = MAX(longest_us, g_get_monotonic_time() - begun_us);
        if (is_enough(self, loop, longest_us))
            return true;
    }
    return true;
}

/* Has any profile something of the benchmark? Samples may miss it in some, but not in all. A call
 * may allocate nothing. */
static bool has_any(const process *self, const json_t *profiles, GError **error) {
    if (self->profiler->kind == RUN_PROFILER_ALLOCATED)
        return true;
    size_t i;
    const json_t *one;
    json_array_foreach (profiles, i, one)
        if (*cfg_json_word(one, "stacks", "") != '\0')
            return true;
    return run_wrong(
        error, "%s: %s is in no profile: is the program not the harness, or are its calls too few?",
        self->profiler->name, run_profiler_root(self->profiler, self->job));
}

/* What the profiler needs beside a program, if anything. */
static bool get_part(process *self, GError **error) {
    const run_explain *explain = self->explain;
    if (!self->profiler->part)
        return true;
    self->part = run_part_get(self->profiler->part(), explain->node, run_heartbeat_tick,
                              explain->beat, error);
    return self->part != NULL;
}

/* All profiles with one profiler; NULL with error. */
static json_t *make_with(run_explain *explain, const run_profiler *profiler, int64_t until_us,
                         GError **error) {
    const run_placeholder where = {
        .scratch = "", .jdk = explain->job->benchmark.jdk, .path = explain->node->config->path};
    g_autoptr(GPtrArray) programs = run_driver_environment(&where, NULL);
    g_autofree char *missing = run_profiler_missing(profiler, (char *const *)programs->pdata);
    if (missing) {
        run_wrong(error, "%s", missing);
        return NULL;
    }
    const run_job shorter = shortened(explain->job, profiler);
    process self = {.explain = explain,
                    .profiler = profiler,
                    .job = &shorter,
                    .own = {.node = explain->node,
                            .trees = explain->trees,
                            .beat = explain->beat,
                            .job = &shorter,
                            .until_us = until_us,
                            .most_s = explain->job->explain_s}};
    json_t *profiles = json_array();
    explain->beat->loops = profiler->loops;
    explain->beat->done = 0;
    explain->beat->total =
        profiler->loops * shorter.benchmark.configurations_count * run_job_commits(&shorter);
    const bool good = get_part(&self, error) && add_rounds(&self, profiles, error) &&
                      has_any(&self, profiles, error);
    explain->beat->configuration = explain->beat->message = NULL;
    g_free(shorter.benchmark.configurations);
    g_free(self.part);
    if (good)
        return json_pack("{s:s, s:s, s:o}", "profiler", profiler->name, "unit", profiler->unit,
                         "profiles", profiles);
    json_decref(profiles);
    return NULL;
}

/* The next profiler is tried where one cannot, as long as there is time; why: of those before. */
static json_t *make_with_any(run_explain *explain, const run_profilers *all, int64_t until_us,
                             GString *why, GError **error) {
    for (unsigned i = 0; all->each[i]; i++) {
        g_autoptr(GError) problem = NULL;
        json_t *made = make_with(explain, all->each[i], until_us, &problem);
        if (made)
            return made;
        if (!problem || !g_error_matches(problem, RUN_ERROR, RUN_ERROR_JOB)) {
            if (problem)
                g_propagate_error(error, g_steal_pointer(&problem));
            return NULL;
        }
        cfg_log("warning", "profile", "failed", "reason=\"%s\"", problem->message);
        g_string_append_printf(why, "%s%s", why->len > 0 ? "; " : "", problem->message);
        if (g_get_monotonic_time() >= until_us)
            break;
    }
    run_wrong(error, "%s", why->str);
    return NULL;
}

/* So many words, as a line. */
static json_t *line_of(const char *words) {
    g_autofree char *note = g_strndup(words, NOTE_BYTES_MAX);
    g_autofree char *valid = g_utf8_make_valid(note, -1);
    for (char *c = valid; *c != '\0'; c++)
        *c = (char)(g_ascii_iscntrl(*c) ? ' ' : *c);
    return json_string(valid);
}

/* Where bytes are allocated, beside where time is spent: what fails there is told, and no more. */
static bool add_allocations(run_explain *explain, const run_profiler *profiler, int64_t until_us,
                            json_t *made, GError **error) {
    g_autoptr(GError) problem = NULL;
    json_t *allocations = NULL;
    if (g_get_monotonic_time() < until_us)
        allocations = make_with(explain, profiler, until_us, &problem);
    else
        run_fail(&problem, RUN_ERROR_JOB,
                 "the minutes for explanations were used up (detection.explain_minutes: %g)",
                 explain->job->explain_s / 60.0);
    if (!allocations && !g_error_matches(problem, RUN_ERROR, RUN_ERROR_JOB)) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    if (!allocations) {
        cfg_log("warning", "profile", "not_allocated", "reason=\"%s\"", problem->message);
        allocations = json_pack("{s:o}", "reason", line_of(problem->message));
    }
    json_object_set_new(made, "allocations", allocations);
    return true;
}

json_t *run_explain_make(run_explain *explain, GError **error) {
    run_profilers all;
    g_autoptr(GString) why = g_string_new(NULL);
    const int64_t until_us = g_get_monotonic_time() + explain->job->explain_s * G_USEC_PER_SEC;
    if (!run_profilers_of(explain->job, &all, error))
        return NULL;
    explain->bytes_most = RUN_PROFILES_BYTES_MAX - (all.allocated ? RUN_ALLOCATED_BYTES_MAX : 0);
    json_t *made = make_with_any(explain, &all, until_us, why, error);
    if (made && why->len > 0)
        json_object_set_new(made, "note", line_of(why->str));
    if (made && all.allocated && !add_allocations(explain, all.allocated, until_us, made, error))
        g_clear_pointer(&made, json_decref);
    return made;
}
