#include "ci/dataset/dataset.h"

#include "ci/command/command.h"
#include "ci/command/progress.h"
#include "config/json_text.h"
#include "config/packed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HASH_CHARS = 64 };

/* NULL: it cannot be read. */
static char *hash_of(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    g_autoptr(GChecksum) sum = cfg_file_sum(file);
    (void)fclose(file);
    return sum ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

/* Of these files below the folder, into its SHA256SUMS. paths: NULL-terminated. */
static bool sums_write(const char *folder, char **paths, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (char **path = paths; *path; path++) {
        g_autofree char *full = g_build_filename(folder, *path, NULL);
        g_autofree char *hash = hash_of(full);
        if (!hash)
            return ci_wrong(error, "%s: cannot be read again", full);
        g_string_append_printf(text, "%s  %s\n", hash, *path);
    }
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL);
    return g_file_set_contents(file, text->str, -1, error);
}

/* A line's path, which must lead to a file of the folder. */
static bool is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    bool good = true;
    for (char **part = parts; good && *part; part++)
        good = **part && !g_str_equal(*part, "..") && !g_str_equal(*part, ".");
    return good;
}

/* The path of a line; NULL: the line has none. */
static const char *path_of(const char *line) {
    const bool good = strspn(line, "0123456789abcdef") == HASH_CHARS &&
                      g_str_has_prefix(line + HASH_CHARS, "  ") && is_below(line + HASH_CHARS + 2);
    return good ? line + HASH_CHARS + 2 : NULL;
}

static bool check_line(const char *folder, const char *line, GError **error) {
    const char *path = path_of(line);
    if (!path)
        return ci_wrong(error,
                        "%s/" CI_SUMS ": \"%s\" is not a SHA-256, two spaces and a file name",
                        folder, line);
    g_autofree char *full = g_build_filename(folder, path, NULL);
    g_autofree char *hash = hash_of(full);
    if (!hash)
        return ci_wrong(error, "%s: missing; the data set is incomplete, download it again", full);
    if (strncmp(hash, line, HASH_CHARS) != 0)
        return ci_wrong(error,
                        "%s: differs from what was published: its SHA-256 is %.12s…, not %.12s…; "
                        "download the data set again",
                        full, hash, line);
    return true;
}

static bool is_named(char **lines, const char *path) {
    for (; *lines; lines++)
        if (g_str_equal(path_of(*lines), path))
            return true;
    return false;
}

bool ci_sums_check(const char *folder, const char *const *needed, GError **error) {
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL), *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL))
        return ci_wrong(error, "%s: not a data set: there is no " CI_SUMS, folder);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **line = lines; *line; line++)
        if (!check_line(folder, *line, error))
            return false;
    for (; *needed; needed++)
        if (!is_named(lines, *needed))
            return ci_wrong(error,
                            "%s: does not name %s; the data set is incomplete, download it again",
                            file, *needed);
    return true;
}

typedef struct {
    ci_client *client;
    const char *folder;
    GArray *parts;    /* ci_part */
    GPtrArray *paths; /* owns the parts' paths */
} writer;

static bool file_put(writer *w, const char *path, const char *about, const char *type,
                     GBytes *bytes, GError **error) {
    g_autofree char *full = g_build_filename(w->folder, path, NULL);
    g_autofree char *above = g_path_get_dirname(full);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (g_mkdir_with_parents(above, 0777) != 0)
        return ci_wrong(error, "%s: %s", above, g_strerror(errno));
    char *kept = g_strdup(path);
    g_ptr_array_add(w->paths, kept);
    const ci_part part = {kept, about, type, size};
    g_array_append_val(w->parts, part);
    return g_file_set_contents(full, data ? data : "", (gssize)size, error);
}

/* text: owned by the callee */
static bool put_text(writer *w, const char *path, const char *about, const char *type, char *text,
                     GError **error) {
    g_autoptr(GBytes) bytes = text ? g_bytes_new_take(text, strlen(text)) : NULL;
    return bytes && file_put(w, path, about, type, bytes, error);
}

