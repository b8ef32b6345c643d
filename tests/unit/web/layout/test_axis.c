#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>

#include "web/layout/text.h"

static void units_and_digits_fit_the_value(void **state) {
    (void)state;
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},       {1, "1.00 ns"},        {69.31, "69.3 ns"},  {999, "999 ns"},
        {1000, "1.00 µs"}, {1774, "1.77 µs"},     {-1774, "−1.77 µs"}, {3.2e6, "3.20 ms"},
        {1e10, "10.0 s"},  {-0.0001, "0.000 ns"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = web_format_value(cases[i].ns, NULL);
        assert_string_equal(text, cases[i].text);
    }
}

static void an_interval_shows_the_digits_it_deserves(void **state) {
    (void)state;
    static const struct {
        double mean, half;
        const char *mean_text, *half_text;
    } cases[] = {
        {1769, 51, "1.77", "0.05"},      {854, 14.8, "0.854", "0.015"}, {4500, 0, "4.50", "0.00"},
        {33200, 3100, "33", "3"},        {-20, 8, "−0.020", "0.008"},   {1000, 1, "1.000", "0.001"},
        {1600, 0.2, "1.600", "< 0.001"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *mean = NULL, *half = NULL;
        web_format_interval(cases[i].mean, cases[i].half, web_unit_for(1000, NULL), &mean, &half);
        assert_string_equal(mean, cases[i].mean_text);
        assert_string_equal(half, cases[i].half_text);
    }
}

static void ticks_are_round_and_hold_the_range(void **state) {
    (void)state;
    static const struct {
        double low, high;
        const char *unit;
    } cases[] = {{0, 0, "ns"},      {0, 1, "ns"},    {0, 999, "ns"}, {0, 1770, "µs"},
                 {-40, 4500, "µs"}, {0, 1e10, "s"},  {-5, -1, "ns"}, {-3e6, 2, "ms"},
                 {0, 1e15, "s"},    {0, 1e-6, "ns"}, {3, 7, "ns"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        web_axis axis = web_axis_make(cases[i].low, cases[i].high, 6, NULL);
        assert_string_equal(axis.unit.name, cases[i].unit);
        assert_true(axis.low <= fmin(cases[i].low, 0));
        assert_true(axis.high >= fmax(cases[i].high, 0));
        assert_true(axis.high > axis.low);
        double steps = (axis.high - axis.low) / axis.step;
        assert_true(steps >= 1 && steps < 8);
        double digit = axis.step / pow(10, floor(log10(axis.step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
    }
}

static void tick_labels_carry_the_steps_decimals(void **state) {
    (void)state;
    web_axis axis = web_axis_make(0, 1770, 8, NULL); /* step 0.5 µs */
    g_autofree char *text = web_format_tick(&axis, 1500);
    assert_string_equal(text, "1.5");
    g_autofree char *zero = web_format_tick(&axis, -1e-9);
    assert_string_equal(zero, "0.0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_and_digits_fit_the_value),
        cmocka_unit_test(an_interval_shows_the_digits_it_deserves),
        cmocka_unit_test(ticks_are_round_and_hold_the_range),
        cmocka_unit_test(tick_labels_carry_the_steps_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
