#pragma once
/*
 * profiler - how a benchmark's process is watched to see which functions its time is in.
 */
#include "detector/profile/callgrind.h"
#include "runner/driver/driver.h"
#include "runner/job/job.h"
#include "runner/node/node.h"

#include <glib.h>

/*
 * part - a profiler that no package of Debian brings: fetched once from its registry, checked, and
 * kept below <work_dir>/profilers.
 *
 * Both what comes and the file in it have a hash that stands in this program, and the file is
 * checked before each use, since code under test might have written there (a node without
 * run_as_user).
 */

typedef struct {
    const char *name, *version;
    const char *site, *path; /* https://…, and the path of a zip file there */
    const char *sha256;      /* of the zip */
    uint64_t bytes_max;      /* of the zip, and of the file */
    const char *entry;       /* of the zip: the file that is wanted */
    const char *file;        /* what it is called here */
    const char *file_sha256;
} run_part;

/* run_part_async_profiler, run_part_py_spy - the one for this processor; NULL: there is none. */
const run_part *run_part_async_profiler(void);
const run_part *run_part_py_spy(void);

/**
 * run_part_get - the path of its file, readable and executable by everybody; fetched where it is
 * not there or not what it was.
 * tick  as run_download has it
 * Returns a path to g_free; NULL with RUN_ERROR_JOB: it cannot be had, why, and where it could be
 * put by hand; or RUN_ERROR_STOPPED, RUN_ERROR_LOST, …: the tick's own.
 */
