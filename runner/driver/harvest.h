#pragma once
/*
 * harvest - what a benchmark process left, told as a loop; each driver its way.
 */
#include "config/config.h"
#include "runner/job/job.h"
#include "runner/loop/loop.h"
#include "runner/process/process.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * values - what was read from a program's output, checked and in nanoseconds.
 *
 * Memory: 8 bytes a value, RUN_VALUES_MAX of them at most.
 */

#define RUN_VALUES_MAX 1000000u

typedef struct run_values run_values;

/**
 * run_values_new - an empty collection.
 * wanted   name of the values that are kept; NULL: all, but of one name only
 * unit     that they must have, and are kept in; NULL: they are times, kept in ns
 * samples  several values are samples of one; false: more than one is an error
 */
run_values *run_values_new(const char *wanted, const char *unit, bool samples);
void run_values_free(run_values *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_values, run_values_free)

/**
 * run_values_add - one value as the tool wrote it.
 * name   NULL: it has none
 * unit   of time ("ms", "ns/op") or a rate ("ops/s"), which is turned round; or the collection's
 * place  "line 3" or the like, for errors
 * Returns false with RUN_ERROR_JOB: not finite, negative, a rate of 0, unknown unit, one too many.
 * A value of another name is checked for its name alone.
 */
bool run_values_add(run_values *values, const char *name, double value, const char *unit,
                    const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_values_parse - the same with the value as text; it must be a whole decimal number. */
bool run_values_parse(run_values *values, const char *name, const char *text, const char *unit,
                      const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_values_warm_up - how many of the first samples do not count; fewer values are an error of
 * run_values_tell. Nobody says: 0. */
void run_values_warm_up(run_values *values, unsigned count);

/* run_values_mean - the mean of that name in place of its values' own: a tool's mean may be of
 * other weights (rates, processes). One that is not within the values is an error of
 * run_values_tell. */
void run_values_mean(run_values *values, const char *name, double mean_ns);

/* run_values_allocated - how many bytes a call of that name allocated; of another name, or no such
 * number: nothing happens. It becomes the loop's reading "allocated_bytes_per_call". */
void run_values_allocated(run_values *values, const char *name, double bytes);

/* run_values_seen - how many values of any name were added. */
size_t run_values_seen(const run_values *values);

/**
 * run_values_tell - sets calls, warmup_calls and summary of a loop.
 * source  what was read, for the error when nothing was found under the wanted name
 */
bool run_values_tell(const run_values *values, const char *source, run_loop *loop,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    const char *checkout;
    const char *folder;             /* ours: the untrusted program cannot write into it */
    const char *out;                /* its own, below folder */
    const char *raw;                /* native, java: the raw file that it was told to write */
    uint64_t bytes_max;             /* of a raw file */
    int64_t started_us;             /* of the process, CLOCK_MONOTONIC */
    const char *keep;               /* where a raw file is packed while it is read */
    const run_process_spec *reader; /* moobench: who parses results.yaml; NULL: nobody */
} run_harvest_places;

#define RUN_HARVEST_RAW "raw.csv"   /* in out: what the harness writes */
#define RUN_HARVEST_TOLD ".told"    /* behind these two: what a harness tells of its process */
#define RUN_HARVEST_RESULT "result" /* in out: {result} of driver command */
#define RUN_HARVEST_LOG "log"       /* in folder: what was printed */

/**
 * run_harvest - sets calls, warmup_calls, summary and calls_per_second of a loop.
 * kept  out: the packed raw file, to be ended or dropped; NULL: this driver has none
 * Returns false with RUN_ERROR_JOB (the loop has failed, and why) or RUN_ERROR_NODE.
 */
bool run_harvest(const run_job *job, unsigned configuration, const run_harvest_places *at,
                 run_loop *loop, run_durable_pack **kept, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_harvest_size - what these files take together (argv, absolute or below checkout), as the
 * loop's reading "size_mb"; 0: of a root without any, where another configuration has some; nobody
 * has: nothing. RUN_ERROR_JOB: one is not there, or is no file. */
bool run_harvest_size(const run_job *job, unsigned configuration, char *const *files,
                      const char *checkout, run_loop *loop,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_harvest_calls - how many calls {result}.told says that the process made; 0: nothing. folder:
 * as in the places. */
uint64_t run_harvest_calls(const char *folder);

/*
 * extract - values in a text, by a PCRE2 pattern with the named groups value, unit and name.
 *
 * The text is untrusted and the pattern may be clumsy: every match has an upper bound of work
 * (match_limit, as PCRE2 counts it), and all matches of a text together have a time limit.
 */

typedef struct {
    const char *pattern;
    const char *unit; /* where the pattern has no group unit, or it did not take part */
    bool whole;       /* the text at once; false: line by line, each line alone */
    uint32_t match_limit;
    unsigned timeout_s;
} run_extract_rule;

/**
 * run_extract - adds every match of the text.
 * text  valid UTF-8, length bytes
 * Returns false with RUN_ERROR_JOB that names pattern and line: no match, no number, limits.
 */
bool run_extract(const run_extract_rule *rule, const char *text, size_t length, run_values *values,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * summary - a benchmark's raw file, read once: by the detector into a loop, and packed as it comes.
 */

/* What the file must hold, else the loop has failed. */
typedef struct {
    uint64_t calls;        /* lines, of all threads together */
    uint64_t warmup_calls; /* per thread */
    unsigned threads;
} run_summary_expected;

/**
 * run_summary_read - sets calls, warmup_calls, summary and calls_per_second of a loop. Full seconds
 * only; empty with several threads, whose calls have no common clock in the raw format. With one
 * thread and calls enough, readings gets "settled" and, when they had not, "not_settled_by" in
 * words (detector/statistics/warmup.h); with a column of collections "collections".
 * fd    of a regular file, at its beginning
 * path  where to pack it; NULL: nowhere
 * pack  out: all of it, to be ended or dropped by the caller; NULL on errors and without path
 * Returns false with RUN_ERROR_JOB ("raw file: …", line and column where known), RUN_ERROR_NODE
 * when it cannot be packed.
 */
bool run_summary_read(int fd, const run_summary_expected *expected, const char *path,
                      run_loop *loop, run_durable_pack **pack,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * mooresults - what one run of MooBench's own script left in its framework's folder: the raw file
 * of a configuration, as it is or in results.zip.
 *
 * The numbers are those of the raw calls. results.yaml is read beside them, never instead: newer
 * statistics.r divides by the recursion depth, older does not, and the file does not say which.
 */

typedef struct {
    const char *checkout;
    const char *framework; /* folder below it */
    const char *results;   /* folder below that; NULL: results-<framework>, then results */
    unsigned depth;
    uint64_t bytes_max;             /* of one raw file */
    const run_process_spec *reader; /* who parses results.yaml; NULL: nobody, it is left out */
    bool whole;                     /* the run was asked for all configurations, not for one */
} run_mooresults_place;

/**
 * run_mooresults_take - opens a configuration's raw file, as it is or unzipped.
 * unzipped  a new file of ours, made where there is only results.zip
 * index   of the configuration
 * report  out: {"label", "mean_us", "ci95_us"} of labels.sh and results.yaml, what there is of
 *         them; to json_decref. NULL when there is nothing
 * Returns a descriptor to close; -1 with RUN_ERROR_JOB that names file and reason, RUN_ERROR_NODE
 * when it cannot be unzipped.
 */
int run_mooresults_take(const run_mooresults_place *place, unsigned index, const char *unzipped,
                        json_t **report, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * reported - upstream's own figures of one configuration, from MooBench's results.yaml.
 *
 * The file was written by code under test. It is parsed by a process of that user, in its
 * namespaces and with its limits, which hands back two numbers; the agent never parses it.
 */

#define RUN_REPORTED_COMMAND "reported"

/* run_reported_main - moowatch-runner reported FILE LABEL. The exit status. */
int run_reported_main(int argc, char **argv);
