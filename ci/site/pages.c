#include "ci/site/pages.h"

#include "web/pages/sitefile.h"

#include <string.h>

static unsigned depth_of(const char *path) {
    unsigned depth = 0;
    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

bool ci_site_page(const ci_source *source, const char *page, const char *path, GError **error) {
    g_autoptr(GBytes) bytes = web_sitefile(page, depth_of(path));
    return ci_files_put(source->files, path, NULL, bytes, error);
}

/* Tokens and the audit log are asked for with a token. */
static bool is_left_out(const char *name) {
    static const char *const names[] = {"access.html", "access.js", "missing.html", "404.html"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(name, names[i]))
            return true;
    return false;
}

static bool put_static(const ci_source *source, GError **error) {
    g_auto(GStrv) names = web_sitefile_names();
    for (char **name = names; *name; name++) {
        g_autofree char *path = g_strconcat("static/", *name, NULL);
        if (!is_left_out(*name) && !ci_site_page(source, *name, path, error))
            return false;
    }
    return true;
}

char *ci_site_pages_digest(void) {
    enum { CHARS = 32 };
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_auto(GStrv) names = web_sitefile_names();
    for (char **name = names; *name; name++) {
        gsize size;
        g_autoptr(GBytes) bytes = web_sitefile(*name, 0);
        const guchar *data = g_bytes_get_data(bytes, &size);
        g_checksum_update(sum, data, (gssize)size);
    }
    char *digest = g_strndup(g_checksum_get_string(sum), CHARS);
    g_checksum_free(sum);
    return digest;
}

bool ci_site_pages(const ci_source *source, GError **error) {
    static const char *const pages[][2] = {{"index.html", "index.html"},
                                           {"404.html", "404.html"},
                                           {"experiment.html", "experiments/index.html"},
                                           {"compare.html", "compare/index.html"},
                                           {"jobs.html", "jobs/index.html"}};
    for (gsize i = 0; i < G_N_ELEMENTS(pages); i++)
        if (!ci_site_page(source, pages[i][0], pages[i][1], error))
            return false;
    return put_static(source, error);
}
