#pragma once
/*
 * cage - namespaces of a program's own: its processes, its shared memory, its mounts; ended as one.
 *
 * The program is started by a first process, which is all of the agent's that it could see, and
 * which it cannot signal or trace. Nobody else's processes can be reached from inside, and nobody
 * outside can be asked to adopt one that was forked there. When the first process ends, the kernel
 * kills what is left and drops System V and POSIX shared memory, semaphores and message queues with
 * it. It ends with the program, and with the agent, however that ends.
 *
 * Needs root with CAP_SYS_ADMIN. Async-signal-safe, no allocation, but for run_cage_refused.
 */
#include "runner/process/cgroup.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What the first process writes when the program has ended; afterwards an unsigned: how many
 * processes it had left behind, all killed. */
typedef struct {
    int status; /* as waitpid gives it */
    struct rusage usage;
    int64_t ended_us; /* CLOCK_MONOTONIC */
} run_cage_report;

/* run_cage_fork - as run_cgroup_fork; the child is the first process of new namespaces. */
pid_t run_cage_fork(const run_cgroup *group);

/* run_cage_settle - in the first process: mounts of its own, /proc of its own processes. False with
 * errno. */
bool run_cage_settle(void);

/**
 * run_cage_keep - in the first process, until the program has ended. SIGTERM is handed on to the
 * program's process group. Ends with status 0.
 * report  descriptor that gets a run_cage_report, then the number of stragglers
 */
_Noreturn void run_cage_keep(pid_t program, int report);

/* run_cage_hold - holds SIGTERM back until run_cage_keep: it must not be lost in between. */
void run_cage_hold(void);

/* run_cage_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_cage_refused(void);
