#include "web/layout/text.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

/* Characters that would turn the direction of neighbouring text around. */
static bool is_bidi_control(gunichar c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
           c == 0x200F;
}

/* Short printable ASCII, as almost every text here, needs no work. */
static bool is_clean(const char *text, size_t max_chars) {
    size_t n = 0;
    for (; text[n]; n++)
        if (n == max_chars || text[n] < ' ' || text[n] > '~')
            return false;
    return true;
}

char *web_text_clean(const char *text, size_t max_chars) {
    if (text && is_clean(text, max_chars))
        return g_strdup(text);
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    GString *out = g_string_sized_new(64);
    size_t n = 0;
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (is_bidi_control(c))
            continue;
        if (n++ == max_chars) {
            g_string_append(out, "…");
            break;
        }
        g_string_append_unichar(out, g_unichar_iscntrl(c) ? ' ' : c);
    }
    return g_string_free(out, FALSE);
}

char *web_text_name(const char *text, size_t max_chars) {
    g_autofree char *clean = web_text_clean(text, G_MAXSIZE);
    const glong length = g_utf8_strlen(clean, -1), most = (glong)max_chars;
    if (length <= most)
        return g_steal_pointer(&clean);
    g_autofree char *head = g_utf8_substring(clean, 0, most / 3);
    g_autofree char *tail = g_utf8_substring(clean, length - (most - most / 3), length);
    return g_strconcat(head, "…", tail, NULL);
}

/* Whether this sign and what follows name a person, an issue or the like on some forge. */
static bool names(const char *at) {
    if (*at == '@')
        return at[1] != '\0';
    return *at != '\0' && strchr("#!~%&$^", *at) && (g_ascii_isalnum(at[1]) || at[1] == '"');
}

char *web_text_unpinged(const char *text) {
    GString *to = g_string_new(NULL);
    for (const char *c = text ? text : ""; *c != '\0'; c++) {
        g_string_append_c(to, *c);
        if (names(c))
            g_string_append(to, "\u200b");
    }
    return g_string_free(to, FALSE);
}

/* The length of a name of code in backticks that begins here, 0: none. What is in it has no meaning
 * to Markdown and calls nobody. */
static size_t code_length(const char *at) {
    size_t n = 1;
    if (*at != '`')
        return 0;
    while (g_ascii_isalnum(at[n]) || (guchar)at[n] >= 0x80 ||
           (at[n] && strchr("_.:()$ ,-/", at[n])))
        n++;
    return n > 1 && at[n] == '`' && at[n + 1] != '`' ? n + 1 : 0;
}

void web_text_markdown(GString *to, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const size_t code = code_length(c);
        if (code > 0) {
            g_string_append_len(to, c, (gssize)code);
            c += code - 1;
            continue;
        }
        if (*c == '<')
            g_string_append(to, "&lt;");
        else if (*c == '&')
            g_string_append(to, "&amp;");
        else if (strchr("\\`*_{}[]()#+!|~>", *c) || (*c == '/' && (c == text || c[-1] == '\n')))
            g_string_append_printf(to, "\\%c", *c);
        else
            g_string_append_c(to, *c);
        if (names(c))
            g_string_append(to, "&#8203;");
    }
}

void web_text_markdown_line(GString *to, const char *text, size_t most) {
    g_autofree char *clean = web_text_clean(text, most);
    web_text_markdown(to, clean);
}

static const web_unit UNITS[] = {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};

web_unit web_unit_for(double value_ns, const char *name) {
    if (name)
        return (web_unit){name, 1};
    double size = fabs(value_ns);
    for (size_t i = G_N_ELEMENTS(UNITS); i-- > 1;)
        if (size >= UNITS[i].ns)
            return UNITS[i];
    return UNITS[0];
}

/* The smallest of 1, 2, 5 times a power of ten that is not below x. */
static double round_step(double x) {
    double power = pow(10, floor(log10(x)));
    double digit = x / power;
    return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}

web_axis web_axis_make(double low_ns, double high_ns, int wanted, const char *name) {
    double low = fmin(low_ns, 0), high = fmax(high_ns, 0);
    if (!(high - low > 0))
        high = low + 1;
    web_axis axis = {.unit = web_unit_for(fmax(high, -low), name)};
    axis.step = round_step((high - low) / (wanted > 0 ? wanted : 1));
    axis.low = low;
    axis.high = high;
    double exponent = floor(log10(axis.step / axis.unit.ns) + 1e-9);
    axis.decimals = exponent < 0 ? (int)fmin(-exponent, 9) : 0;
    return axis;
}

static char *format_fixed(double value, int decimals) {
    char format[8], buffer[G_ASCII_DTOSTR_BUF_SIZE + 32];
    g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 9));
    if (fabs(value) < 0.5 * pow(10, -decimals))
        value = 0; /* never "-0" */
    g_ascii_formatd(buffer, sizeof buffer, format, fabs(value));
    return g_strconcat(value < 0 ? "\u2212" : "", buffer, NULL);
}

char *web_format_tick(const web_axis *axis, double value_ns) {
    return format_fixed(value_ns / axis->unit.ns, axis->decimals);
}

/* Decimals that leave three significant digits of x. */
static int three_digits(double x) {
    double size = fabs(x);
    return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

char *web_format_value(double value_ns, const char *name) {
    web_unit unit = web_unit_for(value_ns, name);
    if (value_ns == 0)
        return g_strconcat("0 ", unit.name, NULL);
    double value = value_ns / unit.ns;
    g_autofree char *number = format_fixed(value, three_digits(value));
    return g_strconcat(number, " ", unit.name, NULL);
}

/* One significant digit of the half width, two when it starts with a 1. */
static int interval_decimals(double mean, double half) {
    if (!(half > 0))
        return mean == 0 ? 0 : three_digits(mean);
    double exponent = floor(log10(half));
    int digits = half / pow(10, exponent) < 2 ? 2 : 1;
    return (int)CLAMP(digits - 1 - exponent, 0, 3);
}

void web_format_interval(double mean_ns, double half_ns, web_unit unit, char **mean, char **half) {
    double m = mean_ns / unit.ns, h = half_ns / unit.ns;
    int decimals = interval_decimals(m, h);
    *mean = format_fixed(m, decimals);
    const double least = pow(10, -decimals);
    const bool gone = h > 0 && h < least / 2; /* one that rounds to nothing is no exact value */
    g_autofree char *width = format_fixed(gone ? least : h, decimals);
    *half = g_strconcat(gone ? "< " : "", width, NULL);
}
