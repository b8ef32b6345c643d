#include "ci/formats/imported.h"

#include "ci/formats/night.h"
#include "config/formats/formats.h"
#include "web/layout/text.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX_CHARS 4000 /* the server's limit */

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_json(const char *text) {
    g_autofree char *clean = text ? web_text_clean(text, TEXT_MAX_CHARS) : NULL;
    return clean ? json_string(clean) : json_null();
}

/* Means of the loops, where the file has them. */
static json_t *loops_json(const fmt_value *value) {
    g_autofree double *means = fmt_value_means(value);
    json_t *loops = json_array();
    for (guint i = 0; i < value->loops->len; i++)
        json_array_append_new(loops, json_real(means[i]));
    return loops;
}

static json_t *value_json(const fmt_value *value) {
    json_t *out = json_pack("{s:o,s:o,s:o,s:o,s:i}", "name", text_json(value->name), "mean_ns",
                            number(value->mean_ns), "low_ns", number(value->low_ns), "high_ns",
                            number(value->high_ns), "n", (int)value->loops->len);
    if (value->loops->len > 0)
        json_object_set_new(out, "loops_ns", loops_json(value));
    return out;
}

static json_t *left_json(const fmt_night *night) {
    json_t *list = json_array();
    for (guint i = 0; i < night->left->len; i++) {
        const fmt_left *left = night->left->pdata[i];
        json_array_append_new(list, json_pack("{s:o,s:o}", "name", text_json(left->name), "why",
                                              text_json(left->why)));
    }
    return list;
}

static json_t *commit_json(const fmt_night *night) {
    if (!night->sha || *night->sha == '\0')
        return json_null();
    json_t *commit = json_pack("{s:s,s:s,s:s}", "sha", night->sha, "subject",
                               night->subject ? night->subject : "", "author",
                               night->author ? night->author : "");
    if (night->commit_ms >= 0)
        json_object_set_new(commit, "time_ms", json_integer(night->commit_ms));
    return commit;
}

static json_t *night_json(const fmt_night *night) {
    json_t *values = json_array(), *notes = json_array();
    for (guint i = 0; i < night->values->len; i++)
        json_array_append_new(values, value_json(night->values->pdata[i]));
    for (guint i = 0; i < night->notes->len; i++)
        json_array_append_new(notes, text_json(night->notes->pdata[i]));
    g_autoptr(GDateTime) moment =
        night->time_ms < 0 ? NULL : g_date_time_new_from_unix_utc(night->time_ms / 1000);
    g_autofree char *day = moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
    json_t *out = json_pack("{s:s,s:o,s:i}", "format", night->format, "values", values, "left_out",
                            (int)night->left->len);
    json_object_set_new(out, "suite", text_json(night->suite));
    json_object_set_new(out, "night", text_json(day));
    json_object_set_new(out, "time_ms", day ? json_integer(night->time_ms) : json_null());
    json_object_set_new(out, "commit", commit_json(night));
    json_object_set_new(out, "left", left_json(night));
    json_object_set_new(out, "notes", notes);
    return out;
}

static gint by_time(gconstpointer a, gconstpointer b) {
    const fmt_night *const *x = a, *const *y = b;
    return ((*x)->time_ms > (*y)->time_ms) - ((*x)->time_ms < (*y)->time_ms);
}

static bool fail(GError **error, const char *path, const char *what) {
    g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", path, what);
    return false;
}

/* What bytes that are no UTF-8 may be, and what to do. */
static const char *encoding_hint(const char *bytes) {
    return g_str_has_prefix(bytes, "\x1f\x8b") ? "is packed by gzip: unpack it first"
           : g_str_has_prefix(bytes, "\xff\xfe") || g_str_has_prefix(bytes, "\xfe\xff")
               ? "is UTF-16 text, as PowerShell writes it: save it as UTF-8"
               : "is not UTF-8 text";
}

/* The text of the file with a 0 at its end; owned. */
static char *text_of(const char *path, gsize *size, GError **error) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    *size = file ? g_mapped_file_get_length(file) : 0;
    if (!file || *size == 0 || *size > CI_IMPORT_BYTES_MAX) {
        fail(error, path,
             !file       ? "cannot be read"
             : *size > 0 ? "is larger than 256 MiB"
                         : "is empty");
        return NULL;
    }
    char *text = g_strndup(g_mapped_file_get_contents(file), *size);
    if (!g_utf8_validate(text, (gssize)*size, NULL)) {
        g_clear_pointer(&text, g_free);
        fail(error, path, encoding_hint(g_mapped_file_get_contents(file)));
    }
    return text;
}

json_t *ci_import(const char *path, GError **error) {
    gsize size;
    g_autoptr(GError) wrong = NULL;
    g_autofree char *text = text_of(path, &size, error);
    if (!text)
        return NULL;
    g_autoptr(GPtrArray) nights = fmt_read(NULL, path, path, text, size, false, &wrong);
    if (!nights) {
        g_set_error_literal(error, CI_ERROR, CI_ERROR_INPUT, wrong->message);
        return NULL;
    }
    json_t *list = json_array();
    g_ptr_array_sort(nights, by_time); /* stable: those without a time stay as they stand */
    for (guint i = 0; i < nights->len; i++)
        json_array_append_new(list, night_json(nights->pdata[i]));
    return list;
}
