#include "server/command/command.h"

#include "config/options.h"
#include "config/shown.h"
#include "server/catalog.h"
#include "server/ground/error.h"
#include "server/store/bucket.h"

#include <errno.h>
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

int srv_command_unknown(const char *name) {
    fprintf(stderr,
            "moowatchd: unknown command %s; commands are token, export, import, backup, restore, "
            "migrate, storage, site, try and notify. Without a command it serves: moowatchd "
            "--config FILE. "
            "See --help\n",
            name);
    return 2;
}

static void file_check(GPtrArray *to, const char *project, const char *key, const char *path) {
    if (path && access(path, R_OK) != 0)
        g_ptr_array_add(
            to, g_strdup_printf("%s: notify: %s: %s: %s", project, key, path, g_strerror(errno)));
}

static void rule_check(GPtrArray *to, const cfg_server *server, const char *project,
                       const cfg_notify *rule) {
    file_check(to, project, "url_file", rule->url_file);
    file_check(to, project, "secret_file", rule->secret_file);
    if (rule->via == CFG_NOTIFY_MAIL && !server->mail.from)
        g_ptr_array_add(to, g_strdup_printf("%s: notify: via mail, but the server's file has no "
                                            "mail:",
                                            project));
}

GPtrArray *srv_check_doubts(const cfg_server *server, const GPtrArray *projects) {
    GPtrArray *to = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *own = g_strdup_printf("http://%s:%u", server->listen, server->port);
    bool tells = false;
    for (guint p = 0; p < projects->len; p++) {
        const cfg_project *project = projects->pdata[p];
        if (project->main) /* the same file */
            continue;
        for (char **told = project->unfinished; told && *told; told++)
            g_ptr_array_add(to, g_strdup(*told));
        for (unsigned i = 0; i < project->notify_count; i++)
            rule_check(to, server, project->name, &project->notify[i]);
        tells = tells || project->notify_count > 0;
    }
    if (tells && g_str_equal(server->public_url, own))
        g_ptr_array_add(to, g_strdup_printf("public_url is not set: messages link to %s", own));
    return to;
}
