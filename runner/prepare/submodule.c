#include "runner/prepare/submodule.h"

#include "runner/ground/error.h"
#include "runner/prepare/git.h"

#include <string.h>

#define URL_BYTES_MAX 2000

static void submodule_free(void *memory) {
    run_submodule *one = memory;
    g_free(one->path);
    g_free(one->commit);
    g_free(one->url);
    g_free(one);
}

/* ---- which there are ---- */

/* "160000 <id> 0\t<path>" */
static run_submodule *read_entry(const char *entry) {
    size_t digits = 0;
    if (!g_str_has_prefix(entry, "160000 "))
        return NULL;
    const char *id = entry + strlen("160000 ");
    digits = strspn(id, "0123456789abcdef");
    if ((digits != 40 && digits != 64) || strncmp(id + digits, " 0\t", 3) != 0)
        return NULL;
    run_submodule *one = g_new0(run_submodule, 1);
    one->commit = g_strndup(id, digits);
    one->path = g_strdup(id + digits + 3);
    return one;
}

/* Values of submodule.<name>.<key>, by name. */
static GHashTable *values_of(const char *modules, gsize length, const char *key) {
    GHashTable *values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (gsize at = 0; at < length; at += strlen(modules + at) + 1) {
        const char *line = modules + at, *end = strchr(line, '\n');
        g_autofree char *name = end ? g_strndup(line, (gsize)(end - line)) : NULL;
        if (name && g_str_has_prefix(name, "submodule.") && g_str_has_suffix(name, key)) {
            name[strlen(name) - strlen(key)] = '\0';
            g_hash_table_insert(values, g_strdup(name), g_strdup(end + 1));
        }
    }
    return values;
}

static const char *name_of(GHashTable *paths, const char *path) {
    GHashTableIter each;
    void *name, *value;
    g_hash_table_iter_init(&each, paths);
    while (g_hash_table_iter_next(&each, &name, &value))
        if (strcmp(value, path) == 0)
            return name;
    return NULL;
}

GPtrArray *run_submodule_list(const char *files, gsize files_length, const char *modules,
                              gsize modules_length) {
    g_autoptr(GHashTable) paths = values_of(modules, modules_length, ".path");
    g_autoptr(GHashTable) urls = values_of(modules, modules_length, ".url");
    GPtrArray *list = g_ptr_array_new_with_free_func(submodule_free);
    for (gsize at = 0; at < files_length; at += strlen(files + at) + 1) {
        run_submodule *one = read_entry(files + at);
        if (one) {
            const char *name = name_of(paths, one->path);
            one->url = name ? g_strdup(g_hash_table_lookup(urls, name)) : NULL;
            g_ptr_array_add(list, one);
        }
    }
    return list;
}

/* ---- where they are ---- */

typedef enum { KIND_NONE, KIND_WEB, KIND_SSH, KIND_LOCAL } url_kind;

static url_kind kind_of(const char *url) {
    static const struct {
        const char *prefix;
        url_kind kind;
    } schemes[] = {{"https://", KIND_WEB}, {"http://", KIND_WEB},   {"git://", KIND_WEB},
                   {"ssh://", KIND_SSH},   {"file://", KIND_LOCAL}, {"/", KIND_LOCAL}};
    for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_str_has_prefix(url, schemes[i].prefix))
            return url[strlen(schemes[i].prefix)] != '-' ? schemes[i].kind : KIND_NONE;
    const char *colon = strchr(url, ':'); /* user@host:path */
    bool scp = colon && colon[1] != ':' && url[0] != '-' && strchr(url, '@') &&
               strstr(url, "://") == NULL && strcspn(url, "/") > (size_t)(colon - url);
    return scp ? KIND_SSH : KIND_NONE;
}

static bool is_plain(const char *url) {
    for (const char *c = url; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return false;
    return url[0] != '\0' && url[0] != '-' && strlen(url) <= URL_BYTES_MAX;
}

/* As git does it: each "../" takes one part off the parent's address. NULL: there are not so
 * many. */
static char *relative_url(const char *parent, const char *url) {
    g_autofree char *base = g_strdup(parent);
    const char *scheme = strstr(base, "://");
    /* The part that must stay: scheme and host, or user and host. */
    size_t fixed = scheme ? (size_t)(scheme - base) + 3 : 0;
    fixed += scheme ? strcspn(base + fixed, "/") : strcspn(base, ":/");
    for (;;) {
        size_t length = strlen(base);
        if (length > fixed && base[length - 1] == '/') {
            base[length - 1] = '\0';
        } else if (g_str_has_prefix(url, "./")) {
            url += 2;
        } else if (g_str_has_prefix(url, "../")) {
            char *slash = strrchr(base + fixed, '/');
            char *colon = !scheme ? strrchr(base + fixed, ':') : NULL;
            if (slash) {
                *slash = '\0';
                url += 3;
            } else if (colon && colon[1] != '\0') {
                colon[1] = '\0';
                url += 3;
            } else {
                return NULL;
            }
        } else {
            bool joined = g_str_has_suffix(base, ":");
            return g_strconcat(base, joined ? "" : "/", url, NULL);
        }
    }
}

char *run_submodule_url(const char *parent, const char *url, GError **error) {
    g_autofree char *bare = run_git_url_bare(parent);
    bool relative = g_str_has_prefix(url, "./") || g_str_has_prefix(url, "../");
    g_autofree char *whole = relative ? relative_url(bare, url) : g_strdup(url);
    const char *wrong = NULL;
    url_kind kind = whole && is_plain(whole) ? kind_of(whole) : KIND_NONE;
    if (kind == KIND_NONE) {
        wrong = "not an https, http, git, ssh or file URL";
    } else if (kind == KIND_LOCAL && kind_of(parent) != KIND_LOCAL) {
        wrong = "points to files of this machine, which a remote repository may not do";
    } else if (kind == KIND_SSH && kind_of(parent) != KIND_SSH) {
        wrong = "uses ssh, and so the runner's keys, which only a repository reached by ssh may "
                "do; write it as https or relative (../name.git)";
    }
    if (wrong) {
        g_autofree char *printable = g_strescape(url, NULL);
        g_autofree char *shown = run_git_url_public(printable, url);
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "submodule address \"%.200s\": %s", shown,
                    wrong);
        return NULL;
    }
    return g_steal_pointer(&whole);
}
