#include "ci/formats/values.h"

#include "web/layout/text.h"

#include <math.h>

#define NAME_MAX_CHARS 200

json_t *ci_night_new(const char *format, const char *suite, gint64 time_ms) {
    json_t *night = json_pack("{s:s,s:[],s:i}", "format", format, "values", "left_out", 0);
    g_autofree char *clean = suite ? web_text_clean(suite, NAME_MAX_CHARS) : NULL;
    g_autoptr(GDateTime) moment =
        time_ms < 0 ? NULL : g_date_time_new_from_unix_utc(time_ms / 1000);
    g_autofree char *day = moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
    json_object_set_new(night, "suite", clean ? json_string(clean) : json_null());
    json_object_set_new(night, "night", day ? json_string(day) : json_null());
    json_object_set_new(night, "time_ms", day ? json_integer(time_ms) : json_null());
    json_object_set_new(night, "commit", json_null());
    return night;
}

void ci_night_left_out(json_t *night) {
    const json_int_t count = json_integer_value(json_object_get(night, "left_out"));
    json_object_set_new(night, "left_out", json_integer(count + 1));
}

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

void ci_night_value(json_t *night, const char *name, double mean_ns, double low_ns, double high_ns,
                    const double *loops_ns, gsize n) {
    if (!name || !isfinite(mean_ns)) {
        ci_night_left_out(night);
        return;
    }
    g_autofree char *clean = web_text_clean(name, NAME_MAX_CHARS);
    json_t *value =
        json_pack("{s:s,s:o,s:o,s:o,s:I}", "name", clean, "mean_ns", number(mean_ns), "low_ns",
                  number(low_ns), "high_ns", number(high_ns), "n", (json_int_t)n);
    if (loops_ns) {
        json_t *loops = json_array();
        for (gsize i = 0; i < n; i++)
            json_array_append_new(loops, number(loops_ns[i]));
        json_object_set_new(value, "loops_ns", loops);
    }
    json_array_append_new(json_object_get(night, "values"), value);
}
