#pragma once
/*
 * child - what happens between fork and exec; async-signal-safe only, no allocation.
 */
#include "runner/process/process.h"

typedef struct {
    const run_process_spec *spec;
    const char *program; /* resolved path */
    pid_t parent;        /* who forks; the child ends if it is gone */
    int init;            /* the init of a PID namespace, which reports here; -1: none */
    int output;          /* becomes stdout and stderr */
    int report;          /* close-on-exec; gets an int errno and a stage when exec fails */
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
