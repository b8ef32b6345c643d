/* Histories in CSV: what is read, and what is refused with line and column. */
#include "ci/formats/series.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "config/json_text.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static ci_series *open_text(const char *text, gssize size, GError **error) {
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("moowatch-series-XXXXXX", &path, NULL);
    assert_true(fd >= 0);
    g_close(fd, NULL);
    assert_true(g_file_set_contents(path, text, size, NULL));
    ci_series *series = ci_series_open(path, error);
    (void)g_remove(path);
    return series;
}

static void loop_means_are_read(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_series) s =
        open_text("night,c0_1,c0_2,c1_1,c1_2\n3,1.5,2,30,\n4,1,2,3,4e1\n", -1, &error);
    assert_non_null(s);
    assert_true(s->configurations == 2 && s->loops == 2 && !s->plain);
    assert_true(ci_series_next(s, &error));
    assert_true(s->night == 3 && s->means[0] == 1.5 && s->means[2] == 30 && isnan(s->means[3]));
    assert_true(ci_series_next(s, &error));
    assert_true(s->night == 4 && s->means[3] == 40);
    assert_false(ci_series_next(s, &error));
    assert_null(error);
}

static void a_plain_series_keeps_its_interval(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_series) s =
        open_text("index,value,lo,hi\n0,100,98,102\n1,100,,\n2,1,-.5,2.5\n3,1,-3,5\n", -1, &error);
    assert_non_null(s);
    assert_true(ci_series_next(s, &error));
    assert_true(fabs(s->means[1] - s->means[0] - 4 / 1.959963984540054) < 1e-12);
    assert_true(ci_series_next(s, &error));
    assert_true(s->means[0] == 100 && s->means[1] == 100);
    assert_true(ci_series_next(s, &error)); /* an interval may reach below 0, */
    assert_true(fabs(s->means[1] - s->means[0] - 3 / 1.959963984540054) < 1e-12);
    assert_true(ci_series_next(s, &error)); /* and is not read where no two values have it */
    assert_true(s->means[0] == 1 && s->means[1] == 1);
}

static void nights_are_dates_or_numbers(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_series) dates = open_text("night,c0_1\n2013-02-28,1\n2013-03-01,2\n", -1, &error);
    assert_true(ci_series_next(dates, &error));
    const gint64 first = dates->night;
    assert_true(ci_series_next(dates, &error));
    assert_true(dates->dates && dates->night == first + 1 && dates->means[0] == 2);
    g_autofree char *date = ci_series_name(dates, first);
    assert_string_equal(date, "2013-02-28");
    g_autoptr(ci_series) numbers = open_text("night,c0_1\n41,1\n", -1, &error);
    assert_true(ci_series_next(numbers, &error));
    g_autofree char *number = ci_series_name(numbers, numbers->night);
    assert_string_equal(number, "41");
}

static void what_is_wrong_is_told_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", ":1:1: the file is empty"},
        {"a,b\n", ":1:1: the first line"},
        {"night\n", ":1:1: the header"},
        {"night,c0_1,c0_2,c1_1\n", ":1:1: the header"},
        {"night,0_1\n", ":1:1: the header"},
        {"night,c0-1\n", ":1:1: the header"},
        {"night,c0_1,c1_x\n", ":1:1: column 3 is \"c1_x\"; expected c1_1"},
        {"night,c0_1,c2_1\n", ":1:1: column 3 is \"c2_1\"; expected c1_1"},
        {"index,value\n1,2", ":2:4: the last line has no line end"},
        {"index,value\n1,2\r\n", ":2:4: a carriage return"},
        {"index,value\n1,x\n", ":2:3: a number"},
        {"index,value\n1,-2\n", ":2:3: a number"},
        {"index,value,lo,hi\n1,-2,-3,-1\n", ":2:3: a number"},
        {"index,value,lo,hi\n1,2,-,3\n", ":2:5: a number"},
        {"index,value,lo,hi\n1,2,-0x1,3\n", ":2:5: a number"},
        {"index,value,lo,hi\n1,2,-inf,3\n", ":2:5: a number"},
        {"index,value\n1,nan\n", ":2:3: a number"},
        {"index,value\n1,1e999\n", ":2:3: a number"},
        {"index,value\n1,0x10\n", ":2:3: a number"},
        {"index,value\nx,1\n", ":2:1: the number or date of a night"},
        {"index,value\n2013-05-27,1\n3,1\n", ":3:1: a date was expected"},
        {"index,value\n2013-02-30,1\n", ":2:1: \"2013-02-30\" is no day of the calendar"},
        {"index,value\n9223372036854775808,1\n", ":2:1: the number of a night is above"},
        {"index,value\n1,2,3\n", ":2:2: expected index,value"},
        {"index,value,lo,hi\n1,2,3,1\n", ":2:2: lo is above hi"},
        {"index,value,lo,hi\n1,2,3,4\n", ":2:2: the value does not lie between lo and hi"},
        {"night,c0_1,c1_1\n1,2\n", ":2:4: 2 values were expected, there are 1"},
        {"night,c0_1,c1_1\n1,2,3,4\n", ":2:6: more than 2 values"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(ci_series) s = open_text(table[i].text, -1, &error);
        while (s && ci_series_next(s, &error))
            ;
        assert_non_null(error);
        assert_non_null(strstr(error->message, table[i].message));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_series) s = open_text("index,value\n1,\0002\n", 17, &error);
    assert_non_null(s);
    assert_false(ci_series_next(s, &error));
    assert_non_null(strstr(error->message, "NUL"));
}

