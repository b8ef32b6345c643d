#include "config/formats/formats.h"

#include "config/config.h"
#include "config/json_text.h"

#include <math.h>
#include <string.h>

#define SCRIPT "window.BENCHMARK_DATA"
#define SPACE " \t\r\n"

/* Behind the opening quote at text[i]: where the string ends. */
static size_t string_end(const char *text, size_t size, size_t i) {
    for (i++; i < size && text[i] != '"'; i++)
        i += text[i] == '\\';
    return i;
}

enum { ESCAPE = 6, NONE = 0x10000 }; /* letters of an escape; no number that one has */

static unsigned escape_at(const char *text, size_t i, size_t end) {
    unsigned code = 0;
    if (i + ESCAPE > end || text[i] != '\\' || text[i + 1] != 'u')
        return NONE;
    for (size_t k = i + 2; k < i + ESCAPE; k++) {
        const int digit = g_ascii_xdigit_value(text[k]);
        if (digit < 0)
            return NONE;
        code = 16 * code + (unsigned)digit;
    }
    return code;
}

/* Half of a pair, as of a text that was cut in an emoji, and 0 are letters that no text has: they
 * become U+FFFD, which stands for such ones. */
static void letters_mend(char *text, size_t i, size_t end) {
    while (i < end) {
        const unsigned code = escape_at(text, i, end), next = escape_at(text, i + ESCAPE, end);
        const bool half = code >= 0xd800 && code < 0xe000;
        const bool whole = half && code < 0xdc00 && next >= 0xdc00 && next < 0xe000;
        if (code == 0 || (half && !whole)) {
            memset(text + i + 2, 'f', 3);
            text[i + ESCAPE - 1] = 'd';
        }
        i += whole ? 2 * ESCAPE : code != NONE ? ESCAPE : text[i] == '\\' ? 2 : 1;
    }
}

/* NaN, Infinity and what is too large for a number, outside of strings, become texts that are none;
 * all else stays in its place. */
static void numbers_blank(char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') {
            const size_t from = i + 1;
            i = string_end(text, size, i);
            letters_mend(text, from, MIN(i, size));
        } else if (text[i] == '-' || text[i] == 'I' || text[i] == 'N' || g_ascii_isdigit(text[i])) {
            char *end;
            const bool fits = isfinite(g_ascii_strtod(text + i, &end));
            const size_t length = MAX((size_t)(end - (text + i)), 1);
            if (!fits) {
                memset(text + i, ' ', length);
                text[i] = text[i + 1] = '"';
            }
            i += length - 1;
        }
    }
}

/* Where JSON begins; a script's name before it is passed over. */
static size_t start_of(const char *text, size_t size) {
    size_t at = strspn(text, SPACE);
    if (at < size && g_str_has_prefix(text + at, SCRIPT)) {
        const char *equals = strchr(text + at, '=');
        at = equals ? (size_t)(equals + 1 - text) : at;
    }
    return at;
}

static void place_set(GError **error, const char *name, const char *text, size_t from,
                      const json_error_t *wrong) {
    int line = wrong->line;
    for (size_t i = 0; i < from; i++)
        line += text[i] == '\n';
    const bool text_between = from > 0 && !strchr("{[", text[from]);
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%d:%d: %s%s", name, line, wrong->column,
                wrong->text,
                text_between ? "; other text, as of 2>&1, must not be among its JSON" : "");
}

json_t *fmt_json_read(const char *text, size_t size, const char *name, bool *several,
                      GError **error) {
    g_autofree char *copy = g_strndup(text, size);
    json_auto_t *all = json_array();
    size_t at = start_of(copy, size);
    numbers_blank(copy, size);
    do {
        json_error_t wrong;
        json_t *one = json_loadb(
            copy + at, size - at,
            JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &wrong);
        if (!one) {
            place_set(error, name, copy, at, &wrong);
            return NULL;
        }
        json_array_append_new(all, one);
        at += (size_t)wrong.position;
        at += strspn(copy + at, SPACE ";");
    } while (at < size && copy[at] != '\0');
    *several = json_array_size(all) > 1;
    return json_incref(*several ? all : json_array_get(all, 0));
}

fmt_at fmt_root(json_t *root) {
    return (fmt_at){.json = root};
}

fmt_at fmt_get(const fmt_at *above, const char *key) {
    return (fmt_at){above, key, 0, json_object_get(above->json, key)};
}

fmt_at fmt_item(const fmt_at *above, size_t index) {
    return (fmt_at){above, NULL, index, json_array_get(above->json, index)};
}

size_t fmt_size(const fmt_at *at) {
    return json_array_size(at->json);
}

double fmt_number(const char *text) {
    char *end = NULL;
    const double value = text ? g_ascii_strtod(text, &end) : (double)NAN;
    /* strtod also takes 0x10; no benchmark prints that and means 16 */
    return text && end != text && *end == '\0' && !strpbrk(text, "xX ") && isfinite(value)
               ? value
               : (double)NAN;
}

double fmt_real(const fmt_at *at) {
    return json_is_number(at->json) ? json_number_value(at->json)
                                    : fmt_number(json_string_value(at->json));
}

const char *fmt_text(const fmt_at *at) {
    return json_string_value(at->json);
}

double fmt_real_of(const fmt_at *above, const char *key) {
    const fmt_at at = fmt_get(above, key);
    return fmt_real(&at);
}

const char *fmt_text_of(const fmt_at *above, const char *key) {
    return cfg_json_word(above->json, key, NULL);
}

static void path_add(GString *path, const fmt_at *at) {
    if (!at->above)
        return;
    path_add(path, at->above);
    if (at->key)
        g_string_append_printf(path, "%s%s", path->len > 0 ? "." : "", at->key);
    else
        g_string_append_printf(path, "[%zu]", at->index);
}

bool fmt_wrong(const fmt_at *at, GError **error, const char *format, ...) {
    g_autoptr(GString) text = g_string_new(NULL);
    path_add(text, at);
    if (text->len > 0)
        g_string_append(text, ": ");
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
    g_set_error_literal(error, CFG_ERROR, CFG_ERROR_SYNTAX, text->str);
    return false;
}
