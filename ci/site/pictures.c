#include "ci/site/pictures.h"

#include "web/pages/sitefile.h"

#include <string.h>

static GBytes *bytes_of(char *text) {
    return g_bytes_new_take(text, strlen(text));
}

static char *replaced(const char *text, const char *from, const char *to) {
    g_auto(GStrv) parts = g_strsplit(text, from, -1);
    return g_strjoinv(to, parts);
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
static GBytes *change_feed(const ci_source *source, GBytes *bytes) {
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_autofree char *base = source->url ? base_of(text) : NULL;
    return base && *base ? bytes_of(replaced(text, base, source->url)) : g_bytes_ref(bytes);
}

/* The chart is a file of this site: the one of the theme. */
static GBytes *change_embed(const ci_source *source, GBytes *bytes) {
    (void)source;
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    GString *out = g_string_new(NULL);
    const char *from = text;
    const char *at, *end;
    for (; (at = strstr(from, ".svg?nights=")) && (end = strchr(at, '"')); from = end) {
        const char *dark = g_strstr_len(at, end - at, "theme=dark");
        g_string_append_len(out, from, at - from);
        g_string_append(out, dark ? "-dark.svg" : ".svg");
    }
    g_string_append(out, from);
    GBytes *made = bytes_of(web_sitefile_relative(out->str, 2));
    (void)g_string_free(out, TRUE);
    return made;
}

/* What the server refuses is not there: a project without a night has no chart. */
static bool keep(const ci_source *source, const char *address, const char *path,
                 ci_source_change change, GError **error) {
    GError *wrong = NULL;
    if (ci_source_keep(source, address, path, change, &wrong))
        return true;
    if (ci_client_refused(source->client)) {
        g_clear_error(&wrong);
        return true;
    }
    if (wrong)
        g_propagate_error(error, wrong);
    return false;
}

bool ci_site_pictures(const ci_source *source, const char *project, GError **error) {
    const struct {
        const char *address, *path; /* with the project's name */
        ci_source_change change;
    } files[] = {{"/charts/%s.svg", "charts/%s.svg", NULL},
                 {"/charts/%s.svg?theme=dark", "charts/%s-dark.svg", NULL},
                 {"/charts/%s.svg?nights=5000", "charts/%s-all.svg", NULL},
                 {"/charts/%s.png", "charts/%s.png", NULL},
                 {"/projects/%s/badge.svg", "projects/%s/badge.svg", NULL},
                 {"/projects/%s/badge.json", "projects/%s/badge.json", NULL},
                 {"/projects/%s/feed.atom", "projects/%s/feed.atom", change_feed},
                 {"/embed/%s", "embed/%s/index.html", change_embed}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *address = replaced(files[i].address, "%s", project);
        g_autofree char *path = replaced(files[i].path, "%s", project);
        if (!keep(source, address, path, files[i].change, error))
            return false;
    }
    return true;
}

bool ci_site_feed(const ci_source *source, GError **error) {
    return keep(source, "/feed.atom", "feed.atom", change_feed, error);
}

/* of: "" of time, or of which dimension: a folder, for no configuration's name has a '/'. */
static bool keep_flame(const ci_source *source, json_int_t alert, const char *name, const char *of,
                       GError **error) {
    static const char *const views[] = {"difference", "before", "after"};
    static const char *const themes[] = {"light", "dark"};
    static const char *const endings[] = {"json", "svg"}; /* for the page, as a picture */
    for (gsize i = 0; i < 2 * G_N_ELEMENTS(views) * G_N_ELEMENTS(themes); i++) {
        const char *view = views[i / 4], *theme = themes[i / 2 % 2], *ending = endings[i % 2];
        g_autofree char *address = g_strdup_printf(
            "/flames/%" JSON_INTEGER_FORMAT "/%s.%s?view=%s&theme=%s&width=1200%s%s", alert, name,
            ending, view, theme, *of ? "&dimension=" : "", of);
        g_autofree char *path =
            g_strdup_printf("flames/%" JSON_INTEGER_FORMAT "/%s%s%s-%s-%s.%s", alert, of,
                            *of ? "/" : "", name, view, theme, ending);
        if (!keep(source, address, path, NULL, error))
            return false;
    }
    return true;
}

static bool keep_flames(const ci_source *source, json_int_t alert, const json_t *portions,
                        const char *of, GError **error) {
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion) {
        const char *name = json_string_value(json_object_get(portion, "configuration"));
        g_autofree char *escaped = name ? g_uri_escape_string(name, NULL, FALSE) : NULL;
        if (escaped && !keep_flame(source, alert, escaped, of, error))
            return false;
    }
    return true;
}

bool ci_site_flames(const ci_source *source, json_int_t alert, const json_t *explanation,
                    GError **error) {
    const json_t *allocations = json_object_get(explanation, "allocations");
    if (json_is_integer(json_object_get(explanation, "pruned_ms")))
        return true; /* the server draws none without profiles */
    return keep_flames(source, alert, json_object_get(explanation, "portions"), "", error) &&
           keep_flames(source, alert, json_object_get(allocations, "portions"), "bytes", error);
}
