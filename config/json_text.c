#include "config/json_text.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS 15
#define LEAST_FIXED 1e-5   /* below, with an exponent */
#define LEAST_GENERAL 1e-4 /* below, %g writes a power */
#define WIDE_DECIMALS 21
#define WIDE_BITS 120
#define SEVENTEEN_LEAST UINT64_C(10000000000000000)
#define MOST_FIXED 1e15

/* "e+20" and "e-05" are "e20" and "e-5"; a whole number gets its ".0". */
static void general_add(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    (void)g_ascii_formatd(text, sizeof text, "%.15g", value);
    if (g_ascii_strtod(text, NULL) != value)
        (void)g_ascii_formatd(text, sizeof text, "%.17g", value);
    char *power = strchr(text, 'e');
    g_string_append_len(to, text, power ? power - text : -1);
    if (!power) {
        if (!strchr(text, '.'))
            g_string_append(to, ".0");
        return;
    }
    g_string_append_c(to, 'e');
    if (power[1] == '-')
        g_string_append_c(to, '-');
    power += 2;
    while (*power == '0' && power[1] != '\0')
        power++;
    g_string_append(to, power);
}

/* whole / 10^decimals, without the zeros at its end. */
static void fixed_add(GString *to, uint64_t whole, unsigned decimals) {
    char digits[32];
    while (decimals > 1 && whole % 10 == 0) {
        whole /= 10;
        decimals--;
    }
    int at = (int)sizeof digits;
    for (unsigned d = 0; whole > 0 || d <= decimals; d++) {
        if (d == decimals)
            digits[--at] = '.';
        digits[--at] = (char)('0' + whole % 10);
        whole /= 10;
    }
    g_string_append_len(to, digits + at, (gssize)sizeof digits - at);
}

__extension__ typedef unsigned __int128 wide;

/* size * 10^decimals, exactly rounded (half to even, as printf does); false: it has not 17 digits.
 * A double below 2^50 is 53 bits over a power of two; times 10^21 that is 123 bits. */
static bool seventeen(double size, unsigned decimals, uint64_t *whole) {
    int exponent;
    wide scaled = (wide)ldexp(frexp(size, &exponent), DBL_MANT_DIG);
    const int down = DBL_MANT_DIG - exponent;
    if (decimals > WIDE_DECIMALS || down < 1 || down >= WIDE_BITS)
        return false;
    for (unsigned i = 0; i < decimals; i++)
        scaled *= 10;
    const wide half = (wide)1 << (down - 1), rest = scaled & (2 * half - 1);
    scaled >>= down;
    scaled += rest > half || (rest == half && (scaled & 1));
    *whole = (uint64_t)scaled;
    return scaled >= SEVENTEEN_LEAST && scaled < 10 * (wide)SEVENTEEN_LEAST;
}

/*
 * A double times a power of ten, rounded to at most 15 digits, is the decimal that it was read
 * from, if there was one so short: its error is below 0.22 of the last digit. The quotient of two
 * whole numbers that doubles hold exactly (10^22 is the last such power) is the double nearest to
 * the decimal: equal, when that decimal reads back the same.
 */
void cfg_json_real_add(GString *to, double value) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const double size = fabs(value);
    if (value == 0) {
        g_string_append(to, signbit(value) ? "-0.0" : "0.0");
        return;
    }
    if (size < LEAST_FIXED || size >= MOST_FIXED) {
        general_add(to, value);
        return;
    }
    unsigned decimals = DIGITS;
    for (unsigned before = 0; decimals > 1 && size >= tens[before]; before++)
        decimals--;
    for (unsigned zeros = 1; size * tens[zeros] < 1; zeros++)
        decimals++;
    const double nearest = rint(size * tens[decimals]);
    uint64_t whole = (uint64_t)nearest;
    if (nearest / tens[decimals] != size) { /* none so short reads back */
        decimals += 2;
        if (size < LEAST_GENERAL || !seventeen(size, decimals, &whole)) {
            general_add(to, value);
            return;
        }
    }
    if (value < 0)
        g_string_append_c(to, '-');
    fixed_add(to, whole, decimals);
}

static void string_add(GString *to, const char *text, size_t size) {
    static const char named[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
    g_string_append_c(to, '"');
    size_t from = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        g_string_append_len(to, text + from, (gssize)(i - from));
        from = i + 1;
        const char *name = c ? strchr(named, c) : NULL;
        if (name)
            g_string_append_printf(to, "\\%c", names[name - named]);
        else
            g_string_append_printf(to, "\\u%04X", c);
    }
    g_string_append_len(to, text + from, (gssize)(size - from));
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
