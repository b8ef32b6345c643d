#include "server/catalog.h"
#include "server/command/command.h"
#include "server/transfer/export.h"
#include "web/words/words.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char *config;
    char *project;
    gboolean replace;
} options;

static bool print_line(const char *line, void *user, GError **error) {
    FILE *out = user;
    if (fprintf(out, "%s\n", line) >= 0)
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "standard output: %s",
                     g_strerror(errno));
}

static bool export_to(srv_store *store, const char *project, GError **error) {
    if (!srv_export_project(store, project, g_get_real_time() / 1000, print_line, stdout, error))
        return false;
    if (fflush(stdout) == 0)
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "standard output: %s",
                     g_strerror(errno));
}

static bool import_from(srv_store *store, const options *o, GError **error) {
    g_autoptr(srv_import) import = srv_import_new(store, o->project, g_get_real_time() / 1000);
    if (o->replace)
        srv_import_replace(import);
    if (isatty(STDIN_FILENO))
        fprintf(stderr, "moowatchd import: reads standard input, as in: moowatchd import --config "
                        "FILE < project.jsonl\n");
    bool ok =
        o->replace ? srv_import_whole(import, stdin, error) : srv_import_file(import, stdin, error);
    if (ok && srv_import_lines(import) == 0)
        return SRV__FAIL(
            error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
            "standard input is empty; the lines that moowatchd export or moowatch import "
            "--project writes are expected");
    if (!ok && o->replace) {
        g_prefix_error(error, "nothing was taken in: ");
        return false;
    }
    json_auto_t *report = srv_import_report(import);
    g_autofree char *words = web_import_words(report);
    fprintf(stderr, "%s", words);
    return ok;
}

/* An import may come before the daemon's first start; an export without data is a mistake. */
static bool folder_ready(const cfg_server *config, bool must_be_there, GError **error) {
    const char *data_dir = config->data_dir;
    if (must_be_there)
        return srv_command_database(config, error);
    if (g_mkdir_with_parents(data_dir, 0700) == 0)
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, g_io_error_from_errno(errno),
        "cannot create %s: %s; create it, owned by the user that moowatchd runs as, or "
        "correct data_dir",
        data_dir, g_strerror(errno));
}

static bool run(bool exports, const options *o, GError **error) {
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (!config)
        return false;
    if (!folder_ready(config, exports, error))
        return false;
    g_autofree char *path = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(path, error);
    if (!store)
        return false;
    return exports ? export_to(store, o->project, error) : import_from(store, o, error);
}

int srv_project_command(int argc, char **argv) {
    options o = {NULL, NULL, FALSE};
    const char *command = argv[0];
    const bool exports = strcmp(command, "export") == 0;
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"project", 'p', 0, G_OPTION_ARG_STRING, &o.project,
         exports ? "The project to export" : "Name of the project here (default: as exported)",
         "NAME"},
        exports ? (GOptionEntry){NULL, 0, 0, 0, NULL, NULL, NULL}
                : (GOptionEntry){"replace", 0, 0, G_OPTION_ARG_NONE, &o.replace,
                                 "Nights that are here with other values get those of the lines; "
                                 "if a line is wrong, nothing changes",
                                 NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse(
            command, exports ? "> project.jsonl" : "< project.jsonl",
            exports ? "Writes everything measured for a project to standard output, as JSON lines."
                    : "Imports from standard input what moowatchd export or moowatch import "
                      "wrote.\nImporting the same lines again changes nothing.",
            entries, &argc, &argv, &error)) {
        if (argc > 1)
            g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "%s: a file name is not accepted here; write %s %s", argv[1],
                        exports ? ">" : "<", argv[1]);
        else if (!o.config || (exports && !o.project))
            g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "needs --config FILE%s",
                        exports ? " and --project NAME" : "");
        else
            status = run(exports, &o, &error) ? 0 : 1;
    }
    return srv_command_end(status, error);
}
