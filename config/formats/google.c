/* Google Benchmark, --benchmark_out_format=json: repetitions of one name are its loops. */
#include "config/formats/formats.h"
#include "config/json_text.h"
#include "config/units.h"
#include "detector/detector.h"

#include <math.h>

#define ALLOCATED "allocated_bytes_per_call" /* a counter of the benchmark's own */

static bool is(const fmt_input *in) {
    const json_t *runs = json_object_get(in->root, "benchmarks"), *first = json_array_get(runs, 0);
    return json_is_object(json_object_get(in->root, "context")) && json_is_array(runs) &&
           (!first || json_object_get(first, "name") || json_object_get(first, "real_time"));
}

static const char *name_of(const fmt_at *run) {
    const char *name = fmt_text_of(run, "run_name");
    return name ? name : fmt_text_of(run, "name");
}

/* Two benchmarks may be registered under one name; their places tell. Owned; NULL: it has none. */
static char *apart_of(const fmt_at *run) {
    const double family = fmt_real_of(run, "family_index");
    const double instance = fmt_real_of(run, "per_family_instance_index");
    return isfinite(family) && isfinite(instance)
               ? g_strdup_printf("family %.0f, instance %.0f", family, instance)
               : NULL;
}

/* Versions before 1.9.0 divide real time by the threads; those before 1.8.4 do not name themselves,
 * nor do those built without git. The number is the file's; a reader of both has to know. */
static void threads_say(const fmt_at *run, fmt_night *night) {
    const char *version = cfg_json_word(night->machine, "library_version", "1.8.3");
    version += *version == 'v';
    const bool known = *version >= '1' && *version <= '9';
    if (fmt_real_of(run, "threads") > 1 && (!known || g_str_has_prefix(version, "1.8.")))
        fmt_night_note(night, "real time of several threads is taken as it is: versions before "
                              "1.9.0 divide it by them");
}

static double time_of(const fmt_at *run, bool cpu_time, fmt_night *night) {
    const char *unit = fmt_text_of(run, "time_unit");
    if (!cpu_time)
        threads_say(run, night);
    return fmt_real_of(run, cpu_time ? "cpu_time" : "real_time") * cfg_unit_ns(unit ? unit : "ns");
}

/* What the benchmark itself said of why it did not run; NULL: it ran. */
static const char *failure_of(const fmt_at *run) {
    static const char *const marks[][3] = {
        {"error_occurred", "error_message", "skipped with an error"},
        {"skipped", "skip_message", "skipped"}};
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        const fmt_at mark = fmt_get(run, marks[i][0]);
        const char *message = fmt_text_of(run, marks[i][1]);
        if (json_is_true(mark.json) || (fmt_text(&mark) && *fmt_text(&mark) != '\0'))
            return message && *message != '\0' ? message : marks[i][2];
    }
    return NULL;
}

static bool is_aggregate(const fmt_at *run) {
    return g_strcmp0(fmt_text_of(run, "run_type"), "aggregate") == 0;
}

/* All that the tool itself writes; what else a run has are counters. */
static const char *const members[] = {"family_index", "per_family_instance_index",
                                      "repetitions",  "repetition_index",
                                      "threads",      "iterations",
                                      "real_time",    "cpu_time",
                                      ALLOCATED,      NULL};

static void run_read(const fmt_at *run, bool cpu_time, fmt_night *night) {
    const char *name = name_of(run), *unit = fmt_text_of(run, "time_unit");
    const char *failure = failure_of(run);
    g_autofree char *apart = apart_of(run);
    if (!name) {
        fmt_night_leave(night, NULL, NULL, "a run without name");
        return;
    }
    if (failure) {
        fmt_night_leave(night, name, NULL, "%s", failure);
        fmt_value_failed(fmt_night_value(night, name, apart), g_strdup(failure));
        return;
    }
    if (unit && !(cfg_unit_ns(unit) > 0)) {
        fmt_night_leave(night, name, NULL, "its unit \"%s\" is not a unit of time", unit);
        return;
    }
    const double ns = time_of(run, cpu_time, night);
    if (!isfinite(ns))
        fmt_night_leave(night, name, NULL, "is not a number");
    else {
        fmt_value *value = fmt_night_value(night, name, apart);
        const double bytes = fmt_real_of(run, ALLOCATED);
        fmt_night_unread_members(night, run, members);
        value->allocated_bytes = isfinite(bytes) ? bytes : value->allocated_bytes;
        fmt_value_loop(value);
        fmt_value_add(value, ns);
    }
}

