#pragma once
/*
 * A real history as the API would send it: 576 nights of Kieker for Java
 * (tests/bench/detector/data, where its source stands). Of the nights published, one was said to be
 * in microseconds while its values are nanoseconds, and three were 270 times as slow.
 */
#include <math.h>
#include <string.h>

#include "nights.h"

#include <glib.h>

#define REAL_NIGHTS 576

/* mean and half width of the interval of a configuration's night. */
typedef struct {
    double mean_ns, half_ns;
} real_value;

typedef real_value real_column[REAL_NIGHTS];

static inline void read_column(const char *name, real_column out) {
    g_autofree char *path =
        g_strconcat(TEST_SOURCE_DIR "/tests/bench/detector/data/Kieker-java__", name, ".csv", NULL);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; i < REAL_NIGHTS; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i + 1], ",", 4);
        out[i].mean_ns = g_ascii_strtod(fields[1], NULL);
        out[i].half_ns = *fields[3] ? g_ascii_strtod(fields[3], NULL) - out[i].mean_ns : 0;
    }
}

static inline json_t *range_json(double mean, double half) {
    return json_pack("{s:f, s:f, s:f}", "mean_ns", mean, "low_ns", mean - half, "high_ns",
                     mean + half);
}

static inline json_t *real_night(guint index, real_column *columns, double factor) {
    static const char *const portions[] = {"T", "I", "C", "W"}, *const configurations[] = {
                                                                    "none", "deactivated",
                                                                    "collecting", "writing"};
    json_t *json = bare_night((int)index, "measured");
    real_value below = {0};
    for (size_t k = 0; k < G_N_ELEMENTS(portions); k++) {
        const real_value *at = &columns[k][index];
        double half = hypot(at->half_ns, below.half_ns);
        json_t *p = range_json(factor * (at->mean_ns - below.mean_ns), factor * half);
        json_object_set_new(p, "portion", json_string(portions[k]));
        json_object_set_new(p, "configuration", json_string(configurations[k]));
        json_object_set_new(p, "parent", k ? json_string(configurations[k - 1]) : json_null());
        json_object_set_new(p, "verdict", json_string("ok"));
        json_array_append_new(json_object_get(json, "portions"), p);
        below = *at;
    }
    json_object_set_new(json, "total", range_json(factor * below.mean_ns, factor * below.half_ns));
    return json;
}

/*
 * Nights [first, first + count), newest first. The history's first `absurd` ones are a thousand
 * times as slow, as when somebody wrote the wrong unit.
 */
static inline json_t *real_history(guint first, guint count, guint absurd) {
    static const char *const names[] = {"No_instrumentation", "Deactivated_probe", "No_logging",
                                        "Binary_file"};
    g_autofree real_column *columns = g_new(real_column, G_N_ELEMENTS(names));
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
        read_column(names[k], columns[k]);
    json_t *json = json_array();
    for (guint i = first + count; i-- > first;)
        json_array_append_new(json, real_night(i, columns, i < absurd ? 1000 : 1));
    return json;
}
