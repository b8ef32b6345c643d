#pragma once
/* Helpers of the configuration's tests: a file with given text in a folder of its own. */
#include "config/config.h"

#include <glib.h>
#include <glib/gstdio.h>

static inline char *test_file(const char *text, gssize length) {
    g_autofree char *folder = g_dir_make_tmp("moowatch-config-XXXXXX", NULL);
    char *path = g_build_filename(folder, "file.yaml", NULL);
    g_assert_true(g_file_set_contents(path, text, length, NULL));
    return path;
}

static inline void test_file_remove(char *path) {
    g_autofree char *folder = g_path_get_dirname(path);
    g_unlink(path);
    g_rmdir(folder);
    g_free(path);
}

/* The project that this text is. */
static inline cfg_project *test_project(const char *text, gssize length, GError **error) {
    char *path = test_file(text, length);
    cfg_project *project = cfg_project_load(path, error);
    test_file_remove(path);
    return project;
}
