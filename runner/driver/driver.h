#pragma once
/*
 * driver - from a configuration to the command line that measures it.
 */
#include "runner/job/job.h"

#include <glib.h>
#include <stdint.h>

/*
 * placeholder - the words in braces that a project may use in commands, options and environment.
 */

typedef struct {
    const char *checkout; /* {checkout} */
    const char *scratch;  /* {scratch} */
    const char *harness;  /* {harness} */
    const char *commit;   /* {commit} */
    const char *artifact; /* {artifact} */
    uint64_t calls;       /* {calls}: made by the whole process */
    uint64_t depth;       /* {depth} */
    const char *result;   /* {result}: file that driver command reads */
    const char *port;     /* {port}: where the receiver listens */
    const char *profile;  /* {profile}: file that profile_command writes */
    const char *jdk;      /* folder whose java comes first; NULL: that of path */
    const char *path;     /* folders of programs, with colons; NULL: CFG_RUNNER_PATH */
} run_placeholder;

/* run_placeholder_append - each word of a NULL-terminated list, expanded, appended to argv. */
void run_placeholder_append(const run_placeholder *values, char *const *words, GPtrArray *argv);

#define RUN_JAVA_MAIN "moowatch.moobench.Benchmark"

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

#define RUN_DRIVER_JVMS "/usr/lib/jvm" /* where distributions put JDKs */

/**
 * run_driver_jdk - the folder of the JDK that a project wants: a path as it is, else the first by
 * name below `below` whose file `release` has that version. Returns a string to g_free, or NULL
 * with RUN_ERROR_JOB, which says what is there.
 */
char *run_driver_jdk(const char *wanted, const char *below, GError **error);

/* run_driver_environment - PATH (the JDK's folder first) and JAVA_HOME, HOME and TMPDIR (scratch),
 * LANG, TZ, then what is configured. */
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
