#include "server/ground/auth.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/ground/auth_table.h"
#include "server/ground/thread.h"

#include <gnutls/gnutls.h>
#include <string.h>
#include <unistd.h>

#define HOUR_MS INT64_C(3600000)

bool srv_auth_equal(const void *a, const void *b, size_t n) {
    return gnutls_memcmp(a, b, n) == 0;
}

srv_auth *srv_auth_open(const char *path, GError **error) {
    srv_auth *auth = g_new0(srv_auth, 1);
    pthread_mutex_init(&auth->lock, NULL);
    auth->path = g_strdup(path);
    auth->tokens = g_array_new(FALSE, TRUE, sizeof(srv__token));
    g_array_set_clear_func(auth->tokens, srv__token_clear);
    if (srv__auth_refresh(auth, error))
        return auth;
    srv_auth_close(auth);
    return NULL;
}

void srv_auth_close(srv_auth *auth) {
    if (!auth)
        return;
    pthread_mutex_destroy(&auth->lock);
    g_array_unref(auth->tokens);
    g_free(auth->path);
    g_free(auth);
}

void srv_auth_add_secret(srv_auth *auth, const char *name, unsigned scopes, const char *secret) {
    srv__token next = {.name = g_strdup(name), .scopes = scopes};
    srv__auth_hash(secret, next.hash);
    SRV_HOLD(&auth->lock);
    g_array_append_val(auth->tokens, next);
}

/* The token in an Authorization header; NULL when there is none. */
static char *presented(const char *authorization) {
    if (!authorization)
        return NULL;
    if (g_ascii_strncasecmp(authorization, "Bearer ", 7) == 0)
        return g_strdup(authorization + 7);
    if (g_ascii_strncasecmp(authorization, "Basic ", 6) != 0)
        return NULL;
    gsize size = 0;
    g_autofree guchar *decoded = g_base64_decode(authorization + 6, &size);
    g_autofree char *pair = g_strndup((const char *)decoded, size);
    const char *colon = strchr(pair, ':');
    return colon ? g_strdup(colon + 1) : NULL;
}

void srv_auth_grant_clear(srv_auth_grant *grant) {
    g_clear_pointer(&grant->name, g_free);
    g_clear_pointer(&grant->key, g_free);
    g_clear_pointer(&grant->projects, g_strfreev);
}

/* Not of the name: what was opened with a secret has to end with that one, not with its token. */
static char *key_of(const guint8 hash[SRV__AUTH_HASH_SIZE]) {
    return g_base64_encode(hash, SRV__AUTH_HASH_SIZE);
}

static void refresh_or_tell(srv_auth *auth) {
    g_autoptr(GError) error = NULL;
    if (!srv__auth_refresh(auth, &error))
        cfg_log("error", "auth", "tokens_unreadable", "reason=%s", error->message);
}

/* old: by the secret before the last rotation, which is good until old_until_ms. */
static srv_auth_grant grant_of(srv__token *token, bool old, int64_t now_ms) {
    const int64_t hour_ms = now_ms - now_ms % HOUR_MS;
    const int64_t end_ms =
        old && (token->expires_ms == 0 || token->old_until_ms < token->expires_ms)
            ? token->old_until_ms
            : token->expires_ms;
    srv_auth_grant grant = {.name = g_strdup(token->name),
                            .key = key_of(old ? token->old_hash : token->hash),
                            .projects = g_strdupv(token->projects)};
    if (end_ms != 0 && now_ms >= end_ms) {
        grant.expired_ms = end_ms;
        return grant;
    }
    grant.scopes = srv__auth_scopes_widen(token->scopes);
    grant.first = token->saved && token->used_ms < hour_ms;
    if (grant.first) {
        token->used_ms = hour_ms;
        token->noted = true;
    }
    return grant;
}

