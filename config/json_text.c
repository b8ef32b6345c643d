#include "config/json_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS 15
#define LEAST_FIXED 1e-5   /* below, with an exponent */
#define LEAST_GENERAL 1e-4 /* below, %g writes a power */
#define WIDE_DECIMALS 21   /* 5^21 is below 2^49 */
#define WIDE_BITS 120
#define FRACTION_BITS 52 /* of a double, whose value is its 53 bits over 2^(1075 - exponent) */
#define HIDDEN_BIT (UINT64_C(1) << FRACTION_BITS)
#define EXPONENT_BIAS 1075
#define SEVENTEEN_LEAST UINT64_C(10000000000000000)
#define MOST_FIXED 1e15

/* "e+20" and "e-05" are "e20" and "e-5"; a whole number gets its ".0". */
static char *general_to(char *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    (void)g_ascii_formatd(text, sizeof text, "%.15g", value);
    if (g_ascii_strtod(text, NULL) != value)
        (void)g_ascii_formatd(text, sizeof text, "%.17g", value);
    char *power = strchr(text, 'e');
    if (!power)
        return stpcpy(stpcpy(to, text), strchr(text, '.') ? "" : ".0");
    *power++ = '\0';
    const char *sign = *power++ == '-' ? "e-" : "e";
    while (*power == '0' && power[1] != '\0')
        power++;
    return stpcpy(stpcpy(stpcpy(to, text), sign), power);
}

/* Digits up to the end of a buffer; returns the first one. */
static char *digits_before(char *end, uint64_t whole) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233"
        "34353637383940414243444546474849505152535455565758596061626364656667"
        "6869707172737475767778798081828384858687888990919293949596979899";
    for (; whole >= 100; whole /= 100)
        memcpy(end -= 2, pairs + 2 * (whole % 100), 2);
    if (whole >= 10)
        memcpy(end -= 2, pairs + 2 * whole, 2);
    else
        *--end = (char)('0' + whole);
    return end;
}

static char *bytes_to(char *to, const char *from, size_t count) {
    memcpy(to, from, count);
    return to + count;
}

/* whole / 10^decimals, without the zeros at its end. */
static char *fixed_to(char *to, uint64_t whole, unsigned decimals) {
    char digits[32];
    char *const end = digits + sizeof digits;
    while (decimals > 1 && whole % 10 == 0) {
        whole /= 10;
        decimals--;
    }
    const char *first = digits_before(end, whole);
    const size_t count = (size_t)(end - first);
    if (count > decimals) {
        to = bytes_to(to, first, count - decimals);
        *to++ = '.';
        return bytes_to(to, end - decimals, decimals);
    }
    *to++ = '0';
    *to++ = '.';
    for (size_t zeros = count; zeros < decimals; zeros++)
        *to++ = '0';
    return bytes_to(to, first, count);
}

__extension__ typedef unsigned __int128 wide;

/* size * 10^decimals, exactly rounded (half to even, as printf does); false: it has not 17 digits.
 * A normal double is 53 bits over a power of two; times 5^21 that is 102 bits, and the powers of
 * two that are left are shifted out. */
static bool seventeen(double size, unsigned decimals, uint64_t *whole) {
    uint64_t bits, five = 1;
    if (decimals > WIDE_DECIMALS)
        return false;
    memcpy(&bits, &size, sizeof bits);
    const int down = EXPONENT_BIAS - (int)(bits >> FRACTION_BITS) - (int)decimals;
    if (down < 1 || down >= WIDE_BITS)
        return false;
    for (unsigned i = 0; i < decimals; i++)
        five *= 5;
    wide scaled = (wide)((bits & (HIDDEN_BIT - 1)) | HIDDEN_BIT) * five;
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
char *cfg_json_real_to(char *to, double value) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const double size = fabs(value);
    if (value == 0)
        return stpcpy(to, signbit(value) ? "-0.0" : "0.0");
    if (size < LEAST_FIXED || size >= MOST_FIXED)
        return general_to(to, value);
    unsigned decimals = DIGITS;
    for (unsigned before = 0; decimals > 1 && size >= tens[before]; before++)
        decimals--;
    for (unsigned zeros = 1; size * tens[zeros] < 1; zeros++)
        decimals++;
    const double nearest = rint(size * tens[decimals]);
    uint64_t whole = (uint64_t)nearest;
    if (nearest / tens[decimals] != size) { /* none so short reads back */
        decimals += 2;
        if (size < LEAST_GENERAL || !seventeen(size, decimals, &whole))
            return general_to(to, value);
    }
    if (value < 0)
        *to++ = '-';
    return fixed_to(to, whole, decimals);
}

void cfg_json_real_add(GString *to, double value) {
    char text[CFG_JSON_REAL_MAX];
    g_string_append_len(to, text, cfg_json_real_to(text, value) - text);
}

static bool is_plain(unsigned char c) {
    return c >= 0x20 && c != '"' && c != '\\';
}

/* A character that a text cannot have as it is: two bytes, or six. */
static char *escaped_to(char *to, unsigned char c) {
    static const char named[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\", hex[] = "0123456789ABCDEF";
    const char *name = c ? strchr(named, c) : NULL;
    *to++ = '\\';
    if (name) {
        *to++ = names[name - named];
        return to;
    }
    to = stpcpy(to, "u00");
    *to++ = hex[c >> 4];
    *to++ = hex[c & 15];
    return to;
}

char *cfg_json_string_to(char *to, const char *text, size_t size) {
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (is_plain(c))
            *to++ = text[i];
        else
            to = escaped_to(to, c);
    }
    *to++ = '"';
    return to;
}

static void string_add(GString *to, const char *text, size_t size) {
    const gsize length = to->len;
    gsize room = size + 2;
    for (size_t i = 0; i < size; i++)
        room += is_plain((unsigned char)text[i]) ? 0 : CFG_JSON_ESCAPED_MAX - 1;
    g_string_set_size(to, length + room);
    const char *end = cfg_json_string_to(to->str + length, text, size);
    g_string_truncate(to, (gsize)(end - to->str));
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

json_int_t cfg_json_integer(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

double cfg_json_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}