char *run_part_get(const run_part *part, const run_node *node, run_process_tick tick,
                   void *tick_data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_part_path - where its file is or would be, below a node's work folder; to g_free. */
char *run_part_path(const run_part *part, const char *work_dir);

#define RUN_JFR_INTERVAL_MS 10
#define RUN_PY_SPY_RATE_HZ 200
#define RUN_ALLOCATED_EVERY "4k" /* a sample in so many bytes */

typedef enum {
    RUN_PROFILER_CALLGRIND,
    RUN_PROFILER_ASYNC,     /* async-profiler, an agent of the JVM */
    RUN_PROFILER_ALLOCATED, /* the same, of the bytes that are allocated */
    RUN_PROFILER_JFR,       /* Java's own recorder */
    RUN_PROFILER_PY_SPY,
    RUN_PROFILER_CLASSES, /* the harness lists what is live at the end of a JVM */
    RUN_PROFILER_TRACED,  /* likewise of a Python, by who asked for it */
    RUN_PROFILER_OWN      /* profile_command of the project */
} run_profiler_kind;

typedef struct {
    run_profiler_kind kind;
    const char *name;     /* for people, "callgrind" */
    const char *unit;     /* of its stacks, "instructions"; "ns": sampled processor time; "bytes";
                             "ns a process" and the like: of a whole process (explanation.h) */
    const char *root;     /* stacks begin with this function; NULL: where they begin */
    uint64_t calls_most;  /* of the benchmark: more of them say no more; 0: as many as it makes */
    unsigned loops;       /* of each configuration and commit */
    unsigned loops_least; /* so many must have ended when the time is up */
    bool whole;           /* a process is profiled from its start, thread by thread */
    bool no_method_time;  /* a method that waits says nothing, and takes long */
    double
        interval_ns; /* of a sample; 0: it is not a sampler, or the processor time is shared out */
    const char *program;           /* that it needs, looked for in its PATH; NULL: none */
    const char *package;           /* that brings it, for people */
    const run_part *(*part)(void); /* that it needs; NULL: none */
} run_profiler;

/* The last one is NULL. */
#define RUN_PROFILERS_MAX 3
typedef struct {
    const run_profiler *each[RUN_PROFILERS_MAX];
    const run_profiler *allocated; /* of bytes, beside time; NULL: there is none */
} run_profilers;

/**
 * run_profilers_of - for a job's driver, the best one first: the next is for when it does not work.
 * Returns false with RUN_ERROR_JOB: this driver has none, and what the project could do.
 */
bool run_profilers_of(const run_job *job, run_profilers *out, GError **error);

/**
 * run_profiler_missing - what a profiler lacks on this node, with what to do; to g_free, NULL:
 * nothing. Parts are not looked at.
 * environment  "NAME=value", NULL at its end: the PATH that the program will be started with, which
 *              is not the agent's own
 */
char *run_profiler_missing(const run_profiler *profiler, char *const *environment);

/* run_profiler_file - what the file is called that it writes; `jfr` reads no other than .jfr. */
const char *run_profiler_file(const run_profiler *profiler);

/* run_profiler_root - where a job's stacks begin; borrowed, NULL: everywhere. */
const char *run_profiler_root(const run_profiler *profiler, const run_job *job);

/* run_profiler_words - what this node can profile for each driver, and what it cannot and why, a
 * line each; for people, to g_free. */
char *run_profiler_words(char *const *environment, const char *work_dir);

/*
 * wrap - the command that runs a benchmark under a profiler.
 */

#define RUN_WRAP_SETTINGS "recorder.jfc" /* in folder: what Java's recorder is told */

typedef struct {
    const run_profiler *profiler;
    const char *part; /* path of its file; NULL: it has none */
    const char *out;  /* what it writes the profile to */
    const char *folder;
    char *const *command;          /* profile_command of the project, NULL at its end */
    const run_placeholder *values; /* for that */
} run_wrap;

/**
 * run_wrap_command - the command that runs argv [NULL at its end] and writes a profile.
 * Takes argv over. Returns an owned one; NULL with RUN_ERROR_JOB: the profiler cannot write there,
 * or RUN_ERROR_NODE: its settings cannot be written.
 */
GPtrArray *run_wrap_command(const run_wrap *how, GPtrArray *argv,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* kernel_events - may programs ask the kernel for performance events, and what of perf is there? */

/**
 * run_kernel_events_words - what the node allows and lacks, with what to do; a line each, for
 * people, to g_free.
 * environment  "NAME=value", NULL at its end: the PATH that benchmarks are started with
 * root         "" for this node; a folder that holds proc/ in tests
 */
char *run_kernel_events_words(char *const *environment, const char *root);

/*
 * collapse - from what a profiler wrote to collapsed stacks that can be sent.
 */

/* How a helper of the profiler is run, with which limits; borrowed. */
typedef struct {
    const run_profiler *profiler;
    run_process_spec spec;    /* argv and environment are set here */
    char *const *environment; /* "NAME=value" */
    const char *folder;       /* of the process: "out" below it holds the profile */
    const char *file;         /* in there */
    const char *root;         /* stacks begin there; NULL: everywhere */
    const char *const *own;   /* [own_count] folders of the project */
    size_t own_count;
    double cpu_ns;     /* processor time of the profiled process, all threads */
    size_t bytes_most; /* of the text */
    int64_t until_us;  /* monotonic; helpers end then */
} run_collapse;

/**
 * run_collapse_make - the text of a profile, valid UTF-8, costs in the profiler's unit as whole
 * numbers. Where it would be too long, what is rarest counts as its caller's, but of exact profiles
 * nothing is moved.
 * Returns a string to g_free, "": of samples, when none has the root; NULL with RUN_ERROR_JOB: why
 * there is none, RUN_ERROR_NODE or the tick's error.
 */
char *run_collapse_make(const run_collapse *how, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * inlined - which functions the compiler has put into another one, by the debug information of the
 * code under test; without that its functions are named as they are linked.
 */

#define RUN_INLINED_PLACES_MAX 200000 /* more are not looked up */
#define RUN_INLINED_OBJECTS_MAX 64

/* The program that is run; spec of who runs it. */
typedef struct {
    run_process_spec spec;    /* argv and environment are set here */
    char *const *environment; /* "NAME=value" */
    const char *folder;       /* to write what is asked to; not for code under test */
    const char *const *own;   /* [own_count] folders whose objects are looked at */
    size_t own_count;
    int64_t until_us; /* monotonic; names that are not known by then stay as they are */
} run_inlined;
