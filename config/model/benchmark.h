#pragma once
/*
 * benchmark - the table of a benchmark (cfg_benchmark), as a job carries it (docs/protocol.md).
 *
 * Server and runner read and write it through this one table. What a job may ask for is bounded
 * there: wide enough for the longest runs, against nonsense. What is left out where it has its
 * default was added later: what was measured before stays the same benchmark.
 */
#include "config/config.h"
#include "config/model/model.h"

extern const model_noun cfg_benchmark_model, cfg_variable_model;

/* The words of its enumerations, in jobs and in the files of projects; each list ends with NULL. */
extern const char *const cfg_better_words[];
extern const char *const cfg_records_words[],
    *const cfg_driver_words[], *const cfg_format_words[],
                                   *const cfg_count_words[],
                                       *const cfg_network_words[],
                                           *const cfg_from_words[], *const cfg_scope_words[],
                                                                        *const cfg_several_words[],
                                                                            *const cfg_time_words[];

/* cfg_is_jdk - a version such as "25", or an absolute path that PATH can hold. */
bool cfg_is_jdk(const char *text);

/* cfg_is_below - a path below a folder, whatever stands in it: relative, no part empty or "..". */
bool cfg_is_below(const char *path);

/* cfg_benchmark_find - the place of the configuration of this name among the first so many; -1:
 * there is none, or name is NULL. */
int cfg_benchmark_find(const cfg_benchmark *benchmark, unsigned count, const char *name);

/* cfg_is_unit - can it be the unit of a value? */
bool cfg_is_unit(const char *text);
#define CFG_UNIT_BYTES_MAX 24

#define CFG_LOOPS_MAX 10000
#define CFG_CALLS_MAX 1000000000
#define CFG_WARMUP_VALUES_MAX 999999 /* one less than a loop may have */

/* Of a row: one command line, or list of options. */
#define CFG_ARGV .most_items = 1024, .most = 32 * 1024
