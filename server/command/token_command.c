#include "config/json_text.h"
#include "server/catalog.h"
#include "server/command/command.h"
#include "server/ground/auth.h"
#include "server/ground/auth_table.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/store/store_audit.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SPAN_MAX_MS (3650 * SRV_DAY_MS)
#define GRACE "24h"

typedef struct {
    char *config;
    char *name;
    char *scope;
    char *node;
    char *expires;
    char *grace;
    char **projects;
} options;

/* Who runs this, on this machine; caller frees. */
static char *who_runs(void) {
    const char *sudo = g_getenv("SUDO_USER");
    return sudo ? g_strdup_printf("%s (sudo, %s)", g_get_user_name(), sudo)
                : g_strdup(g_get_user_name());
}

/* A change that is made and cannot be noted is told: it stays made. */
static void note(const cfg_server *config, const options *o, const char *what) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = srv_context_database(config);
    g_autofree char *who = who_runs(), *text = g_strdup_printf("token %s %s", o->name, what);
    const int64_t now_ms = srv_now_ms();
    const srv_audit_row row = {now_ms, now_ms, "token", who, "", text, "", 1};
    g_autoptr(srv_store) store = srv_store_open(path, &error);
    if (!store || !srv_audit_change(store, &row, &error))
        fprintf(stderr, "moowatchd token: done, but the audit log could not be written: %s\n",
                error->message);
}

static void show_secret(const char *token) {
    fprintf(stderr, "this token is shown once; keep it safe:\n");
    printf("%s\n", token);
}

static bool wrong(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", text);
}

/* When a token ends that is made now; 0 where the option is not given: never, or as before. */
static bool end_of(const char *expires, int64_t now_ms, int64_t *end_ms, GError **error) {
    int64_t span_ms = 0;
    *end_ms = 0;
    if (!expires)
        return true;
    if (!srv_span_read(expires, SPAN_MAX_MS, &span_ms, error))
        return false;
    *end_ms = now_ms + span_ms;
    return span_ms > 0 || wrong(error, "--expires must be longer than 0");
}

static int add_one(srv_auth *auth, const cfg_server *config, const options *o, GError **error) {
    const int64_t now_ms = srv_now_ms();
    int64_t end_ms = 0;
    if (!o->name || !o->scope) {
        wrong(error, "add needs --name NAME and --scope read|submit|run|admin|runner");
        return 2;
    }
    if (!end_of(o->expires, now_ms, &end_ms, error))
        return 2;
    const srv_auth_wish wish = {.name = o->name,
                                .scopes = o->scope,
                                .node = o->node,
                                .projects = (const char *const *)o->projects,
                                .expires_ms = end_ms};
    g_autofree char *token = srv_auth_create(auth, &wish, now_ms, error);
    if (!token)
        return 1;
    g_autofree char *projects = o->projects ? g_strjoinv(",", o->projects) : g_strdup("any");
    g_autofree char *what =
        g_strdup_printf("added: scope %s, node %s, project %s, expires %s", o->scope,
                        o->node ? o->node : "any", projects, o->expires ? o->expires : "never");
    note(config, o, what);
    show_secret(token);
    return 0;
}

/* "2026-11-22 14:00", or "-" for null; caller frees. */
static char *time_text(const json_t *token, const char *key) {
    const json_int_t ms = cfg_json_integer(token, key);
    g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(ms / 1000);
    return ms > 0 ? g_date_time_format(at, "%Y-%m-%d %H:%M") : g_strdup("-");
}

/* What is stored, not what was asked for: no grace goes beyond the token's own end. */
static char *old_text(srv_auth *auth, const char *name) {
    json_auto_t *tokens = srv_auth_list(auth);
    char *text = NULL;
    size_t i = 0;
    json_t *token = NULL;
    json_array_foreach (tokens, i, token) {
        if (g_strcmp0(cfg_json_word(token, "name", NULL), name) != 0 ||
            cfg_json_integer(token, "old_until_ms") == 0)
            continue;
        g_autofree char *until = time_text(token, "old_until_ms");
        text = g_strdup_printf("the old secret stays valid until %s UTC", until);
    }
    return text ? text : g_strdup("the old secret is no longer valid");
}

static int rotate_one(srv_auth *auth, const cfg_server *config, const options *o, GError **error) {
    const int64_t now_ms = srv_now_ms();
    int64_t end_ms = 0, grace_ms = 0;
    if (!o->name) {
        wrong(error, "rotate needs --name NAME; list shows them");
        return 2;
    }
    if (!end_of(o->expires, now_ms, &end_ms, error) ||
        !srv_span_read(o->grace ? o->grace : GRACE, SPAN_MAX_MS, &grace_ms, error))
        return 2;
    g_autofree char *token = srv_auth_rotate(auth, o->name, grace_ms, end_ms, now_ms, error);
    if (!token)
        return 1;
    g_autofree char *old = old_text(auth, o->name);
    g_autofree char *what = g_strconcat("rotated: ", old, NULL);
    note(config, o, what);
    fprintf(stderr, "%s\n", old);
    show_secret(token);
    return 0;
}

