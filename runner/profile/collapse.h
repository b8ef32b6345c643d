#pragma once
/*
 * collapse - from what a profiler wrote to collapsed stacks that can be sent.
 */
#include "detector/profile/callgrind.h"
#include "runner/node/node.h"
#include "runner/profile/profiler.h"

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

/**
 * run_inlined_name - gives the places of a profile the names of what is inlined there (addr2line).
 * Returns false with RUN_ERROR_NODE or the tick's error. A missing addr2line, one that fails,
 * or until_us leaves the names as they were.
 */
bool run_inlined_name(const run_inlined *how, det_callgrind *profile,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_inlined_chain - "outer;inner" of one answer of addr2line -f -i.
 * lines  [count] a function, a place in the source, and so on, from the innermost; the last
 *        function is the one that is linked and left out
 * Returns a string to g_free; NULL when nothing is inlined.
 */
char *run_inlined_chain(char *const *lines, size_t count);
