#pragma once
/* One reader of a tool's JSON (values.h), asked for the nights of a text. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/values.h"

typedef bool (*reader)(json_t *root, json_t *nights);

/* The only night that is read from it; owned. */
static inline json_t *night_of(reader read, const char *text) {
    json_t *root = json_of(text), *nights = json_array();
    assert_true(read(root, nights));
    assert_int_equal(json_array_size(nights), 1);
    json_t *night = json_incref(json_array_get(nights, 0));
    json_decref(nights);
    json_decref(root);
    return night;
}

static inline void expect_refused(reader read, const char *text) {
    json_t *root = json_of(text), *nights = json_array();
    if (read(root, nights))
        fail_msg("read: %s", text);
    assert_int_equal(json_array_size(nights), 0);
    json_decref(nights);
    json_decref(root);
}

static inline json_t *value_at(const json_t *night, size_t i) {
    json_t *value = json_array_get(json_object_get(night, "values"), i);
    assert_non_null(value);
    return value;
}

static inline void expect_values(const json_t *night, size_t count, int left_out) {
    assert_int_equal(json_array_size(json_object_get(night, "values")), count);
    assert_int_equal(json_integer_value(json_object_get(night, "left_out")), left_out);
}

/* A value's mean and interval, NaN: null. */
static inline void expect_mean(const json_t *value, const char *name, double mean, double low,
                               double high) {
    expect_text(value, "name", name);
    expect_real(value, "mean_ns", mean);
    expect_real(value, "low_ns", low);
    expect_real(value, "high_ns", high);
}

/* A tool is told by an object of this name beside a list "benchmarks": all else is another's. */
static inline void expect_needs(reader read, const char *key) {
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{'benchmarks': []}",
                                        "{'KEY': {}}",
                                        "{'KEY': [], 'benchmarks': []}",
                                        "{'KEY': 'x', 'benchmarks': []}",
                                        "{'KEY': {}, 'benchmarks': {}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GString) text = g_string_new(texts[i]);
        g_string_replace(text, "KEY", key, 0);
        expect_refused(read, text->str);
    }
}
