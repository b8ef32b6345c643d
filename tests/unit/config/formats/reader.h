#pragma once
/* One reader of a tool's files (config/formats/), asked for the nights of a text. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/formats/formats.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static inline const fmt_format *format_of(const char *name) {
    static const char *const words[] = {CFG_READ_FORMATS(CFG_WORD)};
    for (size_t i = 0; i + 1 < G_N_ELEMENTS(words); i++)
        if (g_str_equal(fmt_of(i)->name, name))
            return fmt_of(i);
    fail_msg("there is no format %s", name);
    return NULL;
}

/* The nights of a text, in which single quotes stand for double ones; NULL: refused, with error. */
static inline GPtrArray *nights_of(const char *name, const char *text, GError **error) {
    const fmt_format *format = format_of(name);
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    fmt_input in = {.text = quoted, .size = strlen(quoted)};
    const char *at = quoted + strspn(quoted, " \n");
    json_t *root = *at == '{' || *at == '[' || *at == 'w'
                       ? fmt_json_read(quoted, in.size, name, &in.several, NULL)
                       : NULL;
    in.root = root;
    g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
    bool good = format->is(&in) && format->read(&in, nights, error);
    for (guint i = 0; good && i < nights->len; i++)
        good = fmt_night_end(nights->pdata[i], error);
    json_decref(root);
    return good ? g_steal_pointer(&nights) : NULL;
}

/* The only night that is read from it; to fmt_night_free. */
static inline fmt_night *night_of(const char *name, const char *text) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) nights = nights_of(name, text, &error);
    if (!nights)
        fail_msg("%s", error ? error->message : "another tool's");
    assert_int_equal(nights->len, 1);
    return g_ptr_array_steal_index(nights, 0);
}

/* Another tool's: it is not read. */
static inline void expect_refused(const char *name, const char *text) {
    g_autoptr(GPtrArray) nights = nights_of(name, text, NULL);
    if (nights)
        fail_msg("read: %s", text);
}

static inline void expect_wrong(const char *name, const char *text, const char *words) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) nights = nights_of(name, text, &error);
    assert_null(nights);
    if (!error || !strstr(error->message, words))
        fail_msg("\"%s\" does not say \"%s\"", error ? error->message : "", words);
}

static inline const fmt_value *value_at(const fmt_night *night, guint i) {
    assert_true(i < night->values->len);
    return night->values->pdata[i];
}

static inline void expect_values(const fmt_night *night, guint count, guint left) {
    assert_int_equal(night->values->len, count);
    assert_int_equal(night->left->len, left);
}

static inline void expect_left(const fmt_night *night, guint i, const char *name, const char *why) {
    assert_true(i < night->left->len);
    const fmt_left *left = night->left->pdata[i];
    assert_string_equal(left->name, name);
    if (!strstr(left->why, why))
        fail_msg("\"%s\" does not say \"%s\"", left->why, why);
}

/* The last thing that is said of how the file was read. */
static inline void expect_note(const fmt_night *night, const char *text) {
    assert_true(night->notes->len > 0);
    assert_string_equal(night->notes->pdata[night->notes->len - 1], text);
}

/* What the file says of where it ran. */
static inline void expect_machine(const fmt_night *night, const char *wanted) {
    g_autofree char *quoted = g_strdelimit(g_strdup(wanted), "'", '"');
    json_t *json = json_loads(quoted, 0, NULL);
    assert_true(json && json_equal(night->machine, json));
    json_decref(json);
}

static inline bool is_near(double got, double wanted) {
    return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-9 * fabs(wanted);
}

/* A value's mean and 95 % interval, NaN: none. */
static inline void expect_mean(const fmt_value *value, const char *name, double mean, double low,
                               double high) {
    assert_string_equal(value->name, name);
    if (!is_near(value->mean_ns, mean) || !is_near(value->low_ns, low) ||
        !is_near(value->high_ns, high))
        fail_msg("%s is %.17g (%.17g to %.17g)", name, value->mean_ns, value->low_ns,
                 value->high_ns);
}

/* How many loops and numbers it has. */
static inline void expect_loops(const fmt_value *value, guint loops, guint numbers) {
    assert_int_equal(value->loops->len, loops);
    assert_int_equal(value->values_ns->len, numbers);
}

/* A tool is told by an object of this name beside a list of that one: all else is another's. */
static inline void expect_needs(const char *name, const char *key, const char *list) {
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{'LIST': []}",
                                        "{'KEY': {}}",
                                        "{'KEY': [], 'LIST': []}",
                                        "{'KEY': 'x', 'LIST': []}",
                                        "{'KEY': {}, 'LIST': {}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GString) text = g_string_new(texts[i]);
        g_string_replace(text, "KEY", key, 0);
        g_string_replace(text, "LIST", list, 0);
        expect_refused(name, text->str);
    }
}
