#pragma once
/*
 * child - what happens between fork and exec; async-signal-safe only, no allocation.
 */
#include "runner/process/cgroup.h"
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
    int init;     /* the init of a PID namespace, which reports here; -1: none */
    int output;   /* becomes stdout and stderr */
    int report;   /* close-on-exec; gets an int errno and a stage when exec fails */
    uint64_t file_limit_bytes;
    uint64_t memory_limit_bytes;      /* 0: none */
    unsigned cpu_limit_s;             /* 0: none */
    uint64_t process_limit;           /* 0: none */
    const cpu_set_t *cpus;            /* where it may run; NULL: anywhere */
    bool fixed_addresses;             /* no address space randomisation */
    bool no_network;                  /* best effort; run_network_refused tells before */
    const run_sandbox_places *places; /* NULL: it sees the node's own */
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
 * run_child_exec - call in the child of run_cgroup_fork or run_namespaces_fork: new session, no
 * privileges to gain, limits, null stdin, no other descriptors, then exec. Never returns.
 */
_Noreturn void run_child_exec(const run_child *child);
