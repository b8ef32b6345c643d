#include "runner/profile/profiler.h"

#include "detector/statistics/dimension.h"
#include "runner/ground/error.h"
#include "runner/node/machine.h"
#include "runner/process/process.h"

#include <stdbool.h>
#include <string.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* As the kernel's documentation has it; 3 and 4 are those of distributions. */
static const char *allowed(int paranoid) {
    return paranoid <= 1   ? "everybody may profile, kernel included"
           : paranoid == 2 ? "ordinary users may profile all but the kernel"
                           : "ordinary users may not profile: async-profiler uses timers, perf "
                             "as a profile_command fails; `sysctl kernel.perf_event_paranoid=1` "
                             "allows it";
}

static bool is_there(const char *program, char *const *environment) {
    g_autofree char *path = run_program_find(program, "/", environment);
    return path != NULL;
}

char *run_kernel_events_words(char *const *environment, const char *root) {
    g_autofree char *value = run_machine_line(root, PARANOID);
    GString *words = g_string_new(NULL);
    if (value)
        g_string_append_printf(words, "perf_event_paranoid %s: %s", value,
                               allowed((int)g_ascii_strtoll(value, NULL, 10)));
    else
        g_string_append(words, "no performance events in this kernel: async-profiler uses timers");
    g_string_append(words, is_there("perf", environment)
                               ? "\nperf: can be a profile_command"
                               : "\nno perf: only a profile_command would need it; install the "
                                 "package linux-perf");
    if (!is_there("addr2line", environment))
        g_string_append(words, "\nno addr2line: inlined functions count as their caller's; "
                               "install the package binutils");
    return g_string_free(words, FALSE);
}

/* Many loops: JIT compilers and memory layouts differ from process to process. */
#define SAMPLED_LOOPS 5
#define SAMPLED_LOOPS_LEAST 2 /* one has no interval */
#define SAMPLED .loops = SAMPLED_LOOPS, .loops_least = SAMPLED_LOOPS_LEAST

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
                                            SAMPLED,
                                            .no_method_time = true,
                                            .part = run_part_async_profiler};
/* Where bytes are allocated. A sample has as many as it stands for, and each takes microseconds. */
static const run_profiler allocated = {.kind = RUN_PROFILER_ALLOCATED,
                                       .name = "async-profiler",
                                       .unit = "bytes",
                                       .root = JAVA_ROOT,
                                       .calls_most = 100000,
                                       SAMPLED,
                                       .no_method_time = true,
                                       .part = run_part_async_profiler};
static const run_profiler jfr = {.kind = RUN_PROFILER_JFR,
                                 .name = "JFR",
                                 .unit = "ns",
                                 .root = JAVA_ROOT,
                                 .calls_most = JAVA_CALLS,
                                 SAMPLED,
                                 .no_method_time = true,
                                 .interval_ns = RUN_JFR_INTERVAL_MS * 1e6,
                                 .program = "jfr",
                                 .package = "default-jdk-headless (or another JDK)"};
static const run_profiler py_spy = {.kind = RUN_PROFILER_PY_SPY,
                                    .name = "py-spy",
                                    .unit = "samples", /* it falls behind on a busy node */
                                    .root = "measure (moobench.py)",
                                    .calls_most = 100000,
                                    SAMPLED,
                                    .no_method_time = true,
                                    .part = run_part_py_spy};
static const run_profiler own = {
    .kind = RUN_PROFILER_OWN, .name = "profile_command", .unit = "samples", SAMPLED};

/* Of whole processes: a background thread works by the clock, so methods wait as they do when they
 * are measured; a start ends with the first call. */
#define WHOLE .loops = SAMPLED_LOOPS, .loops_least = SAMPLED_LOOPS_LEAST, .whole = true
#define PROCESS(suffix) WHOLE, .unit = suffix " a process"
#define START(suffix) WHOLE, .unit = suffix " a start", .calls_most = 1, .no_method_time = true
static const run_profiler threads[][2] = {
    {{.kind = RUN_PROFILER_ASYNC,
      .name = "async-profiler",
      PROCESS("ns"),
      .calls_most = JAVA_CALLS,
      .part = run_part_async_profiler},
     {.kind = RUN_PROFILER_ASYNC,
      .name = "async-profiler",
      START("ns"),
      .part = run_part_async_profiler}},
    {{.kind = RUN_PROFILER_PY_SPY,
      .name = "py-spy",
      PROCESS("samples"),
      .calls_most = 100000,
      .part = run_part_py_spy},
     {.kind = RUN_PROFILER_PY_SPY, .name = "py-spy", START("samples"), .part = run_part_py_spy}},
    {{.kind = RUN_PROFILER_OWN, .name = "profile_command", PROCESS("samples")},
     {.kind = RUN_PROFILER_OWN, .name = "profile_command", START("samples")}}};
