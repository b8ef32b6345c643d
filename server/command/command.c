#include "server/command/command.h"

#include <gio/gio.h>
#include <stdio.h>

GOptionContext *srv_command_context(const char *name, const char *parameters, const char *summary) {
    g_autofree char *program = g_strconcat("moowatchd ", name, NULL);
    g_set_prgname(program);
    GOptionContext *context = g_option_context_new(parameters);
    g_option_context_set_summary(context, summary);
    return context;
}

bool srv_command_database(const char *data_dir, GError **error) {
    g_autofree char *path = g_build_filename(data_dir, "moowatch.db", NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                "%s: is not there, so nothing was measured yet; correct data_dir, or start "
                "moowatchd first",
                g_file_test(data_dir, G_FILE_TEST_EXISTS) ? path : data_dir);
    return false;
}

int srv_command_unknown(const char *name) {
    fprintf(stderr,
            "moowatchd: there is no command %s; there are token, export, import, backup, restore "
            "and notify. Without one it serves: moowatchd --config FILE; --help says more\n",
            name);
    return 2;
}
