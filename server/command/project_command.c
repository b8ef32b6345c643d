#include "server/command/project_command.h"

#include "server/command/command.h"
#include "server/transfer/export.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *config;
    char *project;
} options;

static bool print_line(const char *line, void *user, GError **error) {
    FILE *out = user;
    if (fprintf(out, "%s\n", line) >= 0)
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "standard output: %s", g_strerror(errno));
    return false;
}

static bool export_to(srv_store *store, const char *project, GError **error) {
    if (!srv_export_project(store, project, g_get_real_time() / 1000, print_line, stdout, error))
        return false;
    if (fflush(stdout) == 0)
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "standard output: %s", g_strerror(errno));
    return false;
}

static bool import_from(srv_store *store, const char *project, GError **error) {
    g_autoptr(srv_import) import = srv_import_new(store, project, g_get_real_time() / 1000);
    bool ok = srv_import_file(import, stdin, error);
    const srv_import_counts counts = srv_import_result(import);
    fprintf(stderr,
            "%u nights taken in, %u were there already, %u answers to alerts, %u to alerts that do "
            "not follow here\n",
            counts.nights, counts.known, counts.alerts, counts.unmatched);
    return ok;
}

/* An import may come before the daemon's first start; an export without data is a mistake. */
static bool folder_ready(const char *data_dir, bool must_be_there, GError **error) {
    if (g_file_test(data_dir, G_FILE_TEST_IS_DIR))
        return true;
    if (must_be_there) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "%s: is not there, so nothing was measured yet; correct data_dir, or start "
                    "moowatchd first",
                    data_dir);
        return false;
    }
    if (g_mkdir_with_parents(data_dir, 0700) == 0)
        return true;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno),
                "%s: cannot be made: %s; make it, owned by the user that moowatchd runs as, or "
                "correct data_dir",
                data_dir, g_strerror(errno));
    return false;
}

static bool run(const char *command, const options *o, GError **error) {
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (config == NULL)
        return false;
    const bool exports = strcmp(command, "export") == 0;
    if (!folder_ready(config->data_dir, exports, error))
        return false;
    g_autofree char *path = g_build_filename(config->data_dir, "moowatch.db", NULL);
    g_autoptr(srv_store) store = srv_store_open(path, error);
    if (store == NULL)
        return false;
    return exports ? export_to(store, o->project, error) : import_from(store, o->project, error);
}

static bool complete(const char *command, const options *o, int argc, GError **error) {
    const bool exports = strcmp(command, "export") == 0;
    if (argc == 1 && o->config != NULL && (o->project != NULL || !exports))
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                "needs --config FILE%s, and nothing else",
                exports ? " and --project NAME" : ", takes --project NAME");
    return false;
}

int srv_project_command(int argc, char **argv) {
    options o = {NULL, NULL};
    const char *command = argv[0];
    const bool exports = strcmp(command, "export") == 0;
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "the server's YAML file", "FILE"},
        {"project", 'p', 0, G_OPTION_ARG_STRING, &o.project,
         exports ? "which" : "under which name (default: its own)", "NAME"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GOptionContext) context = srv_command_context(
        command, NULL,
        exports ? "Prints a project with its history as JSON lines."
                : "Takes a project with its history in, as JSON lines from standard input.");
    g_autoptr(GError) error = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    int status = 2;
    if (g_option_context_parse(context, &argc, &argv, &error) &&
        complete(command, &o, argc, &error))
        status = run(command, &o, &error) ? 0 : 1;
    if (error != NULL)
        fprintf(stderr, "moowatchd %s: %s\n", command, error->message);
    g_free(o.config);
    g_free(o.project);
    return status;
}
