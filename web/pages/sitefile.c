#include "web/pages/sitefile.h"

#include "web/pages/asset.h"

#include <string.h>

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

char *web_sitefile_relative(const char *html, unsigned depth) {
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

GBytes *web_sitefile(const char *name, unsigned depth) {
    GBytes *bytes = web_asset_bytes(WEB_SITE_ASSETS, name);
    if (!bytes)
        bytes = web_asset_bytes(WEB_ASSETS, name);
    if (!bytes || !(g_str_has_suffix(name, ".html") || g_str_has_suffix(name, ".js")))
        return bytes;
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_bytes_unref(bytes);
    char *made =
        g_str_has_suffix(name, ".js") ? module_of(text) : web_sitefile_relative(text, depth);
    return g_bytes_new_take(made, strlen(made));
}

static int by_name(gconstpointer a, gconstpointer b, gpointer unused) {
    (void)unused;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
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
    g_ptr_array_sort_with_data(names, by_name, NULL);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
