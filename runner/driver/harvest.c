#include "runner/driver/harvest.h"

#include "config/formats/formats.h"
#include "config/json_text.h"
#include "detector/statistics/dimension.h"
#include "runner/driver/bounded.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOLD_BYTES 300 /* of a tool's own message */

/* Who asks for "X [a]" gets it where no other X is beside it, too. */
static const char *called(const char *name, const char *full, const char *wanted) {
    return full && g_strcmp0(full, wanted) == 0 ? full : name;
}

static bool left_refuse(const fmt_night *night, const char *tool, const char *wanted,
                        GError **error) {
    for (guint i = 0; i < night->left->len; i++) {
        const fmt_left *left = night->left->pdata[i];
        if (!wanted || g_str_equal(called(left->name, left->full, wanted), wanted))
            return run_wrong(error, "%s: %.*s: %.*s", tool, TOLD_BYTES, left->name, TOLD_BYTES,
                             left->why);
    }
    return true;
}

/* Where the project names no unit, an instruction is 1 ns: so projects have it from before that was
 * one. */
static const char *unit_of(const fmt_value *value, const cfg_configuration *own) {
    const bool as_before = !own->unit && g_strcmp0(value->unit, FMT_INSTRUCTIONS) == 0;
    return value->unit && !as_before ? value->unit : "ns";
}

static bool value_take(const fmt_value *value, const char *tool, const cfg_configuration *own,
                       run_values *values, GError **error) {
    const char *name = *value->name != '\0' ? called(value->name, value->full, own->result) : NULL;
    const char *unit = unit_of(value, own);
    const guint count = value->values_ns->len;
    run_values_allocated(values, name, value->allocated_bytes);
    if (own->unit || g_str_equal(unit, "ns"))
        run_values_mean(values, name, value->mean_ns); /* as an import takes it */
    if (count == 0) {
        g_autofree char *place = g_strdup_printf("%s: %.*s", tool, TOLD_BYTES, value->name);
        return run_values_add(values, name, value->mean_ns, unit, place, error);
    }
    for (guint i = 0; i < count; i++) {
        g_autofree char *place =
            g_strdup_printf("%s: %.*s, value %u", tool, TOLD_BYTES, value->name, i + 1);
        if (!run_values_add(values, name, g_array_index(value->values_ns, double, i), unit, place,
                            error))
            return false;
    }
    return true;
}

static bool night_take(const fmt_night *night, const char *tool, const cfg_configuration *own,
                       run_values *values, GError **error) {
    const char *wanted = own->result;
    if (!left_refuse(night, tool, wanted, error))
        return false;
    for (guint i = 0; i < night->values->len; i++) {
        const fmt_value *value = night->values->pdata[i];
        if (value->no_values &&
            (!wanted || g_str_equal(called(value->name, value->full, wanted), wanted)))
            return run_wrong(error, "%s: %s", tool, value->no_values);
        if (!value_take(value, tool, own, values, error))
            return false;
    }
    return true;
}

/* Every value of every benchmark, by its name; where the tool tells a mean alone,
 * that mean. What a call allocated goes with them.
 * own  its result is the name that is wanted; NULL: there must be one. What the file has of it and
 * what cannot be used (it failed, it was skipped, it is no time) is an error; of another it is
 * passed over.
 * Returns false with RUN_ERROR_JOB: not that tool's, not whole, several runs, as above. */
static bool tool_read(const cfg_read *read, const cfg_configuration *own, const char *text,
                      run_values *values, GError **error) {
    const fmt_format *format = fmt_of(read->format - CFG_READ_PATTERN - 1);
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GPtrArray) nights =
        fmt_read(format, format->tool, NULL, text, strlen(text), read->cpu_time, &wrong);
    if (!nights)
        return run_wrong(error, "%s%s", wrong->message,
                         read->from_result ? ""
                                           : "; let the tool write to {result}, where nothing "
                                             "else is printed");
    if (nights->len != 1)
        return run_wrong(error, "%s: %u runs in it; one is wanted", format->tool, nights->len);
    return night_take(nights->pdata[0], format->tool, own, values, error);
}

#define UNZIPPED_RAW "moobench.csv" /* in folder */

/* fd is closed; -1: error is set already. */
static bool read_raw(const run_job *job, unsigned configuration, const run_harvest_places *at,
                     int fd, run_loop *loop, run_durable_pack **kept, GError **error) {
    const run_summary_expected expected = {
        .calls = run_job_calls(job, configuration),
        .warmup_calls = job->benchmark.configurations[configuration].warmup_calls,
        .threads = cfg_benchmark_threads(&job->benchmark, configuration)};
    if (fd < 0)
        return false;
    const bool good = run_summary_read(fd, &expected, at->keep, loop, kept, error);
    close(fd);
    return good;
}