/* Of --benchmark_report_aggregates_only: the mean, and by the deviation of as many repetitions as
 * have values its interval: `iterations`, since rows have an `aggregate_name` (1.5.0). */
static void aggregate_read(const fmt_at *run, bool cpu_time, fmt_night *night) {
    const char *name = name_of(run), *kind = fmt_text_of(run, "aggregate_name");
    if (!name || !kind || failure_of(run))
        return;
    const double ns = time_of(run, cpu_time, night), repetitions = fmt_real_of(run, "repetitions");
    const double n = fmin(fmt_real_of(run, "iterations"), repetitions);
    g_autofree char *apart = apart_of(run);
    fmt_value *value = NULL;
    if (g_str_equal(kind, "BigO") || g_str_equal(kind, "RMS"))
        fmt_night_leave(night, fmt_text_of(run, "name"), NULL,
                        "is computed from the other rows, not measured");
    if (g_str_equal(kind, "mean") || g_str_equal(kind, "stddev"))
        value = fmt_night_value(night, name, apart);
    if (!value || value->values_ns->len > 0)
        return;
    value->no_values = "aggregates only; run it without --benchmark_report_aggregates_only";
    if (g_str_equal(kind, "mean")) {
        g_autofree char *told =
            g_strdup_printf("%s: %.0f of %.0f repetitions have values", name, n, repetitions);
        if (n < repetitions)
            fmt_night_note(night, told);
        fmt_night_unread_members(night, run, members);
        value->mean_ns = ns;
    } else if (n >= 2 && isfinite(ns)) {
        const double half = det_t_quantile(0.975, n - 1) * ns / sqrt(n);
        value->low_ns = value->mean_ns - half;
        value->high_ns = value->mean_ns + half;
    }
}

/* A place is another benchmark's once one is registered before it: it tells two of a file apart,
 * and not which is which in another night. */
static void equal_names_leave(fmt_night *night) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < night->values->len; i++) {
        const fmt_value *value = night->values->pdata[i];
        if (!g_hash_table_add(seen, g_strdup(value->name)) &&
            g_hash_table_add(shared, g_strdup(value->name)))
            fmt_night_leave(night, value->name, NULL,
                            "several benchmarks have this name, and only their places in the file "
                            "differ; give each a name of its own");
    }
    for (guint i = night->values->len; i > 0; i--) {
        fmt_value *value = night->values->pdata[i - 1];
        g_clear_pointer(&value->apart, g_free);
        if (g_hash_table_contains(shared, value->name))
            g_ptr_array_remove_index(night->values, i - 1);
    }
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), runs = fmt_get(&root, "benchmarks");
    const fmt_at context = fmt_get(&root, "context");
    fmt_night *night = fmt_night_new(nights, "google");
    (void)error;
    night->time_ms = fmt_time_ms(fmt_text_of(&context, "date"));
    fmt_night_machine(night, &context, NULL);
    json_object_del(night->machine, "date");
    for (size_t i = 0; i < fmt_size(&runs); i++) {
        const fmt_at run = fmt_item(&runs, i);
        if (!is_aggregate(&run))
            run_read(&run, in->cpu_time, night);
    }
    for (size_t i = 0; i < fmt_size(&runs); i++) {
        const fmt_at run = fmt_item(&runs, i);
        if (is_aggregate(&run))
            aggregate_read(&run, in->cpu_time, night);
    }
    equal_names_leave(night);
    return true;
}

const fmt_format fmt_google = {"google", "Google Benchmark",
                               "is it written by --benchmark_out_format=json, and does "
                               "--benchmark_filter match any?",
                               is, take};
