/* Numbers as people read them. */
#include "tests/unit/test.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/words/text__.h"
#include "tests/unit/detector/luck.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char text[64];

static det__line fresh(void) {
    return det__line_of(text, sizeof text);
}

static void a_line_takes_what_fits(void **state) {
    (void)state;
    char small[6] = "xxxxx";
    det__line line = det__line_of(small, sizeof small);
    assert_string_equal(small, "");
    det__put(&line, "abc");
    det__put(&line, "");
    assert_string_equal(small, "abc");
    det__put(&line, "defg");
    assert_string_equal(small, "abcde");
    det__put(&line, "h");
    det__put_count(&line, 7);
    assert_string_equal(small, "abcde");
    char least[1];
    line = det__line_of(least, 1);
    det__put(&line, "abc");
    assert_int_equal(*least, 0);
}

static void counts_have_all_their_digits(void **state) {
    (void)state;
    static const unsigned long long counts[] = {0, 1, 9, 10, 1000000, 18446744073709551615ULL};
    for (size_t i = 0; i < COUNT(counts); i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "%llu", counts[i]);
        det__line line = fresh();
        det__put_count(&line, counts[i]);
        assert_string_equal(text, expected);
    }
}

static void numbers_have_three_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *shown;
    } cases[] = {
        {0, "0.00"},      {-0.0, "0.00"},  {1.234, "1.23"},  {-1.235, "-1.24"},
        {9.994, "9.99"},  {9.996, "10.0"}, {12.34, "12.3"},  {99.94, "99.9"},
        {99.96, "100"},   {123.5, "124"},  {-.004, "0.00"},  {12345, "12345"},
        {NAN, "unknown"}, {1e15, "huge"},  {-1e300, "huge"}, {INFINITY, "huge"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        det__line line = fresh();
        det__put_number(&line, cases[i].value);
        assert_string_equal(text, cases[i].shown);
    }
}

static void a_fixed_number_is_what_printf_would_say(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        const int decimals = i % (DET__DECIMALS_MAX + 1);
        /* In thousandths of a last place: never half a place, where the two may round apart. */
        const double places = floor(1e7 * luck_uniform(&seed)) + .1 + .8 * (i % 2);
        const double value = (i % 3 ? 1 : -1) * places / pow(10, decimals);
        char expected[64];
        snprintf(expected, sizeof expected, "%.*f", decimals, value);
        if (strtod(expected, NULL) == 0)
            continue; /* "-0" is the next test's */
        det__line line = fresh();
        det__put_fixed(&line, value, decimals);
        assert_string_equal(text, expected);
    }
}

static void nothing_is_never_negative(void **state) {
    (void)state;
    for (int decimals = 0; decimals <= DET__DECIMALS_MAX; decimals++) {
        det__line line = fresh();
        det__put_fixed(&line, -.4 * pow(10, -decimals), decimals);
        assert_null(strchr(text, '-'));
    }
}

static void a_step_has_the_decimals_it_takes(void **state) {
    (void)state;
    static const struct {
        double step, units;
        int decimals;
    } cases[] = {
        {5, 1, 0},
        {.5, 1, 1},
        {.05, 1, 2},
        {.05, 10, 3},
        {123, 10, 0},
        {-2, 10, 1},
        {0, 1, DET__DECIMALS_MAX},
        {1e-9, 1, DET__DECIMALS_MAX},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(det__decimals_of(cases[i].step, cases[i].units), cases[i].decimals);
}

static void shares_and_levels(void **state) {
    (void)state;
    static const struct {
        double percent;
        const char *shown;
    } shares[] = {
        {281.4, "+281 %"},   {-91.23, "-91.2 %"}, {1.239, "+1.24 %"}, {-.00261, "-0.0026 %"},
        {.0312, "+0.031 %"}, {0, "0.000000 %"},   {NAN, "unknown %"},
    };
    for (size_t i = 0; i < COUNT(shares); i++) {
        det__line line = fresh();
        det__put_share(&line, shares[i].percent);
        assert_string_equal(text, shares[i].shown);
    }
    static const struct {
        double level;
        const char *shown;
    } levels[] = {{.95, "95 %"},      {.9, "90 %"},     {.99, "99 %"},      {.999, "99.9 %"},
                  {.9999, "99.99 %"}, {.954, "95.4 %"}, {.6827, "68.27 %"}, {.5, "50 %"}};
    for (size_t i = 0; i < COUNT(levels); i++) {
        det__line line = fresh();
        det__put_level(&line, levels[i].level);
        assert_string_equal(text, levels[i].shown);
    }
}

static void durations_choose_their_unit(void **state) {
    (void)state;
    static const struct {
        double ns;
        const char *shown;
    } cases[] = {
        {0, "0.00 ns"},        {203.2, "203 ns"},    {999.4, "999 ns"},   {999.5, "1.00 µs"},
        {1449, "1.45 µs"},     {-25300, "-25.3 µs"}, {999499, "999 µs"},  {999500, "1.00 ms"},
        {2.5e9, "2.50 s"},     {7.2e12, "7200 s"},   {NAN, "unknown ns"}, {.45, "0.450 ns"},
        {.0036, "0.00360 ns"}, {-.9996, "-1.00 ns"}, {.9994, "0.999 ns"}, {9.996, "10.0 ns"},
        {1e-9, "0.00 ns"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        det__line line = fresh();
        det__put_amount(&line, cases[i].ns, NULL);
        assert_string_equal(text, cases[i].shown);
    }
}

static void a_time_in_a_given_unit(void **state) {
    (void)state;
    det__line line = fresh();
    det__put_in(&line, 1234567, 1, 2, NULL);
    assert_string_equal(text, "1234.57 µs");
    for (int unit = 0; unit < 4; unit++) {
        assert_int_equal(det__unit(det__unit_ns(unit)), unit);
        assert_int_equal(det__unit(-999.4 * det__unit_ns(unit)), unit);
    }
}

/* A German's or a Frenchman's decimal comma would make two numbers of one. */
static void the_locale_has_no_say(void **state) {
    (void)state;
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    for (size_t i = 0; i < COUNT(commas); i++) {
        setlocale(LC_ALL, commas[i]);
        det__line line = fresh();
        det__put_number(&line, 1.5);
        assert_string_equal(text, "1.50");
    }
    setlocale(LC_ALL, "C");
}

/* What is written alike, and nothing else. */
static void values_that_print_alike(void **state) {
    (void)state;
    static const struct {
        double a, b;
        int alike;
    } cases[] = {
        {200, 200.2, 1},   {200, 201, 0},    {0, 1e-9, 1},        {0, .003, 0},
        {.003, .0036, 0},  {.003, .003, 1},  {.0036, .003603, 1}, {9.99, 10, 0},
        {9.996, 10.04, 1}, {99.9, 100.4, 0}, {999.4, 1000, 0},    {-5, 5, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(det__same_in_print(cases[i].a, cases[i].b), cases[i].alike);
        assert_int_equal(det__same_in_print(cases[i].b, cases[i].a), cases[i].alike);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_takes_what_fits),
        cmocka_unit_test(counts_have_all_their_digits),
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(a_fixed_number_is_what_printf_would_say),
        cmocka_unit_test(nothing_is_never_negative),
        cmocka_unit_test(a_step_has_the_decimals_it_takes),
        cmocka_unit_test(shares_and_levels),
        cmocka_unit_test(durations_choose_their_unit),
        cmocka_unit_test(a_time_in_a_given_unit),
        cmocka_unit_test(values_that_print_alike),
        cmocka_unit_test(the_locale_has_no_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
