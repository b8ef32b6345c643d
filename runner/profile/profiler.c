#include "runner/profile/profiler.h"

#include "runner/ground/error.h"
#include "runner/process/program.h"

#include <string.h>

/* Exact, and so deterministic that one loop with few calls says all; fifty times as slow. */
static const run_profiler callgrind = {.name = "callgrind",
                                       .unit = "instructions",
                                       .root = "moobench_monitored_method",
                                       .calls_most = 5000,
                                       .loops = 1,
                                       .no_method_time = true,
                                       .program = "valgrind",
                                       .package = "valgrind"};

static bool is_there(const run_profiler *profiler, char *const *environment) {
    g_autofree char *path = run_program_find(profiler->program, "/", environment);
    return path != NULL;
}

const run_profiler *run_profiler_of(const run_job *job, char *const *environment, GError **error) {
    if (job->driver != CFG_DRIVER_NATIVE) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "this runner has no profiler for the project's driver; it has one for native");
        return NULL;
    }
    if (is_there(&callgrind, environment))
        return &callgrind;
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                "this node has no %s: install the package %s (moowatch-runner doctor tells)",
                callgrind.program, callgrind.package);
    return NULL;
}

GPtrArray *run_profiler_wrap(const run_profiler *profiler, GPtrArray *argv, const char *out) {
    GPtrArray *whole = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(whole, g_strdup(profiler->program));
    g_ptr_array_add(whole, g_strdup("-q"));
    g_ptr_array_add(whole, g_strdup("--tool=callgrind"));
    g_ptr_array_add(whole, g_strdup("--dump-instr=yes"));
    g_ptr_array_add(whole, g_strdup("--dump-line=no"));
    g_ptr_array_add(whole, g_strdup("--separate-recs=1"));
    /* a '%' in the path would be read as its number of the process */
    g_auto(GStrv) parts = g_strsplit(out, "%", -1);
    g_autofree char *path = g_strjoinv("%%", parts);
    g_ptr_array_add(whole, g_strconcat("--callgrind-out-file=", path, NULL));
    for (guint i = 0; i < argv->len; i++)
        g_ptr_array_add(whole, g_strdup(argv->pdata[i]));
    g_ptr_array_unref(argv);
    return whole;
}

char *run_profiler_words(char *const *environment) {
    return is_there(&callgrind, environment)
               ? g_strdup_printf("driver native: %s", callgrind.name)
               : g_strdup_printf("none: driver native needs the package %s", callgrind.package);
}
