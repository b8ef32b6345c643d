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

/*
 * calls - the measuring itself: threads that call the monitored method and keep each duration.
 *
 * While it measures nothing is allocated, printed or paged in: every array and stack is touched
 * beforehand. Memory: 8 bytes a call.
 */

typedef struct {
    int threads;
    int64_t calls;         /* of each thread */
    int64_t *durations;    /* [threads * calls] ns, thread after thread */
    int64_t ready_ns;      /* the clock when all but these arrays was there for the first call */
    int64_t cpu_before_ns; /* processor time of the process until then, and of these arrays */
} moobench_calls;

/**
 * moobench_calls_measure - run the benchmark that options describe.
 * Returns 0, or an errno (ENOMEM, EAGAIN: no more threads) with nothing to clear.
 */
int moobench_calls_measure(const moobench_options *options, moobench_calls *calls);
void moobench_calls_clear(moobench_calls *calls);

/*
 * raw - the raw file, MooBench's format: "thread;nanoseconds" a line, threads counted from 1.
 *
 * A file under its final name is whole: it is written as NAME.part, synced and renamed.
 */

typedef struct {
    const char *name; /* borrowed */
    char *part_name;
    int fd;
} moobench_raw;

/**
 * moobench_raw_open - make NAME.part; done before measuring so that a bad path is told at once.
 * Returns 0 or an errno with nothing to clean up.
 */
int moobench_raw_open(moobench_raw *raw, const char *name);

/**
 * moobench_raw_write - all calls, sync, rename. Ends raw.
 * Returns 0, or an errno; then NAME.part is gone and NAME is as it was.
 */
int moobench_raw_write(moobench_raw *raw, const moobench_calls *calls);

/**
 * moobench_raw_tell - NAME.told: what the process used until now, as one JSON object of numbers.
 * "ready_ns": calls->ready_ns of CLOCK_MONOTONIC; "cpu_before_ns": as in calls; "peak_bytes": most
 * that was resident, less the durations, so that processes with other numbers of calls can be
 * compared; "written_bytes": handed to write() and the like. What /proc does not say is left out,
 * and a file that cannot be written is none: the calls stand without it.
 */
void moobench_raw_tell(const moobench_raw *raw, const moobench_calls *calls);

/** moobench_raw_discard - remove NAME.part. Ends raw. */
void moobench_raw_discard(moobench_raw *raw);
