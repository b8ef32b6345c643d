#include "config/config.h"
#include "config/shown.h"
#include "server/catalog.h"
#include "server/command/backup.h"
#include "server/command/command.h"
#include "server/ground/auth.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/store/bucket.h"
#include "server/store/store_move.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

/* backup_restore - an empty server from a backup; and the proof that one could be restored. */

/* The database under a name that no daemon starts with. */
static char *restored_path(const cfg_server *config) {
    return g_build_filename(config->data_dir, "restore.db", NULL);
}

/* Into a server's database. filled: out, it has the rows, or may have them: of a commit no answer
 * came. */
static bool rows_move(const cfg_server *config, const char *file, bool *filled, GError **error) {
    srv_move moved = {0};
    GError *problem = NULL;
    *filled = srv_store_move(file, config->database, true, NULL, &moved, &problem);
    if (!*filled) {
        *filled = moved.compared > 0 && g_error_matches(problem, SRV_ERROR, SRV_ERROR_BUSY);
        g_propagate_error(error, problem);
        return false;
    }
    printf("%" G_GINT64_FORMAT " rows written, read back and compared\n", moved.compared);
    return true;
}

/* From now on a daemon starts with it. filled: out, it has its name. */
static bool file_move(const cfg_server *config, const char *file, bool *filled, GError **error) {
    g_autofree char *there = srv_context_database(config);
    *filled = g_rename(file, there) == 0;
    return (*filled || srv__backup_fail(error, "cannot make", there)) &&
           srv__backup_sync(config->data_dir, error);
}

/* Those that are there may be in use, unless they are the same: a killed restore left them. */
static bool tokens_may_come(const cfg_server *config, const char *from, GError **error) {
    g_autofree char *there = g_build_filename(config->shared_dir, SRV_AUTH_FILE, NULL);
    g_autofree char *tokens = g_build_filename(from, SRV_AUTH_FILE, NULL);
    g_autofree char *its = srv__backup_hash(tokens), *now = srv__backup_hash(there);
    if (!g_file_test(tokens, G_FILE_TEST_EXISTS) || !g_file_test(there, G_FILE_TEST_EXISTS) ||
        (its && g_strcmp0(its, now) == 0))
        return true;
    return SRV__FAIL(
        error, SRV_ERROR, SRV_ERROR_CONFLICT,
        "%s exists already, with other tokens than %s; stop the daemon and move it away "
        "first",
        there, tokens);
}

/* All of it is there and compared before the database has its name, or its rows: they come last. */
static bool restore_into(const cfg_server *config, const char *from, const char *file,
                         srv__backup_copied *copied, bool *filled, GError **error) {
    g_autofree char *database = g_build_filename(from, SRV__BACKUP_DATABASE, NULL);
    g_autofree char *raw = srv__backup_raw(from);
    g_autofree char *raw_there = g_build_filename(config->shared_dir, "raw", NULL);
    json_auto_t *manifest = NULL;
    int64_t rows = 0;
    if (!srv__manifest_read(from, &manifest, error))
        return false;
    if (g_mkdir_with_parents(config->data_dir, 0700) != 0)
        return srv__backup_fail(error, "cannot make", config->data_dir);
    if (!srv__backup_copy((srv__backup_place){database, raw, NULL},
                          (srv__backup_place){file, raw_there, NULL}, false, copied, error) ||
        !srv__manifest_compare(manifest, file, &rows, error) ||
        !srv__backup_tokens(from, config->shared_dir, error) ||
        !(config->database ? rows_move : file_move)(config, file, filled, error))
        return false;
    printf("%s: the database, %u raw results\n", from, copied->raw_files);
    printf("%" G_GINT64_FORMAT " rows, as many of each table as the backup has\n", rows);
    return true;
}

/* What a restore that failed has made; folders as far as they are empty. */
static void undo(const cfg_server *config, const GPtrArray *made, bool had_tokens) {
    g_autofree char *tokens = g_build_filename(config->shared_dir, SRV_AUTH_FILE, NULL);
    g_autofree char *raw = g_build_filename(config->shared_dir, "raw", NULL);
    if (!had_tokens)
        (void)g_unlink(tokens);
    for (guint i = 0; i < made->len; i++) {
        g_autofree char *folder = g_path_get_dirname(made->pdata[i]);
        (void)g_unlink(made->pdata[i]);
        (void)g_rmdir(folder);
    }
    (void)g_rmdir(raw);
}

