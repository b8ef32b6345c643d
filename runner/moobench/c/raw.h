#pragma once
/*
 * raw - the raw file, MooBench's format: "thread;nanoseconds" a line, threads counted from 1.
 *
 * A file under its final name is whole: it is written as NAME.part, synced and renamed.
 */
#include "runner/moobench/c/calls.h"

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
 * "ready_ns": calls->ready_ns of CLOCK_MONOTONIC; "peak_bytes": most that was resident;
 * "written_bytes": handed to write() and the like. What /proc does not say is left out, and a file
 * that cannot be written is none: the calls stand without it.
 */
void moobench_raw_tell(const moobench_raw *raw, const moobench_calls *calls);

/** moobench_raw_discard - remove NAME.part. Ends raw. */
void moobench_raw_discard(moobench_raw *raw);
