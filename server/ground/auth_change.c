/* Tokens made, given another secret, bound, revoked. */
#include "server/ground/auth.h"
#include "server/ground/auth_table.h"
#include "server/ground/thread.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    TOKEN_BYTES = 32,
    NAME_MAX_BYTES = 64,
    NODE_MAX_BYTES = 100,
    PROJECT_MAX_BYTES = 64,
    PROJECTS_MAX = 20
};

static char *secret_new(GError **error) {
    guint8 bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "no random bytes: %s",
                         g_strerror(errno));
    GString *hex = g_string_new("mwt_");
    for (size_t i = 0; i < sizeof bytes; i++)
        g_string_append_printf(hex, "%02x", bytes[i]);
    return g_string_free(hex, FALSE);
}

/* Both sides say it in bytes of UTF-8; the queue takes no longer name. */
static bool node_ok(const char *node, unsigned scopes, GError **error) {
    if (!node || (scopes == SRV_SCOPE_RUNNER && node[0] != '\0' && strlen(node) <= NODE_MAX_BYTES &&
                  g_utf8_validate(node, -1, NULL)))
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "a node, of 1 to %d bytes, goes with the scope runner alone", NODE_MAX_BYTES);
}

static bool project_ok(const char *name) {
    return name[0] != '\0' && strlen(name) <= PROJECT_MAX_BYTES && g_str_is_ascii(name) &&
           !strpbrk(name, " \t\r\n\"\\/");
}

/* A runner takes what is queued, of whatever project. */
static bool projects_ok(const char *const *projects, unsigned scopes, GError **error) {
    guint count = 0;
    bool good = true;
    for (; projects && projects[count] && good; count++)
        good = project_ok(projects[count]);
    if (good && count <= PROJECTS_MAX && (count == 0 || (scopes & SRV_SCOPE_RUNNER) == 0))
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "projects: 1 to %d project names, and not with the scope runner (a runner "
                     "takes jobs of all projects)",
                     PROJECTS_MAX);
}

static bool name_ok(srv_auth *auth, const char *name, GError **error) {
    if (name[0] != '\0' && strlen(name) <= NAME_MAX_BYTES && g_str_is_ascii(name) &&
        !strpbrk(name, " \t\r\n\"\\") && !srv__auth_find(auth, name) &&
        auth->tokens->len < SRV__AUTH_TOKENS_MAX)
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "a token's name must be unique and have up to %d plain characters without spaces",
        NAME_MAX_BYTES);
}

/* NULL of an empty list. */
static char **copy_of(const char *const *names) {
    g_autoptr(GStrvBuilder) copy = g_strv_builder_new();
    for (size_t i = 0; names && names[i]; i++)
        g_strv_builder_add(copy, names[i]);
    return names && names[0] ? g_strv_builder_end(copy) : NULL;
}

char *srv_auth_create(srv_auth *auth, const srv_auth_wish *wish, int64_t now_ms, GError **error) {
    srv__token next = {.created_ms = now_ms, .expires_ms = wish->expires_ms, .saved = true};
    if (!srv__auth_scopes_read(wish->scopes, &next.scopes, error) ||
        !node_ok(wish->node, next.scopes, error) ||
        !projects_ok(wish->projects, next.scopes, error) || !name_ok(auth, wish->name, error))
        return NULL;
    g_autofree char *secret = secret_new(error);
    if (!secret)
        return NULL;
    srv__auth_hash(secret, next.hash);
    next.name = g_strdup(wish->name);
    next.node = g_strdup(wish->node);
    next.projects = copy_of(wish->projects);
    g_array_append_val(auth->tokens, next);
    return srv__auth_save(auth, error) ? g_steal_pointer(&secret) : NULL;
}

static srv__token *find_or_fail(srv_auth *auth, const char *name, GError **error) {
    srv__token *found = srv__auth_find(auth, name);
    if (!found)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no token %s", name);
    return found;
}

char *srv_auth_rotate(srv_auth *auth, const char *name, int64_t grace_ms, int64_t expires_ms,
                      int64_t now_ms, GError **error) {
    srv__token *found = find_or_fail(auth, name, error);
    g_autofree char *secret = found ? secret_new(error) : NULL;
    if (!secret)
        return NULL;
    const int64_t since_ms = found->rotated_ms != 0 ? found->rotated_ms : found->created_ms;
    if (expires_ms == 0 && found->expires_ms != 0)
        expires_ms = now_ms + (found->expires_ms - since_ms);
    /* One that has expired is not brought back by the grace of its successor. */
    const int64_t end_ms =
        found->expires_ms != 0 ? MIN(found->expires_ms, now_ms + grace_ms) : now_ms + grace_ms;
    memcpy(found->old_hash, found->hash, sizeof found->hash);
    found->old_until_ms = grace_ms > 0 && end_ms > now_ms ? end_ms : 0;
    srv__auth_hash(secret, found->hash);
    found->rotated_ms = now_ms;
    found->expires_ms = expires_ms;
    return srv__auth_save(auth, error) ? g_steal_pointer(&secret) : NULL;
}

bool srv_auth_bind(srv_auth *auth, const char *name, const char *node, GError **error) {
    srv__token *found = find_or_fail(auth, name, error);
    if (!found || !node_ok(node, found->scopes, error))
        return false;
    g_free(found->node);
    found->node = g_strdup(node);
    return srv__auth_save(auth, error);
}

static bool wants_node(srv_auth *auth, const char *name) {
    const srv__token *found = srv__auth_find(auth, name);
    return found && !found->node && found->scopes == SRV_SCOPE_RUNNER;
}

bool srv_auth_bind_first(srv_auth *auth, const char *name, const char *node, bool *bound,
                         GError **error) {
    *bound = false;
    pthread_mutex_lock(&auth->lock);
    const bool wanted = wants_node(auth, name);
    pthread_mutex_unlock(&auth->lock);
    if (!wanted)
        return true;
    /* The file's lock before the table's, as wherever both are taken. */
    g_autofree char *dir = g_path_get_dirname(auth->path);
    int lock = srv_auth_lock(dir, error);
    if (lock < 0)
        return false;
    SRV_HOLD(&auth->lock);
    bool good = srv__auth_refresh(auth, error);
    /* A command beside us may have bound it meanwhile. */
    *bound = good && wants_node(auth, name);
    good = good && (!*bound || srv_auth_bind(auth, name, node, error));
    close(lock);
    return good;
}

bool srv_auth_revoke(srv_auth *auth, const char *name, GError **error) {
    srv__token *found = find_or_fail(auth, name, error);
    if (!found)
        return false;
    g_array_remove_index(auth->tokens,
                         (guint)(found - &g_array_index(auth->tokens, srv__token, 0)));
    return srv__auth_save(auth, error);
}

char *srv_auth_secret_file(const char *path, GError **error) {
    g_autofree char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL) && strlen(g_strstrip(text)) >= TOKEN_BYTES)
        return g_steal_pointer(&text);
    g_autofree char *secret = secret_new(error);
    if (!secret)
        return NULL;
    g_autofree char *line = g_strconcat(secret, "\n", NULL);
    if (!g_file_set_contents_full(path, line, -1,
                                  G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                  0600, error))
        return NULL;
    return g_steal_pointer(&secret);
}
