#pragma once
/*
 * wrap - the command that runs a benchmark under a profiler.
 */
#include "runner/driver/driver.h"
#include "runner/profile/profiler.h"

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
