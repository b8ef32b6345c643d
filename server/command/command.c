#include "server/command/command.h"

#include "config/options.h"
#include "config/shown.h"
#include "server/catalog.h"
#include "server/ground/error.h"
#include "server/store/bucket.h"

#include <gio/gio.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool srv_command_parse(const char *name, const char *arguments, const char *summary,
                       const GOptionEntry *entries, int *argc, char ***argv, GError **error) {
    g_autofree char *program = g_strconcat("moowatchd ", name, NULL);
    g_autoptr(GOptionContext) context = g_option_context_new(arguments);
    g_set_prgname(program);
    g_option_context_set_summary(context, summary);
    g_option_context_add_main_entries(context, entries, NULL);
    const bool good = g_option_context_parse(context, argc, argv, error);
    cfg_options_keep(entries);
    return good;
}

int srv_command_end(int status, const GError *error) {
    if (error)
        cfg_complain(g_get_prgname(), error->message);
    return status;
}

/* The user whose files they are: the database's owner, before the first start the folder's. */
static uid_t owner_of(const char *data_dir) {
    g_autofree char *database = g_build_filename(data_dir, "moowatch.db", NULL);
    struct stat about;
    return stat(database, &about) == 0 || stat(data_dir, &about) == 0 ? about.st_uid : geteuid();
}

static bool owner_check(const char *data_dir, GError **error) {
    const uid_t owner = owner_of(data_dir);
    if (geteuid() != 0 || owner == 0)
        return true;
    char buffer[4096];
    struct passwd entry, *found = NULL;
    const bool named = getpwuid_r(owner, &entry, buffer, sizeof buffer, &found) == 0 && found;
    g_autofree char *user =
        named ? g_strdup(found->pw_name) : g_strdup_printf("'#%lu'", (unsigned long)owner);
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
        "%s belongs to %s, who could not read what root leaves there; run it as that user: "
        "%s %s -- moowatchd …",
        data_dir, user, named ? "runuser -u" : "sudo -u", user);
}

cfg_server *srv_command_config(const char *path, GError **error) {
    g_autoptr(cfg_server) config = cfg_server_load(path, error);
    if (!config || !owner_check(config->data_dir, error))
        return NULL;
    return g_steal_pointer(&config);
}

bool srv_command_database(const cfg_server *config, GError **error) {
    const char *data_dir = config->data_dir;
    g_autofree char *path = srv_context_database(config);
    if (config->database || g_file_test(path, G_FILE_TEST_EXISTS))
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "%s does not exist, so nothing has been measured yet; correct data_dir, or start "
        "moowatchd first",
        g_file_test(data_dir, G_FILE_TEST_EXISTS) ? path : data_dir);
}

bool srv_command_bucket(const cfg_server *config, GError **error) {
    g_autoptr(srv_bucket) bucket = srv_bucket_new(config);
    if (!bucket)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "no bucket is configured; bucket.url names one");
    return srv_bucket_check(bucket, error);
}
