#pragma once
/* A file with a text; the path of it, caller frees. */
#include "tests/unit/runner/test.h"

#include <sys/stat.h>

static inline char *put_file(const char *folder, const char *name, const char *text, mode_t mode) {
    char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    assert_int_equal(chmod(path, mode), 0);
    return path;
}
