#include "tests/unit/test.h"

#include "tests/unit/server/folder.h"

#include <glib.h>
#include <glib/gstdio.h>

char *folder_new(void) {
    char *path = g_strdup("/dev/shm/moowatch-XXXXXX");
    if (g_mkdtemp(path))
        return path;
    g_free(path);
    path = g_dir_make_tmp("moowatch-XXXXXX", NULL);
    assert_non_null(path);
    return path;
}

static void remove_all(const char *path) {
    GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        remove_all(below);
    }
    if (dir)
        g_dir_close(dir);
    g_remove(path);
}

void folder_free(char *path) {
    remove_all(path);
    g_free(path);
}

char *folder_file(const char *path, const char *name, const char *text) {
    GError *error = NULL;
    char *file = g_build_filename(path, name, NULL);
    if (!g_file_set_contents(file, text, -1, &error))
        fail_msg("%s", error->message);
    return file;
}
