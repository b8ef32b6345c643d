/* Google Benchmark: repetitions of one name are its values; its own aggregates are passed over. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"
#include "config/units.h"
#include "detector/detector.h"

#include <math.h>

#define REPETITIONS_MAX 10000u

static gint64 date_ms(const json_t *context) {
    const char *text = ci_json_text(context, "date", NULL);
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) moment = text ? g_date_time_new_from_iso8601(text, utc) : NULL;
    return moment ? g_date_time_to_unix(moment) * 1000 : -1;
}

static void name_add(json_t *night, const char *name, const GArray *values) {
    det_interval interval = {.mean = NAN, .low = NAN, .high = NAN};
    double sum = 0;
    for (guint i = 0; i < values->len; i++)
        sum += g_array_index(values, double, i);
    if (det_interval_mean(&interval, (const double *)(const void *)values->data, values->len,
                          0.95) != DET_OK)
        interval.mean = sum / values->len;
    ci_night_value(night, name, interval.mean, interval.low, interval.high,
                   (const double *)(const void *)values->data, values->len);
}

bool ci__import_google(json_t *root, json_t *nights) {
    const json_t *list = json_object_get(root, "benchmarks");
    if (!json_is_object(json_object_get(root, "context")) || !json_is_array(list))
        return false;
    json_t *night = ci_night_new("google", NULL, date_ms(json_object_get(root, "context")));
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) values =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
    size_t i;
    json_t *run;
    json_array_foreach (list, i, run) {
        const char *name = ci_json_text(run, "run_name", ci_json_text(run, "name", NULL));
        const double factor = cfg_unit_ns(ci_json_text(run, "time_unit", "ns"));
        const double time = ci_json_real(run, "real_time");
        if (g_str_equal(ci_json_text(run, "run_type", "iteration"), "aggregate"))
            continue;
        if (!name || !(factor > 0) || !isfinite(time)) {
            ci_night_left_out(night);
            continue;
        }
        GArray *known = g_hash_table_lookup(values, name);
        if (!known) {
            known = g_array_new(FALSE, FALSE, sizeof(double));
            g_ptr_array_add(names, g_strdup(name));
            g_hash_table_insert(values, names->pdata[names->len - 1], known);
        }
        const double ns = time * factor;
        if (known->len < REPETITIONS_MAX)
            g_array_append_val(known, ns);
    }
    for (guint n = 0; n < names->len; n++)
        name_add(night, names->pdata[n], g_hash_table_lookup(values, names->pdata[n]));
    json_array_append_new(nights, night);
    return true;
}
