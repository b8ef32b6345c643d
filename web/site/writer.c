#include "web/site/writer.h"

#include "web/pages/sitefile.h"
#include "web/site/name.h"

#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK(moowatch - site, web_site_error)

json_int_t web__number(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

const char *web__text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

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
    return bytes_of(web_sitefile_relative(out->str, 2));
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
