/* pytest-benchmark: seconds; its rounds share a process, so they are not loops of ours. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"

#include <math.h>

static gint64 date_ms(const json_t *root) {
    const char *text = ci_json_text(root, "datetime", NULL);
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) moment = text ? g_date_time_new_from_iso8601(text, utc) : NULL;
    return moment ? g_date_time_to_unix(moment) * 1000 : -1;
}

bool ci__import_pytest(json_t *root, json_t *nights) {
    const json_t *list = json_object_get(root, "benchmarks");
    const json_t *commit = json_object_get(root, "commit_info");
    if (!json_is_object(json_object_get(root, "machine_info")) || !json_is_array(list))
        return false;
    json_t *night = ci_night_new("pytest", NULL, date_ms(root));
    if (json_string_value(json_object_get(commit, "id")))
        json_object_set_new(night, "commit",
                            json_pack("{s:s,s:s,s:s}", "sha", ci_json_text(commit, "id", ""),
                                      "subject", "", "author", ""));
    size_t i;
    json_t *bench;
    json_array_foreach (list, i, bench) {
        const json_t *stats = json_object_get(bench, "stats");
        ci_night_value(night, ci_json_text(bench, "fullname", ci_json_text(bench, "name", NULL)),
                       ci_json_real(stats, "mean") * 1e9, (double)NAN, (double)NAN, NULL, 0);
    }
    json_array_append_new(nights, night);
    return true;
}
