/* "moowatchd site" and "try": what a server shows, as files or for a visitor, also of exports. */
#include "config/shown.h"
#include "server/app.h"
#include "server/command/command.h"
#include "server/ground/clock.h"
#include "server/routes/routes.h"
#include "server/transfer/export.h"
#include "sql/transfer.h"
#include "web/site/site.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>

typedef struct {
    char *config, *url;
    char **exports, **projects;
    gboolean again;
} options;

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
    printf("%s: %u written, %u unchanged, %u removed; %.1f MB\n", folder, count.written, count.same,
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

enum { PIECE = 64 * 1024, UNPACKED_MIB_MAX = 1024 };

/* A little of it makes much: more is unpacked by its owner. */
static bool has_room(gsize bytes, GError **error) {
    if (bytes <= (gsize)UNPACKED_MIB_MAX << 20)
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                     "holds more than %d MiB; unpack it yourself with gunzip", UNPACKED_MIB_MAX);
}

/* What gzip packed, all of its members: such files may be put behind one another. */
static bool unpack_into(GMappedFile *packed, FILE *out, GError **error) {
    g_autoptr(GConverter) gzip =
        G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    g_autofree char *piece = g_malloc(PIECE);
    const char *in = g_mapped_file_get_contents(packed);
    gsize left = g_mapped_file_get_length(packed), whole = 0, taken, made;
    GConverterResult step = G_CONVERTER_CONVERTED;
    while (left > 0 || step != G_CONVERTER_FINISHED) {
        step = g_converter_convert(gzip, left > 0 ? in : "", left, piece, PIECE,
                                   G_CONVERTER_INPUT_AT_END, &taken, &made, error);
        if (step == G_CONVERTER_ERROR || !has_room(whole += made, error))
            return false;
        if (fwrite(piece, 1, made, out) != made)
            return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno), "unpacking: %s",
                             g_strerror(errno));
        in += taken;
        left -= taken;
        if (step == G_CONVERTER_FINISHED)
            g_converter_reset(gzip);
    }
    return true;
}

/* A file that goes with its descriptor. */
static FILE *nameless(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "export.jsonl", NULL);
    FILE *file = fopen(path, "w+ex");
    if (file)
        (void)g_unlink(path);
    return file;
}

/* The file to read: path itself, or what gzip packed in it. NULL with error. */
static FILE *export_open(const cfg_server *config, const char *path, GError **error) {
    const bool is_packed = g_str_has_suffix(path, ".gz");
    g_autoptr(GMappedFile) packed = is_packed ? g_mapped_file_new(path, FALSE, error) : NULL;
    if (is_packed && !packed)
        return NULL;
    FILE *file = is_packed ? nameless(config->data_dir) : fopen(path, "re");
    if (!file)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", path,
                    g_strerror(errno));
    if (!file || !is_packed)
        return file;
    if (unpack_into(packed, file, error)) {
        rewind(file);
        return file;
    }
    g_prefix_error(error, "%s: ", path);
    (void)fclose(file);
    return NULL;
}

static bool take_in(const cfg_server *config, const char *path, GError **error) {
    g_autofree char *database = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(database, error);
    FILE *file = store ? export_open(config, path, error) : NULL;
    if (!file)
        return false;
    g_autoptr(srv_import) import = srv_import_new(store, NULL, srv_now_ms());
    bool good = srv_import_whole(import, file, error);
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
        if (g_remove(path) != 0)
            remove_folder(path);
    }
    (void)g_rmdir(folder);
}

/* A server without projects of its own, whose data are in this folder; NULL with error. */
static cfg_server *config_in(const char *folder, int port, GError **error) {
    g_autofree char *path = g_build_filename(folder, "moowatchd.yaml", NULL);
    g_autofree char *projects = g_build_filename(folder, "projects.d", NULL);
    g_autofree char *text = g_strdup_printf(
        "listen: 127.0.0.1\nport: %d\ndata_dir: .\nprojects_dir: projects.d\n", port);
    if (!g_file_set_contents(path, text, -1, error))
        return NULL;
    if (g_mkdir(projects, 0700) == 0)
        return cfg_server_load(path, error);
    return SRV__NULL(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", projects,
                     g_strerror(errno));
}

