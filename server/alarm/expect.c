#include "server/alarm/expect.h"

#include <math.h>
#include <string.h>

#define EXAMPLE "write it as in: Overhead-Expected: C +50ns new serializer"

void srv_expect_clear(srv_expect *expect) {
    g_clear_pointer(&expect->portions, g_strfreev);
    g_clear_pointer(&expect->reason, g_free);
}

static const char *skip(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* How many bytes of text are a known name, the longest one; 0: none. A name may hold blanks. */
static size_t name_length(const char *text, const char *const *names, size_t count) {
    size_t longest = *text == '*' ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if (length > longest && strncmp(text, names[i], length) == 0)
            longest = strchr(", \t", text[length]) ? length : longest;
    }
    return longest > 0 && strchr(", \t", text[longest]) ? longest : 0;
}

static char *known_names(const char *const *names, size_t count) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", names[i]);
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* "I, W Zipkin" up to the first blank that no comma goes before and no name holds; at: out, what
 * follows. */
static bool portions_read(const char **at, const char *const *names, size_t count, srv_expect *out,
                          char **problem) {
    g_autoptr(GStrvBuilder) portions = g_strv_builder_new();
    for (bool more = true; more;) {
        const size_t known = name_length(*at, names, count);
        const size_t length = known > 0 ? known : strcspn(*at, ", \t");
        g_autofree char *name = g_strndup(*at, length);
        if (length == 0) {
            *problem = g_strdup("it names no portion; " EXAMPLE);
            return false;
        }
        if (known == 0) {
            g_autofree char *all = known_names(names, count);
            *problem = g_strdup_printf(
                "\"%s\" is not a portion of the project, which has %s; " EXAMPLE, name, all);
            return false;
        }
        g_strv_builder_add(portions, name);
        *at = skip(*at + length);
        more = **at == ',';
        if (more)
            *at = skip(*at + 1);
    }
    out->portions = g_strv_builder_end(portions);
    return true;
}

/* Multiplier to ns, or 0 for percent; false when none of them follows. */
static bool unit_read(const char **at, double *factor) {
    static const struct {
        const char *text;
        double factor;
    } units[] = {{"%", 0}, {"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3}, {"ms", 1e6}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        size_t length = strlen(units[i].text);
        if (strncmp(*at, units[i].text, length) == 0 && !g_ascii_isalnum((*at)[length])) {
            *factor = units[i].factor;
            *at += length;
            return true;
        }
    }
    return false;
}

/* A bound begins with a digit, or with a sign and a digit; anything else is the reason. */
static bool bound_read(const char **at, srv_expect *out, char **problem) {
    const char *digits = *at + (**at == '+' || **at == '-');
    double factor;
    if (!g_ascii_isdigit(*digits))
        return true;
    out->direction = **at == '+' ? 1 : **at == '-' ? -1 : 0;
    char *end;
    double value = g_ascii_strtod(digits, &end);
    *at = skip(end);
    if (!unit_read(at, &factor)) {
        *problem = g_strdup("its bound has no unit (%, ns, us, ms); " EXAMPLE);
        return false;
    }
    if (!isfinite(value) || value <= 0) {
        *problem = g_strdup("its bound is not above 0; " EXAMPLE);
        return false;
    }
    *(factor == 0 ? &out->percent : &out->ns) = factor == 0 ? value : value * factor;
    *at = skip(*at);
    return true;
}

static char *reason_read(const char *at) {
    g_autofree char *text = g_strstrip(g_strdup(at));
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
        text[length - 1] = '\0';
        return g_strstrip(g_strdup(text + 1));
    }
    return length > 0 ? g_steal_pointer(&text) : NULL;
}

bool srv_expect_parse(const char *text, const char *const *names, size_t count, srv_expect *out,
                      char **problem) {
    const char *at = skip(text);
    *out = (srv_expect){.percent = NAN, .ns = NAN};
    *problem = NULL;
    if (strlen(text) > SRV_EXPECT_TEXT_MAX)
        *problem = g_strdup_printf("it is longer than %u bytes", SRV_EXPECT_TEXT_MAX);
    else if (!g_utf8_validate(text, -1, NULL))
        *problem = g_strdup("it is not UTF-8");
    else if (portions_read(&at, names, count, out, problem) && bound_read(&at, out, problem))
        out->reason = reason_read(at);
    if (*problem)
        srv_expect_clear(out);
    return !*problem;
}

bool srv_expect_covers(const srv_expect *expect, const char *portion, double before_ns,
                       double low_ns, double high_ns) {
    bool up = low_ns + high_ns > 0;
    double least = fmax(up ? low_ns : -high_ns, 0);
    bool named = false;
    for (char **name = expect->portions; name && *name; name++)
        named = named || g_str_equal(*name, "*") || g_str_equal(*name, portion);
    if (!named || (expect->direction != 0 && (expect->direction > 0) != up))
        return false;
    if (!isnan(expect->ns) && !(least <= expect->ns))
        return false;
    return isnan(expect->percent) || least <= expect->percent / 100 * fabs(before_ns);
}
