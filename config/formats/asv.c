/*
 * airspeed velocity, results/<machine>/<commit>-<environment>.json: one commit; a benchmark has a
 * result for each combination of its parameters. time_… are seconds; its 99 % bounds are not used.
 */
#include "config/formats/formats.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:{},s:s}", "results", "commit_hash");
}

/* Where a column stands in a result's list; SIZE_MAX: nowhere. */
static size_t column_of(const fmt_at *root, const char *name) {
    const fmt_at columns = fmt_get(root, "result_columns");
    for (size_t i = 0; i < fmt_size(&columns); i++) {
        const fmt_at one = fmt_item(&columns, i);
        if (g_strcmp0(fmt_text(&one), name) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* The unit stands in another file; what is timed is called so. */
static bool is_time(const char *name) {
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    return g_str_has_prefix(last, "time_") || g_str_has_prefix(last, "Time") ||
           g_str_has_prefix(last, "timeraw_");
}

/* "(1, 8)": the combination at that place, the last parameter changing fastest; "" without. */
static char *combination_of(const fmt_at *parameters, size_t place) {
    GString *text = g_string_new(NULL);
    for (size_t p = fmt_size(parameters); p > 0; p--) {
        const fmt_at choices = fmt_item(parameters, p - 1);
        const size_t count = MAX(fmt_size(&choices), 1);
        const fmt_at choice = fmt_item(&choices, place % count);
        place /= count;
        g_string_prepend(text, fmt_text(&choice) ? fmt_text(&choice) : "?");
        if (p > 1)
            g_string_prepend(text, ", ");
    }
    if (text->len > 0) {
        g_string_prepend_c(text, '(');
        g_string_append_c(text, ')');
    }
    return g_string_free(text, FALSE);
}

static void benchmark_read(const fmt_at *root, const fmt_at *of, fmt_night *night) {
    const size_t results = column_of(root, "result"), given = column_of(root, "params");
    const size_t sampled = column_of(root, "samples");
    const fmt_at list = fmt_item(of, results), parameters = fmt_item(of, given);
    const fmt_at samples = fmt_item(of, sampled);
    const fmt_at bounds = fmt_item(of, column_of(root, "stats_ci_99_a"));
    if (!is_time(of->key))
        fmt_night_leave(night, of->key, NULL, "is not a time");
    else if (!json_is_array(list.json))
        fmt_night_leave(night, of->key, NULL, "has failed: no result");
    for (size_t i = 0; is_time(of->key) && i < fmt_size(&list); i++) {
        const fmt_at one = fmt_item(&list, i), own = fmt_item(&samples, i);
        const fmt_at bound = fmt_item(&bounds, i);
        g_autofree char *combination = combination_of(&parameters, i);
        g_autofree char *name = g_strconcat(of->key, combination, NULL);
        if (!isfinite(fmt_real(&one))) {
            fmt_night_leave(night, name, NULL, "has failed, or was skipped");
            continue;
        }
        fmt_value *value = fmt_night_value(night, name, NULL);
        value->mean_ns = fmt_real(&one) * 1e9;
        if (isfinite(fmt_real(&bound)))
            fmt_night_note(night, "asv's own interval is not read: it is of 99 %");
        fmt_night_numbers(night, value, &own, 1e9, "");
    }
}

/* "box, virtualenv-py3.11": what its times are of, and no others may be compared with. Owned; NULL:
 * an older file says neither. */
static char *place_of(const fmt_at *root, const fmt_at *machine) {
    const char *own = fmt_text_of(machine, "machine"), *name = fmt_text_of(root, "env_name");
    return own || name ? g_strconcat(own ? own : "", own && name ? ", " : "", name, NULL) : NULL;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), results = fmt_get(&root, "results");
    const fmt_at machine = fmt_get(&root, "params");
    fmt_night *night = fmt_night_new(nights, "asv");
    const double date_ms = fmt_real_of(&root, "date");
    const char *name;
    json_t *unused, *all = results.json;
    if (column_of(&root, "result") == SIZE_MAX)
        return fmt_wrong(&root, error, "no result_columns; it is older than asv 0.5");
    fmt_night_machine(night, &machine, NULL);
    night->suite = place_of(&root, &machine);
    night->sha = g_strdup(fmt_text_of(&root, "commit_hash"));
    night->time_ms = night->commit_ms = date_ms > 0 && date_ms < 1e15 ? (gint64)date_ms : -1;
    json_object_foreach (all, name, unused) {
        const fmt_at of = fmt_get(&results, name);
        benchmark_read(&root, &of, night);
    }
    return true;
}

const fmt_format fmt_asv = {"asv", "asv", "is this a file of results/<machine>/?", is, take};
