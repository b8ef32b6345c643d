#pragma once
/* Nights as the API sends them, for the tests of charts. */
#include "tests/unit/test.h"

#include <jansson.h>
#include <stdio.h>

/* A portion with a 5 % interval. */
static inline json_t *portion(const char *name, const char *configuration, const char *parent,
                              double mean, const char *verdict, const char *direction) {
    return json_pack("{s:s, s:s, s:s?, s:f, s:f, s:f, s:s, s:s?}", "portion", name, "configuration",
                     configuration, "parent", parent, "mean_ns", mean, "low_ns",
                     mean - (mean < 0 ? -mean : mean) * 0.05, "high_ns",
                     mean + (mean < 0 ? -mean : mean) * 0.05, "verdict", verdict, "direction",
                     direction);
}

/* A night without portions on the day-th day after 2013-01-01. */
static inline json_t *bare_night(int day, const char *state) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 2013, month = 0, rest = day;
    while (rest >= lengths[month]) {
        rest -= lengths[month];
        month = (month + 1) % 12;
        year += month == 0;
    }
    char date[32], commit[16];
    snprintf(date, sizeof date, "%04d-%02d-%02d", year, month + 1, rest + 1);
    snprintf(commit, sizeof commit, "c%08x", (unsigned)day);
    return json_pack("{s:s, s:s, s:{s:s, s:s}, s:b, s:[], s:[]}", "night", date, "state", state,
                     "commit", "short", commit, "subject", "a change", "environment_changed", 0,
                     "portions", "configurations");
}

/* A measured night with the chain T, I, C, W. */
static inline json_t *night(int day, double t, double i, double c, double w) {
    json_t *json = bare_night(day, "measured");
    json_t *portions = json_object_get(json, "portions");
    json_array_append_new(portions, portion("T", "none", NULL, t, "ok", NULL));
    json_array_append_new(portions, portion("I", "deactivated", "none", i, "ok", NULL));
    json_array_append_new(portions, portion("C", "collecting", "deactivated", c, "ok", NULL));
    json_array_append_new(portions, portion("W", "writing", "collecting", w, "ok", NULL));
    double total = t + i + c + w;
    json_object_set_new(json, "total",
                        json_pack("{s:f, s:f, s:f}", "mean_ns", total, "low_ns", total * 0.98,
                                  "high_ns", total * 1.02));
    return json;
}

/* Marks the index-th portion as an anomaly. */
static inline void mark(json_t *json, size_t index, const char *direction) {
    json_t *p = json_array_get(json_object_get(json, "portions"), index);
    json_object_set_new(p, "verdict", json_string("anomaly"));
    json_object_set_new(p, "direction", json_string(direction));
}

/* n measured nights, newest first as the API sends them. */
static inline json_t *nights(int n) {
    json_t *array = json_array();
    for (int day = n - 1; day >= 0; day--)
        json_array_append_new(array, night(day, 70, 200, 830, 2650));
    return array;
}

/* The same values as medians, a tenth lower. */
static inline void add_medians(json_t *json) {
    static const char *const keys[][2] = {
        {"mean_ns", "median_ns"}, {"low_ns", "median_low_ns"}, {"high_ns", "median_high_ns"}};
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(json, "portions"), i, p) {
        for (size_t k = 0; k < 3; k++)
            json_object_set_new(p, keys[k][1],
                                json_real(0.9 * json_number_value(json_object_get(p, keys[k][0]))));
    }
}

static inline void set_verdict(json_t *json, size_t index, const char *verdict) {
    json_t *p = json_array_get(json_object_get(json, "portions"), index);
    json_object_set_new(p, "verdict", json_string(verdict));
}