static void numbers_are_read_to_the_last_bit(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "0.1",
                                        ".5",
                                        "5.",
                                        "00012.50",
                                        "3.14159265358979",
                                        "0.00000000000001",
                                        "999999999999999",
                                        "9999999999999999",
                                        "123456789.123456789",
                                        "1234.5678901234567",
                                        "9007199254740993",
                                        "2.5e3",
                                        "1E-5",
                                        "1.7976931348623157e308"};
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (guint i = 0; i < 3000; i++) {
        g_autofree char *number = NULL;
        char digits[G_ASCII_DTOSTR_BUF_SIZE], format[8];
        g_snprintf(format, sizeof format, "%%.%uf", i % 12);
        number = g_strdup(i < G_N_ELEMENTS(texts)
                              ? texts[i]
                              : g_ascii_formatd(digits, sizeof digits, format,
                                                g_rand_double(random) * pow(10, i % 9)));
        g_autofree char *text = g_strdup_printf("night,c0_1,c1_1\n1,%s,%s\n", number, number);
        g_autoptr(GError) error = NULL;
        g_autoptr(ci_series) s = open_text(text, -1, &error);
        assert_true(s && ci_series_next(s, &error));
        const double right = g_ascii_strtod(number, NULL);
        assert_memory_equal(&s->means[0], &right, sizeof right);
        assert_memory_equal(&s->means[1], &right, sizeof right);
    }
}

