/* Histories in CSV: what is read, and what is refused with line and column. */
#include "tests/unit/test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "ci/formats/series.h"

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
    g_autoptr(ci_series) s = open_text("index,value,lo,hi\n0,100,98,102\n1,100,,\n", -1, &error);
    assert_non_null(s);
    assert_true(ci_series_next(s, &error));
    assert_true(fabs(s->means[1] - s->means[0] - 4 / 1.959963984540054) < 1e-12);
    assert_true(ci_series_next(s, &error));
    assert_true(s->means[0] == 100 && s->means[1] == 100);
}

static void nights_are_dates_or_numbers(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_series) dates = open_text("night,c0_1\n2013-02-28,1\n2013-03-01,2\n", -1, &error);
    assert_true(ci_series_next(dates, &error));
    const gint64 first = dates->night;
    assert_true(ci_series_next(dates, &error));
    assert_true(dates->dates && dates->night == first + 1 && dates->means[0] == 2);
    g_autofree char *date = ci_series_night(dates, first);
    assert_string_equal(date, "2013-02-28");
    g_autoptr(ci_series) numbers = open_text("night,c0_1\n41,1\n", -1, &error);
    assert_true(ci_series_next(numbers, &error));
    g_autofree char *number = ci_series_night(numbers, numbers->night);
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
        {"index,value\n1,nan\n", ":2:3: a number"},
        {"index,value\n1,1e999\n", ":2:3: a number"},
        {"index,value\n1,0x10\n", ":2:3: a number"},
        {"index,value\nx,1\n", ":2:1: the number or date of a night"},
        {"index,value\n2013-05-27,1\n3,1\n", ":3:1: a date was expected"},
        {"index,value\n2013-02-30,1\n", ":2:5: 1 values were expected"},
        {"index,value\n9223372036854775808,1\n", ":2:1: the number of a night is above"},
        {"index,value\n1,2,3\n", ":2:2: expected index,value"},
        {"index,value,lo,hi\n1,2,3,1\n", ":2:2: lo is above hi"},
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

/* Plain numbers take a way of their own: each must be the double that strtod says. */
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
        g_autofree char *name = ci_series_night(s, s->night);
        assert_string_equal(name, names[i]);
    }
    char text[CI_SERIES_NIGHT_MAX];
    (void)ci_series_number_to(text, G_MININT64);
    assert_string_equal(text, "-9223372036854775808");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
