#include "runner/driver/harvest.h"

#include "runner/driver/bounded.h"
#include "runner/driver/extract.h"
#include "runner/driver/mooresults.h"
#include "runner/driver/summary.h"
#include "runner/driver/tool_json.h"
#include "runner/driver/values.h"

#include <string.h>
#include <unistd.h>

#define COPIED_RAW "moobench.csv" /* in folder */

static bool read_raw(const run_job *job, unsigned configuration, const run_harvest_places *at,
                     const char *path, run_loop *loop, GError **error) {
    run_summary_expected expected = {.calls = run_job_calls(job, configuration),
                                     .warmup_calls =
                                         job->benchmark.configurations[configuration].warmup_calls,
                                     .threads = job->benchmark.threads,
                                     .bytes_max = at->bytes_max};
    return run_summary_read(path, &expected, loop, error);
}

static bool take_moobench(const run_job *job, unsigned configuration, const run_harvest_places *at,
                          run_loop *loop, char **raw, GError **error) {
    run_mooresults_place place = {.checkout = at->checkout,
                                  .framework = job->benchmark.framework,
                                  .results = job->benchmark.results,
                                  .depth = job->benchmark.recursion_depth,
                                  .bytes_max = at->bytes_max,
                                  .reader = at->reader,
                                  .whole = job->benchmark.whole_rounds};
    g_autofree char *copy = g_build_filename(at->folder, COPIED_RAW, NULL);
    json_t *report = NULL;
    if (!run_mooresults_take(&place, job->benchmark.configurations[configuration].index, copy,
                             &report, error))
        return false;
    if (report)
        run_loop_add_reading(loop, "moobench", report);
    *raw = g_steal_pointer(&copy);
    return read_raw(job, configuration, at, *raw, loop, error);
}

static bool find_values(const cfg_read *read, const char *text, run_values *values,
                        GError **error) {
    run_extract_rule rule = {.pattern = read->pattern,
                             .unit = read->unit,
                             .whole = read->whole,
                             .match_limit = read->match_limit,
                             .timeout_s = read->timeout_s};
    switch (read->format) {
    case CFG_READ_JMH_JSON:
        return run_tool_json_jmh(text, strlen(text), values, error);
    case CFG_READ_GOOGLE_JSON:
        return run_tool_json_google(text, strlen(text), read->cpu_time, values, error);
    case CFG_READ_HYPERFINE_JSON:
        return run_tool_json_hyperfine(text, strlen(text), values, error);
    case CFG_READ_GUNGRAUN_JSON:
        return run_tool_json_gungraun(text, strlen(text), values, error);
    case CFG_READ_PATTERN:
        break;
    }
    return run_extract(&rule, text, strlen(text), values, error);
}

static bool take_values(const run_job *job, unsigned configuration, const run_harvest_places *at,
                        run_loop *loop, GError **error) {
    const cfg_read *read = &job->benchmark.read;
    const char *source = read->from_result ? "{result}" : "output";
    int folder = run_bounded_folder(at->folder, read->from_result ? "out" : ".", error);
    g_autofree char *text =
        folder < 0
            ? NULL
            : run_bounded_text(folder, read->from_result ? RUN_HARVEST_RESULT : RUN_HARVEST_LOG,
                               source, read->size_limit_bytes, error);
    if (folder >= 0)
        close(folder);
    bool json = read->format != CFG_READ_PATTERN;
    g_autoptr(run_values) values =
        run_values_new(job->benchmark.configurations[configuration].result, read->samples || json);
    if (!text)
        return false;
    if (!find_values(read, text, values, error)) {
        g_prefix_error(error, "%s: ", source);
        return false;
    }
    return run_values_tell(values, source, loop, error);
}

bool run_harvest(const run_job *job, unsigned configuration, const run_harvest_places *at,
                 run_loop *loop, char **raw, GError **error) {
    *raw = NULL;
    switch (job->benchmark.driver) {
    case CFG_DRIVER_MOOBENCH:
        return take_moobench(job, configuration, at, loop, raw, error);
    case CFG_DRIVER_COMMAND:
        return take_values(job, configuration, at, loop, error);
    case CFG_DRIVER_NATIVE:
    case CFG_DRIVER_JAVA:
        break;
    }
    *raw = g_strdup(at->raw);
    return read_raw(job, configuration, at, at->raw, loop, error);
}
