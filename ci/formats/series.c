#include "ci/formats/series.h"

#include "config/json_text.h"
#include "config/number.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DATE_CHARS 10   /* of 2013-05-27 */
#define PLAIN_DIGITS 15 /* of which a double holds every whole number */
/* Half the width of a 95 % interval in standard errors. */
#define NORMAL_95 1.959963984540054

void ci_series_free(ci_series *series) {
    if (!series)
        return;
    if (series->file && series->file != stdin)
        (void)fclose(series->file);
    g_free(series->path);
    g_free(series->means);
    g_free(series->text);
    g_free(series);
}

G_GNUC_PRINTF(4, 5)
static bool fail(const ci_series *s, const char *at, GError **error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ci_wrong(error, "%s:%" G_GUINT64_FORMAT ":%td: %s", s->path, s->line,
                    at ? at - s->text + 1 : (ptrdiff_t)1, text);
}

/* One line without its end. Returns 1, 0 at the end of the file, -1 with error. */
static int line_read(ci_series *s, GError **error) {
    size_t n = 0;
    int c;
    s->line++;
    while ((c = getc_unlocked(s->file)) != EOF && c != '\n') {
        if (c == 0)
            return fail(s, s->text + n, error, "a NUL byte; the file is damaged") - 1;
        if (n + 1 >= CI_SERIES_LINE_MAX)
            return fail(s, s->text + n, error, "a line of more than %u bytes", CI_SERIES_LINE_MAX) -
                   1;
        s->text[n++] = (char)c;
    }
    s->text[n] = 0;
    if (c == EOF && ferror(s->file))
        return fail(s, NULL, error, "cannot be read: %s", g_strerror(errno)) - 1;
    if (c == EOF && n)
        return fail(s, s->text + n, error, "the last line has no line end; the file is truncated") -
               1;
    if (n && s->text[n - 1] == '\r')
        return fail(s, s->text + n - 1, error, "a carriage return; lines must end in \\n alone") -
               1;
    return c != EOF;
}

/* "c3_10": returns false when the text is no such name. */
static bool name_read(const char *text, guint *configuration, guint *loop) {
    char *end;
    if (text[0] != 'c' || !g_ascii_isdigit(text[1]))
        return false;
    const guint64 c = g_ascii_strtoull(text + 1, &end, 10);
    if (*end != '_' || !g_ascii_isdigit(end[1]))
        return false;
    const guint64 l = g_ascii_strtoull(end + 1, &end, 10);
    *configuration = (guint)MIN(c, G_MAXUINT);
    *loop = (guint)MIN(l, G_MAXUINT);
    return *end == 0;
}

static bool header_loops(ci_series *s, char **names, GError **error) {
    const guint columns = g_strv_length(names) - 1;
    guint c, l;
    while (s->loops < columns && name_read(names[s->loops + 1], &c, &l) && c == 0)
        s->loops++;
    if (s->loops == 0 || columns % s->loops || columns / s->loops > DET_CONFIGURATIONS_MAX ||
        s->loops > DET_LOOPS_MAX)
        return fail(s, NULL, error,
                    "the header does not read night,c0_1,…,c0_N,c1_1,…: %u columns, %u loops of "
                    "c0, at most %u configurations of %u loops",
                    columns, s->loops, DET_CONFIGURATIONS_MAX, DET_LOOPS_MAX);
    s->configurations = columns / s->loops;
    for (guint i = 0; i < columns; i++)
        if (!name_read(names[i + 1], &c, &l) || c != i / s->loops || l != i % s->loops + 1)
            return fail(s, NULL, error, "column %u is \"%s\"; expected c%u_%u", i + 2, names[i + 1],
                        i / s->loops, i % s->loops + 1);
    return true;
}

static bool header_read(ci_series *s, GError **error) {
    const int got = line_read(s, error);
    if (got < 0)
        return false;
    if (!got)
        return fail(s, NULL, error, "the file is empty");
    g_auto(GStrv) names = g_strsplit(s->text, ",", -1);
    if (g_str_equal(s->text, "index,value") || g_str_equal(s->text, "index,value,lo,hi")) {
        s->plain = true;
        s->configurations = 1;
        s->loops = 2;
    } else if (!names[0] || !g_str_equal(names[0], "night")) {
        return fail(s, NULL, error,
                    "the first line must read night,c0_1,… or index,value or index,value,lo,hi");
    } else if (!header_loops(s, names, error)) {
        return false;
    }
    s->means = g_new(double, (gsize)s->configurations * s->loops);
    return true;
}

ci_series *ci_series_open(const char *path, GError **error) {
    g_autoptr(ci_series) s = g_new0(ci_series, 1);
    s->path = g_strdup(g_str_equal(path, "-") ? "standard input" : path);
    s->text = g_malloc(CI_SERIES_LINE_MAX);
    s->file = g_str_equal(path, "-") ? stdin : fopen(path, "re");
    if (!s->file) {
        ci_wrong(error, "%s: cannot be opened: %s", path, g_strerror(errno));
        return NULL;
    }
    return header_read(s, error) ? g_steal_pointer(&s) : NULL;
}