static const run_profiler classes = {
    .kind = RUN_PROFILER_CLASSES, .name = "class histogram", WHOLE, .unit = "bytes a process"};
static const run_profiler traced = {.kind = RUN_PROFILER_TRACED, /* tracing takes its time */
                                    .name = "tracemalloc",
                                    WHOLE,
                                    .unit = "bytes a process",
                                    .calls_most = 20000};

/* What shows where a dimension is that is of a whole process. */
static bool profilers_of_process(const run_job *job, run_profilers *out, GError **error) {
    const bool java = job->benchmark.driver == CFG_DRIVER_JAVA, python = run_job_runs_python(job),
               own_one = job->profile_command && job->profile_command[0],
               memory = g_str_equal(job->profile_of, DET_PROFILE_MEMORY);
    if (!memory && (own_one || java || python))
        out->each[0] =
            &threads[own_one ? 2 : python][g_str_equal(job->profile_of, DET_PROFILE_START)];
    else if (memory && (java || python))
        out->each[0] = java ? &classes : &traced;
    else if (memory)
        return run_wrong(error,
                         "what is live at the end is listed of a JVM and of Python alone; of "
                         "other programs, compare both commits in valgrind's massif");
    else
        return run_wrong(error, "with this driver only calls can be profiled; give a "
                                "detection.profile_command that sees all threads");
    return true;
}

bool run_profilers_of(const run_job *job, run_profilers *out, GError **error) {
    *out = (run_profilers){.each = {NULL}};
    if (job->benchmark.whole_rounds)
        return run_wrong(
            error,
            "one run measures all configurations (whole_rounds), so none can be profiled alone");
    if (job->profile_of)
        return profilers_of_process(job, out, error);
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
        return run_wrong(
            error,
            "this driver has no profiler of its own; detection.profile_command can name one");
    }
    return true;
}

char *run_profiler_missing(const run_profiler *profiler, char *const *environment) {
    g_autofree char *path =
        profiler->program ? run_program_find(profiler->program, "/", environment) : NULL;
    if (profiler->part && !profiler->part())
        return g_strdup_printf("there is no %s for this kind of processor", profiler->name);
    return path || !profiler->program ? NULL
                                      : g_strdup_printf("this node has no %s: install the package "
                                                        "%s (moowatch-runner doctor names it)",
                                                        profiler->program, profiler->package);
}

const char *run_profiler_file(const run_profiler *profiler) {
    return profiler->kind == RUN_PROFILER_JFR ? "profile.jfr" : "profile";
}

