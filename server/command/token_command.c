#include "server/command/token_command.h"

#include "config/shown.h"

#include "server/command/command.h"
#include "server/ground/auth.h"
#include "server/ground/auth_lock.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char *config;
    char *name;
    char *scope;
    char *node;
} options;

static void options_clear(options *o) {
    g_free(o->config);
    g_free(o->name);
    g_free(o->scope);
    g_free(o->node);
}

static int add_one(srv_auth *auth, const options *o, GError **error) {
    if (!o->name || !o->scope) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "add needs --name NAME and --scope read|submit|run|admin|runner");
        return 2;
    }
    g_autofree char *token =
        srv_auth_create_for(auth, o->name, o->scope, o->node, g_get_real_time() / 1000, error);
    if (!token)
        return 1;
    fprintf(stderr, "this token is shown once; keep it safe:\n");
    printf("%s\n", token);
    return 0;
}

static int list_all(srv_auth *auth) {
    json_t *tokens = srv_auth_list(auth);
    if (json_array_size(tokens) == 0)
        fprintf(stderr, "there are no tokens; moowatchd token add creates one\n");
    size_t i = 0;
    json_t *token = NULL;
    json_array_foreach (tokens, i, token) {
        g_autoptr(GDateTime) created = g_date_time_new_from_unix_utc(
            json_integer_value(json_object_get(token, "created_ms")) / 1000);
        g_autofree char *text = g_date_time_format(created, "%Y-%m-%d %H:%M");
        const char *node = json_string_value(json_object_get(token, "node"));
        printf("%-24s %-24s %s%s%s\n", json_string_value(json_object_get(token, "name")),
               json_string_value(json_object_get(token, "scopes")), text, node ? "  " : "",
               node ? node : "");
    }
    json_decref(tokens);
    return 0;
}

static int remove_one(srv_auth *auth, const options *o, GError **error) {
    if (!o->name) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "revoke needs --name NAME; list shows them");
        return 2;
    }
    return srv_auth_revoke(auth, o->name, error) ? 0 : 1;
}

static int bind_one(srv_auth *auth, const options *o, GError **error) {
    if (!o->name || !o->node) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "bind needs --name NAME and --node NODE, or --node '*' for any");
        return 2;
    }
    return srv_auth_bind(auth, o->name, o->node, error) ? 0 : 1;
}

static int run(const char *what, const options *o, GError **error) {
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (!config)
        return 1;
    g_autofree char *path = g_build_filename(config->shared_dir, SRV_AUTH_FILE, NULL);
    int lock = srv_auth_lock(config->shared_dir, error);
    if (lock < 0)
        return 1;
    int status = 2;
    g_autoptr(srv_auth) auth = srv_auth_open(path, error);
    if (!auth)
        status = 1;
    else if (strcmp(what, "add") == 0)
        status = add_one(auth, o, error);
    else if (strcmp(what, "list") == 0)
        status = list_all(auth);
    else if (strcmp(what, "bind") == 0)
        status = bind_one(auth, o, error);
    else if (strcmp(what, "revoke") == 0)
        status = remove_one(auth, o, error);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "unknown command %s; commands are add, list, bind and revoke", what);
    close(lock);
    return status;
}

int srv_token_command(int argc, char **argv) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"name", 'n', 0, G_OPTION_ARG_STRING, &o.name, "The token's name", "NAME"},
        {"scope", 's', 0, G_OPTION_ARG_STRING, &o.scope,
         "What it may do: read, submit, run, admin or runner; several with commas", "SCOPE"},
        {"node", 0, 0, G_OPTION_ARG_STRING, &o.node,
         "Scope runner: the only node that may use it, '*' for any", "NODE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GOptionContext) context = srv_command_context(
        "token", "add|list|bind|revoke",
        "Creates, lists, binds and revokes the tokens of the API. A new token is "
        "shown once; changes take\neffect while the daemon runs.");
    g_autoptr(GError) error = NULL;
    int status = 2;
    g_option_context_add_main_entries(context, entries, NULL);
    if (g_option_context_parse(context, &argc, &argv, &error)) {
        if (argc == 2 && o.config)
            status = run(argv[1], &o, &error);
        else
            g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "usage: token add|list|bind|revoke --config FILE [--name NAME] "
                        "[--scope SCOPE] [--node NODE]");
    }
    if (error)
        cfg_complain("moowatchd token", error->message);
    options_clear(&o);
    return status;
}
