#pragma once
/* A PATH with one program that does nothing, or with none, for what looks for programs on a node.
 */
#include "tests/unit/test.h"

#include <glib/gstdio.h>

static char path[256];
static char *const environment[] = {path, NULL};

static inline char *path_with(const char *program) {
    char *folder = g_dir_make_tmp("moowatch-path-XXXXXX", NULL);
    assert_non_null(folder);
    if (program) {
        g_autofree char *file = g_build_filename(folder, program, NULL);
        assert_true(g_file_set_contents(file, "#!/bin/sh\n", -1, NULL));
        assert_int_equal(g_chmod(file, 0755), 0);
    }
    g_snprintf(path, sizeof path, "PATH=%s", folder);
    return folder;
}

static inline void path_remove(char *folder, const char *program) {
    g_autofree char *file = g_build_filename(folder, program, NULL);
    (void)g_unlink(file);
    assert_int_equal(g_rmdir(folder), 0);
    g_free(folder);
}
