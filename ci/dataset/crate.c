#include "ci/dataset/crate.h"

#include "config/json_text.h"

#include <string.h>

#define CONTEXT "https://w3id.org/ro/crate/1.1/context"
#define PROFILE "https://w3id.org/ro/crate/1.1"

static char *license_url(const ci_about *about) {
    return g_strdup_printf("https://spdx.org/licenses/%s", about->license);
}

static json_t *reference(const char *id) {
    return json_pack("{s:s}", "@id", id);
}

static char *author_id(gsize i) {
    return g_strdup_printf("#author-%" G_GSIZE_FORMAT, i + 1);
}

static json_t *root_of(const ci_about *about, const ci_part *parts, gsize count) {
    g_autofree char *license = license_url(about);
    json_t *has = json_array(), *authors = json_array();
    for (gsize i = 0; i < count; i++)
        json_array_append_new(has, reference(parts[i].path));
    for (gsize i = 0; about->authors[i]; i++) {
        g_autofree char *id = author_id(i);
        json_array_append_new(authors, reference(id));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "@id", "./", "@type", "Dataset",
                     "name", about->title, "description", about->description, "datePublished",
                     about->date, "license", reference(license), "author", authors, "hasPart", has);
}

static json_t *file_of(const ci_part *part) {
    g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, part->bytes);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "@id", part->path, "@type", "File", "name",
                     part->path, "description", part->about, "encodingFormat", part->type,
                     "contentSize", bytes);
}

json_t *ci_crate_metadata(const ci_about *about, const ci_part *parts, gsize count) {
    g_autofree char *license = license_url(about);
    json_t *graph = json_array();
    json_array_append_new(graph, json_pack("{s:s, s:s, s:o, s:o}", "@id", "ro-crate-metadata.json",
                                           "@type", "CreativeWork", "conformsTo",
                                           reference(PROFILE), "about", reference("./")));
    json_array_append_new(graph, root_of(about, parts, count));
    json_array_append_new(graph, json_pack("{s:s, s:s, s:s, s:s}", "@id", license, "@type",
                                           "CreativeWork", "name", about->license, "description",
                                           "The licence of this data set, by its SPDX identifier"));
    for (gsize i = 0; about->authors[i]; i++) {
        g_autofree char *id = author_id(i);
        json_array_append_new(graph, json_pack("{s:s, s:s, s:s}", "@id", id, "@type", "Person",
                                               "name", about->authors[i]));
    }
    for (gsize i = 0; i < count; i++)
        json_array_append_new(graph, file_of(&parts[i]));
    return json_pack("{s:s, s:o}", "@context", CONTEXT, "@graph", graph);
}

/* A YAML scalar in double quotes, which JSON's strings are. */
static char *quoted(const char *text) {
    json_auto_t *string = json_string(text);
    return string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
}

char *ci_crate_citation(const ci_about *about) {
    char *title = quoted(about->title);
    GString *to = g_string_new("cff-version: 1.2.0\n"
                               "message: If you use this data set, please cite it.\n"
                               "type: dataset\n");
    g_string_append_printf(to, "title: %s\nauthors:\n", title ? title : "\"\"");
    free(title);
    for (gsize i = 0; about->authors[i]; i++) {
        char *name = quoted(about->authors[i]);
        g_string_append_printf(to, "  - name: %s\n", name ? name : "\"\"");
        free(name);
    }
    g_string_append_printf(to, "date-released: %s\nlicense: %s\n", about->date, about->license);
    if (g_str_has_prefix(about->repository, "https://")) {
        char *repository = quoted(about->repository);
        g_string_append_printf(to, "repository-code: %s\n", repository ? repository : "\"\"");
        free(repository);
    }
    return g_string_free(to, FALSE);
}

char *ci_crate_license(const ci_about *about) {
    g_autofree char *url = license_url(about);
    return g_strdup_printf("SPDX-License-Identifier: %s\n\nThis data set may be used under this "
                           "licence: %s\nThe code that was measured has a licence of its "
                           "own.\n",
                           about->license, url);
}

char *ci_crate_readme(const ci_about *about, const ci_part *parts, gsize count) {
    GString *to = g_string_new(NULL);
    g_string_append_printf(to, "# %s\n\n%s\n\n| file | what it has |\n|---|---|\n", about->title,
                           about->description);
    for (gsize i = 0; i < count; i++)
        g_string_append_printf(to, "| `%s` | %s |\n", parts[i].path, parts[i].about);
    g_string_append_printf(
        to,
        "\nTimes are nanoseconds. Columns are explained in `dictionary.csv`. Licence: %s. How to "
        "cite: "
        "`CITATION.cff`.\n\n"
        "To check that no file is missing or changed: `sha256sum -c SHA256SUMS`. To measure a "
        "night again on your machine: `moowatch replicate .`\n",
        about->license);
    return g_string_free(to, FALSE);
}
