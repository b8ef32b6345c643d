#pragma once
/*
 * child - what happens between fork and exec; async-signal-safe only, no allocation.
 */
#include "runner/process/cgroup.h"
#include "runner/process/private.h"
#include "runner/process/sandbox.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

typedef struct {
    char *const *argv;        /* argv[0] is looked up in the PATH of `environment` */
    char *const *environment; /* all that the program sees */
    const char *program;      /* resolved path */
    const char *directory;
    pid_t parent; /* who forks; the child ends if it is gone */
    int cage;     /* this is the first process of a cage, and reports here; -1: none */
    int output;   /* becomes stdout and stderr */
    int report;   /* close-on-exec; gets an int errno and a stage when exec fails */
    uint64_t file_limit_bytes;
    uint64_t memory_limit_bytes; /* 0: none */
    unsigned cpu_limit_s;        /* 0: none */
    uint64_t process_limit;      /* 0: none */
    const cpu_set_t *cpus;       /* where it may run; NULL: anywhere */
    bool fixed_addresses;        /* no address space randomisation */
    bool no_network;             /* best effort; run_network_refused tells before */
    const run_private *places;   /* NULL: it sees the node's own */
    bool switch_user;
    uid_t uid;
    gid_t gid;
    run_sandbox sandbox;
} run_child;

typedef struct {
    int code;       /* errno */
    char stage[28]; /* what was tried */
} run_child_failure;

/**
 * run_child_exec - call in the child of run_cgroup_fork or run_cage_fork: new session, no
 * privileges to gain, limits, null stdin, no other descriptors, then exec. Never returns.
 */
_Noreturn void run_child_exec(const run_child *child);

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

/* What the first process writes when the program has ended; afterwards an unsigned: how many
 * processes it had left behind, all killed. */
typedef struct {
    int status; /* as waitpid gives it */
    struct rusage usage;
    int64_t ended_us; /* CLOCK_MONOTONIC */
} run_cage_report;

/* run_cage_fork - as run_cgroup_fork; the child is the first process of new namespaces. */
pid_t run_cage_fork(const run_cgroup *group);

/* run_cage_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_cage_refused(void);
