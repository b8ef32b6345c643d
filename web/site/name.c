#include "web/site/name.h"

#include <glib.h>
#include <stdbool.h>
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
static char *path_of(const char *path) {
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
    g_autofree char *path = path_of(given);
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
