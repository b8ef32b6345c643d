#include "server/ground/auth.h"

#include "server/ground/auth_lock.h"
#include "server/ground/log.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HASH_SIZE = 32,
    TOKEN_BYTES = 32,
    NAME_MAX_BYTES = 64,
    NODE_MAX_BYTES = 100,
    TOKENS_MAX = 1000
};

typedef struct {
    char *name;
    char *node; /* the only one that it serves; NULL: any */
    unsigned scopes;
    guint8 hash[HASH_SIZE];
    int64_t created_ms;
    bool saved; /* false: comes from a file of its own */
} token;

struct srv_auth {
    pthread_mutex_t lock;
    char *path;
    struct timespec modified;
    ino_t inode;
    GArray *tokens;
};

static const struct {
    const char *name;
    unsigned own;
    unsigned with; /* what it includes */
} scope_names[] = {
    {"read", SRV_SCOPE_READ, SRV_SCOPE_READ},
    {"submit", SRV_SCOPE_SUBMIT, SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"run", SRV_SCOPE_RUN, SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"admin", SRV_SCOPE_ADMIN, SRV_SCOPE_ADMIN | SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"runner", SRV_SCOPE_RUNNER, SRV_SCOPE_RUNNER},
};

static void token_clear(void *item) {
    token *gone = item;
    g_free(gone->name);
    g_free(gone->node);
}

bool srv_auth_equal(const void *a, const void *b, size_t n) {
    return gnutls_memcmp(a, b, n) == 0;
}

static void hash_of(const char *text, guint8 out[HASH_SIZE]) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = HASH_SIZE;
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text));
    g_checksum_get_digest(sum, out, &size);
}

static char *hex_of(const guint8 *bytes, size_t n) {
    GString *hex = g_string_sized_new(n * 2);
    for (size_t i = 0; i < n; i++)
        g_string_append_printf(hex, "%02x", bytes[i]);
    return g_string_free(hex, FALSE);
}

static bool parse_hex(const char *hex, guint8 out[HASH_SIZE]) {
    if (!hex || strlen(hex) != (size_t)HASH_SIZE * 2)
        return false;
    for (size_t i = 0; i < HASH_SIZE; i++) {
        int high = g_ascii_xdigit_value(hex[2 * i]);
        int low = g_ascii_xdigit_value(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (guint8)(high * 16 + low);
    }
    return true;
}

static bool parse_scopes(const char *text, unsigned *scopes, GError **error) {
    g_auto(GStrv) parts = g_strsplit_set(text, ", ", -1);
    *scopes = 0;
    for (size_t i = 0; parts[i]; i++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(scope_names) && strcmp(scope_names[k].name, parts[i]) != 0)
            k++;
        if (k == G_N_ELEMENTS(scope_names) && parts[i][0] != '\0') {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "unknown scope \"%s\"; scopes are read, submit, run, admin and runner",
                        parts[i]);
            return false;
        }
        if (k < G_N_ELEMENTS(scope_names))
            *scopes |= scope_names[k].own;
    }
    if (*scopes == 0)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "a token needs a scope: read, submit, run, admin or runner");
    return *scopes != 0;
}

static char *print_scopes(unsigned scopes) {
    GString *text = g_string_new("");
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "", scope_names[i].name);
    return g_string_free(text, FALSE);
}

/* Replaces the saved tokens by the file's. */
static bool take_in(srv_auth *auth, json_t *root, GError **error) {
    GArray *tokens = g_array_new(FALSE, TRUE, sizeof(token));
    g_array_set_clear_func(tokens, token_clear);
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach (json_object_get(root, "tokens"), i, item) {
        const char *name = NULL;
        const char *scopes = NULL;
        const char *hash = NULL;
        const char *node = NULL;
        json_int_t created_ms = 0;
        token next = {.saved = true};
        if (json_unpack(item, "{s:s, s:s, s:s, s:I, s?:s}", "name", &name, "scopes", &scopes,
                        "sha256", &hash, "created_ms", &created_ms, "node", &node) != 0 ||
            !parse_hex(hash, next.hash) || !parse_scopes(scopes, &next.scopes, NULL)) {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                        "%s: entry %zu is not a token; remove it", auth->path, i + 1);
            g_array_unref(tokens);
            return false;
        }
        next.name = g_strdup(name);
        next.node = g_strdup(node);
        next.created_ms = created_ms;
        g_array_append_val(tokens, next);
    }
    for (guint k = 0; k < auth->tokens->len; k++) {
        token *old = &g_array_index(auth->tokens, token, k);
        if (!old->saved) {
            token kept = *old;
            old->name = NULL;
            old->node = NULL;
            g_array_append_val(tokens, kept);
        }
    }
    g_array_unref(auth->tokens);
    auth->tokens = tokens;
    return true;
}

