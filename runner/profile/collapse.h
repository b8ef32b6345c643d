#pragma once
/*
 * collapse - from what a profiler wrote to collapsed stacks that can be sent.
 */
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
