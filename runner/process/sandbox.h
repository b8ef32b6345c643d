#pragma once
/*
 * sandbox - what a program may ask the kernel for, whoever it runs as: a filter of system calls and
 * Landlock. Both are given by the program itself, are inherited by all it starts, need no
 * privileges but no_new_privs, and cannot be taken off again.
 *
 * System calls: those with which the kernel or the machine as a whole is changed or its less tried
 * parts are reached, and which no benchmark needs: modules, kexec, reboot, clocks, swap, keyrings,
 * bpf, userfaultfd, io_uring, mounts, other namespaces, ports. They fail with EPERM (clone3 with
 * ENOSYS, as its flags cannot be looked at: libc then takes clone). ptrace and perf_event_open stay
 * allowed: debuggers, perf, uftrace and strace need them, and the node's own settings decide.
 *
 * Landlock, as far as the kernel has it: from version 6 (Linux 6.12) neither signals nor abstract
 * sockets reach processes that were not started inside. A SEALED program may also write nothing at
 * all: it only answers through what is open already. That it makes no socket and runs no program is
 * a matter of the filter, that it opens no file to write one of Landlock: without that it may.
 *
 * Async-signal-safe, no allocation, for use between fork and exec, but for run_sandbox_words.
 */
#include <stdbool.h>

typedef enum {
    RUN_SANDBOX_OFF,
    RUN_SANDBOX_PROGRAM, /* code under test, builds, git */
    RUN_SANDBOX_SEALED   /* parsers: nothing can be written, made, run or connected to */
} run_sandbox;

/**
 * run_sandbox_enter - the calling thread and all it starts; sets no_new_privs.
 * Returns false with errno when the filter cannot be had; a kernel without Landlock is not a
 * failure.
 */
bool run_sandbox_enter(run_sandbox kind);

/* run_sandbox_words - what is in force here, for people: "system calls; Landlock 7: no signals and
 * no abstract sockets of others". g_free. */
char *run_sandbox_words(void);

/*
 * network - a process without one: a network namespace of its own, in which only loopback is up.
 */

/**
 * run_network_leave - the calling process gets a network of its own, with 127.0.0.1 and ::1 only.
 * Root needs CAP_SYS_ADMIN and CAP_NET_ADMIN for it; everybody else gets a user namespace too, in
 * which they stay who they are.
 * Async-signal-safe, no allocation; for a process with one thread, between fork and exec.
 * Returns false with errno when the kernel refuses; it has the network it had.
 */
bool run_network_leave(void);

/* run_network_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_network_refused(void);
