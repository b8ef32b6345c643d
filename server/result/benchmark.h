#pragma once
/*
 * benchmark - which benchmarks (config/model/benchmark.h) are the same, and JSON in one spelling.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

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
 * compared with earlier; owned. NULL: even so it does not continue the earlier one. */
json_t *srv_benchmark_as_before(const json_t *benchmark,
                                const json_t *earlier) G_GNUC_WARN_UNUSED_RESULT;

/* srv_json_canonical - keys sorted, compact; owned. srv_json_hash - its hex SHA-256; owned. */
char *srv_json_canonical(const json_t *json) G_GNUC_WARN_UNUSED_RESULT;
char *srv_json_hash(const json_t *json) G_GNUC_WARN_UNUSED_RESULT;