static bool restore_newest(const cfg_server *config, const GPtrArray *generations, unsigned *lost,
                           GError **error) {
    const char *from = generations->pdata[generations->len - 1];
    g_autofree char *file = restored_path(config);
    g_autofree char *beside = g_strconcat(file, "-changes", NULL);
    g_autofree char *tokens = g_build_filename(config->shared_dir, SRV_AUTH_FILE, NULL);
    const bool was_there = g_file_test(config->data_dir, G_FILE_TEST_EXISTS);
    const bool had_tokens = g_file_test(tokens, G_FILE_TEST_EXISTS);
    bool filled = false; /* then what belongs to the database stays */
    srv__backup_copied copied = {0};
    const bool good = restore_into(config, from, file, &copied, &filled, error);
    (void)g_unlink(beside);
    (void)g_unlink(file);
    if (!good && copied.made && !filled)
        undo(config, copied.made, had_tokens);
    if (!good && !was_there)
        (void)g_rmdir(config->data_dir);
    if (!good && generations->len > 1)
        g_prefix_error(error, "%s cannot be restored; the backup before it is %s: ", from,
                       (char *)generations->pdata[generations->len - 2]);
    g_clear_pointer(&copied.made, g_ptr_array_unref);
    *lost = copied.lost;
    return good;
}

/*
 * Only where no database is, and no tokens but the backup's: nothing is
 * overwritten. What fails leaves nothing behind, unless the database may have been filled; what was
 * killed can be done again.
 * from  a folder of backups, of which the newest is taken, or one of them
 * lost  out, raw files that are missing or damaged; each was named on standard error
 */
static bool backup_restore(const cfg_server *config, const char *from, unsigned *lost,
                           GError **error) {
    g_autofree char *there = g_build_filename(config->data_dir, SRV__BACKUP_DATABASE, NULL);
    if (!config->database && g_file_test(there, G_FILE_TEST_EXISTS))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "%s exists already; stop the daemon and move data_dir away first", there);
    g_autoptr(GPtrArray) generations = srv__backups(from, error);
    return generations &&
           tokens_may_come(config, generations->pdata[generations->len - 1], error) &&
           restore_newest(config, generations, lost, error);
}

/* seen: raw files that another generation has, too; their value says whether they are sound. */
static unsigned raw_check(const char *folder, const GPtrArray *raw, GHashTable *seen) {
    unsigned lost = 0;
    for (guint i = 0; i < raw->len; i++) {
        const char *sha256 = raw->pdata[i];
        gpointer sound;
        if (!g_hash_table_lookup_extended(seen, sha256, NULL, &sound)) {
            sound = GINT_TO_POINTER(srv__backup_raw_check(folder, sha256));
            g_hash_table_insert(seen, g_strdup(sha256), sound);
            if (!sound) {
                g_autofree char *text = g_strdup_printf(
                    "%s: raw file %s is missing or damaged; remove it, and the next backup copies "
                    "it again, if the server has it",
                    folder, sha256);
                cfg_complain("moowatchd", text);
            }
        }
        lost += sound ? 0 : 1;
    }
    return lost;
}

static bool check(const char *from, GHashTable *seen, unsigned *lost, GError **error) {
    g_autofree char *database = g_build_filename(from, SRV__BACKUP_DATABASE, NULL);
    g_autofree char *folder = srv__backup_raw(from);
    g_autoptr(GPtrArray) raw = NULL;
    json_auto_t *manifest = NULL;
    int64_t rows = 0;
    if (!srv__manifest_read(from, &manifest, error) ||
        !srv_store_file_check(database, &raw, error) ||
        !srv__manifest_compare(manifest, database, &rows, error))
        return false;
    const unsigned gone = raw_check(folder, raw, seen);
    *lost += gone;
    printf("%s: can be restored, %" G_GINT64_FORMAT " rows, %u raw results", from, rows,
           raw->len - gone);
    printf(gone > 0 ? " of %u\n" : "\n", raw->len);
    return true;
}

/* Could each backup of the folder be restored? Prints a line of each; the first
 * one that could not is the error, all are named on standard error. lost: as above. */
static bool backup_check(const char *folder, unsigned *lost, GError **error) {
    g_autoptr(GPtrArray) generations = srv__backups(folder, error);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    unsigned bad = 0;
    *lost = 0;
    for (guint i = 0; generations && i < generations->len; i++) {
        g_autoptr(GError) problem = NULL;
        if (check(generations->pdata[i], seen, lost, &problem))
            continue;
        cfg_complain(generations->pdata[i], problem->message);
        bad++;
    }
    if (bad > 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %u of %u backups cannot be restored",
                    folder, bad, generations->len);
    return generations && bad == 0;
}

/* Done, but not all of it. */
#define EXIT_UNDONE 3

