#include "server/ground/auth_table.h"

#include "config/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <jansson.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool srv__auth_scopes_read(const char *text, unsigned *scopes, GError **error) {
    g_auto(GStrv) parts = g_strsplit_set(text, ", ", -1);
    *scopes = 0;
    for (size_t i = 0; parts[i]; i++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(scope_names) && strcmp(scope_names[k].name, parts[i]) != 0)
            k++;
        if (k == G_N_ELEMENTS(scope_names) && parts[i][0] != '\0')
            return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                             "unknown scope \"%s\"; scopes are read, submit, run, admin and runner",
                             parts[i]);
        if (k < G_N_ELEMENTS(scope_names))
            *scopes |= scope_names[k].own;
    }
    return *scopes != 0 || SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                                     "a token needs a scope: read, submit, run, admin or runner");
}

char *srv_auth_scopes_text(unsigned scopes) {
    GString *text = g_string_new("");
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "", scope_names[i].name);
    return g_string_free(text, FALSE);
}

unsigned srv__auth_scopes_widen(unsigned scopes) {
    unsigned all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            all |= scope_names[i].with;
    return all;
}

int srv_auth_lock(const char *data_dir, GError **error) {
    g_autofree char *path = g_build_filename(data_dir, "tokens.lock", NULL);
    int fd = g_mkdir_with_parents(data_dir, 0700) == 0
                 ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600)
                 : -1;
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        return fd;
    int code = errno;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code),
                "cannot write %s: %s; run this as the user that moowatchd runs as, or correct "
                "data_dir",
                path, g_strerror(code));
    if (fd >= 0)
        close(fd);
    return -1;
}

void srv__token_clear(void *item) {
    srv__token *gone = item;
    g_free(gone->name);
    g_free(gone->node);
    g_strfreev(gone->projects);
}

void srv__auth_hash(const char *text, guint8 out[SRV__AUTH_HASH_SIZE]) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = SRV__AUTH_HASH_SIZE;
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text));
    g_checksum_get_digest(sum, out, &size);
}

static char *hex_of(const guint8 bytes[SRV__AUTH_HASH_SIZE]) {
    GString *hex = g_string_sized_new(2 * (gsize)SRV__AUTH_HASH_SIZE);
    for (size_t i = 0; i < SRV__AUTH_HASH_SIZE; i++)
        g_string_append_printf(hex, "%02x", bytes[i]);
    return g_string_free(hex, FALSE);
}

static bool parse_hex(const char *hex, guint8 out[SRV__AUTH_HASH_SIZE]) {
    if (!hex || strlen(hex) != (size_t)SRV__AUTH_HASH_SIZE * 2)
        return false;
    for (size_t i = 0; i < SRV__AUTH_HASH_SIZE; i++) {
        int high = g_ascii_xdigit_value(hex[2 * i]);
        int low = g_ascii_xdigit_value(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (guint8)(high * 16 + low);
    }
    return true;
}

srv__token *srv__auth_find(srv_auth *auth, const char *name) {
    for (guint i = 0; i < auth->tokens->len; i++) {
        srv__token *next = &g_array_index(auth->tokens, srv__token, i);
        if (next->saved && strcmp(next->name, name) == 0)
            return next;
    }
    return NULL;
}

/* NULL where the list is not there; false when it is not a list of names. Nor is one without a
 * name: whoever took the last one away did not mean all projects. */
static bool take_projects(const json_t *list, char ***projects) {
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach (list, i, name) {
        if (!json_is_string(name))
            return false;
        g_strv_builder_add(names, json_string_value(name));
    }
    *projects = i > 0 ? g_strv_builder_end(names) : NULL;
    return !list || i > 0;
}

/* False when the entry is not a token; what it has then is freed by the caller all the same. */
static bool take_token(json_t *item, srv__token *next) {
    const char *name = NULL, *scopes = NULL, *hash = NULL, *node = NULL, *old_hash = NULL;
    json_int_t created = 0, rotated = 0, expires = 0, used = 0, old_until = 0;
    json_t *projects = NULL;
    if (json_unpack(item, "{s:s, s:s, s:s, s:I, s?:s, s?:o, s?:I, s?:I, s?:I, s?:s, s?:I}", "name",
                    &name, "scopes", &scopes, "sha256", &hash, "created_ms", &created, "node",
                    &node, "projects", &projects, "rotated_ms", &rotated, "expires_ms", &expires,
                    "used_ms", &used, "old_sha256", &old_hash, "old_until_ms", &old_until) != 0 ||
        !parse_hex(hash, next->hash) || !srv__auth_scopes_read(scopes, &next->scopes, NULL) ||
        (old_hash && !parse_hex(old_hash, next->old_hash)) ||
        !take_projects(projects, &next->projects))
        return false;
    next->name = g_strdup(name);
    next->node = g_strdup(node);
    next->created_ms = created;
    next->rotated_ms = rotated;
    next->expires_ms = expires;
    next->used_ms = used;
    next->old_until_ms = old_hash ? old_until : 0;
    next->saved = true;
    return true;
}

/* Uses that were noted since the file was written, and tokens from files of their own. */
static void keep(srv_auth *auth, GArray *tokens) {
    for (guint k = 0; k < auth->tokens->len; k++) {
        srv__token *old = &g_array_index(auth->tokens, srv__token, k);
        for (guint i = 0; i < tokens->len && old->saved && old->noted; i++) {
            srv__token *next = &g_array_index(tokens, srv__token, i);
            if (strcmp(next->name, old->name) == 0 && old->used_ms > next->used_ms) {
                next->used_ms = old->used_ms;
                next->noted = true;
            }
        }
        if (!old->saved) {
            srv__token kept = *old;
            *old = (srv__token){.saved = false};
            g_array_append_val(tokens, kept);
        }
    }
}

/* Replaces the saved tokens by the file's. */
static bool take_in(srv_auth *auth, json_t *root, GError **error) {
    GArray *tokens = g_array_new(FALSE, TRUE, sizeof(srv__token));
    g_array_set_clear_func(tokens, srv__token_clear);
    size_t i = 0;
    json_t *item = NULL;
    cfg_json_each (root, "tokens", i, item) {
        srv__token next = {.saved = true};
        if (take_token(item, &next)) {
            g_array_append_val(tokens, next);
            continue;
        }
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                    "%s: entry %zu is not a token; remove it", auth->path, i + 1);
        srv__token_clear(&next);
        g_array_unref(tokens);
        return false;
    }
    keep(auth, tokens);
    g_array_unref(auth->tokens);
    auth->tokens = tokens;
    return true;
}

