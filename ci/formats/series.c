#include "ci/formats/series.h"

#include "config/json_text.h"
#include "config/model/detection.h"
#include "config/number.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DATE_CHARS 10 /* of 2013-05-27 */
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

/* A number up to the next comma or the end; an empty cell is NaN. any: it may be below 0. */
static bool number_read(const ci_series *s, const char **at, bool any, double *out,
                        GError **error) {
    char *end;
    if (**at == ',' || **at == 0) {
        *out = NAN;
        return true;
    }
    *out = g_ascii_strtod(*at, &end);
    const bool decimal = end <= *at + strspn(*at, "0123456789.eE+-"); /* no hexadecimal */
    if (!strchr("0123456789.-", **at) || (*out < 0 && !any) || !decimal ||
        (*end != ',' && *end != 0) || !isfinite(*out))
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
        if (!number_read(s, &at, s->plain && i > 0, &cells[i], error)) /* an interval's ends */
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
    if (cells[0] < cells[1] || cells[0] > cells[2])
        return fail(s, at, error, "the value does not lie between lo and hi");
    if (isnan(error_of_mean) || error_of_mean > cells[0])
        error_of_mean = 0;
    s->means[0] = cells[0] - error_of_mean;
    s->means[1] = cells[0] + error_of_mean;
    return true;
}

char *ci_series_name(const ci_series *s, gint64 night) {
    GDate day;
    if (!s->dates)
        return g_strdup_printf("%" G_GINT64_FORMAT, night);
    g_date_clear(&day, 1);
    g_date_set_julian(&day, (guint32)night);
    return g_strdup_printf("%04u-%02u-%02u", g_date_get_year(&day), g_date_get_month(&day),
                           g_date_get_day(&day));
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
    if (**end == '-')
        return fail(s, s->text, error, "\"%.10s\" is no day of the calendar", s->text);
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

/* there: is there such a night? */
static json_t *night_json(const ci_series *series, bool there, gint64 night) {
    g_autofree char *name = there ? ci_series_name(series, night) : NULL;
    return name ? json_string(name) : json_null();
}

/* One end of a change, as an alert has it. */
static json_t *end_json(const ci_series *series, const det_verdict *v, gint64 night) {
    const bool changed = v->verdict == DET_VERDICT_ANOMALY || v->verdict == DET_VERDICT_SUSPECT ||
                         v->verdict == DET_VERDICT_ENVIRONMENT;
    return changed ? json_pack("{s:o}", "night", night_json(series, true, night)) : json_null();
}

static json_t *reference_json(const ci_series *series, const det_verdict *v) {
    const bool known = v->reference_nights > 0;
    json_t *out = model_write(&cfg_interval_ns_model, &v->reference);
    json_object_set_new(out, "nights", json_integer((json_int_t)v->reference_nights));
    json_object_set_new(out, "from_night", night_json(series, known, v->reference_from));
    json_object_set_new(out, "to_night", night_json(series, known, v->reference_to));
    return out;
}

void ci_verdict_line_add(GString *to, const ci_verdict_line *line) {
    static const char *const directions[] = {"down", NULL, "up"};
    const det_verdict *v = line->verdict;
    json_auto_t *out =
        json_pack("{s:s,s:s,s:s,s:s,s:s?,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:s}", "night", line->night,
                  "portion", line->portion, "verdict", det_verdict_text(v->verdict), "rule",
                  det_rule_text(v->rule), "direction", directions[v->direction + 1], "level",
                  line->level, "judged", model_write(&cfg_interval_ns_model, &v->night),
                  "reference", reference_json(line->series, v), "difference",
                  model_write(&cfg_interval_ns_model, &v->difference), "evidence",
                  cfg_json_real(v->evidence), "from", end_json(line->series, v, v->from), "to",
                  end_json(line->series, v, v->to), "reason", v->reason);
    g_autofree char *text = cfg_json_text(out, 0);
    g_string_append_printf(to, "%s\n", text);
}
