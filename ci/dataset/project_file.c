#include "ci/dataset/project_file.h"

#include "ci/command/command.h"

#include "config/json_text.h"

#include <string.h>

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
                 json_string_value(json_object_get(given, "name")));
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
    const char *format = json_string_value(json_object_get(read, "format"));
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
    json_t *read =
        json_object_get(out, "read") ? json_deep_copy(json_object_get(out, "read")) : NULL;
    if (read) {
        shorten_read(read);
        json_object_set_new(out, "read", read);
    }
    json_array_foreach (json_object_get(given, "configurations"), i, configuration) {
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
