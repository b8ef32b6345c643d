#include "runner/process/program.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

static const char *find_path(char *const *environment) {
    for (size_t i = 0; environment[i]; i++)
        if (g_str_has_prefix(environment[i], "PATH="))
            return environment[i] + strlen("PATH=");
    return USUAL_PATH;
}

static char *find_in_path(const char *name, const char *path) {
    g_auto(GStrv) folders = g_strsplit(path, ":", -1);
    for (size_t i = 0; folders[i]; i++) {
        g_autofree char *whole = g_build_filename(folders[i], name, NULL);
        if (folders[i][0] == '/' && g_file_test(whole, G_FILE_TEST_IS_REGULAR) &&
            access(whole, X_OK) == 0)
            return g_steal_pointer(&whole);
    }
    return NULL;
}

char *run_program_find(const char *name, const char *directory, char *const *environment) {
    if (!strchr(name, '/'))
        return find_in_path(name, find_path(environment));
    g_autofree char *whole =
        g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(directory, name, NULL);
    return g_file_test(whole, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&whole) : NULL;
}
