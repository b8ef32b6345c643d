#pragma once
/* A folder with MooBench's raw files whose means a test chooses. */
#include "tests/unit/ci/command/called.h"

#define CALLS 8u /* of each loop; half of them is dropped */

/* raw-<loop>-10-<configuration>.csv: mean_ns on average after the warm-up, 1e6 before. */
static inline void put_loop(const char *folder, guint loop, const char *configuration,
                            guint mean_ns) {
    GString *text = g_string_new(NULL);
    for (guint call = 0; call < CALLS; call++) {
        const guint ns = call < CALLS / 2 ? 1000000 : mean_ns - 3 + 2 * (call - CALLS / 2);
        g_string_append_printf(text, "0;%u\n", ns);
    }
    g_autofree char *name = g_strdup_printf("raw-%u-10-%s.csv", loop, configuration);
    g_free(put(folder, name, text->str));
    g_string_free(text, TRUE);
}

/* Upstream's four configurations, three loops each, one ns apart: means 100, 150, 300, 900 + more
 * for W. */
static inline void put_results(const char *folder, guint more) {
    static const guint means[] = {100, 150, 300, 900};
    for (guint c = 0; c < G_N_ELEMENTS(means); c++)
        for (guint loop = 1; loop <= 3; loop++) {
            const char name[] = {(char)('0' + c), '\0'};
            put_loop(folder, loop, name, means[c] + loop + (c == 3 ? more : 0));
        }
}

/* An empty folder below; caller frees. */
static inline char *make_below(const char *folder, const char *name) {
    char *path = g_build_filename(folder, name, NULL);
    assert_int_equal(g_mkdir(path, 0700), 0);
    return path;
}

/* For cmocka: a folder whose folders go with it, one deep. */
static inline int remove_folders(void **state) {
    g_autoptr(GDir) folder = g_dir_open(*state, 0, NULL);
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        char *below = g_build_filename(*state, name, NULL);
        if (g_file_test(below, G_FILE_TEST_IS_DIR))
            (void)remove_folder((void **)&below);
        else
            g_free(below);
    }
    return remove_folder(state);
}

#define IN_FOLDERS(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folders)
