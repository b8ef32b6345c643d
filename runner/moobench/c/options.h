#pragma once
/*
 * options - the command line of the native harness.
 *
 * The names are MooBench's, so that whoever drives one harness can drive the other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds that keep a typing error from asking for more memory or time than a machine has. */
#define MOOBENCH_CALLS_MAX INT64_C(1000000000)
#define MOOBENCH_METHOD_TIME_MAX_NS INT64_C(3600000000000)
#define MOOBENCH_DEPTH_MAX 100000
#define MOOBENCH_THREADS_MAX 1024

typedef enum { MOOBENCH_RUN, MOOBENCH_HELP, MOOBENCH_VERSION, MOOBENCH_USAGE } moobench_request;

typedef struct {
    int64_t total_calls; /* of each thread */
    int64_t method_time_ns;
    int recursion_depth; /* activations of the monitored method in one call */
    int total_threads;
    const char *output_filename; /* borrowed from argv */
    bool quickstart;             /* measure at once, without letting the clock settle */
} moobench_options;

extern const char moobench_help[];

/**
 * moobench_options_parse - read argv, which may use "--name value" and "--name=value".
 * options  filled with defaults first; complete only with MOOBENCH_RUN
 * problem  [problem_size] with MOOBENCH_USAGE: what is wrong and what is allowed
 * No output, no allocation.
 */
moobench_request moobench_options_parse(int argc, char **argv, moobench_options *options,
                                        char *problem, size_t problem_size);
