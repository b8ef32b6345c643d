#pragma once
/*
 * tool_json - the values in what JMH (-rf json), Google Benchmark (--benchmark_format=json),
 * hyperfine (--export-json) and Gungraun (--output-format=json) write.
 */
#include "runner/driver/values.h"

#include <stdint.h>

/**
 * run_tool_json_jmh - every iteration of every fork is a value: rawData, or the score without it.
 * Names are "pkg.Class.method", followed by " key=value" for every parameter, in JMH's order.
 * What -prof gc says of allocated bytes a call goes with them.
 * Returns false with RUN_ERROR_JOB: no JSON (line and column), not JMH's, a value that is not a
 * number.
 */
bool run_tool_json_jmh(const char *text, size_t length, run_values *values,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_tool_json_google - every repetition is a value; aggregates are passed over.
 * cpu_time  take cpu_time instead of real_time
 * Names are run_name: without the suffix of an aggregate.
 * Returns false as above, and when a benchmark skipped with an error.
 */
bool run_tool_json_google(const char *text, size_t length, bool cpu_time, run_values *values,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_tool_json_hyperfine - every run of a command is a value; names are the commands, as
 * --command-name gives them.
 * Returns false as above, and when a run failed (--ignore-failure).
 */
bool run_tool_json_hyperfine(const char *text, size_t length, run_values *values,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_tool_json_gungraun - the instructions of every benchmark (config/gungraun.h), 1 ns each.
 * text  a summary, a list of them, or one a line
 * Returns false as above, and when Callgrind did not run.
 */
bool run_tool_json_gungraun(const char *text, size_t length, run_values *values,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
