#pragma once
/*
 * process - run one untrusted program to its end, whatever it does.
 *
 * Own session, scrubbed environment, no descriptors of ours, limits, deadline; when it ends or is
 * ended, everything it left behind is killed too. The caller is a subreaper
 * (run_descendants_adopt) and has no other children while a program runs.
 * While it runs the agent sleeps. With a log file it wakes every two seconds; without one every
 * second, and to take output.
 */
#include "runner/process/cgroup.h"
#include "runner/process/output.h"
#include "runner/process/sandbox.h"

#include <glib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define RUN_GRACE_MS 5000 /* between SIGTERM and SIGKILL */

/* Called every one or two seconds while the program runs. False ends the program; error says
 * why. */
typedef bool (*run_process_tick)(void *data, GError **error);

typedef struct run_companion run_companion;

typedef struct {
    char *const *argv;        /* NULL-terminated */
    char *const *environment; /* "NAME=value", NULL-terminated: all that the program sees */
    const char *directory;    /* working directory */
    const char *log_path;     /* output goes to this new file (quiet); NULL: through a pipe */
    uint64_t log_limit_bytes; /* of the output that is kept */
    run_printed *printed;     /* follows the output; NULL: nobody wants to know */
    unsigned timeout_s;
    uint64_t file_limit_bytes;   /* largest file it may write; 0: none */
    uint64_t memory_limit_bytes; /* address space; 0: none */
    unsigned cpu_limit_s;        /* processor time of each process; 0: none */
    uint64_t process_limit;      /* of its user, not enforced by the kernel for root; 0: none */
    run_cgroup *cgroup;          /* it runs in there and is killed with it; NULL: none */
    const cpu_set_t *cpus;       /* where it may run; NULL: anywhere */
    const cpu_set_t *group_cpus; /* where all of its group may run; NULL: cpus */
    bool fixed_addresses;        /* no address space randomisation */
    bool no_network;             /* loopback only, where the kernel allows it */
    bool own_namespaces;         /* in namespaces of its own (child.h) */
    bool switch_user;
    uid_t uid;
    gid_t gid;
    run_sandbox sandbox;              /* what it may ask the kernel for */
    const char *watch_directory;      /* looked at with every tick; NULL: none */
    const char *watch_also;           /* another one, with the same limit; NULL: none */
    const run_sandbox_places *places; /* /tmp and the like of its own; NULL: the node's */
    const char *limit_name;           /* the setting behind watch_limit_bytes */
    uint64_t watch_limit_bytes;
    const char *reserve_directory; /* where reserve_bytes must stay free; NULL: watch_directory */
    uint64_t reserve_bytes;
    run_companion *companion; /* started before it, ended after it; NULL: none */
    int stop_fd;              /* run_stop_open, or -1 */
    run_process_tick tick;    /* NULL: none */
    void *tick_data;
} run_process_spec;

typedef enum {
    RUN_END_EXIT,    /* code is the exit status */
    RUN_END_SIGNAL,  /* code is the signal, sent by somebody else */
    RUN_END_TIMEOUT, /* ended by us, as the following */
    RUN_END_DISK,
    RUN_END_COMPANION, /* its companion has ended */
    RUN_END_TICK
} run_process_end;

typedef struct {
    pid_t pid; /* while it runs; 0: it does not */
    run_process_end end;
    int code;
    int64_t started_ms;  /* Unix time */
    int64_t started_us;  /* CLOCK_MONOTONIC */
    unsigned limit_s;    /* its time limit */
    double seconds;      /* from start to end of the program itself, monotonic */
    struct rusage usage; /* of the program and the children it waited for */
    unsigned stragglers; /* processes it left behind, killed */
    bool stuck;          /* some of them could not be killed */
    bool memory_spent;   /* its group needed more than memory_limit_bytes, so one was killed */
    uint64_t log_bytes;  /* printed in all */
    char *log;           /* head and tail of it, UTF-8 */
    char *problem;       /* RUN_END_DISK: what was exceeded; RUN_END_COMPANION: how; else NULL */
} run_process_result;

/*
 * A program that another one needs while it runs, such as a receiver of what it writes. It is
 * waited for until it is ready, and told to end (SIGTERM) when the other one has ended.
 */
struct run_companion {
    const char *name;             /* for messages, as "receiver" */
    const run_process_spec *spec; /* needs log_path; its timeout, tick and watches are not heeded */
    const char *ready;            /* ready when it has printed this; NULL: see port */
    unsigned port;                /* ready when 127.0.0.1 takes connections there */
    unsigned ready_s;             /* at most so long */
    run_process_result result;    /* out: what it printed; clear it, whatever was returned */
};

/**
 * run_process_run - start, wait, end, clean up.
 * result  filled when true is returned; clear it with run_process_result_clear
 * Returns false with error: RUN_ERROR_JOB when it cannot be executed (not found, not permitted),
 * or its companion did not become ready,
 * RUN_ERROR_NODE when the node cannot start processes, RUN_ERROR_STOPPED when the agent was asked
 * to end, or the tick's own error. No process is left behind in any case.
 */
bool run_process_run(const run_process_spec *spec, run_process_result *result,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_process_result_clear(run_process_result *result);

/**
 * run_process_run_both - two programs at the same time, each with its own limits; returns when both
 * have ended. One that ends earlier, or is ended, leaves the other one alone.
 * spec    [2], in one group or none; the first one's tick and stop_fd are heeded for both
 * result  [2], likewise
 * Returns as run_process_run; neither runs on when one cannot be started.
 */
bool run_process_run_both(const run_process_spec *spec, run_process_result *result,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_process_describe - "exit status 134 after 1.2 s", "killed by signal 9 (Killed) after …",
 * "still running after 600 s, the limit: killed", or NULL for a plain success. Returns a string to
 * g_free.
 */
char *run_process_describe(const run_process_result *result);

/*
 * program - which file a command's first word means.
 */

/**
 * run_program_find - as execvp would, but in the PATH of `environment` ("NAME=value", NULL at the
 * end; without one the usual folders) and below `directory` where the name has a slash.
 * Folders of the PATH that are not absolute are left out. Returns a path to g_free, NULL when there
 * is no such file; one named with a slash may still not be executable.
 */
char *run_program_find(const char *name, const char *directory, char *const *environment);

/** run_program_path - the PATH of `environment`, without one the usual folders; borrowed. */
const char *run_program_path(char *const *environment);