static bool write_exports(const char *folder, const options *o, GError **error) {
    g_autofree char *own = g_dir_make_tmp("moowatch-site-XXXXXX", error);
    if (!own)
        return false;
    g_autoptr(cfg_server) config = config_in(own, 0, error);
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
        wrong = "needs --config FILE or --export FILE, which has the nights to write";
    else if (o->url && !g_str_has_prefix(o->url, "https://") &&
             !g_str_has_prefix(o->url, "http://"))
        wrong = "--url: must begin with https:// or http://";
    if (wrong)
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, wrong);
    return !wrong;
}

int srv_site_command(int argc, char **argv) {
    options o = {0};
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
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse("site", "DIR",
                          "Writes what a server shows as files that any web server can serve.",
                          entries, &argc, &argv, &error) &&
        check(argc, &o, &error))
        status = run(argv[1], &o, &error) ? 0 : 1;
    return srv_command_end(status, error);
}

/* "moowatchd try": exports, served until somebody ends it. */

/* The histories that come with the program, installed or in a build folder of its sources; empty:
 * they are not there. Owned. */
static char **histories_of(const char *program) {
    static const char *const places[] = {"../share/moowatch/histories",
                                         "../../../config/histories"};
    g_autofree char *folder = g_path_get_dirname(program);
    g_autoptr(GStrvBuilder) found = g_strv_builder_new();
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *place = g_build_filename(folder, places[i], NULL);
        g_autoptr(GDir) directory = g_dir_open(place, 0, NULL);
        for (const char *name; directory && (name = g_dir_read_name(directory));) {
            g_autofree char *path = g_build_filename(place, name, NULL);
            if (g_str_has_suffix(name, ".jsonl.gz"))
                g_strv_builder_add(found, path);
        }
        if (directory)
            break;
    }
    return g_strv_builder_end(found);
}

static cfg_server *try_begin(const char *folder, char **exports, int port, GError **error) {
    g_autoptr(cfg_server) config = config_in(folder, port, error);
    bool good = config != NULL;
    for (char **path = exports; good && *path; path++)
        good = take_in(config, *path, error);
    return good ? g_steal_pointer(&config) : NULL;
}

cfg_server *srv_try_open(int argc, char **argv, const char *program, char **folder, int *status) {
    int port = 0;
    const GOptionEntry entries[] = {
        {"port", 0, 0, G_OPTION_ARG_INT, &port, "Listen there (default: any that is free)", "N"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) own = NULL;
    cfg_server *config = NULL;
    *status = 2;
    if (srv_command_parse(
            "try", "[EXPORT…]",
            "Serves the histories that come with moowatch, or exports (also packed with gzip), on "
            "this machine,\nfor reading. Its data are in a new folder, which is removed at the "
            "end.",
            entries, &argc, &argv, &error)) {
        *status = 1;
        own = argc > 1 ? g_strdupv(argv + 1) : histories_of(program);
        if (!own[0])
            g_set_error_literal(&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                                "no histories came with this program; name a file that moowatchd "
                                "export wrote");
        else if ((*folder = g_dir_make_tmp("moowatch-try-XXXXXX", &error)) != NULL)
            config = try_begin(*folder, own, port, &error);
    }
    if (error)
        cfg_complain("moowatchd try", error->message);
    return config;
}

/* Where an answer is a number of something that a page shows: its address. */
static void tell_page(srv_store *store, const srv_sql *sql, const char *url, const char *page,
                      const char *what) {
    int64_t number = 0;
    if (srv__number(store, sql, SRV__NO_ARGS, 0, &number, NULL) && number != 0)
        printf("  %s%s%" G_GINT64_FORMAT "  %s\n", url, page, number, what);
}

void srv_try_tell(const cfg_server *config, const char *url) {
    g_autofree char *database = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(database, NULL);
    puts("\nLook at");
    printf("  %s/  all projects\n", url);
    if (store) {
        tell_page(store, SQL(try_alert), url, "/alerts/", "an alert, and where its change is");
        tell_page(store, SQL(try_incident), url, "/incidents/",
                  "an incident of the machine or the measurement");
    }
    puts("Nobody can change anything here. Ctrl-C ends it, and removes its data.");
    (void)fflush(stdout);
}

void srv_try_end(const char *folder) {
    remove_folder(folder);
}
