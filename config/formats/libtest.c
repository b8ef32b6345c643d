/*
 * libtest (cargo bench, Criterion's --output-format bencher): "test NAME ... bench: 16.87 ns/iter
 * (+/- 16.56)". What stands in the brackets is a deviation, no interval.
 */
#include "config/formats/formats.h"
#include "config/formats/json.h"
#include "config/units.h"

#include <math.h>
#include <string.h>

#define BENCH " ... bench:"
#define TEST "test "

/* Where a line says its verdict; NULL: it is of no test. */
static const char *verdict_of(const char *line) {
    return g_str_has_prefix(line, TEST) ? strstr(line, " ... ") : NULL;
}

static bool is(const fmt_input *in) {
    for (const char *at = in->root ? NULL : strstr(in->text, BENCH); at;
         at = strstr(at + 1, BENCH)) {
        const char *line = at;
        while (line > in->text && line[-1] != '\n')
            line--;
        if (g_str_has_prefix(line, TEST))
            return true;
    }
    return false;
}

/* "   1,234.50 ns/iter (+/- 3)" */
static double time_of(const char *text) {
    g_auto(GStrv) words = g_strsplit(text + strspn(text, " "), " ", 3);
    if (g_strv_length(words) < 2)
        return (double)NAN;
    g_auto(GStrv) parts = g_strsplit(words[0], ",", -1);
    g_autofree char *number = g_strjoinv("", parts);
    const double factor = cfg_unit_ns(words[1]);
    return factor > 0 ? fmt_number(number) * factor : (double)NAN;
}

static void line_read(const char *line, const char *binary, fmt_night *night) {
    const char *verdict = verdict_of(line);
    if (!verdict)
        return;
    g_autofree char *name =
        g_strstrip(g_strndup(line + strlen(TEST), (gsize)(verdict - line) - strlen(TEST)));
    if (g_str_has_prefix(verdict, BENCH)) {
        const double ns = time_of(verdict + strlen(BENCH));
        if (isfinite(ns)) {
            fmt_value *value = fmt_night_value(night, name, binary);
            fmt_value_loop(value);
            fmt_value_add(value, ns);
        } else {
            fmt_night_leave(night, name, "its time cannot be read");
        }
    } else if (g_str_has_prefix(verdict, " ... FAILED")) {
        fmt_night_leave(night, name, "has failed");
    }
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    fmt_night *night = fmt_night_new(nights, "libtest");
    g_autofree char *binary = NULL;
    g_auto(GStrv) lines = g_strsplit_set(in->text, "\r\n", -1);
    (void)error;
    for (GStrv line = lines; *line; line++) {
        const char *at = *line + strspn(*line, " ");
        if (g_str_has_prefix(at, "Running ")) {
            g_free(binary);
            binary = g_strndup(at + strlen("Running "), strcspn(at + strlen("Running "), " ("));
        }
        line_read(*line, binary, night);
    }
    return true;
}

const fmt_format fmt_libtest = {"libtest", "libtest (cargo bench)",
                                "is this what cargo bench printed?", is, take};