static void nights_have_their_names_back(void **state) {
    (void)state;
    static const char *const names[] = {
        "0", "41", "9223372036854775807", "2024-02-29", "1999-12-31", "2026-01-01", "0987-06-05"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = g_strdup_printf("index,value\n%s,1\n", names[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(ci_series) s = open_text(text, -1, &error);
        assert_true(s && ci_series_next(s, &error));
        g_autofree char *name = ci_series_name(s, s->night);
        assert_string_equal(name, names[i]);
    }
}

static void a_line_without_end(void **state) {
    (void)state;
    g_autofree char *text = g_strnfill(CI_SERIES_LINE_MAX + 1, '1');
    g_autoptr(GError) error = NULL;
    assert_null(open_text(text, -1, &error));
    assert_non_null(strstr(error->message, ":1:2097152: a line of more than 2097152 bytes"));
}

static void what_cannot_be_read(void **state) {
    (void)state;
    g_autofree char *folder = g_dir_make_tmp("moowatch-series-XXXXXX", NULL);
    g_autofree char *nothing = g_build_filename(folder, "nothing.csv", NULL);
    g_autoptr(GError) missing = NULL, no_file = NULL;
    assert_null(ci_series_open(nothing, &missing));
    assert_true(g_error_matches(missing, CI_ERROR, CI_ERROR_INPUT));
    assert_non_null(strstr(missing->message, "nothing.csv: cannot be opened: "));
    assert_null(ci_series_open(folder, &no_file));
    assert_non_null(strstr(no_file->message, ":1:1: cannot be read: "));
    assert_int_equal(g_rmdir(folder), 0);
}

static json_t *real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(const det_interval *i) {
    return json_pack("{s:o,s:o,s:o}", "mean_ns", real(i->mean), "low_ns", real(i->low), "high_ns",
                     real(i->high));
}

static json_t *night(const ci_series *series, gint64 id) {
    g_autofree char *name = ci_series_name(series, id);
    return json_string(name);
}

static json_t *end(const ci_verdict_line *line, gint64 id) {
    const det_verdict_name name = line->verdict->verdict;
    return name == DET_VERDICT_ANOMALY || name == DET_VERDICT_SUSPECT ||
                   name == DET_VERDICT_ENVIRONMENT
               ? json_pack("{s:o}", "night", night(line->series, id))
               : json_null();
}

/* What the line must say, by way of objects. */
static char *expected(const ci_verdict_line *line) {
    static const char *const directions[] = {"down", NULL, "up"};
    const det_verdict *v = line->verdict;
    json_t *reference = interval(&v->reference);
    json_object_set_new(reference, "nights", json_integer(v->reference_nights));
    json_object_set_new(reference, "from_night",
                        v->reference_nights ? night(line->series, v->reference_from) : json_null());
    json_object_set_new(reference, "to_night",
                        v->reference_nights ? night(line->series, v->reference_to) : json_null());
    json_t *json =
        json_pack("{s:s,s:s,s:s,s:s,s:s?,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:s}", "night", line->night,
                  "portion", line->portion, "verdict", det_verdict_text(v->verdict), "rule",
                  det_rule_text(v->rule), "direction", directions[v->direction + 1], "level",
                  line->level, "judged", interval(&v->night), "reference", reference, "difference",
                  interval(&v->difference), "evidence", real(v->evidence), "from",
                  end(line, v->from), "to", end(line, v->to), "reason", v->reason);
    g_autofree char *text = cfg_json_text(json, 0);
    json_decref(json);
    return g_strconcat(text, "\n", NULL);
}

static void line_is_right(const ci_verdict_line *line) {
    g_autoptr(GString) to = g_string_new("before\n");
    g_autofree char *right = expected(line);
    ci_verdict_line_add(to, line);
    ci_verdict_line_add(to, line);
    g_autofree char *whole = g_strconcat("before\n", right, right, NULL);
    assert_string_equal(to->str, whole);
    assert_int_equal(to->len, strlen(whole));
}

static det_verdict sample(void) {
    det_verdict v = {.verdict = DET_VERDICT_ANOMALY,
                     .rule = DET_RULE_WINDOW,
                     .direction = 1,
                     .night = {.mean = 1500.25, .low = 1490, .high = 1.0 / 3 + 1510},
                     .reference = {.mean = 1400, .low = 1399.999, .high = 1401},
                     .difference = {.mean = 100.25, .low = -1e-7, .high = 1e20},
                     .evidence = 17.5,
                     .reference_nights = 30,
                     .reference_from = 735000,
                     .reference_to = 735029,
                     .from = 735029,
                     .to = 735030};
    g_strlcpy(v.reason, "I rose by 7.16 %: from 1.40 µs to 1.50 µs", sizeof v.reason);
    return v;
}

static void every_verdict_is_said_as_by_objects(void **state) {
    (void)state;
    for (int dates = 0; dates < 2; dates++) {
        const ci_series series = {.dates = dates};
        for (int name = DET_VERDICT_OK; name <= DET_VERDICT_SUSPECT; name++)
            for (int direction = -1; direction <= 1; direction++) {
                det_verdict v = sample();
                v.verdict = (det_verdict_name)name;
                v.direction = direction;
                v.reference_nights = (unsigned)(name % 2) * 1234;
                line_is_right(
                    &(ci_verdict_line){&series, dates ? "2013-05-27" : "41", "I", 0.95, &v});
            }
    }
}

static void what_is_not_known_is_null(void **state) {
    (void)state;
    const ci_series series = {.dates = true};
    det_verdict v = sample();
    v.night.low = v.night.high = NAN;
    v.reference = v.difference = (det_interval){.mean = NAN, .low = -INFINITY, .high = INFINITY};
    v.evidence = NAN;
    line_is_right(&(ci_verdict_line){&series, "2013-05-27", "T", 0.999, &v});
}

/* Names and sentences that JSON cannot have as they are, and the longest ones. */
static void texts_of_any_letters(void **state) {
    (void)state;
    const ci_series series = {.dates = false};
    det_verdict v = sample();
    g_strlcpy(v.reason, "a \"name\"\\ with\ttabs,\nlines,\x01 and \x1f; W × 2 µs", sizeof v.reason);
    line_is_right(&(ci_verdict_line){&series, "-9223372036854775808", "W \"x\"\b", 0.5, &v});
    memset(v.reason, '\x02', sizeof v.reason - 1);
    v.reason[sizeof v.reason - 1] = 0;
    char name[DET_NAME_MAX];
    memset(name, '\x03', sizeof name - 1);
    name[sizeof name - 1] = 0;
    v.reference_from = G_MININT64;
    v.reference_to = v.from = v.to = G_MAXINT64;
    line_is_right(&(ci_verdict_line){&series, "9223372036854775807", name, 0.5, &v});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loop_means_are_read),
        cmocka_unit_test(a_plain_series_keeps_its_interval),
        cmocka_unit_test(nights_are_dates_or_numbers),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(numbers_are_read_to_the_last_bit),
        cmocka_unit_test(nights_have_their_names_back),
        cmocka_unit_test(a_line_without_end),
        cmocka_unit_test(what_cannot_be_read),

        cmocka_unit_test(every_verdict_is_said_as_by_objects),
        cmocka_unit_test(what_is_not_known_is_null),
        cmocka_unit_test(texts_of_any_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
