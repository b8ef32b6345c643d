#include "web/site/writer.h"

#include "config/json_text.h"
#include "web/pages/asset.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define API "/api/v1/"

static bool is_among(const char *text, const char *const *words) {
    return g_strv_contains(words, text);
}

/* A part of a path or a query as a part of a file's name. */
static char *part_of(const char *escaped) {
    g_autofree char *plain = g_uri_unescape_string(escaped, NULL);
    return g_uri_escape_string(plain ? plain : escaped, "@", FALSE);
}

/* The answer is the same without it, or a list that comes whole. */
static bool is_left_out(const char *pair, const char *key, const char *path) {
    static const char *const never[] = {"limit", "cursor", "since", "v", "scale", "like", NULL};
    static const char *const usual[] = {"nights=30", "theme=light", "view=difference",
                                        "portions=full", NULL};
    return is_among(key, never) || is_among(pair, usual) ||
           (g_str_equal(key, "until") && g_str_has_suffix(path, "/nights")) ||
           (g_str_equal(key, "width") && g_str_has_prefix(path, "/flames/"));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ",key=value" of each that counts. */
static char *query_of(const char *query, const char *path) {
    g_auto(GStrv) pairs = g_strsplit(query, "&", -1);
    GString *name = g_string_new(NULL);
    qsort(pairs, g_strv_length(pairs), sizeof *pairs, by_text);
    for (char **pair = pairs; *pair; pair++) {
        const char *value = strchr(*pair, '=');
        g_autofree char *key = value ? g_strndup(*pair, (gsize)(value - *pair)) : NULL;
        if (!key || is_left_out(*pair, key, path))
            continue;
        g_autofree char *part = part_of(value + 1);
        /* fewer members, which the columns have, too */
        const bool brief = g_str_equal(*pair, "portions=brief");
        g_string_append_printf(name, ",%s=%s", key, brief ? "columns" : part);
    }
    return g_string_free(name, FALSE);
}

static bool is_packed(const char *path) {
    return g_str_has_prefix(path, API "experiments/") || g_str_equal(path, API "compare") ||
           g_str_has_suffix(path, "/nights");
}

/* "a%20b/c": each part by itself. */
static char *escaped_path(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path + 1, "/", -1);
    for (char **part = parts; *part; part++) {
        char *own = part_of(*part);
        g_free(*part);
        *part = own;
    }
    return g_strjoinv("/", parts);
}

char *web_site_name(const char *address) {
    const gsize length = strcspn(address, "?");
    g_autofree char *given = g_strndup(address, length);
    g_autofree char *path = escaped_path(given);
    g_autofree char *query = query_of(address[length] ? address + length + 1 : "", given);
    if (g_str_has_prefix(given, API))
        return g_strconcat(path, query, is_packed(given) ? ".json.gz" : ".json", NULL);
    char *dot = *query ? strrchr(path, '.') : NULL;
    if (!dot)
        return g_strconcat(path, query, NULL);
    g_autofree char *ending = g_strdup(dot);
    *dot = '\0';
    return g_strconcat(path, query, ending, NULL);
}

/* "../../", or "./" at the root itself. */
static char *root_of(unsigned depth) {
    GString *root = g_string_new(depth == 0 ? "./" : NULL);
    for (unsigned i = 0; i < depth; i++)
        g_string_append(root, "../");
    return g_string_free(root, FALSE);
}

/* Is this address, up to its end, that of a page with a folder of its own? */
static gboolean is_folder(const char *address, gsize length) {
    static const char *const pages[] = {"compare", "jobs"};
    for (gsize i = 0; i < G_N_ELEMENTS(pages); i++)
        if (length == strlen(pages[i]) && strncmp(address, pages[i], length) == 0)
            return TRUE;
    return g_str_has_prefix(address, "projects/");
}

/* HTML with the addresses of its attributes relative: "/x" becomes "../x" of depth 1. Folders
 * that are pages get their slash. Free with g_free. */
