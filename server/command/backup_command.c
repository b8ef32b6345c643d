#include "server/command/backup_command.h"

#include "config/shown.h"
#include "server/command/backup_copy.h"
#include "server/command/backup_folder.h"
#include "server/command/backup_manifest.h"
#include "server/command/backup_restore.h"
#include "server/command/command.h"
#include "server/context.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/store/bucket.h"

#include <stdio.h>
#include <unistd.h>

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
    return srv__backup_restore(config, o->folder, &rest->lost, error);
}

static int run(const options *o,
               bool (*act)(const cfg_server *, const options *, undone *, GError **),
               GError **error) {
    undone rest = {0};
    g_autoptr(cfg_server) config = o->check ? NULL : srv_command_config(o->config, error);
    if (o->check ? !srv__backup_check(o->check, &rest.lost, error)
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
    g_autoptr(GOptionContext) context = srv_command_context(name, NULL, summary);
    g_autoptr(GError) error = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    int status = 2;
    if (g_option_context_parse(context, &argc, &argv, &error)) {
        if ((!o.check && (!o.config || !o.folder)) || argc > 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "needs --config FILE and --%s FOLDER",
                        folder_option);
        else if (o.keep < 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "--keep %d: give 1 or more", o.keep);
        else
            status = run(&o, act, &error);
    }
    if (error) {
        g_autofree char *who = g_strconcat("moowatchd ", name, NULL);
        cfg_complain(who, error->message);
    }
    g_free(o.config);
    g_free(o.folder);
    g_free(o.check);
    return status;
}

int srv_backup_command(int argc, char **argv) {
    return command(argc, argv, "to", true,
                   "Copies database, raw results and tokens while the daemon runs, beside the "
                   "backups before; of raw results only what is new.",
                   backup);
}

int srv_restore_command(int argc, char **argv) {
    return command(argc, argv, "from", false,
                   "Fills an empty data_dir from the newest backup, after checking it.", restore);
}