bool srv__auth_refresh(srv_auth *auth, GError **error) {
    struct stat now;
    if (stat(auth->path, &now) != 0) {
        if (errno == ENOENT) {
            /* A file taken away takes its tokens with it. */
            auth->inode = 0;
            return take_in(auth, NULL, error);
        }
        return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", auth->path,
                         g_strerror(errno));
    }
    if (now.st_ino == auth->inode && now.st_mtim.tv_sec == auth->modified.tv_sec &&
        now.st_mtim.tv_nsec == auth->modified.tv_nsec)
        return true;
    json_error_t where;
    json_auto_t *root = json_load_file(auth->path, JSON_REJECT_DUPLICATES, &where);
    bool ok = json_is_array(json_object_get(root, "tokens"));
    if (!ok)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s", auth->path,
                    !root ? where.line : 1, !root ? where.text : "not a list of tokens");
    ok = ok && take_in(auth, root, error);
    auth->inode = now.st_ino;
    auth->modified = now.st_mtim;
    return ok;
}

static json_t *number_or_none(int64_t value) {
    return value != 0 ? json_integer(value) : NULL;
}

static json_t *json_of(const srv__token *token) {
    g_autofree char *scopes = srv_auth_scopes_text(token->scopes);
    g_autofree char *hash = hex_of(token->hash), *old_hash = hex_of(token->old_hash);
    json_t *projects = token->projects ? cfg_json_texts(token->projects, SIZE_MAX) : NULL;
    return json_pack("{s:s, s:s, s:s, s:I, s:s*, s:o*, s:o*, s:o*, s:o*, s:s*, s:o*}", "name",
                     token->name, "scopes", scopes, "sha256", hash, "created_ms",
                     (json_int_t)token->created_ms, "node", token->node, "projects", projects,
                     "rotated_ms", number_or_none(token->rotated_ms), "expires_ms",
                     number_or_none(token->expires_ms), "used_ms", number_or_none(token->used_ms),
                     "old_sha256", token->old_until_ms != 0 ? old_hash : NULL, "old_until_ms",
                     number_or_none(token->old_until_ms));
}

bool srv__auth_save(srv_auth *auth, GError **error) {
    json_t *list = json_array();
    for (guint i = 0; i < auth->tokens->len; i++) {
        srv__token *next = &g_array_index(auth->tokens, srv__token, i);
        next->noted = false;
        if (next->saved)
            json_array_append_new(list, json_of(next));
    }
    json_auto_t *root = json_pack("{s:o}", "tokens", list);
    g_autofree char *text = json_dumps(root, JSON_INDENT(2));
    return g_file_set_contents_full(auth->path, text, -1,
                                    G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                    0600, error);
}
