#include "runner/count/counter.h"

#include "runner/count/valgrind.h"
#include "runner/ground/error.h"
#include "runner/process/program.h"

#include <math.h>

/* Only what runs below the monitored method counts: neither start nor end of the process. */
static const char *const callgrind_options[] = {
    "-q", "--tool=callgrind", "--toggle-collect=" RUN_VALGRIND_ROOT, "--dump-line=no", NULL};
/* As deep as valgrind looks: the method must be in the stack of each allocation. */
static const char *const dhat_options[] = {"-q", "--tool=dhat", "--num-callers=500", NULL};

static const run_counter callgrind = {.name = "callgrind",
                                      .program = "valgrind",
                                      .package = "valgrind",
                                      .dimensions = {"instructions"},
                                      .options = callgrind_options,
                                      .out = "--callgrind-out-file=",
                                      .read = run_valgrind_instructions};
static const run_counter dhat = {.name = "dhat",
                                 .program = "valgrind",
                                 .package = "valgrind",
                                 .dimensions = {"allocations", "bytes"},
                                 .options = dhat_options,
                                 .out = "--dhat-out-file=",
                                 .read = run_valgrind_allocations};

static bool is_there(const run_counter *counter, char *const *environment) {
    g_autofree char *path = run_program_find(counter->program, "/", environment);
    return path != NULL;
}

size_t run_counters_of(const run_counter **out, const run_job *job, char *const *environment,
                       char **missing) {
    *missing = NULL;
    if (job->driver != CFG_DRIVER_NATIVE) {
        *missing = g_strdup("this runner has no counters for the project's driver; it has some "
                            "for native");
        return 0;
    }
    if (!is_there(&callgrind, environment)) {
        *missing = g_strdup_printf("this node has no %s: install the package %s "
                                   "(moowatch-runner doctor tells)",
                                   callgrind.program, callgrind.package);
        return 0;
    }
    out[0] = &callgrind;
    out[1] = &dhat;
    return 2;
}

GPtrArray *run_counter_wrap(const run_counter *counter, GPtrArray *argv, const char *out) {
    GPtrArray *whole = g_ptr_array_new_with_free_func(g_free);
    /* a '%' in the path would be read as its number of the process */
    g_auto(GStrv) parts = g_strsplit(out, "%", -1);
    g_autofree char *path = g_strjoinv("%%", parts);
    g_ptr_array_add(whole, g_strdup(counter->program));
    for (size_t i = 0; counter->options[i]; i++)
        g_ptr_array_add(whole, g_strdup(counter->options[i]));
    g_ptr_array_add(whole, g_strconcat(counter->out, path, NULL));
    for (guint i = 0; i < argv->len; i++)
        g_ptr_array_add(whole, g_strdup(argv->pdata[i]));
    g_ptr_array_unref(argv);
    return whole;
}

bool run_counter_value(double value) {
    return isfinite(value) && value >= 0 && value <= DET_DIMENSION_MOST;
}

char *run_counter_words(char *const *environment) {
    return is_there(&callgrind, environment)
               ? g_strdup_printf("driver native: instructions by %s, allocations and bytes by %s",
                                 callgrind.name, dhat.name)
               : g_strdup_printf("none: driver native needs the package %s", callgrind.package);
}
