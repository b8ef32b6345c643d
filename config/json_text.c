#include "config/json_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LEAST_FIXED 1e-5 /* below, with an exponent; printf's general form begins one earlier */
#define WHOLE_MAX 9007199254740992.0 /* above, a real is not each whole number */
#define FIXED_DECIMALS "%.19f"       /* 15 digits of LEAST_FIXED */

/* A number of 15 digits that begins behind four zeros, without an exponent. */
static void small_add(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    (void)g_ascii_formatd(text, sizeof text, FIXED_DECIMALS, value);
    g_string_append(to, text);
    while (to->str[to->len - 1] == '0')
        g_string_truncate(to, to->len - 1);
}

/* "e+20" and "e-05" are "e20" and "e-5". */
static void power_add(GString *to, const char *power) {
    g_string_append(to, *power++ == '-' ? "e-" : "e");
    g_string_append(to, power + strspn(power, "0"));
}

void cfg_json_real_add(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    (void)g_ascii_formatd(text, sizeof text, "%.15g", value);
    const bool is_short = g_ascii_strtod(text, NULL) == value;
    if (!is_short)
        (void)g_ascii_formatd(text, sizeof text, "%.17g", value);
    char *power = strchr(text, 'e');
    if (power && is_short && fabs(value) >= LEAST_FIXED && fabs(value) < 1) {
        small_add(to, value);
        return;
    }
    if (power)
        *power++ = '\0';
    g_string_append(to, text);
    if (power)
        power_add(to, power);
    else if (!strchr(text, '.'))
        g_string_append(to, ".0");
}

/* UTF-8 as it is. */
static void string_add(GString *to, const char *text, size_t size) {
    static const char named[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
    g_string_append_c(to, '"');
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        const char *name = c ? strchr(named, c) : NULL;
        if (name)
            g_string_append_printf(to, "\\%c", names[name - named]);
        else if (c < ' ')
            g_string_append_printf(to, "\\u%04X", c);
        else
            g_string_append_c(to, text[i]);
    }
    g_string_append_c(to, '"');
}

/* A new line of so many levels, or nothing. */
static void line_add(GString *to, unsigned indent, unsigned level) {
    if (indent == 0)
        return;
    g_string_append_c(to, '\n');
    for (unsigned i = 0; i < indent * level; i++)
        g_string_append_c(to, ' ');
}

static void value_add(GString *to, const json_t *json, unsigned indent, unsigned level);

static void array_add(GString *to, const json_t *array, unsigned indent, unsigned level) {
    size_t i;
    const json_t *item;
    g_string_append_c(to, '[');
    json_array_foreach (array, i, item) {
        if (i > 0)
            g_string_append_c(to, ',');
        line_add(to, indent, level + 1);
        value_add(to, item, indent, level + 1);
    }
    if (json_array_size(array) > 0)
        line_add(to, indent, level);
    g_string_append_c(to, ']');
}

static void object_add(GString *to, const json_t *object, unsigned indent, unsigned level) {
    bool first = true;
    g_string_append_c(to, '{');
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): jansson reads it only */
    json_t *read = (json_t *)(uintptr_t)object;
    for (void *at = json_object_iter(read); at; at = json_object_iter_next(read, at)) {
        const char *key = json_object_iter_key(at);
        if (!first)
            g_string_append_c(to, ',');
        first = false;
        line_add(to, indent, level + 1);
        string_add(to, key, strlen(key));
        g_string_append(to, indent > 0 ? ": " : ":");
        value_add(to, json_object_iter_value(at), indent, level + 1);
    }
    if (!first)
        line_add(to, indent, level);
    g_string_append_c(to, '}');
}

static void value_add(GString *to, const json_t *json, unsigned indent, unsigned level) {
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        object_add(to, json, indent, level);
        break;
    case JSON_ARRAY:
        array_add(to, json, indent, level);
        break;
    case JSON_STRING:
        string_add(to, json_string_value(json), json_string_length(json));
        break;
    case JSON_INTEGER:
        g_string_append_printf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        break;
    case JSON_REAL:
        cfg_json_real_add(to, json_real_value(json));
        break;
    case JSON_TRUE:
        g_string_append(to, "true");
        break;
    case JSON_FALSE:
        g_string_append(to, "false");
        break;
    case JSON_NULL:
        g_string_append(to, "null");
        break;
    }
}

char *cfg_json_text(const json_t *json, unsigned indent) {
    if (!json)
        return NULL;
    GString *to = g_string_new(NULL);
    value_add(to, json, indent, 0);
    return g_string_free(to, FALSE);
}

const char *cfg_json_word(const json_t *object, const char *key, const char *otherwise) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : otherwise;
}

bool cfg_json_has_word(const json_t *array, const char *text) {
    size_t i;
    json_t *item;
    json_array_foreach (array, i, item)
        if (text && g_strcmp0(json_string_value(item), text) == 0)
            return true;
    return false;
}

json_int_t cfg_json_integer(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

json_t *cfg_json_at(const json_t *object, const char *path) {
    g_auto(GStrv) keys = g_strsplit(path, ".", -1);
    json_t *at = NULL;
    for (size_t i = 0; keys[i]; i++)
        at = json_object_get(i == 0 ? object : at, keys[i]);
    return at;
}

json_t *cfg_json_member(json_t *object, const char *key, json_t *otherwise) {
    json_object_update_missing_new(object, json_pack("{s:o}", key, otherwise));
    return json_object_get(object, key);
}

double cfg_json_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool cfg_json_whole(const json_t *value, json_int_t *out) {
    const double real = json_real_value(value);
    const bool whole = json_is_real(value) && real == floor(real) && fabs(real) <= WHOLE_MAX;
    *out = whole ? (json_int_t)real : json_integer_value(value);
    return whole || json_is_integer(value);
}

const char *cfg_after_mark(const char *text) {
    static const char mark[] = "\xef\xbb\xbf";
    return g_str_has_prefix(text, mark) ? text + strlen(mark) : text;
}

bool cfg_json_true(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key));
}

size_t cfg_json_count(const json_t *object, const char *key) {
    return json_array_size(json_object_get(object, key));
}

json_t *cfg_json_real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cfg_json_texts(char *const *texts, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; texts && i < count && texts[i]; i++)
        json_array_append_new(list, json_string(texts[i]));
    return list;
}

static gint by_bytes(gconstpointer a, gconstpointer b) {
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

void cfg_texts_sort(GPtrArray *texts) {
    g_ptr_array_sort(texts, by_bytes);
}