/* Digits with or without a point in between, of which a double holds each exactly, as it does the
 * power of ten: their quotient is the double nearest to the number. NULL: it is not so plain. */
static const char *plain_number(const char *text, double *out) {
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    gint64 whole = 0;
    gsize digits = 0, decimals = 0;
    for (; g_ascii_isdigit(*text) && digits < PLAIN_DIGITS; text++, digits++)
        whole = 10 * whole + (*text - '0');
    if (digits > 0 && *text == '.')
        for (text++; g_ascii_isdigit(*text) && digits < PLAIN_DIGITS; text++, digits++, decimals++)
            whole = 10 * whole + (*text - '0');
    if (digits == 0 || (*text != ',' && *text != 0))
        return NULL;
    *out = (double)whole / tens[decimals];
    return text;
}

/* A number up to the next comma or the end; an empty cell is NaN. */
static bool number_read(const ci_series *s, const char **at, double *out, GError **error) {
    char *end;
    if (**at == ',' || **at == 0) {
        *out = NAN;
        return true;
    }
    if (!g_ascii_isdigit(**at) && **at != '.')
        return fail(s, *at, error, "a number of nanoseconds was expected, not \"%.20s\"", *at);
    const char *plain = plain_number(*at, out);
    if (plain) {
        *at = plain;
        return true;
    }
    *out = g_ascii_strtod(*at, &end);
    const bool decimal = end <= *at + strspn(*at, "0123456789.eE+-"); /* no hexadecimal */
    if (!decimal || (*end != ',' && *end != 0) || !isfinite(*out))
        return fail(s, *at, error, "a number of nanoseconds was expected, not \"%.20s\"", *at);
    *at = end;
    return true;
}

static bool cells_read(const ci_series *s, const char *at, double *cells, guint count,
                       GError **error) {
    for (guint i = 0; i < count; i++) {
        if (*at != ',')
            return fail(s, at, error, "%u values were expected, there are %u", count, i);
        at++;
        if (!number_read(s, &at, &cells[i], error))
            return false;
    }
    return *at == 0 ? true : fail(s, at, error, "more than %u values", count);
}

/* Two values around the one, as far apart as its interval says. */
static bool plain_read(ci_series *s, const char *at, GError **error) {
    double cells[3] = {NAN, NAN, NAN};
    guint commas = 0;
    for (const char *c = at; *c; c++)
        commas += *c == ',';
    if (commas != 1 && commas != 3)
        return fail(s, at, error, "expected index,value or index,value,lo,hi");
    if (!cells_read(s, at, cells, commas, error))
        return false;
    double error_of_mean = (cells[2] - cells[1]) / 2 / NORMAL_95;
    if (error_of_mean < 0)
        return fail(s, at, error, "lo is above hi");
    if (isnan(error_of_mean) || error_of_mean > cells[0])
        error_of_mean = 0;
    s->means[0] = cells[0] - error_of_mean;
    s->means[1] = cells[0] + error_of_mean;
    return true;
}

static char *series_number_to(char *to, gint64 number) {
    char digits[CI_SERIES_NIGHT_MAX];
    size_t at = sizeof digits;
    guint64 rest = number < 0 ? 0 - (guint64)number : (guint64)number;
    digits[--at] = 0;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[--at] = '-';
    return stpcpy(to, digits + at);
}

/* A day or month, as two digits after a '-'. */
static char *part_to(char *to, guint part) {
    *to++ = '-';
    *to++ = (char)('0' + part / 10);
    *to++ = (char)('0' + part % 10);
    return to;
}

char *ci_series_night_to(char *to, const ci_series *s, gint64 night) {
    if (!s->dates)
        return series_number_to(to, night);
    GDate day;
    g_date_clear(&day, 1);
    g_date_set_julian(&day, (guint32)night);
    const guint year = g_date_get_year(&day); /* of four digits, as the file has them */
    *to++ = (char)('0' + year / 1000);
    *to++ = (char)('0' + year / 100 % 10);
    *to++ = (char)('0' + year / 10 % 10);
    *to++ = (char)('0' + year % 10);
    to = part_to(part_to(to, g_date_get_month(&day)), g_date_get_day(&day));
    *to = 0;
    return to;
}

/* "2013-05-27": false when the text does not begin with a day of the calendar. */
static bool date_read(const char *text, gint64 *out) {
    char day[DATE_CHARS + 1];
    GDate date;
    (void)g_strlcpy(day, text, sizeof day);
    if (!cfg_date_read(day, &date))
        return false;
    *out = g_date_get_julian(&date);
    return true;
}

static bool number_of_night(ci_series *s, char **end, GError **error) {
    if (!g_ascii_isdigit(s->text[0]))
        return fail(s, s->text, error, "the number or date of a night was expected, not \"%.20s\"",
                    s->text);
    errno = 0;
    s->night = g_ascii_strtoll(s->text, end, 10);
    if (errno == ERANGE)
        return fail(s, s->text, error, "the number of a night is above %" G_GINT64_FORMAT,
                    G_MAXINT64);
    return true;
}