unsigned srv_auth_check(srv_auth *auth, const char *authorization, int64_t now_ms,
                        srv_auth_grant *grant) {
    g_autofree char *secret = presented(authorization);
    srv_auth_grant found = {.scopes = SRV_SCOPE_NONE};
    guint8 hash[SRV__AUTH_HASH_SIZE];
    if (secret) {
        srv__auth_hash(secret, hash);
        SRV_HOLD(&auth->lock);
        refresh_or_tell(auth);
        for (guint i = 0; i < auth->tokens->len; i++) {
            srv__token *next = &g_array_index(auth->tokens, srv__token, i);
            const bool now = srv_auth_equal(next->hash, hash, sizeof hash);
            const bool old = srv_auth_equal(next->old_hash, hash, sizeof hash);
            if (!found.name && (now || (old && next->old_until_ms != 0)))
                found = grant_of(next, !now, now_ms);
        }
    }
    const unsigned scopes = found.scopes;
    if (grant)
        *grant = found;
    else
        srv_auth_grant_clear(&found);
    return scopes;
}

bool srv_auth_grants(srv_auth *auth, srv_scope scope, int64_t now_ms) {
    bool found = false;
    SRV_HOLD(&auth->lock);
    refresh_or_tell(auth);
    for (guint i = 0; !found && i < auth->tokens->len; i++) {
        const srv__token *next = &g_array_index(auth->tokens, srv__token, i);
        found = (srv__auth_scopes_widen(next->scopes) & scope) != 0 &&
                (next->expires_ms == 0 || now_ms < next->expires_ms);
    }
    return found;
}

bool srv_auth_save_uses(srv_auth *auth, GError **error) {
    g_autofree char *dir = g_path_get_dirname(auth->path);
    int lock = srv_auth_lock(dir, error);
    if (lock < 0)
        return false;
    SRV_HOLD(&auth->lock);
    bool good = srv__auth_refresh(auth, error), noted = false;
    for (guint i = 0; i < auth->tokens->len; i++)
        noted = noted || g_array_index(auth->tokens, srv__token, i).noted;
    good = good && (!noted || srv__auth_save(auth, error));
    close(lock);
    return good;
}

static bool is_bound(const srv__token *found) {
    return found && found->node && strcmp(found->node, SRV_AUTH_ANY_NODE) != 0;
}

bool srv_auth_serves(srv_auth *auth, const char *name, const char *node) {
    g_autofree char *own = srv_auth_node(auth, name);
    return !own || strcmp(own, node) == 0;
}

char *srv_auth_node(srv_auth *auth, const char *name) {
    SRV_HOLD(&auth->lock);
    const srv__token *found = srv__auth_find(auth, name);
    return is_bound(found) ? g_strdup(found->node) : NULL;
}

static bool lives(const srv__token *token, const char *key, int64_t now_ms) {
    g_autofree char *own = key_of(token->hash), *old = key_of(token->old_hash);
    if (token->expires_ms != 0 && now_ms >= token->expires_ms)
        return false;
    return strcmp(key, own) == 0 || (strcmp(key, old) == 0 && now_ms < token->old_until_ms);
}

bool srv_auth_lives(srv_auth *auth, const char *key, int64_t now_ms) {
    bool any = false;
    SRV_HOLD(&auth->lock);
    refresh_or_tell(auth);
    for (guint i = 0; i < auth->tokens->len; i++)
        any = any || lives(&g_array_index(auth->tokens, srv__token, i), key, now_ms);
    return any;
}

static json_t *time_or_null(int64_t ms) {
    return ms != 0 ? json_integer(ms) : json_null();
}

static json_t *shown(const srv__token *token) {
    g_autofree char *scopes = srv_auth_scopes_text(token->scopes);
    json_t *projects = token->projects ? cfg_json_texts(token->projects, SIZE_MAX) : json_null();
    return json_pack("{s:s, s:s, s:s?, s:o, s:I, s:o, s:o, s:o, s:o}", "name", token->name,
                     "scopes", scopes, "node", token->node, "projects", projects, "created_ms",
                     (json_int_t)token->created_ms, "rotated_ms", time_or_null(token->rotated_ms),
                     "expires_ms", time_or_null(token->expires_ms), "used_ms",
                     time_or_null(token->used_ms), "old_until_ms",
                     time_or_null(token->old_until_ms));
}

json_t *srv_auth_list(srv_auth *auth) {
    json_t *list = json_array();
    SRV_HOLD(&auth->lock);
    refresh_or_tell(auth);
    for (guint i = 0; i < auth->tokens->len; i++) {
        const srv__token *next = &g_array_index(auth->tokens, srv__token, i);
        if (next->saved)
            json_array_append_new(list, shown(next));
    }
    return list;
}
