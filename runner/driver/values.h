#pragma once
/*
 * values - what was read from a program's output, checked and in nanoseconds.
 *
 * Memory: 8 bytes a value, RUN_VALUES_MAX of them at most.
 */
#include "runner/loop/loop.h"

#include <glib.h>
#include <stdbool.h>

#define RUN_VALUES_MAX 1000000u

typedef struct run_values run_values;

/**
 * run_values_new - an empty collection.
 * wanted   name of the values that are kept; NULL: all, but of one name only
 * samples  several values are samples of one; false: more than one is an error
 */
run_values *run_values_new(const char *wanted, bool samples);
void run_values_free(run_values *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_values, run_values_free)

/**
 * run_values_add - one value as the tool wrote it.
 * name   NULL: it has none
 * unit   of time ("ms", "ns/op") or a rate ("ops/s"), which is turned round
 * place  "line 3" or the like, for errors
 * Returns false with RUN_ERROR_JOB: not finite, negative, a rate of 0, unknown unit, one too many.
 * A value of another name is checked for its name alone.
 */
bool run_values_add(run_values *values, const char *name, double value, const char *unit,
                    const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_values_parse - the same with the value as text; it must be a whole decimal number. */
bool run_values_parse(run_values *values, const char *name, const char *text, const char *unit,
                      const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

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
 * run_values_tell - sets calls and summary of a loop.
 * source  what was read, for the error when nothing was found under the wanted name
 */
bool run_values_tell(const run_values *values, const char *source, run_loop *loop,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* wrong - what a benchmark left cannot be used. */

/** run__wrong - sets RUN_ERROR_JOB; what it quotes may be cut anywhere. Returns false. */
bool run__wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