/* Dates or numbers, as the first night has it. */
static bool night_read(ci_series *s, char **end, GError **error) {
    const bool first = s->line == 2;
    const bool date = (first || s->dates) && date_read(s->text, &s->night);
    if (first)
        s->dates = date;
    if (!s->dates)
        return number_of_night(s, end, error);
    *end = s->text + DATE_CHARS;
    return date ||
           fail(s, s->text, error, "a date was expected, as 2013-05-27, not \"%.20s\"", s->text);
}

bool ci_series_next(ci_series *s, GError **error) {
    char *end = s->text;
    const int got = line_read(s, error);
    if (got <= 0 || !night_read(s, &end, error))
        return false;
    return s->plain ? plain_read(s, end, error)
                    : cells_read(s, end, s->means, s->configurations * s->loops, error);
}

/* Its words and members without the texts that it holds; eleven numbers are among them. */
#define FIXED_MAX (512 + 11 * CFG_JSON_REAL_MAX + 5 * CI_SERIES_NIGHT_MAX)
#define VERDICT_MAX                                                                                \
    (FIXED_MAX + CFG_JSON_ESCAPED_MAX * (CI_SERIES_NIGHT_MAX + DET_NAME_MAX + DET_REASON_MAX))

static char *text_to(char *to, const char *text) {
    return cfg_json_string_to(to, text, strlen(text));
}

static char *number_to(char *to, double value) {
    return isfinite(value) ? cfg_json_real_to(to, value) : stpcpy(to, "null");
}

/* Its three members, without the bracket that ends them. */
static char *interval_to(char *to, const det_interval *i) {
    to = number_to(stpcpy(to, "{\"mean_ns\":"), i->mean);
    to = number_to(stpcpy(to, ",\"low_ns\":"), i->low);
    return number_to(stpcpy(to, ",\"high_ns\":"), i->high);
}

static char *night_to(char *to, const ci_series *series, gint64 night) {
    *to++ = '"';
    to = ci_series_night_to(to, series, night);
    *to++ = '"';
    return to;
}

static char *reference_to(char *to, const ci_series *series, const det_verdict *v) {
    to = stpcpy(interval_to(to, &v->reference), ",\"nights\":");
    to = stpcpy(series_number_to(to, v->reference_nights), ",\"from_night\":");
    if (v->reference_nights == 0)
        return stpcpy(to, "null,\"to_night\":null}");
    to = stpcpy(night_to(to, series, v->reference_from), ",\"to_night\":");
    return stpcpy(night_to(to, series, v->reference_to), "}");
}

/* One end of a change, as an alert has it. */
static char *end_to(char *to, const ci_series *series, const det_verdict *v, gint64 night) {
    const bool changed = v->verdict == DET_VERDICT_ANOMALY || v->verdict == DET_VERDICT_SUSPECT ||
                         v->verdict == DET_VERDICT_ENVIRONMENT;
    if (!changed)
        return stpcpy(to, "null");
    return stpcpy(night_to(stpcpy(to, "{\"night\":"), series, night), "}");
}

static char *verdict_to(char *to, const ci_verdict_line *line) {
    static const char *const directions[] = {"\"down\"", "null", "\"up\""};
    const det_verdict *v = line->verdict;
    to = text_to(stpcpy(to, "{\"night\":"), line->night);
    to = text_to(stpcpy(to, ",\"portion\":"), line->portion);
    to = stpcpy(stpcpy(to, ",\"verdict\":\""), det_verdict_text(v->verdict));
    to = stpcpy(stpcpy(to, "\",\"rule\":\""), det_rule_text(v->rule));
    to = stpcpy(stpcpy(to, "\",\"direction\":"), directions[v->direction + 1]);
    to = number_to(stpcpy(to, ",\"level\":"), line->level);
    to = stpcpy(interval_to(stpcpy(to, ",\"judged\":"), &v->night), "}");
    return reference_to(stpcpy(to, ",\"reference\":"), line->series, v);
}

static char *change_to(char *to, const ci_verdict_line *line) {
    const det_verdict *v = line->verdict;
    to = stpcpy(interval_to(stpcpy(to, ",\"difference\":"), &v->difference), "}");
    to = number_to(stpcpy(to, ",\"evidence\":"), v->evidence);
    to = end_to(stpcpy(to, ",\"from\":"), line->series, v, v->from);
    to = end_to(stpcpy(to, ",\"to\":"), line->series, v, v->to);
    to = text_to(stpcpy(to, ",\"reason\":"), v->reason);
    return stpcpy(to, "}\n");
}

void ci_verdict_line_add(GString *to, const ci_verdict_line *line) {
    const gsize length = to->len;
    g_string_set_size(to, length + VERDICT_MAX);
    const char *end = change_to(verdict_to(to->str + length, line), line);
    g_string_truncate(to, (gsize)(end - to->str));
}
