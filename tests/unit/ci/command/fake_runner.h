#pragma once
/* A moowatch-runner that is a script of the test's, the only one on the PATH. */
#include "tests/unit/ci/command/results_folder.h"

#include <sys/stat.h>

/* To be called in main(), before any thread: from then on the PATH begins with the folder. */
static inline char *fake_runner_folder(void) {
    char *folder = g_dir_make_tmp("moowatch-ci-XXXXXX", NULL);
    g_autofree char *path = g_strconcat(folder, ":", g_getenv("PATH"), NULL);
    g_setenv("PATH", path, TRUE);
    return folder;
}

static inline void fake_runner(const char *folder, const char *lines) {
    g_autofree char *script = g_strconcat("#!/bin/sh\n", lines, NULL);
    g_autofree char *path = put(folder, "moowatch-runner", script);
    assert_int_equal(chmod(path, 0700), 0);
}
