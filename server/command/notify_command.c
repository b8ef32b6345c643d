#include "config/shown.h"

#include "server/catalog.h"
#include "server/command/command.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_rule.h"

#include <stdio.h>
#include <sys/stat.h>

typedef struct {
    char *config, *project;
} options;

/* In an alert's place: it says that it is a test, and names neither a commit nor a value. */
static json_t *test_alert(const char *project) {
    return json_pack("{s:i,s:s,s:s,s:s,s:s,s:b}", "id", 0, "project", project, "state", "test",
                     "headline", "a test message, nothing changed", "sentence",
                     "moowatchd notify sent this to test the delivery of messages: nothing was "
                     "measured, and nothing changed.",
                     "test", 1);
}

/* One message; true when it arrived. */
static bool try_rule(const cfg_server *server, const cfg_project *project, const cfg_notify *rule) {
    g_autofree char *channel = srv_notify_channel(rule), *shown = srv_notify_shown(rule);
    if (srv_notify_tells_pulls(rule)) {
        printf("%-32s not tried: it writes on commits and pull requests\n", shown);
        return true;
    }
    const int64_t now_ms = g_get_real_time() / 1000;
    json_auto_t *items = json_pack("[o]", test_alert(project->name));
    g_auto(model_list) alerts = {.noun = &cfg_alert_model};
    *(cfg_alert *)model_list_add(&alerts) = cfg_alert_of(json_array_get(items, 0));
    g_autofree char *delivery =
        g_strdup_printf("%s.%s.test.%" G_GINT64_FORMAT, project->name, channel, now_ms);
    const srv_message d = {.server = server,
                           .rule = rule,
                           .configured = project,
                           .project = project->name,
                           .channel = channel,
                           .event = "test",
                           .alerts = &alerts,
                           .items = items,
                           .delivery = delivery,
                           .now_ms = now_ms};
    g_auto(srv_sent) sent = {0};
    g_autofree char *reference = NULL;
    srv_deliver(&d, &sent, &reference);
    const char *good =
        rule->via == CFG_NOTIFY_GITHUB_ISSUE ? "reached; a test opens no issue" : "delivered";
    g_autofree char *outcome = cfg_shown(sent.delivered ? good : sent.problem);
    printf("%-32s %s\n", shown, outcome);
    return sent.delivered;
}

static bool is_newer(const char *path, const struct stat *than) {
    struct stat own;
    return stat(path, &own) == 0 && (own.st_ctim.tv_sec > than->st_ctim.tv_sec ||
                                     (own.st_ctim.tv_sec == than->st_ctim.tv_sec &&
                                      own.st_ctim.tv_nsec > than->st_ctim.tv_nsec));
}

/* Messages go by the files as they are now: a running server goes by what it has read of them.
 * False when that is something else. */
static bool told_by_the_server(const cfg_server *server, const char *config) {
    g_autofree char *url = g_build_filename(server->data_dir, "moowatchd.url", NULL);
    g_autoptr(GDir) dir = g_dir_open(server->projects_dir, 0, NULL);
    struct stat read_at;
    if (stat(url, &read_at) != 0) {
        fprintf(stderr, "note: no server runs here (%s): these messages follow the files on disk\n",
                server->data_dir);
        return true;
    }
    bool same = !is_newer(config, &read_at);
    if (!same)
        fprintf(stderr,
                "%s was changed after the server read it: restart the server; until then it uses "
                "the old one\n",
                config);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(server->projects_dir, name, NULL);
        if (!g_str_has_suffix(name, ".yaml") || !is_newer(path, &read_at))
            continue;
        fprintf(stderr, "%s was changed after the server read it: reload the server (SIGHUP)\n",
                path);
        same = false;
    }
    return same;
}

static int try_project(const options *o, GError **error) {
    g_autoptr(cfg_server) server = cfg_server_load(o->config, error);
    if (!server)
        return 1;
    g_autoptr(srv_catalog) catalog = srv_catalog_load(server->projects_dir, error);
    const cfg_project *project = catalog ? srv_catalog_find(catalog, o->project) : NULL;
    int status = project ? 0 : 1;
    if (catalog && !project)
        g_set_error(
            error, CFG_ERROR, CFG_ERROR_MEANING,
            "there is no valid project %s in %s; moowatchd --config %s --check says what is wrong",
            o->project, server->projects_dir, o->config);
    for (unsigned i = 0; project && i < project->notify_count; i++)
        if (!try_rule(server, project, &project->notify[i]))
            status = 1;
    if (project && !told_by_the_server(server, o->config))
        status = 1;
    if (project && project->notify_count == 0)
        printf("project %s has no notify: rules\n", o->project);
    return status;
}

int srv_notify_command(int argc, char **argv) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"project", 'p', 0, G_OPTION_ARG_STRING, &o.project, "The project whose rules are tried",
         "NAME"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (!srv_command_parse(
            "notify", NULL,
            "Sends a test message by each notification rule of a project, and prints the results.",
            entries, &argc, &argv, &error))
        status = 2;
    else if (!o.config || !o.project || argc > 1)
        g_set_error(&error, CFG_ERROR, CFG_ERROR_MEANING, "needs --config FILE and --project NAME");
    else
        status = try_project(&o, &error);
    return srv_command_end(status, error);
}
