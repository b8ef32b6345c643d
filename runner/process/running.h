#pragma once
/*
 * running - a program between its start and its end: what process.c and companion.c wait for.
 */
#include "runner/process/output.h"
#include "runner/process/process.h"

typedef struct run__running {
    const run_process_spec *spec;
    const struct run__running *beside; /* its companion; NULL: none */
    const struct run__running *twin;   /* runs at the same time; NULL: none, or it has ended */
    run_process_result *result;
    run_output *output;
    pid_t pid;
    int pidfd;
    int init;           /* our end of what its init reports; -1: none */
    int log;            /* our end of the pipe, or the log file */
    bool log_open;      /* a pipe that still has a writer */
    int64_t started_us; /* monotonic */
    int64_t deadline_us;
    int64_t weighed_us;    /* when the watched folder was last weighed */
    uint64_t weighed_free; /* free space then */
} run__running;

/** run__running_not - nothing started yet; spec, result and output must outlive it. NULL each
 * where there is no program. */
run__running run__running_not(const run_process_spec *spec, run_process_result *result,
                              run_output *output);

/** run__running_start - as run_process_run; call run__running_log and run__running_close
 * whatever is returned. */
bool run__running_start(run__running *run, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** run__running_wait - whether the program is gone, not yet reaped. Waits at most ms, until its
 * companion or twin is gone, or, with heed_stop, until told to stop. Takes output meanwhile. */
bool run__running_wait(run__running *run, int64_t ms, bool heed_stop);
/** run__running_ended - the same, without waiting. */
bool run__running_ended(const run__running *run);

/** run__running_end - SIGTERM, and SIGKILL when that does not help. */
void run__running_end(run__running *run);
/** run__running_reap - takes its status, usage and stragglers into the result. ended_by_us: its end
 * and code are already there. */
void run__running_reap(run__running *run, bool ended_by_us);
/** run__running_log - what it printed, into the result; when nothing of it is left. */
void run__running_log(run__running *run);
/** run__running_close - its descriptors. */
void run__running_close(const run__running *run);
