#include "server/catalog.h"
#include "server/command/command.h"
#include "server/ground/error.h"
#include "server/store/db.h"
#include "server/store/store_move.h"

#include <stdio.h>

typedef struct {
    char *config, *to;
} options;

/* To the error output, for who waits. */
static void tell(const srv_move *moved, void *user) {
    (void)user;
    fprintf(stderr, "%s: %" G_GINT64_FORMAT " rows so far\n", moved->table, moved->rows);
}

static void advise(const char *to) {
    if (srv_db_is_server(to))
        printf("Now stop moowatchd, write database: '%s' into its file, and start it.\n", to);
    else
        printf("Now stop moowatchd, remove database from its file, move %s to "
               "data_dir/moowatch.db, and start it.\n",
               srv_db_place(to));
}

/* It is printed, and everybody on this machine sees it while the command runs. */
static bool to_ok(const char *to, GError **error) {
    const char *wrong = srv_db_is_server(to) ? cfg_database_wrong(to) : NULL;
    return !wrong || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "--to %s", wrong);
}

static bool run(const options *o, GError **error) {
    if (!to_ok(o->to, error))
        return false;
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (!config || !srv_command_database(config, error))
        return false;
    g_autofree char *from = srv_context_database(config);
    if (g_str_equal(srv_db_place(from), srv_db_place(o->to)))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "the server's database is %s already",
                         from);
    srv_move moved;
    const srv_move_watch watch = {tell, NULL};
    if (!srv_store_move(from, o->to, true, &watch, &moved, error))
        return false;
    printf("%" G_GINT64_FORMAT " rows written, %" G_GINT64_FORMAT
           " read back and compared: all the same.\n",
           moved.rows, moved.compared);
    advise(o->to);
    return true;
}

int srv_migrate_command(int argc, char **argv) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"to", 0, 0, G_OPTION_ARG_STRING, &o.to,
         "An empty database: postgresql:…, or the path of a new file of SQLite", "URL"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse(
            "migrate", NULL,
            "Copies everything measured from the server's database into another one, and reads it "
            "back.\nThe old one can only be read meanwhile, and stays as it is. If it is "
            "interrupted, start it again.",
            entries, &argc, &argv, &error)) {
        if (!o.config || !o.to || argc > 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "needs --config FILE and --to URL");
        else
            status = run(&o, &error) ? 0 : 1;
    }
    return srv_command_end(status, error);
}