static bool take_moobench(const run_job *job, unsigned configuration, const run_harvest_places *at,
                          run_loop *loop, run_durable_pack **kept, GError **error) {
    run_mooresults_place place = {.checkout = at->checkout,
                                  .framework = job->benchmark.framework,
                                  .results = job->benchmark.results,
                                  .depth = job->benchmark.recursion_depth,
                                  .bytes_max = at->bytes_max,
                                  .reader = at->reader,
                                  .whole = job->benchmark.whole_rounds};
    g_autofree char *unzipped = g_build_filename(at->folder, UNZIPPED_RAW, NULL);
    json_t *report = NULL;
    const int fd = run_mooresults_take(&place, job->benchmark.configurations[configuration].index,
                                       unzipped, &report, error);
    if (report)
        run_loop_add_reading(loop, "moobench", report);
    return read_raw(job, configuration, at, fd, loop, kept, error);
}

static bool find_values(const cfg_read *read, const cfg_configuration *own, const char *text,
                        run_values *values, GError **error) {
    run_extract_rule rule = {.pattern = read->pattern,
                             .unit = own->unit ? own->unit : read->unit,
                             .whole = read->whole,
                             .match_limit = read->match_limit,
                             .timeout_s = read->timeout_s};
    return read->format == CFG_READ_PATTERN ? run_extract(&rule, text, strlen(text), values, error)
                                            : tool_read(read, own, text, values, error);
}

static bool take_values(const run_job *job, unsigned configuration, const run_harvest_places *at,
                        run_loop *loop, GError **error) {
    const cfg_read *read = &job->benchmark.read;
    const char *source = read->from_result ? "{result}" : "output";
    g_auto(run_fd) folder = run_bounded_folder(at->folder, read->from_result ? "out" : ".", error);
    g_autofree char *text =
        folder < 0
            ? NULL
            : run_bounded_text(folder, read->from_result ? RUN_HARVEST_RESULT : RUN_HARVEST_LOG,
                               source, read->size_limit_bytes, error);
    bool tool = read->format != CFG_READ_PATTERN;
    const cfg_configuration *own = &job->benchmark.configurations[configuration];
    g_autoptr(run_values) values = run_values_new(own->result, own->unit, read->samples || tool);
    run_values_warm_up(values, read->warmup_values);
    if (!text)
        return false;
    if (!find_values(read, own, text, values, error)) {
        g_prefix_error(error, "%s: ", source);
        return false;
    }
    return run_values_tell(values, source, loop, error);
}

#define HARNESS_BYTES 4096
#define CALLS_TOLD_MAX INT64_C(1000000000000)
#define MEBIBYTE (1024.0 * 1024)

/* What could not be told; takes the words. All of a loop are one line. */
static void add_problem(json_t *reading, char *words) {
    const char *before = cfg_json_word(reading, "problem", NULL);
    g_autofree char *valid = g_utf8_make_valid(words, (gssize)strnlen(words, TOLD_BYTES));
    g_free(words);
    json_object_set_new(reading, "problem",
                        json_sprintf("%s%s%s", before ? before : "", before ? "; " : "", valid));
}

/* A number of the object, in a unit; those that cannot be are named, and the loop stands. */
static void put_told(json_t *reading, const char *key, const json_t *told, const char *name,
                     double from, double unit) {
    const json_t *value = json_object_get(told, name);
    const double number = (json_number_value(value) - from) / unit;
    if (!value)
        return;
    if (json_is_number(value) && det_dimension_valid(number)) {
        json_object_set_new(reading, key, json_real(number));
        return;
    }
    add_problem(reading, g_strdup_printf("the harness reported no valid %s: it is not a number, or "
                                         "a clock or counter went backwards",
                                         name));
}

/* What was used before the first call is the start's, and scatters as starts do. Where
 * that number is wrong, the loop has no processor time: the whole would be no such value. */
static void put_cpu(json_t *reading, const json_t *told, json_t *process) {
    const double whole_ms = json_number_value(json_object_get(process, "cpu_ms"));
    put_told(reading, "cpu_ms", told, "cpu_before_ns", whole_ms * 1e6, -1e6);
    if (json_object_get(told, "cpu_before_ns") && !json_object_get(reading, "cpu_ms"))
        json_object_del(process, "cpu_ms");
}

