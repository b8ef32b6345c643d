#pragma once
/*
 * driver - from a configuration to the command line that measures it.
 */
#include "runner/job/job.h"
#include "runner/process/placeholder.h"

#define RUN_JAVA_MAIN "moowatch.moobench.Benchmark"
#define RUN_DRIVER_PATH "PATH=/usr/local/bin:/usr/bin:/bin" /* of programs, if not configured */

/**
 * run_driver_command - argv of one benchmark process.
 * raw_path  where it shall write its raw file
 * Returns GPtrArray of char * (owned), NULL-terminated, to g_ptr_array_unref.
 * native: command (default {harness}/moobench), standard arguments, options.
 * java: java, options, -cp {harness}/moobench.jar:classpath, main class, standard arguments.
 * moobench: sh, which empties the script's folder of results and becomes the script, options.
 * command: command, options.
 */
GPtrArray *run_driver_command(const run_job *job, unsigned configuration,
                              const run_placeholder *values, const char *raw_path);

/* run_driver_environment - PATH, HOME and TMPDIR (scratch), LANG, TZ, then what is configured. */
GPtrArray *run_driver_environment(const run_placeholder *values, char *const *configured);

/**
 * run_driver_variables - what the benchmark process gets beside the standard environment.
 * moobench: NUM_OF_LOOPS=1, MOOBENCH_CONFIGURATIONS (this one; all with whole_rounds),
 * TOTAL_NUM_OF_CALLS, METHOD_TIME, RECURSION_DEPTH, THREADS, SLEEP_TIME=0, BATCH_MODE=yes; then,
 * for every driver, what is configured. Returns a NULL-terminated list to g_strfreev.
 */
GStrv run_driver_variables(const run_job *job, unsigned configuration);

/* run_driver_words - any argv of the job (prepare, verify), expanded, NULL-terminated. */
GPtrArray *run_driver_words(const run_placeholder *values, char *const *words);