static char *sitefile_relative(const char *html, unsigned depth) {
    static const char *const attributes[] = {"href=\"/", "src=\"/", "srcset=\"/"};
    g_autofree char *root = root_of(depth);
    GString *text = g_string_new(NULL);
    while (*html) {
        gsize taken = 0;
        for (gsize i = 0; taken == 0 && i < G_N_ELEMENTS(attributes); i++)
            if (g_str_has_prefix(html, attributes[i]))
                taken = strlen(attributes[i]);
        if (taken == 0) {
            g_string_append_c(text, *html++);
            continue;
        }
        const char *address = html + taken;
        const gsize length = strcspn(address, "\"?#");
        g_string_append_len(text, html, (gssize)taken - 1);
        g_string_append(text, root);
        g_string_append_len(text, address, (gssize)length);
        if (is_folder(address, length))
            g_string_append_c(text, '/');
        html = address + length;
    }
    return g_string_free(text, FALSE);
}

/* Modules name each other relative to themselves: they lie in one folder. */
static char *module_of(const char *text) {
    g_auto(GStrv) parts = g_strsplit(text, " from \"/static/", -1);
    return g_strjoinv(" from \"./", parts);
}

/* A page ("project.html"), a module, a style sheet or an image by its name.
 * depth  folders between the site's root and the file: of "projects/x/index.html" 2
 * Returns owned bytes; NULL: there is none of that name. */
static GBytes *web_sitefile(const char *name, unsigned depth) {
    GBytes *bytes = web_asset_bytes(WEB_SITE_ASSETS, name);
    if (!bytes)
        bytes = web_asset_bytes(WEB_ASSETS, name);
    if (!bytes || !(g_str_has_suffix(name, ".html") || g_str_has_suffix(name, ".js")))
        return bytes;
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_bytes_unref(bytes);
    char *made = g_str_has_suffix(name, ".js") ? module_of(text) : sitefile_relative(text, depth);
    return g_bytes_new_take(made, strlen(made));
}