/* Reads the file when it is another one than before. */
static bool refresh(srv_auth *auth, GError **error) {
    struct stat now;
    if (stat(auth->path, &now) != 0) {
        if (errno == ENOENT) {
            /* A file taken away takes its tokens with it. */
            auth->inode = 0;
            return take_in(auth, NULL, error);
        }
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", auth->path,
                    g_strerror(errno));
        return false;
    }
    if (now.st_ino == auth->inode && now.st_mtim.tv_sec == auth->modified.tv_sec &&
        now.st_mtim.tv_nsec == auth->modified.tv_nsec)
        return true;
    json_error_t where;
    json_t *root = json_load_file(auth->path, JSON_REJECT_DUPLICATES, &where);
    bool ok = json_is_array(json_object_get(root, "tokens"));
    if (!ok)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s", auth->path,
                    !root ? where.line : 1, !root ? where.text : "not a list of tokens");
    ok = ok && take_in(auth, root, error);
    json_decref(root);
    auth->inode = now.st_ino;
    auth->modified = now.st_mtim;
    return ok;
}

srv_auth *srv_auth_open(const char *path, GError **error) {
    srv_auth *auth = g_new0(srv_auth, 1);
    pthread_mutex_init(&auth->lock, NULL);
    auth->path = g_strdup(path);
    auth->tokens = g_array_new(FALSE, TRUE, sizeof(token));
    g_array_set_clear_func(auth->tokens, token_clear);
    if (refresh(auth, error))
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
    token next = {.name = g_strdup(name), .scopes = scopes};
    hash_of(secret, next.hash);
    pthread_mutex_lock(&auth->lock);
    g_array_append_val(auth->tokens, next);
    pthread_mutex_unlock(&auth->lock);
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

static unsigned widen(unsigned scopes) {
    unsigned all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            all |= scope_names[i].with;
    return all;
}

unsigned srv_auth_check(srv_auth *auth, const char *authorization, char **name) {
    g_autofree char *secret = presented(authorization);
    g_autoptr(GError) error = NULL;
    guint8 hash[HASH_SIZE];
    unsigned scopes = SRV_SCOPE_NONE;
    if (!secret)
        return SRV_SCOPE_NONE;
    hash_of(secret, hash);
    pthread_mutex_lock(&auth->lock);
    if (!refresh(auth, &error))
        srv_log_error("auth", "tokens_unreadable", "reason", error->message, NULL);
    for (guint i = 0; i < auth->tokens->len; i++) {
        const token *next = &g_array_index(auth->tokens, token, i);
        if (!srv_auth_equal(next->hash, hash, HASH_SIZE) || scopes != SRV_SCOPE_NONE)
            continue;
        scopes = widen(next->scopes);
        if (name)
            *name = g_strdup(next->name);
    }
    pthread_mutex_unlock(&auth->lock);
    return scopes;
}

static bool save(srv_auth *auth, GError **error) {
    json_t *list = json_array();
    for (guint i = 0; i < auth->tokens->len; i++) {
        const token *next = &g_array_index(auth->tokens, token, i);
        g_autofree char *scopes = print_scopes(next->scopes);
        g_autofree char *hash = hex_of(next->hash, HASH_SIZE);
        if (next->saved)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:I, s:s*}", "name", next->name,
                                            "scopes", scopes, "sha256", hash, "created_ms",
                                            (json_int_t)next->created_ms, "node", next->node));
    }
    json_t *root = json_pack("{s:o}", "tokens", list);
    g_autofree char *text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    return g_file_set_contents_full(auth->path, text, -1,
                                    G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                    0600, error);
}

static char *random_token(GError **error) {
    guint8 bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "no random bytes: %s", g_strerror(errno));
        return NULL;
    }
    g_autofree char *hex = hex_of(bytes, sizeof bytes);
    return g_strconcat("mwt_", hex, NULL);
}

static token *find(srv_auth *auth, const char *name) {
    for (guint i = 0; i < auth->tokens->len; i++) {
        token *next = &g_array_index(auth->tokens, token, i);
        if (next->saved && strcmp(next->name, name) == 0)
            return next;
    }
    return NULL;
}

char *srv_auth_create(srv_auth *auth, const char *name, const char *scopes, int64_t now_ms,
                      GError **error) {
    return srv_auth_create_for(auth, name, scopes, NULL, now_ms, error);
}

/* Both sides say it in bytes of UTF-8; the queue takes no longer name. */
static bool node_ok(const char *node, unsigned scopes, GError **error) {
    if (!node || (scopes == SRV_SCOPE_RUNNER && node[0] != '\0' && strlen(node) <= NODE_MAX_BYTES &&
                  g_utf8_validate(node, -1, NULL)))
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                "a node, of 1 to %d bytes, goes with the scope runner alone", NODE_MAX_BYTES);
    return false;
}

