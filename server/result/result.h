#pragma once
/*
 * result - a runner's result, checked member by member against the benchmark it was given.
 *
 * Nothing in it is believed: names must be the benchmark's, numbers finite, in range and in order,
 * counts must add up. Pure: no database, no clock.
 */
#include "detector/statistics/dimension.h"
#include "detector/statistics/portion.h"
#include "detector/statistics/stats.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define SRV__LOOPS_LIMIT 1000 /* rounds */

typedef struct {
    size_t configuration; /* index in the benchmark */
    bool before;          /* of a trial's older commit */
    int64_t loop;         /* from 1 */
    int64_t position;     /* in the order in which the loops of the job ran, from 0 */
    int64_t started_ms;
    double seconds;
    bool disturbed;
    bool duet;          /* of a trial: the other commit's process ran at the same time */
    bool used;          /* it counts: of the attempts at a loop one does, unless it is left out */
    const char *failed; /* NULL: it went well; else no summary */
    int64_t calls, warmup_calls;
    det_summary summary;
    const json_t *readings; /* borrowed or NULL */
    /* JSON as it is stored, the result's; NULL: there is none */
    const char *summary_text, *calls_per_second_text, *readings_text;
    const char *raw_sha256; /* NULL: no raw file */
    int64_t raw_bytes, raw_uncompressed_bytes;
} srv__loop;

typedef struct {
    const char *node; /* strings and JSON are borrowed from the body */
    int64_t started_ms, finished_ms;
    json_t *environment; /* owned, without "detail" */
    char *environment_hash;
    const json_t *detail; /* or NULL */
    GArray *loops;        /* srv__loop */
    GStringChunk *texts;  /* of the loops */
    size_t rounds;        /* highest loop number, at least 1 */
} srv__result;

/* The configurations of a benchmark as the detector wants them. */
typedef struct {
    det_chain chain;
    const char *name[DET_CONFIGURATIONS_MAX]; /* borrowed from the benchmark */
    const char *label[DET_CONFIGURATIONS_MAX];
    const char *portion[DET_CONFIGURATIONS_MAX];
    int64_t calls[DET_CONFIGURATIONS_MAX];    /* of a process; 0: nobody knows */
    const char *unit[DET_CONFIGURATIONS_MAX]; /* of its values; NULL: ns a call */
    bool higher[DET_CONFIGURATIONS_MAX];      /* with a unit: more of it is better */
    int64_t loops;      /* wanted; with a budget of minutes: rounds that come first */
    int64_t loops_most; /* the last number that one may have */
    size_t total;       /* last leaf of the first chain */
} srv__tree;

/* srv__tree_read - INTERNAL when the stored benchmark is not a tree. */
bool srv__tree_read(srv__tree *tree, const json_t *benchmark,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__tree_find - the place of the configuration of that name, -1: there is none. */
int srv__tree_find(const srv__tree *tree, const char *name);

/* srv__tree_of - as it is for a dimension (NULL: time): what hangs on the number of calls is not
 * taken apart where a configuration makes another number than its parent. It becomes a root, and
 * its portion has the name of the configuration. */
void srv__tree_of(srv__tree *tree, const det_dimension *dimension);

/* The two commits of a trial; both NULL for a night, whose loops name no commit.
 * bare   results from elsewhere: of a loop's calls no more than the mean need be known */
typedef struct {
    const char *after, *before;
    bool bare;
} srv__commits;

/* srv__result_read - NULL with INVALID, naming the member. */
srv__result *srv__result_read(const json_t *body, const srv__tree *tree, srv__commits commits,
                              GError **error);
void srv__result_free(srv__result *result);

/* srv__result_leave_out - loops of a night that a reading says were disturbed do not count, where
 * at least half of their configuration's, and as many as it needs, were not. Strays stay: it is
 * their own value that marks them. */
void srv__result_leave_out(srv__result *result, const srv__tree *tree, int64_t minimum_loops);

/* srv__result_values - [count * rounds] means or medians of the loops that count; NaN: missing. */
void srv__result_values(const srv__result *result, size_t count, bool medians, double *values);

/* srv__result_flaw - why it must not be used for comparisons, owned; NULL: it may. The control has
 * too few loops, so that nobody knows of the machine, or no other portion can be judged.
 * srv__result_gap - which configurations have too few loops, owned; NULL: none has. In a result
 * without a flaw their own portions, and those measured on top of them, cannot be judged, and no
 * others. */
char *srv__result_flaw(const srv__result *result, const srv__tree *tree, int64_t minimum_loops);
char *srv__result_gap(const srv__result *result, const srv__tree *tree, int64_t minimum_loops);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv__result, srv__result_free)