/* What is in NAME.told; NULL when it is no JSON, or when it is not there. */
static json_t *read_told(const char *base, const char *name, bool *there) {
    g_auto(run_fd) folder = run_bounded_folder(base, "out", NULL);
    *there = folder >= 0 && run_bounded_exists(folder, name);
    g_autofree char *text =
        *there ? run_bounded_text(folder, name, name, HARNESS_BYTES, NULL) : NULL;
    return text ? json_loads(text, 0, NULL) : NULL;
}

uint64_t run_harvest_calls(const char *folder) {
    bool there;
    json_auto_t *told = read_told(folder, RUN_HARVEST_RESULT RUN_HARVEST_TOLD, &there);
    const json_int_t calls = cfg_json_integer(told, "calls");
    return calls > 0 && calls <= CALLS_TOLD_MAX ? (uint64_t)calls : 0;
}

/* What a harness of ours says of its process; another one says nothing, and that is no error.
 * ours: it looks into /proc, and says so where there is more that it could not tell */
static void take_told(const run_harvest_places *at, const char *name, bool ours, run_loop *loop) {
    bool there;
    json_auto_t *told = read_told(at->folder, name, &there);
    if (!there)
        return;
    json_t *reading = json_object();
    const char *problem = cfg_json_word(told, "problem", NULL);
    if (!json_is_object(told))
        add_problem(reading, g_strdup_printf("%s is not a JSON object of at most %d bytes", name,
                                             HARNESS_BYTES));
    else if (ours && !json_object_get(told, "peak_bytes"))
        add_problem(reading, g_strdup("the harness could not read /proc/self (is it hidden?): peak "
                                      "memory is as the kernel accounts it, at least the agent's "
                                      "own, and bytes written are not known"));
    if (problem)
        add_problem(reading, g_strdup(problem));
    put_told(reading, "start_ms", told, "ready_ns", (double)at->started_us * 1e3, 1e6);
    put_cpu(reading, told, json_object_get(loop->readings, "process"));
    put_told(reading, "peak_mb", told, "peak_bytes", 0, MEBIBYTE);
    put_told(reading, "live_mb", told, "live_bytes", 0, MEBIBYTE);
    put_told(reading, "written_mb", told, "written_bytes", 0, MEBIBYTE);
    put_told(reading, "pauses_ms", told, "pauses_ms", 0, 1);
    run_loop_add_reading(loop, "harness", reading);
}

/* A root has no framework: it takes nothing where another configuration names files. */
static bool has_size(const cfg_benchmark *benchmark, unsigned configuration) {
    const cfg_configuration *one = &benchmark->configurations[configuration];
    bool named = one->loads_count > 0;
    for (unsigned i = 0; !one->parent && i < benchmark->configurations_count; i++)
        named = named || benchmark->configurations[i].loads_count > 0;
    return named;
}

bool run_harvest_size(const run_job *job, unsigned configuration, char *const *files,
                      const char *checkout, run_loop *loop, GError **error) {
    double bytes = 0;
    if (!has_size(&job->benchmark, configuration))
        return true;
    for (size_t i = 0; files[i]; i++) {
        g_autofree char *path = g_canonicalize_filename(files[i], checkout);
        struct stat status;
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            return run_wrong(error, "loads: there is no file %s", path);
        bytes += (double)status.st_size;
    }
    run_loop_add_reading(loop, "size_mb", json_real(bytes / MEBIBYTE));
    return true;
}

bool run_harvest(const run_job *job, unsigned configuration, const run_harvest_places *at,
                 run_loop *loop, run_durable_pack **kept, GError **error) {
    const bool is_command = job->benchmark.driver == CFG_DRIVER_COMMAND;
    *kept = NULL;
    take_told(at,
              is_command ? RUN_HARVEST_RESULT RUN_HARVEST_TOLD : RUN_HARVEST_RAW RUN_HARVEST_TOLD,
              !is_command && run_job_uses_harness(job), loop);
    switch (job->benchmark.driver) {
    case CFG_DRIVER_MOOBENCH:
        return take_moobench(job, configuration, at, loop, kept, error);
    case CFG_DRIVER_COMMAND:
        return take_values(job, configuration, at, loop, error);
    case CFG_DRIVER_NATIVE:
    case CFG_DRIVER_JAVA:
        break;
    }
    const int raw = run_bounded_file(AT_FDCWD, at->raw, "raw file", at->bytes_max, error);
    return read_raw(job, configuration, at, raw, loop, kept, error);
}
