#include "ci/dataset/dataset.h"

#include "ci/command/command.h"
#include "config/json_text.h"

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
    g_autofree char *title = quoted(about->title);
    GString *to = g_string_new("cff-version: 1.2.0\n"
                               "message: If you use this data set, please cite it.\n"
                               "type: dataset\n");
    g_string_append_printf(to, "title: %s\nauthors:\n", title ? title : "\"\"");
    for (gsize i = 0; about->authors[i]; i++) {
        g_autofree char *name = quoted(about->authors[i]);
        g_string_append_printf(to, "  - name: %s\n", name ? name : "\"\"");
    }
    g_string_append_printf(to, "date-released: %s\nlicense: %s\n", about->date, about->license);
    if (g_str_has_prefix(about->repository, "https://")) {
        g_autofree char *repository = quoted(about->repository);
        g_string_append_printf(to, "repository-code: %s\n", repository ? repository : "\"\"");
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

/* Nothing, as the file says it: the member is not there. */
static bool is_nothing(const json_t *value) {
    return json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0);
}

static json_t *without_nothing(json_t *object) {
    json_t *out = json_object();
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value)
        if (!is_nothing(value))
            json_object_set(out, key, value);
    return out;
}

/* {"A": "b"} as ["A=b"]; NULL: a value is withheld. */
static json_t *environment_list(json_t *environment) {
    json_t *list = json_array();
    const char *name;
    json_t *value;
    json_object_foreach (environment, name, value) {
        if (!json_is_string(value)) {
            json_decref(list);
            return NULL;
        }
        g_autofree char *pair = g_strdup_printf("%s=%s", name, json_string_value(value));
        json_array_append_new(list, json_string(pair));
    }
    return list;
}

static json_t *configuration_of(json_t *given, GError **error) {
    json_t *out = without_nothing(given);
    json_t *environment = json_object_get(out, "environment");
    json_t *list = environment ? environment_list(environment) : NULL;
    if (environment && !list) {
        ci_wrong(error,
                 "configuration %s: the values of its environment variables are withheld; give a "
                 "token of the scope read (--token-file), since the data set must have them",
                 cfg_json_word(given, "name", NULL));
        json_decref(out);
        return NULL;
    }
    if (list)
        json_object_set_new(out, "environment", list);
    return out;
}

static void drop(json_t *object, const char *const *keys) {
    for (; *keys; keys++)
        (void)json_object_del(object, *keys);
}

/* A file says only what is of its format. */
static void shorten_read(json_t *read) {
    static const char *const of_pattern[] = {"pattern", "unit",        "scope",
                                             "several", "match_limit", NULL};
    static const char *const of_google[] = {"time", NULL};
    const char *format = cfg_json_word(read, "format", NULL);
    if (g_strcmp0(format, "pattern") != 0)
        drop(read, of_pattern);
    if (g_strcmp0(format, "google-benchmark-json") != 0)
        drop(read, of_google);
}

static json_t *benchmark_of(json_t *given, GError **error) {
    static const char *const elsewhere[] = {"confidence", "artifact", "artifact_wait_seconds",
                                            NULL};
    json_t *out = without_nothing(given), *configuration;
    json_t *list = json_array();
    size_t i;
    drop(out, elsewhere);
    json_t *read = json_deep_copy(json_object_get(out, "read"));
    if (read) {
        shorten_read(read);
        json_object_set_new(out, "read", read);
    }
    cfg_json_each (given, "configurations", i, configuration) {
        json_t *one = configuration_of(configuration, error);
        if (!one) {
            json_decref(list);
            json_decref(out);
            return NULL;
        }
        json_array_append_new(list, one);
    }
    json_object_set_new(out, "configurations", list);
    return out;
}

char *ci_project_file(const json_t *project, const json_t *experiment, GError **error) {
    json_t *benchmark = benchmark_of(json_object_get(experiment, "benchmark"), error);
    if (!benchmark)
        return NULL;
    json_t *name = json_object_get(project, "main"); /* of a branch, kept under NAME~BRANCH */
    if (!json_is_string(name))
        name = json_object_get(project, "name");
    json_auto_t *file = json_pack("{s:O, s:O, s:O, s:O, s:o, s:{s:O}}", "name", name, "title",
                                  json_object_get(project, "title"), "repository",
                                  json_object_get(project, "repository"), "branch",
                                  json_object_get(project, "branch"), "benchmark", benchmark,
                                  "detection", "confidence", json_object_get(experiment, "level"));
    g_autofree char *text = file ? cfg_json_text(file, 2) : NULL;
    if (!text) {
        ci_wrong(error, "the server does not say how the project is measured");
        return NULL;
    }
    return g_strconcat("# How this data set was measured; `moowatch run` and `moowatch replicate` "
                       "read it.\n",
                       text, "\n", NULL);
}
