#pragma once
/* An empty folder for a site; it goes with all that is in it. */
#include <glib.h>
#include <glib/gstdio.h>

static inline int folder_make(void **state) {
    *state = g_dir_make_tmp("moowatch-web-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static inline void folder_clear(const char *path) {
    GDir *directory = g_dir_open(path, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (g_file_test(below, G_FILE_TEST_IS_DIR))
            folder_clear(below);
        else
            (void)g_remove(below);
    }
    if (directory)
        g_dir_close(directory);
    (void)g_rmdir(path);
}

static inline int folder_remove(void **state) {
    folder_clear(*state);
    g_free(*state);
    return 0;
}
