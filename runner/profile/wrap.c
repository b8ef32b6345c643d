#include "runner/profile/wrap.h"

#include "runner/ground/error.h"

#include <string.h>

/* By the kernel's performance events where it allows them, else by timers, which need no rights but
 * are as coarse as its clock: what a sample stands for is worked out behind it (collapse.c). */
#define ASYNC_OPTIONS "start,event=cpu,interval=1ms,jstackdepth=4096,collapsed,ann,file="
/* total: the bytes that a sample stands for, not one */
#define ALLOCATED_OPTIONS                                                                          \
    "start,event=alloc,alloc=" RUN_ALLOCATED_EVERY ",total,jstackdepth=4096,collapsed,ann,file="

static void add(GPtrArray *to, const char *word) {
    g_ptr_array_add(to, g_strdup(word));
}

/* The words of the benchmark from `first` on, and the NULL. */
static GPtrArray *and_argv(GPtrArray *whole, GPtrArray *argv, guint first) {
    for (guint i = first; i < argv->len; i++)
        g_ptr_array_add(whole, g_strdup(argv->pdata[i]));
    g_ptr_array_unref(argv);
    return whole;
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
    if (!g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, &problem)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "%s", problem->message);
        return false;
    }
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
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                "it cannot write to %s: a path without ',', '%%' and '=' is needed (work_dir)",
                how->out);
    return false;
}

/* The JVM's options stand behind its name. */
static bool add_java(const run_wrap *how, const GPtrArray *argv, GPtrArray *whole, GError **error) {
    if (!check_paths(how, error))
        return false;
    add(whole, argv->pdata[0]);
    if (how->profiler->kind == RUN_PROFILER_JFR)
        return write_settings(how, whole, error);
    const bool bytes = how->profiler->kind == RUN_PROFILER_ALLOCATED;
    g_ptr_array_add(whole, g_strconcat("-agentpath:", how->part, "=",
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
    case RUN_PROFILER_OWN:
        run_placeholder_append(how->values, how->command, whole);
        break;
    case RUN_PROFILER_ASYNC:
    case RUN_PROFILER_ALLOCATED:
    case RUN_PROFILER_JFR:
        if (add_java(how, argv, whole, error))
            return and_argv(whole, argv, 1);
        g_ptr_array_unref(argv);
        g_ptr_array_unref(whole);
        return NULL;
    }
    return and_argv(whole, argv, 0);
}
