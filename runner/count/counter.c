#include "runner/count/counter.h"

#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/process/process.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Reads one line, and steps behind it. */
static bool take_total(const char **at, guint64 *thread, double *bytes) {
    char *end = NULL;
    *thread = g_ascii_strtoull(*at, &end, 10);
    if (end == *at || *end != ';')
        return false;
    const char *second = strchr(end + 1, ';');
    if (!second)
        return false;
    *bytes = g_ascii_strtod(second + 1, &end);
    if (end == second + 1 || !isfinite(*bytes) || (*end != ';' && *end != '\n' && *end != '\0'))
        return false;
    const char *next = strchr(end, '\n');
    *at = next ? next + 1 : end + strlen(end);
    return true;
}

/* What the second half of a thread's calls allocated, and how many calls those are. */
static void add_thread(const GArray *bytes, double *sum, double *counted) {
    const guint half = bytes->len / 2;
    if (half == 0)
        return;
    *sum += g_array_index(bytes, double, bytes->len - 1) - g_array_index(bytes, double, half - 1);
    *counted += bytes->len - half;
}

/* Of all threads, one after the other in the file; counted: calls of the second halves. */
static bool add_threads(const char *text, guint *lines, double *sum, double *counted) {
    g_autoptr(GArray) mine = g_array_new(FALSE, FALSE, sizeof(double));
    guint64 thread = 0, last = 0;
    for (const char *at = text; *at;) {
        double bytes;
        if (!take_total(&at, &thread, &bytes))
            return false;
        if (mine->len > 0 && thread != last) {
            add_thread(mine, sum, counted);
            g_array_set_size(mine, 0);
        }
        g_array_append_val(mine, bytes);
        last = thread;
        ++*lines;
    }
    add_thread(mine, sum, counted);
    return true;
}

/* The second half of each thread's calls: then the compiler has settled.
 * text    [size] lines "thread;nanoseconds;bytes so far;collections so far"
 * calls   that the process made
 * values  [1] out, a call; below 0 when the counter went backwards
 * Returns false with RUN_ERROR_JOB: a line is not of that form, or there are other than so many. */
static bool allocated_bytes(const char *text, size_t size, double calls, double *values,
                            GError **error) {
    guint lines = 0;
    double sum = 0, counted = 0;
    if (strlen(text) != size || !add_threads(text, &lines, &sum, &counted))
        return run_wrong(error, "its raw file, line %u: no allocated bytes", lines + 1);
    if ((double)lines != calls || !(counted > 0))
        return run_wrong(error, "its raw file has %u calls, not %.0f", lines, calls);
    values[0] = sum / counted;
    return true;
}

enum { CALLS, ALLOCATIONS, BYTES, FIELDS };

/* Reads one line, and steps behind it. */
static bool take_line(const char **at, double *fields) {
    for (int i = 0; i < FIELDS; i++) {
        char *end = NULL;
        fields[i] = g_ascii_strtod(*at, &end);
        if (end == *at || !isfinite(fields[i]) || *end != (i < BYTES ? ';' : '\n'))
            return false;
        *at = end + 1;
    }
    return fields[CALLS] > 0;
}

/* Of all threads' calls that were counted.
 * text    [size] lines "calls;allocations;bytes", a line a thread
 * calls   that the process made; at most so many were counted
 * values  [2] out, a call: allocations, bytes; below 0 when a counter went backwards
 * Returns false with RUN_ERROR_JOB: a line is not of that form, or other calls than those counted.
 */
static bool interpreter_allocations(const char *text, size_t size, double calls, double *values,
                                    GError **error) {
    double sums[FIELDS] = {0}, fields[FIELDS];
    guint lines = 0;
    bool good = true;
    for (const char *at = text; *at && (good = take_line(&at, fields)); lines++)
        for (int i = 0; i < FIELDS; i++)
            sums[i] += fields[i];
    if (!good || strlen(text) != size)
        return run_wrong(error, "its file, line %u: expected calls;allocations;bytes", lines + 1);
    if (!(sums[CALLS] > 0) || sums[CALLS] > calls)
        return run_wrong(error, "its file counts %.0f calls, expected 1 to %.0f", sums[CALLS],
                         calls);
    values[0] = sums[ALLOCATIONS] / sums[CALLS];
    values[1] = sums[BYTES] / sums[CALLS];
    return true;
}

