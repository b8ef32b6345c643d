#pragma once
/*
 * sandbox - all that holds a program which nobody trusts: system calls, Landlock, the network,
 * namespaces and the places that it sees. Its disk is held by a volume, its processors and memory
 * by a control group.
 *
 * calls - what a program may ask the kernel for, whoever it runs as: a filter of system calls and
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
#include "runner/process/cgroup.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

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

/* run_sandbox_answer - the exit status of a child that tries something and ends at once with 0 or
 * an errno; of none (-1) why it could not be forked. */
int run_sandbox_answer(pid_t pid);

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

/*
 * namespaces - some of a program's own: its processes, its shared memory, its mounts; ended as one.
 *
 * The program is started by an init process, which is all of the agent's that it could see, and
 * which it cannot signal or trace. Nobody else's processes can be reached from inside, and nobody
 * outside can be asked to adopt one that was forked there. When init ends, the kernel
 * kills what is left and drops System V and POSIX shared memory, semaphores and message queues with
 * it. It ends with the program, and with the agent, however that ends.
 *
 * Needs root with CAP_SYS_ADMIN. Async-signal-safe, no allocation, but for run_namespaces_refused.
 */

/* What init writes when the program has ended; afterwards an unsigned: how many
 * processes it had left behind, all killed. */
typedef struct {
    int status; /* as waitpid gives it */
    struct rusage usage;
    int64_t ended_us; /* CLOCK_MONOTONIC */
} run_namespaces_report;

/* run_namespaces_fork - as run_cgroup_fork; the child is init of new namespaces. */
pid_t run_namespaces_fork(const run_cgroup *group);

/* run_namespaces_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_namespaces_refused(void);

/*
 * places - directories that every user may write to or talk to, replaced by a process' own.
 *
 * /tmp, /var/tmp, /dev/shm and /dev/mqueue: code under test could fill them, or leave something for
 * a later job. /run: in it are the sockets of D-Bus, systemd, logind, containers and databases, by
 * which a process can have others started that outlive its job. So, where the agent may (it is
 * root, with a user of its own for code under test), its processes see a mount namespace with
 * folders of ours in their place: weighed with what else they write, and gone with it; /run is
 * empty but for the file that /etc/resolv.conf leads to. What the agent needs of such a place
 * (work_dir, the harnesses) stays where it is.
 */

#define RUN_PLACES_MAX 6
#define RUN_PLACES_KEPT_MAX 4

typedef enum {
    RUN_PLACE_FOLDER, /* on disk, weighed */
    RUN_PLACE_MEMORY, /* a file system in memory, as large as it may be */
    RUN_PLACE_QUEUES, /* POSIX message queues of its namespace */
    RUN_PLACE_EMPTY   /* nothing, and nothing can be put there */
} run_sandbox_place;

/* Strings are borrowed by run_sandbox_places_enter, owned here. */
typedef struct {
    unsigned count; /* 0: nothing is private */
    run_sandbox_place kind[RUN_PLACES_MAX];
    char *source[RUN_PLACES_MAX]; /* of a FOLDER */
    const char *target[RUN_PLACES_MAX];
    unsigned kept_count;
    char *kept[RUN_PLACES_KEPT_MAX]; /* paths in those places that stay */
    bool kept_writable[RUN_PLACES_KEPT_MAX];
    char memory[48]; /* options of a MEMORY's mount */
} run_sandbox_places;

/**
 * run_sandbox_places_prepare - which places, and the folders for them.
 * folder    made anew; the sources are below it
 * writable  NULL-terminated: paths that stay, wherever they lie
 * readable  the same, but nothing can be written there
 * bytes     that /dev/shm may hold, at most half of the memory; 0: that half
 */
bool run_sandbox_places_prepare(run_sandbox_places *places, const char *folder,
                                const char *const *writable, const char *const *readable,
                                uint64_t bytes, GError **error);
void run_sandbox_places_clear(run_sandbox_places *places);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_sandbox_places, run_sandbox_places_clear)

/* run_sandbox_places_hides - the place that keeps `path` from being seen; NULL: it is seen. */
const char *run_sandbox_places_hides(const run_sandbox_places *places, const char *path);

/* run_sandbox_places_enter - between fork and exec, as root; async-signal-safe. False with errno.
 */
bool run_sandbox_places_enter(const run_sandbox_places *places);

/* run_sandbox_places_refused - errno of a try in a child that ends at once; 0: it can be done here.
 */
int run_sandbox_places_refused(void);