char **web_sitefile_names(void) {
    static const char *const folders[] = {WEB_ASSETS, WEB_SITE_ASSETS};
    GHashTable *known = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_auto(GStrv) found = web_asset_names(folders[i]);
        for (char **name = found; name && *name; name++) {
            char *own = g_hash_table_contains(known, *name) ? NULL : g_strdup(*name);
            if (own && g_hash_table_add(known, own))
                g_ptr_array_add(names, own);
        }
    }
    g_hash_table_unref(known);
    cfg_texts_sort(names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

G_DEFINE_QUARK(moowatch - site, web_site_error)

static GBytes *bytes_of(char *text) {
    return g_bytes_new_take(text, strlen(text));
}

static char *text_of(GBytes *bytes) {
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

static char *replaced(const char *text, const char *from, const char *to) {
    g_auto(GStrv) parts = g_strsplit(text, from, -1);
    return g_strjoinv(to, parts);
}

char *web__filled(const char *pattern, const char *name) {
    return replaced(pattern, "%s", name);
}

/* Whatever the server takes for its own address: of the feed's own link, "…/feed.atom". */
static char *base_of(const char *feed) {
    static const char before[] = "<link rel=\"self\" href=\"";
    const char *at = strstr(feed, before);
    const char *end = at ? strstr(at, "/feed.atom\"") : NULL;
    g_autofree char *self =
        end ? g_strndup(at + strlen(before), (gsize)(end - at) - strlen(before)) : NULL;
    char *project = self ? strstr(self, "/projects/") : NULL;
    if (project)
        *project = '\0';
    return g_steal_pointer(&self);
}

/* A feed's links lead to the site, where it is said where that is. */
static GBytes *feed_of(const web__writer *w, GBytes *answer) {
    g_autofree char *text = text_of(answer);
    g_autofree char *base = w->options->base ? base_of(text) : NULL;
    g_autofree char *site = w->options->base ? g_markup_escape_text(w->options->base, -1) : NULL;
    return base && *base ? bytes_of(replaced(text, base, site)) : g_bytes_ref(answer);
}

/* Its charts are files of this site, which are written, too; NULL with error. */
static GBytes *embed_of(const web__writer *w, GBytes *answer, GError **error) {
    g_autofree char *text = text_of(answer);
    g_autoptr(GString) out = g_string_new(NULL);
    const char *from = text;
    for (const char *at; (at = strstr(from, "/charts/"));) {
        g_autofree char *given = g_strndup(at, strcspn(at, "\""));
        g_autofree char *address = replaced(given, "&amp;", "&");
        g_autofree char *name = web_site_name(address);
        if (!web__keep(w, address, NULL, error))
            return NULL;
        g_string_append_len(out, from, at - from);
        g_string_append_printf(out, "/%s", name);
        from = at + strlen(given);
    }
    g_string_append(out, from);
    return bytes_of(sitefile_relative(out->str, 2));
}

/* Owned, NULL with error: as options->ask says, or of an answer that became another file. */
static GBytes *ask(const web__writer *w, const char *address, char **etag, GError **error) {
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GBytes) answer = w->options->ask(w->options->user, address, etag, &wrong);
    const bool feed = g_str_has_suffix(address, "/feed.atom");
    if (wrong)
        g_propagate_error(error, g_steal_pointer(&wrong));
    if (!answer || !(feed || g_str_has_prefix(address, "/embed/")))
        return g_steal_pointer(&answer);
    g_clear_pointer(etag, g_free); /* what is made of it hangs on more */
    return feed ? feed_of(w, answer) : embed_of(w, answer, error);
}

static char *path_of(const char *address) {
    g_autofree char *name = web_site_name(address);
    return g_strconcat(name, g_str_has_prefix(address, "/embed/") ? "/index.html" : "", NULL);
}

bool web__keep(const web__writer *w, const char *address, const char *source, GError **error) {
    g_autofree char *path = path_of(address);
    g_autofree char *own =
        source ? g_strjoin(" ", source, w->version, w->options->asks, NULL) : NULL;
    if (web_files_hash(w->files, path) || (own && web_files_unchanged(w->files, path, own)))
        return true;
    g_autofree char *known = own ? NULL : g_strdup(web_files_source(w->files, path));
    g_autofree char *etag = g_strdup(known);
    GError *wrong = NULL;
    g_autoptr(GBytes) bytes = ask(w, address, &etag, &wrong);
    if (bytes)
        return web_files_put(w->files, path, own ? own : etag, bytes, error);
    if (!wrong)
        return web_files_unchanged(w->files, path, known);
    if (g_error_matches(wrong, WEB_SITE_ERROR, WEB_SITE_ERROR_ABSENT)) {
        g_clear_error(&wrong);
        return true;
    }
    g_propagate_error(error, wrong);
    return false;
}

static json_t *json_of(GBytes *bytes, const char *address, GError **error) {
    gsize size = 0;
    const char *text = bytes ? g_bytes_get_data(bytes, &size) : NULL;
    json_t *json = text ? json_loadb(text, size, 0, NULL) : NULL;
    if (!json)
        g_set_error(error, WEB_SITE_ERROR, WEB_SITE_ERROR_ANSWER,
                    "%s: the server's answer is not JSON", address);
    return json;
}

json_t *web__kept(const web__writer *w, const char *address, GError **error) {
    g_autofree char *path = path_of(address);
    if (!web__keep(w, address, NULL, error))
        return NULL;
    g_autoptr(GBytes) bytes =
        web_files_hash(w->files, path) ? web_files_read(w->files, path) : NULL;
    return json_of(bytes, address, error);
}

json_t *web__asked(const web__writer *w, const char *address, GError **error) {
    g_autofree char *etag = NULL;
    g_autoptr(GBytes) bytes = ask(w, address, &etag, error);
    return bytes ? json_of(bytes, address, error) : NULL;
}

json_t *web__items(json_t *list, const char *address, GError **error) {
    json_auto_t *items = json_incref(json_object_get(list, "items"));
    if (list && !json_is_array(items))
        g_set_error(error, WEB_SITE_ERROR, WEB_SITE_ERROR_ANSWER,
                    "%s: the server's answer is no list", address);
    const bool good = list && json_is_array(items);
    json_decref(list);
    return good ? g_steal_pointer(&items) : NULL;
}

bool web__put_json(const web__writer *w, const char *path, json_t *json, GError **error) {
    char *text = json_dumps(json, JSON_COMPACT);
    g_autoptr(GBytes) bytes = g_bytes_new_with_free_func(text, strlen(text), free, text);
    json_decref(json);
    return web_files_put(w->files, path, NULL, bytes, error);
}

static unsigned depth_of(const char *path) {
    unsigned depth = 0;
    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

bool web__put_page(const web__writer *w, const char *page, const char *path, GError **error) {
    g_autoptr(GBytes) bytes = web_sitefile(page, depth_of(path));
    return web_files_put(w->files, path, NULL, bytes, error);
}
