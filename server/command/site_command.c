
#include "config/shown.h"
#include "server/app.h"
#include "server/command/command.h"
#include "server/ground/clock.h"
#include "server/routes/routes.h"
#include "server/transfer/export.h"
#include "web/site/site.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char *config, *url;
    char **exports, **projects;
    gboolean again;
} options;

static void options_clear(options *o) {
    g_free(o->config);
    g_free(o->url);
    g_strfreev(o->exports);
    g_strfreev(o->projects);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(options, options_clear)

/* The parts of a server that answer, without those that listen, measure and tell. */
static bool app_open(srv_app *app, const cfg_server *config, GError **error) {
    srv_context_init(&app->context, config, "/proc/self/exe");
    app->config = config;
    app->started_ms = srv_now_ms();
    app->rules = (srv_queue_rules){.lease_s = config->lease_s, .attempts = config->attempts};
    app->context.catalog = srv_catalog_load(config->projects_dir, error);
    app->changes = app->context.catalog ? srv_changes_open(app->context.database, error) : NULL;
    if (app->changes)
        app->histories = srv_histories_new(config->history_cache_bytes, app->changes);
    return app->changes != NULL;
}

static void app_close(srv_app *app) {
    srv_histories_free(app->histories);
    srv_changes_close(app->changes);
    srv_context_clear(&app->context);
}

static bool write_files(srv_app *app, srv_store *store, const char *folder, const options *o,
                        GError **error) {
    web_files_count count = {0};
    srv_site_question question = {srv_routes_ask, app, store};
    const web_site_options how = {.folder = folder,
                                  .base = o->url,
                                  .asks = app->config->public_details ? "details" : NULL,
                                  .wanted = (const char *const *)o->projects,
                                  .again = o->again,
                                  .now_ms = srv_now_ms(),
                                  .ask = srv_site_answer,
                                  .user = &question};
    if (!web_site_write(&how, &count, error))
        return false;
    printf("%s: %u written, %u as before, %u removed; %.1f MB\n", folder, count.written, count.same,
           count.removed, (double)count.bytes / 1e6);
    return true;
}

static bool write_database(const cfg_server *config, const char *folder, const options *o,
                           GError **error) {
    srv_app app = {0};
    g_autofree char *database = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(database, error);
    const bool good =
        store && app_open(&app, config, error) && write_files(&app, store, folder, o, error);
    app_close(&app);
    return good;
}

static bool take_in(const cfg_server *config, const char *path, GError **error) {
    g_autofree char *database = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(database, error);
    FILE *file = store ? fopen(path, "re") : NULL;
    if (store && !file)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", path,
                    g_strerror(errno));
    if (!file)
        return false;
    g_autoptr(srv_import) import = srv_import_new(store, NULL, srv_now_ms());
    bool good = srv_import_file(import, file, error);
    (void)fclose(file);
    if (!good)
        g_prefix_error(error, "%s: ", path);
    else if (srv_import_lines(import) == 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: is empty; the lines that moowatchd export writes are expected", path);
        good = false;
    }
    return good;
}

/* The database that nobody asks any more, and what is beside it. */
static void remove_folder(const char *folder) {
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        (void)g_remove(path);
    }
    (void)g_rmdir(folder);
}

/* A server without projects of its own, whose data are in this folder; NULL with error. */
static cfg_server *config_in(const char *folder, GError **error) {
    g_autofree char *path = g_build_filename(folder, "moowatchd.yaml", NULL);
    g_autofree char *projects = g_build_filename(folder, "projects.d", NULL);
    if (!g_file_set_contents(path, "data_dir: .\nprojects_dir: projects.d\n", -1, error))
        return NULL;
    if (g_mkdir(projects, 0700) == 0)
        return cfg_server_load(path, error);
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", projects,
                g_strerror(errno));
    return NULL;
}

static bool write_exports(const char *folder, const options *o, GError **error) {
    g_autofree char *own = g_dir_make_tmp("moowatch-site-XXXXXX", error);
    if (!own)
        return false;
    g_autoptr(cfg_server) config = config_in(own, error);
    bool good = config != NULL;
    for (char **path = o->exports; good && *path; path++)
        good = take_in(config, *path, error);
    good = good && write_database(config, folder, o, error);
    remove_folder(own);
    return good;
}

static bool run(const char *folder, const options *o, GError **error) {
    if (o->exports)
        return write_exports(folder, o, error);
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    return config && srv_command_database(config, error) &&
           write_database(config, folder, o, error);
}

static bool check(int argc, const options *o, GError **error) {
    const char *wrong = NULL;
    if (argc != 2)
        wrong = "needs one folder for the files";
    else if (!o->config == !o->exports)
        wrong = "needs --config FILE or --export FILE: whose nights they are";
    else if (o->url && !g_str_has_prefix(o->url, "https://") &&
             !g_str_has_prefix(o->url, "http://"))
        wrong = "--url: must begin with https:// or http://";
    if (wrong)
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, wrong);
    return !wrong;
}

int srv_site_command(int argc, char **argv) {
    g_auto(options) o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"export", 'e', 0, G_OPTION_ARG_FILENAME_ARRAY, &o.exports,
         "What moowatchd export wrote, instead of a server; may be given again", "FILE"},
        {"url", 'u', 0, G_OPTION_ARG_STRING, &o.url,
         "Where the site will be served; feeds link there", "URL"},
        {"project", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &o.projects,
         "Only this project; may be given again", "NAME"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &o.again, "Make everything again, not only what changed",
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GOptionContext) context = srv_command_context(
        "site", "DIR", "Writes what a server shows as files that any web server can serve.");
    g_autoptr(GError) error = NULL;
    int status = 2;
    g_option_context_add_main_entries(context, entries, NULL);
    if (g_option_context_parse(context, &argc, &argv, &error) && check(argc, &o, &error))
        status = run(argv[1], &o, &error) ? 0 : 1;
    if (error)
        cfg_complain("moowatchd site", error->message);
    return status;
}