static char *names_text(const json_t *list) {
    GString *text = g_string_new(NULL);
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach (list, i, name)
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", json_string_value(name));
    return g_string_free(text, FALSE);
}

static void print_row(const json_t *token, int64_t now_ms) {
    g_autofree char *created = time_text(token, "created_ms"), *used = time_text(token, "used_ms");
    g_autofree char *expires = time_text(token, "expires_ms");
    g_autofree char *old = time_text(token, "old_until_ms");
    g_autofree char *projects = names_text(json_object_get(token, "projects"));
    const int64_t expires_ms = cfg_json_integer(token, "expires_ms");
    const char *node = cfg_json_word(token, "node", NULL);
    printf("%-24s %-16s %-16s %-16s %-16s%s%s%s%s%s", cfg_json_word(token, "name", NULL),
           cfg_json_word(token, "scopes", NULL), created, used, expires,
           expires_ms != 0 && expires_ms <= now_ms ? " expired" : "", node ? " node " : "",
           node ? node : "", *projects ? " project " : "", projects);
    if (cfg_json_integer(token, "old_until_ms") > now_ms)
        printf(" old secret until %s", old);
    printf("\n");
}

static int list_all(srv_auth *auth) {
    json_auto_t *tokens = srv_auth_list(auth);
    if (json_array_size(tokens) == 0)
        fprintf(stderr, "there are no tokens; moowatchd token add creates one\n");
    else
        printf("%-24s %-16s %-16s %-16s %s\n", "NAME", "SCOPES", "CREATED (UTC)", "LAST USED",
               "EXPIRES");
    size_t i = 0;
    json_t *token = NULL;
    json_array_foreach (tokens, i, token)
        print_row(token, srv_now_ms());
    return 0;
}

static int remove_one(srv_auth *auth, const cfg_server *config, const options *o, GError **error) {
    if (!o->name) {
        wrong(error, "revoke needs --name NAME; list shows them");
        return 2;
    }
    if (!srv_auth_revoke(auth, o->name, error))
        return 1;
    note(config, o, "revoked");
    return 0;
}

static int bind_one(srv_auth *auth, const cfg_server *config, const options *o, GError **error) {
    if (!o->name || !o->node) {
        wrong(error, "bind needs --name NAME and --node NODE, or --node '*' for any");
        return 2;
    }
    if (!srv_auth_bind(auth, o->name, o->node, error))
        return 1;
    g_autofree char *what = g_strdup_printf("bound to node %s", o->node);
    note(config, o, what);
    return 0;
}

/* The exit status; error says what was wrong with it. */
static int act(srv_auth *auth, const cfg_server *config, const char *what, const options *o,
               GError **error) {
    static const struct {
        const char *name;
        int (*act)(srv_auth *auth, const cfg_server *config, const options *o, GError **error);
    } changes[] = {
        {"add", add_one}, {"rotate", rotate_one}, {"bind", bind_one}, {"revoke", remove_one}};
    if (strcmp(what, "list") == 0)
        return list_all(auth);
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
        if (strcmp(what, changes[i].name) == 0)
            return changes[i].act(auth, config, o, error);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                "unknown command %s; commands are add, list, rotate, bind and revoke", what);
    return 2;
}

static int run(const char *what, const options *o, GError **error) {
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (!config)
        return 1;
    g_autofree char *path = g_build_filename(config->shared_dir, SRV_AUTH_FILE, NULL);
    int lock = srv_auth_lock(config->shared_dir, error);
    if (lock < 0)
        return 1;
    g_autoptr(srv_auth) auth = srv_auth_open(path, error);
    int status = auth ? act(auth, config, what, o, error) : 1;
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
        {"project", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &o.projects,
         "Other scopes: the only project it may be used for; may be repeated", "PROJECT"},
        {"expires", 'e', 0, G_OPTION_ARG_STRING, &o.expires,
         "How long it is valid, such as 90d (default: no end; rotate: as before)", "SPAN"},
        {"grace", 'g', 0, G_OPTION_ARG_STRING, &o.grace,
         "rotate: how long the old secret stays valid (default: " GRACE ")", "SPAN"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse(
            "token", "add|list|rotate|bind|revoke",
            "Creates, lists, rotates, binds and revokes the tokens of the API. A new token is "
            "shown once; changes\ntake effect while the daemon runs.",
            entries, &argc, &argv, &error)) {
        if (argc == 3 && !o.name)
            o.name = argv[2];
        if ((argc == 2 || (argc == 3 && strcmp(o.name, argv[2]) == 0)) && o.config)
            status = run(argv[1], &o, &error);
        else
            g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "usage: token add|list|rotate|bind|revoke --config FILE [[--name] NAME] "
                        "[--scope SCOPE] [--node NODE] [--project PROJECT] [--expires SPAN] "
                        "[--grace SPAN]");
    }
    return srv_command_end(status, error);
}