const char *run_profiler_root(const run_profiler *profiler, const run_job *job) {
    return profiler->kind == RUN_PROFILER_OWN && !profiler->whole ? job->profile_root
                                                                  : profiler->root;
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

/* By the kernel's performance events where it allows them, else by timers, which need no rights but
 * are as coarse as its clock: what a sample stands for is worked out behind it (collapse.c). */
#define ASYNC_OPTIONS "start,event=cpu,interval=1ms,jstackdepth=4096,collapsed,ann,file="
/* total: the bytes that a sample stands for, not one */
#define ALLOCATED_OPTIONS                                                                          \
    "start,event=alloc,alloc=" RUN_ALLOCATED_EVERY ",total,jstackdepth=4096,collapsed,ann,file="

static void add(GPtrArray *to, const char *word) {
    g_ptr_array_add(to, g_strdup(word));
}

static void add_callgrind(const run_wrap *how, GPtrArray *whole) {
    static const char *const words[] = {"-q", "--tool=callgrind", "--dump-instr=yes",
                                        "--dump-line=no", "--separate-recs=1"};
    add(whole, how->profiler->program);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        add(whole, words[i]);
    /* a '%' in the path would be read as its number of the process */
    g_auto(GStrv) parts = g_strsplit(how->out, "%", -1);
    g_autofree char *path = g_strjoinv("%%", parts);
    g_ptr_array_add(whole, g_strconcat("--callgrind-out-file=", path, NULL));
}

static void add_py_spy(const run_wrap *how, GPtrArray *whole) {
    static const char *const words[] = {"record",           "--format", "raw", "--nolineno",
                                        "--full-filenames", "--rate",   NULL};
    add(whole, how->part);
    for (size_t i = 0; words[i]; i++)
        add(whole, words[i]);
    g_ptr_array_add(whole, g_strdup_printf("%d", RUN_PY_SPY_RATE_HZ));
    if (how->profiler->whole)
        add(whole, "--threads");
    add(whole, "--output");
    add(whole, how->out);
    add(whole, "--");
}

static bool write_settings(const run_wrap *how, GPtrArray *whole, GError **error) {
    g_autofree char *path = g_build_filename(how->folder, RUN_WRAP_SETTINGS, NULL);
    g_autofree char *text = g_strdup_printf(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">"
        "<event name=\"jdk.ExecutionSample\"><setting name=\"enabled\">true</setting>"
        "<setting name=\"period\">%d ms</setting></event></configuration>\n",
        RUN_JFR_INTERVAL_MS);
    g_autoptr(GError) problem = NULL;
    if (!g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &problem))
        return run_fail(error, RUN_ERROR_NODE, "%s", problem->message);
    add(whole, "-XX:FlightRecorderOptions=stackdepth=2048");
    g_ptr_array_add(whole, g_strdup_printf("-XX:StartFlightRecording=settings=%s,filename=%s,"
                                           "dumponexit=true",
                                           path, how->out));
    return true;
}

/* Both take options in one word, at commas; async-profiler reads a '%' as a pattern. */
static bool check_paths(const run_wrap *how, GError **error) {
    if (!strpbrk(how->out, ",%") && !(how->part && strchr(how->part, '=')))
        return true;
    return run_wrong(error, "it cannot write to %s: set a work_dir without ',', '%%' and '='",
                     how->out);
}

/* The JVM's options stand behind its name. */
static bool add_java(const run_wrap *how, const GPtrArray *argv, GPtrArray *whole, GError **error) {
    if (!check_paths(how, error))
        return false;
    add(whole, argv->pdata[0]);
    if (how->profiler->kind == RUN_PROFILER_JFR)
        return write_settings(how, whole, error);
    if (how->profiler->kind == RUN_PROFILER_CLASSES) {
        g_ptr_array_add(whole, g_strconcat("-Dmoowatch.moobench.heap=", how->out, NULL));
        return true;
    }
    const bool bytes = how->profiler->kind == RUN_PROFILER_ALLOCATED;
    g_ptr_array_add(whole, g_strconcat("-agentpath:", how->part, "=",
                                       how->profiler->whole ? "threads," : "",
                                       bytes ? ALLOCATED_OPTIONS : ASYNC_OPTIONS, how->out, NULL));
    return true;
}

GPtrArray *run_wrap_command(const run_wrap *how, GPtrArray *argv, GError **error) {
    GPtrArray *whole = g_ptr_array_new_with_free_func(g_free);
    switch (how->profiler->kind) {
    case RUN_PROFILER_CALLGRIND:
        add_callgrind(how, whole);
        break;
    case RUN_PROFILER_PY_SPY:
        add_py_spy(how, whole);
        break;
    case RUN_PROFILER_TRACED:
        add(whole, "env");
        g_ptr_array_add(whole, g_strconcat("MOOBENCH_HEAP=", how->out, NULL));
        break;
    case RUN_PROFILER_OWN:
        run_placeholder_append(how->values, how->command, whole);
        break;
    case RUN_PROFILER_ASYNC:
    case RUN_PROFILER_ALLOCATED:
    case RUN_PROFILER_CLASSES:
    case RUN_PROFILER_JFR:
        if (!add_java(how, argv, whole, error)) {
            g_ptr_array_unref(argv);
            g_ptr_array_unref(whole);
            return NULL;
        }
        g_ptr_array_remove_index(argv, 0);
        break;
    }
    g_ptr_array_extend_and_steal(whole, argv);
    return whole;
}
