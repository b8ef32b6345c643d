/* What a commit announces about its overhead, and whether a change is within it. */
#include "server/alarm/expectations.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"T", "I", "C", "W", "C+W", "W Zipkin"};

static void what_is_understood(void **state) {
    (void)state;
    static const struct {
        const char *text, *portions;
        int direction;
        double percent, ns;
        const char *reason;
    } cases[] = {
        {"C +10% new serializer", "C", 1, 10, NAN, "new serializer"},
        {"C", "C", 0, NAN, NAN, NULL},
        {"  I,C +5 % (more fields)  ", "I C", 1, 5, NAN, "more fields"},
        {"I, C,W -50 ns less to write", "I C W", -1, NAN, 50, "less to write"},
        {"* 1.5us", "*", 0, NAN, 1500, NULL},
        {"W +2\u00b5s", "W", 1, NAN, 2000, NULL},
        {"W 0.5ms x", "W", 0, NAN, 5e5, "x"},
        {"C+W +3%", "C+W", 1, 3, NAN, NULL},
        {"W Zipkin +3% batches", "W Zipkin", 1, 3, NAN, "batches"},
        {"W Zipkin,C 50ns", "W Zipkin C", 0, NAN, 50, NULL},
        {"W Zipkins are slow", "W", 0, NAN, NAN, "Zipkins are slow"},
        {"C - no number, so a reason", "C", 0, NAN, NAN, "- no number, so a reason"},
        {"C because of #996 (see there)", "C", 0, NAN, NAN, "because of #996 (see there)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(expectation) expect = {0};
        g_autofree char *problem = NULL;
        if (!expectation_parse(cases[i].text, names, G_N_ELEMENTS(names), &expect, &problem))
            fail_msg("%s: %s", cases[i].text, problem);
        g_autofree char *portions = g_strjoinv(" ", expect.portions);
        assert_string_equal(portions, cases[i].portions);
        assert_int_equal(expect.direction, cases[i].direction);
        assert_true(expect.percent == cases[i].percent ||
                    (isnan(expect.percent) && isnan(cases[i].percent)));
        assert_true(expect.ns == cases[i].ns || (isnan(expect.ns) && isnan(cases[i].ns)));
        assert_int_equal(g_strcmp0(expect.reason, cases[i].reason), 0);
    }
}

static void what_is_not(void **state) {
    (void)state;
    g_autofree char *endless = g_strnfill(TEXT_MAX + 1, 'C');
    const struct {
        const char *text, *problem;
    } cases[] = {
        {"", "names no portion"},
        {"+10%", "is not a portion"},
        {"X +10%", "\"X\" is not a portion"},
        {"c +10%", "T, I, C, W"},
        {"C, +10%", "is not a portion"},
        {"C +10 because", "no unit"},
        {"C +10percent", "no unit"},
        {"C +0%", "not above 0"},
        {"C +1e999%", "not above 0"},
        {",", "names no portion"},
        {"C \xff", "UTF-8"},
        {endless, "longer than"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(expectation) expect = {0};
        g_autofree char *problem = NULL;
        assert_false(
            expectation_parse(cases[i].text, names, G_N_ELEMENTS(names), &expect, &problem));
        assert_null(expect.portions);
        if (!strstr(problem, cases[i].problem))
            fail_msg("%s: %s", cases[i].text, problem);
    }
}

static void what_it_covers(void **state) {
    (void)state;
    static const struct {
        const char *text, *portion;
        double before, low, high;
        bool covered;
    } cases[] = {
        {"C +10%", "C", 1000, 80, 100, true},
        {"C +10%", "C", 1000, 95, 125, true}, /* may be 10 % */
        {"C +10%", "C", 1000, 101, 125, false},
        {"C +10%", "I", 1000, 80, 100, false},
        {"C +10%", "C", 1000, -100, -80, false},
        {"C 10%", "C", 1000, -100, -80, true},
        {"C -10%", "C", 1000, -150, -120, false},
        {"* 50ns", "W", 0, 40, 60, true},
        {"W", "W", 10, 1e6, 2e6, true},
        {"C +10%", "C", 1000, NAN, NAN, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(expectation) expect = {0};
        g_autofree char *problem = NULL;
        assert_true(
            expectation_parse(cases[i].text, names, G_N_ELEMENTS(names), &expect, &problem));
        if (expectation_covers(&expect, cases[i].portion, cases[i].before, cases[i].low,
                               cases[i].high) != cases[i].covered)
            fail_msg("case %zu", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_understood),
        cmocka_unit_test(what_is_not),
        cmocka_unit_test(what_it_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