/* What the API says of each measured night, oldest first. */
static json_t *experiments_of(ci_client *client, const json_t *nights, GError **error) {
    json_auto_t *all = json_array();
    const guint count = (guint)json_array_size(nights);
    for (guint i = count; i > 0; i--) {
        const json_int_t id = cfg_json_integer(json_array_get(nights, i - 1), "experiment");
        if (id == 0)
            continue;
        json_t *experiment = ci_client_experiment(client, id, error);
        if (!experiment)
            return NULL;
        json_array_append_new(all, experiment);
        char words[] = "experiments";
        ci_progress(count - i + 1, count, words);
    }
    ci_progress_end();
    if (json_array_size(all) > 0)
        return json_incref(all);
    ci_wrong(error, "the project has no measured night");
    return NULL;
}

static bool put_tables(writer *w, const json_t *experiments, GError **error) {
    for (const ci_table *table = ci_tables; table->file; table++)
        if (!put_text(w, table->file, table->about, "text/csv", ci_table_csv(table, experiments),
                      error))
            return false;
    return put_text(w, "dictionary.csv", "What each column of each table means, with its unit.",
                    "text/csv", ci_table_dictionary(), error);
}

/* Every environment once, by its hash. */
static json_t *environments_of(const json_t *experiments) {
    json_t *all = json_object(), *experiment;
    size_t i;
    json_array_foreach (experiments, i, experiment) {
        const char *hash = cfg_json_word(experiment, "environment", "unknown");
        cfg_json_member(all, hash, json_incref(json_object_get(experiment, "environment_detail")));
    }
    return all;
}

static bool put_json(writer *w, const char *path, const char *about, const json_t *json,
                     GError **error) {
    return put_text(w, path, about, "application/json", cfg_json_text(json, 1), error);
}

/* raw/EXPERIMENT/CONFIGURATION-LOOP.csv; NULL with error: the name would lead elsewhere. */
static char *raw_path(const json_t *experiment, const json_t *configuration, const json_t *loop,
                      GError **error) {
    const char *name = cfg_json_word(configuration, "name", "");
    if (strchr(name, '/')) {
        ci_wrong(error, "the server names a configuration \"%s\", which cannot name a file", name);
        return NULL;
    }
    return g_strdup_printf("raw/%" JSON_INTEGER_FORMAT "/%s-%" JSON_INTEGER_FORMAT ".csv",
                           cfg_json_integer(experiment, "experiment"), name,
                           cfg_json_integer(loop, "loop"));
}

static bool put_raw_of(writer *w, const json_t *experiment, GError **error) {
    size_t i, k;
    const json_t *configuration, *loop;
    cfg_json_each (experiment, "configurations", i, configuration)
        cfg_json_each (configuration, "loop_results", k, loop) {
            const char *url = json_string_value(cfg_json_at(loop, "raw.url"));
            char *etag = NULL;
            if (!url || !g_str_has_prefix(url, "/api/v1/experiments/"))
                continue;
            g_autofree char *address = g_strconcat(url, "?format=csv", NULL);
            g_autoptr(GBytes) bytes = ci_client_fetch(w->client, address, &etag, error);
            g_free(etag);
            if (!bytes && error && !*error)
                g_set_error(error, CI_ERROR, CI_ERROR_SERVER,
                            "%s: the server answered 304 (not modified) to a plain request; is a "
                            "proxy in between?",
                            address);
            g_autofree char *path = bytes ? raw_path(experiment, configuration, loop, error) : NULL;
            if (!path || !file_put(w, path, "The calls of one process: thread; nanoseconds.",
                                   "text/csv", bytes, error))
                return false;
        }
    return true;
}

static bool put_raw(writer *w, const json_t *experiments, GError **error) {
    size_t i;
    const json_t *experiment;
    json_array_foreach (experiments, i, experiment)
        if (!put_raw_of(w, experiment, error))
            return false;
    return true;
}

