#include "ci/formats/imported.h"

#include "ci/formats/night.h"
#include "ci/formats/values.h"
#include "config/gungraun.h"
#include "config/moobench.h"

#include <math.h>
#include <string.h>

static bool fail(GError **error, const char *path, const char *what) {
    g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", path, what);
    return false;
}

/* data.js is "window.BENCHMARK_DATA = {…};": the object alone is JSON. */
static const char *javascript_skip(const char *text, size_t *size) {
    const char *mark = g_strstr_len(text, (gssize)MIN(*size, 4096), "BENCHMARK_DATA");
    const char *brace = mark ? strchr(mark, '{') : NULL;
    if (!brace)
        return text;
    *size -= (size_t)(brace - text);
    return brace;
}

static bool json_read(const char *path, const char *text, size_t size, json_t *nights,
                      GError **error) {
    bool (*const readers[])(json_t *, json_t *) = {
        ci__import_github, ci__import_jmh,       ci__import_google,  ci__import_pytest,
        ci__import_bmf,    ci__import_hyperfine, ci__import_gungraun};
    json_error_t wrong;
    const char *start = javascript_skip(text, &size);
    /* behind the object of data.js stands at most a semicolon */
    json_t *root = json_loadb(start, size, start == text ? 0 : JSON_DISABLE_EOF_CHECK, &wrong);
    if (!root)
        root = cfg_gungraun_lines(text, strlen(text));
    if (!root) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s:%d:%d: %s", path, wrong.line, wrong.column,
                    wrong.text);
        return false;
    }
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(readers) && !known; i++)
        known = readers[i](root, nights);
    json_decref(root);
    return known ||
           fail(error, path,
                "is JSON, but not the output of a known tool (github-action-benchmark, JMH, Google "
                "Benchmark, pytest-benchmark, hyperfine, Gungraun, Bencher)");
}

static void measurement_add(json_t *night, const cfg_measurement *m) {
    /* upstream's ci95 takes every call for independent: it is not used as an interval */
    ci_night_value(night, m->label, m->us[0] * 1000, (double)NAN, (double)NAN, NULL, 0);
}

static bool yaml_read(const char *path, const char *text, size_t size, json_t *nights,
                      GError **error) {
    g_autoptr(GError) wrong = NULL;
    g_autoptr(cfg_moobench) results = cfg_moobench_parse(text, size, path, &wrong);
    if (!results) {
        g_set_error_literal(error, CI_ERROR, CI_ERROR_INPUT, wrong->message);
        return false;
    }
    for (guint e = 0; e < results->experiments->len; e++) {
        const cfg_moobench_experiment *experiment = results->experiments->pdata[e];
        const double ms = experiment->timestamp_s * 1000;
        json_t *night =
            ci_night_new("moobench", results->kind, ms >= 0 && ms < 1e15 ? (gint64)ms : -1);
        for (guint m = 0; m < experiment->measurements->len; m++)
            measurement_add(night, &g_array_index(experiment->measurements, cfg_measurement, m));
        json_array_append_new(nights, night);
    }
    return true;
}

static gint by_time(gconstpointer a, gconstpointer b) {
    json_t *const *x = a, *const *y = b;
    const json_int_t m = json_integer_value(json_object_get(*x, "time_ms"));
    const json_int_t n = json_integer_value(json_object_get(*y, "time_ms"));
    return (m > n) - (m < n);
}

static json_t *sorted(json_t *nights) {
    const size_t count = json_array_size(nights);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (size_t i = 0; i < count; i++)
        g_ptr_array_add(list, json_array_get(nights, i));
    g_ptr_array_sort(list, by_time);
    json_t *out = json_array();
    for (guint i = 0; i < list->len; i++)
        json_array_append(out, list->pdata[i]);
    json_decref(nights);
    return out;
}

json_t *ci_import(const char *path, GError **error) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    if (!file) {
        fail(error, path, "cannot be read");
        return NULL;
    }
    const gsize size = g_mapped_file_get_length(file);
    if (!size || size > CI_IMPORT_BYTES_MAX) {
        fail(error, path, size ? "is larger than 256 MiB" : "is empty");
        return NULL;
    }
    /* a copy, for the end of the text */
    g_autofree char *text = g_strndup(g_mapped_file_get_contents(file), size);
    if (!g_utf8_validate(text, (gssize)size, NULL)) {
        fail(error, path, "is not UTF-8 text");
        return NULL;
    }
    const char *first = text + strspn(text, " \t\r\n");
    const bool yaml = g_str_has_prefix(first, "kind:") || g_str_has_prefix(first, "experiments:");
    json_t *nights = json_array();
    if (yaml ? yaml_read(path, text, size, nights, error)
             : json_read(path, text, size, nights, error))
        return sorted(nights);
    json_decref(nights);
    return NULL;
}