/* The totals of a callgrind file that was collected below the method.
 * calls   that the process made; values: [1] out, a call
 * Returns false with RUN_ERROR_JOB: no totals, or none of the method: is the program stripped? */
static bool valgrind_instructions(const char *text, size_t size, double calls, double *values,
                                  GError **error) {
    static const char key[] = "\ntotals:";
    const char *at = g_strrstr_len(text, (gssize)size, key);
    char *end = NULL;
    const double total = at ? g_ascii_strtod(at + strlen(key), &end) : 0;
    if (!at || end == at + strlen(key))
        return run_wrong(error, "there are no totals in its file");
    if (!(total > 0))
        return run_wrong(error,
                         RUN_VALGRIND_ROOT " was not called: is the program stripped, or is it "
                                           "not the harness?");
    values[0] = total / calls;
    return true;
}

/* Which of the frames are the method: "0x10A4C3: moobench_monitored_method (in /usr/…)". */
static bool *roots_of(const json_t *frames) {
    static const char method[] = ": " RUN_VALGRIND_ROOT " (";
    bool *roots = g_new0(bool, json_array_size(frames) + 1);
    size_t i;
    const json_t *frame;
    json_array_foreach (frames, i, frame)
        roots[i] = json_is_string(frame) && strstr(json_string_value(frame), method) != NULL;
    return roots;
}

static bool is_below(const json_t *stack, const bool *roots, size_t count) {
    size_t i;
    const json_t *frame;
    json_array_foreach (stack, i, frame) {
        const json_int_t at = json_integer_value(frame);
        if (at >= 0 && (size_t)at < count && roots[at])
            return true;
    }
    return false;
}

static bool add_points(const json_t *root, double *values, GError **error) {
    const json_t *frames = json_object_get(root, "ftbl");
    const json_t *points = json_object_get(root, "pps");
    values[0] = values[1] = 0;
    if (!json_is_array(frames) || !json_is_array(points))
        return run_wrong(error, "its file has no places of allocations");
    g_autofree bool *roots = roots_of(frames);
    size_t i;
    const json_t *point;
    json_array_foreach (points, i, point) {
        const json_t *blocks = json_object_get(point, "tbk"), *bytes = json_object_get(point, "tb");
        if (!is_below(json_object_get(point, "fs"), roots, json_array_size(frames)))
            continue;
        if (!json_is_integer(blocks) || !json_is_integer(bytes) || json_integer_value(blocks) < 0 ||
            json_integer_value(bytes) < 0)
            return run_wrong(error, "a count of allocations in its file is not a whole number");
        values[0] += (double)json_integer_value(blocks);
        values[1] += (double)json_integer_value(bytes);
    }
    return true;
}

/* Blocks and bytes that DHAT saw allocated below the method.
 * values  [2] out, a call: allocations, bytes; 0 where nothing was
 * Returns false with RUN_ERROR_JOB: it is not DHAT's JSON, or a count in it is not a number. */
static bool valgrind_allocations(const char *text, size_t size, double calls, double *values,
                                 GError **error) {
    json_error_t bad;
    json_auto_t *root = json_loadb(text, size, 0, &bad);
    if (!root)
        return run_wrong(error, "its file, line %d: %s", bad.line, bad.text);
    const bool good = add_points(root, values, error);
    values[0] /= calls;
    values[1] /= calls;
    return good;
}

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
                                      .read = valgrind_instructions};
static const run_counter dhat = {.name = "dhat",
                                 .program = "valgrind",
                                 .package = "valgrind",
                                 .dimensions = {"allocations", "bytes"},
                                 .options = dhat_options,
                                 .out = "--dhat-out-file=",
                                 .out_percent = true,
                                 .calls_most = 5000,
                                 .read = valgrind_allocations};

/* So many calls that the compiler has done what it will do: the second half counts. */
static const run_counter jvm = {.name = "the JVM",
                                .program = "java",
                                .package = "default-jre-headless",
                                .dimensions = {"bytes"},
                                .main = "moowatch.moobench.Count",
                                .calls_most = 200000,
                                .read = allocated_bytes};

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
                                   .read = interpreter_allocations};

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
                                   "(moowatch-runner doctor names it)",
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
    g_ptr_array_extend_and_steal(whole, argv);
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