static bool put_data(writer *w, const json_t *project, const json_t *experiments, bool raw,
                     GError **error) {
    const json_t *newest = json_array_get(experiments, json_array_size(experiments) - 1);
    json_auto_t *environments = environments_of(experiments);
    char *file = ci_project_file(project, newest, error);
    return file &&
           put_text(w, "project.yaml", "How it was measured: the file that `moowatch run` reads.",
                    "application/yaml", file, error) &&
           put_tables(w, experiments, error) &&
           put_json(w, "environments.json", "Machine and software, by the hash in nights.csv.",
                    environments, error) &&
           put_json(w, "experiments.json", "The nights as the API of moowatch returns them.",
                    experiments, error) &&
           (!raw || put_raw(w, experiments, error));
}

static bool put_about(writer *w, const ci_about *about, GError **error) {
    if (!put_text(w, "LICENSE", "The licence.", "text/plain", ci_crate_license(about), error) ||
        !put_text(w, "CITATION.cff", "How to cite it.", "text/yaml", ci_crate_citation(about),
                  error))
        return false;
    const ci_part *parts = &g_array_index(w->parts, ci_part, 0);
    char *readme = ci_crate_readme(about, parts, w->parts->len);
    if (!put_text(w, "README.md", "What this is.", "text/markdown", readme, error))
        return false;
    parts = &g_array_index(w->parts, ci_part, 0);
    json_auto_t *crate = ci_crate_metadata(about, parts, w->parts->len);
    return put_json(w, "ro-crate-metadata.json", "RO-Crate", crate, error);
}

static bool write_all(writer *w, const json_t *project, const json_t *experiments,
                      const ci_dataset_options *o, GError **error) {
    const char *name = cfg_json_word(project, "title", cfg_json_word(project, "name", ""));
    const json_t *newest = json_array_get(experiments, json_array_size(experiments) - 1);
    g_autofree char *title =
        o->title ? g_strdup(o->title) : g_strdup_printf("Overhead of %s, night by night", name);
    g_autofree char *contributors = g_strdup_printf("Contributors of %s", name);
    const char *const nobody[] = {contributors, NULL};
    g_autofree char *description = g_strdup_printf(
        "Response times of a method monitored by %s, taken apart into portions with confidence "
        "intervals: %zu nights from %s to %s, measured by moowatch with MooBench's design.",
        name, json_array_size(experiments),
        cfg_json_word(json_array_get(experiments, 0), "night", ""),
        cfg_json_word(newest, "night", ""));
    const ci_about about = {.title = title,
                            .description = description,
                            .repository = cfg_json_word(project, "repository", ""),
                            .license = o->license ? o->license : "CC-BY-4.0",
                            .authors = o->authors && *o->authors ? o->authors : nobody,
                            .date = o->date};
    if (!put_data(w, project, experiments, o->raw, error) || !put_about(w, &about, error))
        return false;
    g_ptr_array_add(w->paths, NULL);
    return sums_write(w->folder, (char **)w->paths->pdata, error);
}

/* As SPDX writes them: letters, digits, '-' and '.', so that it can stand in an address. */
static bool is_license(const char *id) {
    for (; *id; id++)
        if (!g_ascii_isalnum(*id) && *id != '-' && *id != '.')
            return false;
    return true;
}

bool ci_dataset_write(ci_client *client, const char *name, const ci_dataset_options *o,
                      GError **error) {
    if (o->license && (!*o->license || !is_license(o->license)))
        return ci_wrong(error, "--license %s: must be an SPDX identifier, such as CC-BY-4.0",
                        o->license);
    if (!ci_folder_make(o->folder, "--dataset", error))
        return false;
    g_autofree char *path = ci_client_path("projects", name, NULL);
    json_auto_t *project = ci_client_get(client, path, error);
    json_auto_t *nights = project ? ci_client_nights(client, name, o->nights, NULL, error) : NULL;
    json_auto_t *experiments = nights ? experiments_of(client, nights, error) : NULL;
    writer w = {client, o->folder, g_array_new(FALSE, FALSE, sizeof(ci_part)),
                g_ptr_array_new_with_free_func(g_free)};
    const bool good = experiments && write_all(&w, project, experiments, o, error);
    g_array_unref(w.parts);
    g_ptr_array_unref(w.paths);
    return good;
}