/*
 * environment - what differs between two of them, for people.
 */

/**
 * srv__environment_difference - "kernel 6.1.0-10 → 6.1.0-12; JVM 17.0.14 → 17.0.15"; nested members
 * as "parameters.threads", long values cut, "" when nothing differs. Owned by the caller.
 */
char *srv__environment_difference(const json_t *old_one, const json_t *new_one);

/*
 * benchmark - which benchmarks (config/model/benchmark.h) are the same, and JSON in one spelling.
 */

/**
 * srv_benchmark_identity - hex SHA-256 of what must be equal for results to be comparable.
 * Left out, since they do not change what one process measures: labels, portions' names, number
 * of loops, time limits, rests, confidence. Owned by the caller.
 */
char *srv_benchmark_identity(const json_t *benchmark) G_GNUC_WARN_UNUSED_RESULT;

/* srv_benchmark_continues - may the nights of both be one series? They measure the same but for
 * configurations that one of them has beside all of the other's. */
bool srv_benchmark_continues(const json_t *benchmark,
                             const json_t *earlier) G_GNUC_WARN_UNUSED_RESULT;

/* srv_benchmark_as_before - the benchmark with each configuration compared with what it was
 * compared with earlier, and with those that it lacks; owned. NULL: even so it does not continue
 * the earlier one, or shares none with it. kept  an object of names: what is lacking and has none
 * is let go where that makes no other series; NULL: nothing is */
json_t *srv_benchmark_as_before(const json_t *benchmark, const json_t *earlier,
                                const json_t *kept) G_GNUC_WARN_UNUSED_RESULT;

/* srv_benchmark_in_its_units - the benchmark with instructions in ns where they were never anything
 * else, 1 ns each, and so with throughputs; owned. rows  {"body"} of all earlier ones; turned  out:
 * the throughputs by name; ns = this number / value */
json_t *srv_benchmark_in_its_units(const json_t *benchmark, const json_t *rows,
                                   json_t *turned) G_GNUC_WARN_UNUSED_RESULT;

/* srv_json_canonical - keys sorted, compact; owned. srv_json_hash - its hex SHA-256; owned. */
char *srv_json_canonical(const json_t *json) G_GNUC_WARN_UNUSED_RESULT;
char *srv_json_hash(const json_t *json) G_GNUC_WARN_UNUSED_RESULT;

/*
 * counts - what a runner counted in loops of their own: {configuration: {dimension: [a value a call
 * for each loop]}} as docs/protocol.md has it. Nothing in it is an error: what is no count is left
 * out.
 */

/* srv__reading_of - what a measured loop's readings (NULL: none) and its calls (NULL: none) say of
 * a dimension that is not counted; NaN: nothing. */
double srv__reading_of(const det_dimension *dimension, const json_t *readings,
                       const det_summary *calls);

/* srv__records_expected - how many records of a loop should have arrived, or been written; NaN:
 * that is not known. */
double srv__records_expected(const json_t *readings);

/**
 * srv__counts_read - of one dimension.
 * configurations  the object; NULL: nothing was counted
 * loops           out, of the configuration that has the most; 0: nobody counted it
 * Returns [tree's configurations * loops], NaN where there is none; to g_free.
 */
double *srv__counts_read(const json_t *configurations, const srv__tree *tree, const char *dimension,
                         size_t *loops);
