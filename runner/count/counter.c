#include "runner/count/counter.h"

#include "runner/count/allocated.h"
#include "runner/count/interpreter.h"
#include "runner/count/valgrind.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/process/process.h"

#define PYTHON_HARNESS "{harness}/moobench.py"

/* Only what runs below the monitored method counts: neither start nor end of the process. */
static const char *const callgrind_options[] = {
    "-q", "--tool=callgrind", ("--toggle-collect=" RUN_VALGRIND_ROOT), "--dump-line=no", NULL};
/* As deep as valgrind looks: the method must be in the stack of each allocation. */
static const char *const dhat_options[] = {"-q", "--tool=dhat", "--num-callers=500", NULL};

static const run_counter callgrind = {.name = "callgrind",
                                      .program = "valgrind",
                                      .package = "valgrind",
                                      .dimensions = {"instructions"},
                                      .options = callgrind_options,
                                      .out = "--callgrind-out-file=",
                                      .out_percent = true,
                                      .calls_most = 5000,
                                      .read = run_valgrind_instructions};
static const run_counter dhat = {.name = "dhat",
                                 .program = "valgrind",
                                 .package = "valgrind",
                                 .dimensions = {"allocations", "bytes"},
                                 .options = dhat_options,
                                 .out = "--dhat-out-file=",
                                 .out_percent = true,
                                 .calls_most = 5000,
                                 .read = run_valgrind_allocations};

/* So many calls that the compiler has done what it will do: the second half counts. */
static const run_counter jvm = {.name = "the JVM",
                                .program = "java",
                                .package = "default-jre-headless",
                                .dimensions = {"bytes"},
                                .main = "moowatch.moobench.Count",
                                .calls_most = 200000,
                                .read = run_allocated_bytes};

/* The harness counts what the interpreter's allocator is asked for, at hardly less than full speed.
 * Texts hash alike in each process, so what is kept by them grows alike. */
static const char *const python_options[] = {"PYTHONHASHSEED=0", NULL};
static const run_counter python = {.name = "the interpreter",
                                   .program = "env",
                                   .package = "coreutils",
                                   .dimensions = {"allocations", "bytes"},
                                   .options = python_options,
                                   .out = "MOOBENCH_COUNTS=",
                                   .calls_most = 10000,
                                   .read = run_interpreter_allocations};

static const run_counter *const native_counters[] = {&callgrind, &dhat};
static const run_counter *const java_counters[] = {&jvm};
static const run_counter *const python_counters[] = {&python};

static bool is_there(const run_counter *counter, char *const *environment) {
    g_autofree char *path = run_program_find(counter->program, "/", environment);
    return path != NULL;
}

static size_t counters_of(const run_job *job, const run_counter *const **list) {
    if (run_job_runs_python(job)) {
        *list = python_counters;
        return G_N_ELEMENTS(python_counters);
    }
    *list = job->benchmark.driver == CFG_DRIVER_JAVA ? java_counters : native_counters;
    return job->benchmark.driver == CFG_DRIVER_NATIVE ? G_N_ELEMENTS(native_counters)
           : job->benchmark.driver == CFG_DRIVER_JAVA ? G_N_ELEMENTS(java_counters)
                                                      : 0;
}

/* Another program in Python has nothing that counts. */
static bool is_python_harness(const run_job *job) {
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++)
        if (!g_strv_contains((const char *const *)job->benchmark.configurations[i].command,
                             PYTHON_HARNESS))
            return false;
    return true;
}

size_t run_counters_of(const run_counter **out, const run_job *job, char *const *environment,
                       char **missing) {
    const run_counter *const *list;
    const size_t count = counters_of(job, &list);
    *missing = NULL;
    if (list == python_counters && !is_python_harness(job)) {
        *missing = g_strdup("a program in Python is counted where each configuration starts "
                            "the harness, " PYTHON_HARNESS);
        return 0;
    }
    if (count == 0) {
        *missing = g_strdup("this runner has no counters for the project's driver; it has some "
                            "for native, java and the harness in Python");
        return 0;
    }
    if (!is_there(list[0], environment)) {
        *missing = g_strdup_printf("this node has no %s: install the package %s "
                                   "(moowatch-runner doctor tells)",
                                   list[0]->program, list[0]->package);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = list[i];
    return count;
}

/* The same command with another class of the harness. */
static GPtrArray *with_main(GPtrArray *argv, const char *name) {
    for (guint i = 0; i < argv->len; i++)
        if (g_strcmp0(argv->pdata[i], RUN_JAVA_MAIN) == 0) {
            g_free(argv->pdata[i]);
            argv->pdata[i] = g_strdup(name);
            break;
        }
    return argv;
}

GPtrArray *run_counter_wrap(const run_counter *counter, GPtrArray *argv, const char *out) {
    if (counter->main)
        return with_main(argv, counter->main);
    GPtrArray *whole = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) parts = g_strsplit(out, "%", -1);
    g_autofree char *path = g_strjoinv(counter->out_percent ? "%%" : "%", parts);
    g_ptr_array_add(whole, g_strdup(counter->program));
    for (size_t i = 0; counter->options[i]; i++)
        g_ptr_array_add(whole, g_strdup(counter->options[i]));
    g_ptr_array_add(whole, g_strconcat(counter->out, path, NULL));
    for (guint i = 0; i < argv->len; i++)
        g_ptr_array_add(whole, g_strdup(argv->pdata[i]));
    g_ptr_array_unref(argv);
    return whole;
}

char *run_counter_words(char *const *environment) {
    GString *words = g_string_new(NULL);
    if (is_there(&callgrind, environment))
        g_string_append_printf(words,
                               "driver native: instructions by %s, allocations and bytes by %s",
                               callgrind.name, dhat.name);
    else
        g_string_append_printf(words, "driver native: none, it needs the package %s",
                               callgrind.package);
    g_string_append(words, is_there(&python, environment)
                               ? "; native that starts python: allocations and bytes by "
                                 "the interpreter"
                               : "");
    g_string_append(words, is_there(&jvm, environment) ? "; driver java: bytes by the JVM" : "");
    return g_string_free(words, FALSE);
}