typedef struct {
    unsigned lost; /* raw files that the database speaks of */
    unsigned left; /* old backups that could not be removed */
} undone;

typedef struct {
    char *config, *folder, *check;
    int keep;
} options;

static bool backup_into(const cfg_server *config, const char *begun, const char *raw,
                        srv__backup_copied *copied, GError **error) {
    g_autofree char *source = srv_context_database(config);
    g_autofree char *source_raw = g_build_filename(config->shared_dir, "raw", NULL);
    g_autofree char *target = g_build_filename(begun, SRV__BACKUP_DATABASE, NULL);
    g_autoptr(srv_bucket) bucket = srv_bucket_new(config);
    return srv__backup_copy((srv__backup_place){source, source_raw, bucket},
                            (srv__backup_place){target, raw, NULL}, true, copied, error) &&
           srv__backup_tokens(config->shared_dir, begun, error) &&
           srv__manifest_write(begun, copied->raw_files, srv_now_ms(), error);
}

/* The generations before it are as they were until the new one has its name. */
static bool backup_locked(const cfg_server *config, const options *o, const char *begun,
                          undone *rest, GError **error) {
    srv__backup_copied copied = {0};
    g_autofree char *raw = g_build_filename(o->folder, "raw", NULL);
    g_autofree char *path = backup_into(config, begun, raw, &copied, error)
                                ? srv__backup_take_over(o->folder, begun, srv_now_ms(), error)
                                : NULL;
    if (path) {
        printf("%s: the database, %u raw results (%u of them new)\n", path, copied.raw_files,
               copied.made->len);
        rest->left = srv__backup_thin(o->folder, (unsigned)o->keep);
    } else {
        srv__backup_clear(begun, NULL); /* or else when the next one begins */
    }
    g_clear_pointer(&copied.made, g_ptr_array_unref);
    rest->lost = copied.lost;
    return path != NULL;
}

static bool backup(const cfg_server *config, const options *o, undone *rest, GError **error) {
    int lock = -1;
    g_autofree char *begun =
        srv_command_database(config, error) ? srv__backup_begin(o->folder, &lock, error) : NULL;
    const bool good = begun && backup_locked(config, o, begun, rest, error);
    if (lock >= 0)
        close(lock);
    return good;
}

static bool restore(const cfg_server *config, const options *o, undone *rest, GError **error) {
    return backup_restore(config, o->folder, &rest->lost, error);
}

static int run(const options *o,
               bool (*act)(const cfg_server *, const options *, undone *, GError **),
               GError **error) {
    undone rest = {0};
    g_autoptr(cfg_server) config = o->check ? NULL : srv_command_config(o->config, error);
    if (o->check ? !backup_check(o->check, &rest.lost, error)
                 : !config || !act(config, o, &rest, error))
        return 1;
    if (rest.lost > 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "done without %u raw results, which are missing or damaged (see above)",
                    rest.lost);
    else if (rest.left > 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                    "done, but %u old backups could not be removed (see above)", rest.left);
    return rest.lost + rest.left > 0 ? EXIT_UNDONE : 0;
}

/* checks: it has "--check FOLDER" and "--keep N", too. */
static int command(int argc, char **argv, const char *folder_option, bool checks,
                   const char *summary,
                   bool (*act)(const cfg_server *, const options *, undone *, GError **)) {
    options o = {.keep = 7};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {folder_option, 0, 0, G_OPTION_ARG_FILENAME, &o.folder, "The backups' folder", "FOLDER"},
        {checks ? "keep" : NULL, 0, 0, G_OPTION_ARG_INT, &o.keep,
         "Keep the newest N backups (7), this one included", "N"},
        {"check", 0, 0, G_OPTION_ARG_FILENAME, &o.check,
         "Only check the backups in a folder; needs no server", "FOLDER"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    const char *name = argv[0];
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse(name, NULL, summary, entries, &argc, &argv, &error)) {
        if ((!o.check && (!o.config || !o.folder)) || argc > 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "needs --config FILE and --%s FOLDER",
                        folder_option);
        else if (o.keep < 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "--keep %d: give 1 or more", o.keep);
        else
            status = run(&o, act, &error);
    }
    return srv_command_end(status, error);
}

int srv_backup_command(int argc, char **argv) {
    return command(
        argc, argv, "to", true,
        "Copies database, raw results and tokens while the daemon runs, into a new folder beside "
        "the earlier backups. Raw results\nthat an earlier backup has are not copied again.",
        backup);
}

int srv_restore_command(int argc, char **argv) {
    return command(argc, argv, "from", false,
                   "Fills an empty data_dir from the newest backup, after checking it.", restore);
}
