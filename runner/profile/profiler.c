#include "runner/profile/profiler.h"

#include "runner/ground/error.h"
#include "runner/process/process.h"

/* Many loops: JIT compilers and memory layouts differ from process to process. */
#define SAMPLED_LOOPS 5
#define SAMPLED_LOOPS_LEAST 2 /* one has no interval */

/* Exact, and so deterministic that one loop with few calls says all; fifty times as slow. */
static const run_profiler callgrind = {.kind = RUN_PROFILER_CALLGRIND,
                                       .name = "callgrind",
                                       .unit = "instructions",
                                       .root = "moobench_monitored_method",
                                       .calls_most = 5000,
                                       .loops = 1,
                                       .loops_least = 1,
                                       .no_method_time = true,
                                       .program = "valgrind",
                                       .package = "valgrind"};

/* The harness' loop: what a probe does before and after the outermost activation is below it. */
#define JAVA_ROOT "moowatch/moobench/BenchmarkThread.run"
#define JAVA_CALLS 2000000 /* seconds, as a rule */

static const run_profiler async_profiler = {.kind = RUN_PROFILER_ASYNC,
                                            .name = "async-profiler",
                                            .unit = "ns",
                                            .root = JAVA_ROOT,
                                            .calls_most = JAVA_CALLS,
                                            .loops = SAMPLED_LOOPS,
                                            .loops_least = SAMPLED_LOOPS_LEAST,
                                            .no_method_time = true,
                                            .part = run_part_async_profiler};
/* Where bytes are allocated. A sample has as many as it stands for, and each takes microseconds. */
static const run_profiler allocated = {.kind = RUN_PROFILER_ALLOCATED,
                                       .name = "async-profiler",
                                       .unit = "bytes",
                                       .root = JAVA_ROOT,
                                       .calls_most = 100000,
                                       .loops = SAMPLED_LOOPS,
                                       .loops_least = SAMPLED_LOOPS_LEAST,
                                       .no_method_time = true,
                                       .part = run_part_async_profiler};
static const run_profiler jfr = {.kind = RUN_PROFILER_JFR,
                                 .name = "JFR",
                                 .unit = "ns",
                                 .root = JAVA_ROOT,
                                 .calls_most = JAVA_CALLS,
                                 .loops = SAMPLED_LOOPS,
                                 .loops_least = SAMPLED_LOOPS_LEAST,
                                 .no_method_time = true,
                                 .interval_ns = RUN_JFR_INTERVAL_MS * 1e6,
                                 .program = "jfr",
                                 .package = "default-jdk-headless (or another JDK)"};
static const run_profiler py_spy = {.kind = RUN_PROFILER_PY_SPY,
                                    .name = "py-spy",
                                    .unit = "samples", /* it falls behind on a busy node */
                                    .root = "measure (moobench.py)",
                                    .calls_most = 100000,
                                    .loops = SAMPLED_LOOPS,
                                    .loops_least = SAMPLED_LOOPS_LEAST,
                                    .no_method_time = true,
                                    .part = run_part_py_spy};
static const run_profiler own = {.kind = RUN_PROFILER_OWN,
                                 .name = "profile_command",
                                 .unit = "samples",
                                 .loops = SAMPLED_LOOPS,
                                 .loops_least = SAMPLED_LOOPS_LEAST};

bool run_profilers_of(const run_job *job, run_profilers *out, GError **error) {
    *out = (run_profilers){.each = {NULL}};
    if (job->benchmark.whole_rounds) {
        g_set_error(
            error, RUN_ERROR, RUN_ERROR_JOB,
            "one run measures all configurations (whole_rounds), so none can be profiled alone");
        return false;
    }
    if (job->profile_command && job->profile_command[0]) {
        out->each[0] = &own;
    } else if (job->benchmark.driver == CFG_DRIVER_JAVA) {
        out->each[0] = &async_profiler;
        out->each[1] = &jfr;
        out->allocated = &allocated;
    } else if (run_job_runs_python(job)) {
        out->each[0] = &py_spy;
    } else if (job->benchmark.driver == CFG_DRIVER_NATIVE) {
        out->each[0] = &callgrind;
    } else {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "for this driver the project names the profiler: detection.profile_command");
        return false;
    }
    return true;
}

char *run_profiler_missing(const run_profiler *profiler, char *const *environment) {
    g_autofree char *path =
        profiler->program ? run_program_find(profiler->program, "/", environment) : NULL;
    if (profiler->part && !profiler->part())
        return g_strdup_printf("there is no %s for this kind of processor", profiler->name);
    return path || !profiler->program
               ? NULL
               : g_strdup_printf(
                     "this node has no %s: install the package %s (moowatch-runner doctor tells)",
                     profiler->program, profiler->package);
}

const char *run_profiler_file(const run_profiler *profiler) {
    return profiler->kind == RUN_PROFILER_JFR ? "profile.jfr" : "profile";
}

const char *run_profiler_root(const run_profiler *profiler, const run_job *job) {
    return profiler->kind == RUN_PROFILER_OWN ? job->profile_root : profiler->root;
}

/* "async-profiler 4.6 (fetched when it is first needed)", "none: this node has no …" */
static void add_words(GString *to, const run_profiler *profiler, char *const *environment,
                      const char *work_dir) {
    g_autofree char *missing = run_profiler_missing(profiler, environment);
    const run_part *part = profiler->part && !missing ? profiler->part() : NULL;
    g_autofree char *path = part ? run_part_path(part, work_dir) : NULL;
    if (missing) {
        g_string_append_printf(to, "no %s: %s", profiler->name, missing);
        return;
    }
    g_string_append(to, profiler->name);
    if (part)
        g_string_append_printf(
            to, " %s%s", part->version,
            g_file_test(path, G_FILE_TEST_EXISTS) ? "" : " (fetched when it is first needed)");
}

char *run_profiler_words(char *const *environment, const char *work_dir) {
    static const struct {
        const char *driver;
        const run_profiler *first, *second;
    } rows[] = {{"native", &callgrind, NULL},
                {"native that starts python", &py_spy, NULL},
                {"java", &async_profiler, &jfr}};
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_string_append_printf(text, "driver %s: ", rows[i].driver);
        add_words(text, rows[i].first, environment, work_dir);
        if (rows[i].second) {
            g_string_append(text, "; else ");
            add_words(text, rows[i].second, environment, work_dir);
        }
        g_string_append_c(text, '\n');
    }
    g_string_append(text, "drivers command, moobench: the project's profile_command");
    return g_string_free(text, FALSE);
}