static bool is_bound(const token *found) {
    return found && found->node && strcmp(found->node, SRV_AUTH_ANY_NODE) != 0;
}

bool srv_auth_serves(srv_auth *auth, const char *name, const char *node) {
    g_autofree char *own = srv_auth_node(auth, name);
    return !own || strcmp(own, node) == 0;
}

char *srv_auth_node(srv_auth *auth, const char *name) {
    pthread_mutex_lock(&auth->lock);
    const token *found = find(auth, name);
    char *node = is_bound(found) ? g_strdup(found->node) : NULL;
    pthread_mutex_unlock(&auth->lock);
    return node;
}

bool srv_auth_bind(srv_auth *auth, const char *name, const char *node, GError **error) {
    token *found = find(auth, name);
    if (!found) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no token %s", name);
        return false;
    }
    if (!node_ok(node, found->scopes, error))
        return false;
    g_free(found->node);
    found->node = g_strdup(node);
    return save(auth, error);
}

static bool wants_node(srv_auth *auth, const char *name) {
    const token *found = find(auth, name);
    return found && !found->node && found->scopes == SRV_SCOPE_RUNNER;
}

bool srv_auth_bind_first(srv_auth *auth, const char *name, const char *node, bool *bound,
                         GError **error) {
    *bound = false;
    pthread_mutex_lock(&auth->lock);
    bool good = true;
    if (wants_node(auth, name)) {
        g_autofree char *dir = g_path_get_dirname(auth->path);
        int lock = srv_auth_lock(dir, error);
        good = lock >= 0 && refresh(auth, error);
        /* A command beside us may have bound it meanwhile. */
        *bound = good && wants_node(auth, name);
        good = good && (!*bound || srv_auth_bind(auth, name, node, error));
        if (lock >= 0)
            close(lock);
    }
    pthread_mutex_unlock(&auth->lock);
    return good;
}

bool srv_auth_has(srv_auth *auth, const char *name) {
    g_autoptr(GError) error = NULL;
    bool has = false;
    pthread_mutex_lock(&auth->lock);
    if (!refresh(auth, &error))
        srv_log_error("auth", "tokens_unreadable", "reason", error->message, NULL);
    for (guint i = 0; i < auth->tokens->len; i++)
        has = has || strcmp(g_array_index(auth->tokens, token, i).name, name) == 0;
    pthread_mutex_unlock(&auth->lock);
    return has;
}

char *srv_auth_create_for(srv_auth *auth, const char *name, const char *scopes, const char *node,
                          int64_t now_ms, GError **error) {
    token next = {.created_ms = now_ms, .saved = true};
    if (!parse_scopes(scopes, &next.scopes, error) || !node_ok(node, next.scopes, error))
        return NULL;
    if (name[0] == '\0' || strlen(name) > NAME_MAX_BYTES || !g_str_is_ascii(name) ||
        strpbrk(name, " \t\r\n\"\\") != NULL || find(auth, name) ||
        auth->tokens->len >= TOKENS_MAX) {
        g_set_error(
            error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
            "a token's name must be unique and have up to %d plain characters without spaces",
            NAME_MAX_BYTES);
        return NULL;
    }
    g_autofree char *secret = random_token(error);
    if (!secret)
        return NULL;
    hash_of(secret, next.hash);
    next.name = g_strdup(name);
    next.node = g_strdup(node);
    g_array_append_val(auth->tokens, next);
    return save(auth, error) ? g_steal_pointer(&secret) : NULL;
}

bool srv_auth_revoke(srv_auth *auth, const char *name, GError **error) {
    token *found = find(auth, name);
    if (!found) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no token %s", name);
        return false;
    }
    g_array_remove_index(auth->tokens, (guint)(found - &g_array_index(auth->tokens, token, 0)));
    return save(auth, error);
}

json_t *srv_auth_list(srv_auth *auth) {
    json_t *list = json_array();
    for (guint i = 0; i < auth->tokens->len; i++) {
        const token *next = &g_array_index(auth->tokens, token, i);
        g_autofree char *scopes = print_scopes(next->scopes);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s?, s:I}", "name", next->name, "scopes",
                                              scopes, "node", next->node, "created_ms",
                                              (json_int_t)next->created_ms));
    }
    return list;
}

char *srv_auth_secret_file(const char *path, GError **error) {
    g_autofree char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL) && strlen(g_strstrip(text)) >= TOKEN_BYTES)
        return g_steal_pointer(&text);
    g_autofree char *secret = random_token(error);
    if (!secret)
        return NULL;
    g_autofree char *line = g_strconcat(secret, "\n", NULL);
    if (!g_file_set_contents_full(path, line, -1,
                                  G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                  0600, error))
        return NULL;
    return g_steal_pointer(&secret);
}
