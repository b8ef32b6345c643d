#include "web/layout/values.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/web/nights.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#define EPSILON 1e-9
enum { SPANS_MAX = 12 };

/* The same cases stand in tests/unit/web/js/typical.test.mjs. */
static const struct {
    const char *name;
    double highs[SPANS_MAX], lows[SPANS_MAX];
    size_t n;
    double low, high;
} CASES[] = {
    {"nothing", {0}, {0}, 0, 0, 0},
    {"too few to tell", {1, 1, 50}, {0}, 3, 0, 50},
    {"all alike", {10, 10, 10, 10}, {0}, 4, 0, 10},
    {"noise is shown", {10, 11, 9, 14, 10}, {0}, 5, 0, 14},
    {"a step by half is shown", {10, 10, 10, 10, 10, 10, 10, 15.9}, {0}, 8, 0, 15.9},
    {"more is cut off", {10, 10, 10, 10, 10, 10, 10, 16.1}, {0}, 8, 0, 11.5},
    {"one absurd night", {10, 10, 10, 10, 1000}, {0}, 5, 0, 11.5},
    {"the highest within decides", {10, 10, 10, 13, 10, 1000}, {0}, 6, 0, 14.5},
    {"the fence ends it", {10, 10, 10, 14, 10, 1000}, {0}, 6, 0, 14.5},
    {"a quarter is absurd", {10, 10, 10, 90, 10, 10, 10, 90}, {0}, 8, 0, 11.5},
    {"three of eight are a level", {10, 10, 10, 90, 10, 10, 90, 90}, {0}, 8, 0, 90},
    {"an absurd night below", {10, 10, 10, 10, 10}, {0, 0, -500, 0, 0}, 5, -1.5, 10},
    {"absurd on both sides", {10, 10, 900, 10, 10}, {-2, -2, -2, -800, -2}, 5, -3.8, 11.8},
    {"all below", {0, 0, 0, 0, 0}, {-4, -4, -4, -4, -400}, 5, -4.6, 0},
    {"the two newest are a level", {10, 10, 10, 10, 10, 10, 10, 10, 20, 21}, {0}, 10, 0, 21},
    {"of the newest one may be absurd", {10, 10, 10, 10, 10, 10, 10, 10, 20, 99}, {0}, 10, 0, 23},
    {"two absurd ones are no level", {10, 10, 10, 10, 10, 10, 10, 10, 900, 900}, {0}, 10, 0, 11.5},
    {"of long ago they are no level", {10, 20, 21, 10, 10, 10, 10, 10, 10, 10}, {0}, 10, 0, 11.5},
    {"nearly all zero", {0, 0, 0, 0, 7}, {0}, 5, 0, 7},
};

static void the_range_follows_the_many(void **state) {
    (void)state;
    for (size_t c = 0; c < G_N_ELEMENTS(CASES); c++) {
        web_range spans[SPANS_MAX];
        for (size_t i = 0; i < CASES[c].n; i++)
            spans[i] = (web_range){CASES[c].lows[i], CASES[c].highs[i]};
        web_range shown = range_typical(spans, spans, CASES[c].n);
        if (fabs(shown.low_ns - CASES[c].low) > EPSILON ||
            fabs(shown.high_ns - CASES[c].high) > EPSILON)
            fail_msg("%s: %g to %g", CASES[c].name, shown.low_ns, shown.high_ns);
    }
}

/* However far out they lie, and on whichever side: most of the scale is the typical's. */
static void outliers_never_flatten_the_typical(void **state) {
    (void)state;
    for (int power = 0; power < 52; power++) {
        const double absurd = pow(1.7, power);
        web_range spans[8];
        for (size_t i = 0; i < 8; i++)
            spans[i] = (web_range){-1, 10};
        spans[2].high_ns = 10 * absurd;
        spans[5].low_ns = -3 * absurd;
        web_range shown = range_typical(spans, spans, 8);
        assert_true(shown.low_ns <= -1 && shown.high_ns >= 10);
        assert_true((shown.high_ns - shown.low_ns) <= 11 * (1 + WEB_RANGE_KEPT) + EPSILON);
    }
}

/* Columns of many nights: most hold an absurd one, but their medians are alike. */
static void of_many_nights_the_medians_say_what_is_typical(void **state) {
    (void)state;
    web_range spans[8], cores[8];
    for (size_t i = 0; i < 8; i++) {
        cores[i] = (web_range){0, 10};
        spans[i] = (web_range){0, i < 2 ? 12 : 1000};
    }
    web_range shown = range_typical(spans, cores, 8);
    assert_true(shown.high_ns > 12 && shown.high_ns <= 10 * (1 + WEB_RANGE_STRETCH) + EPSILON);
    for (size_t i = 0; i < 8; i++)
        spans[i].high_ns = 1000;
    shown = range_typical(spans, cores, 8);
    assert_true(shown.high_ns > 10 && shown.high_ns <= 10 * (1 + WEB_RANGE_STRETCH) + EPSILON);
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* In any order, with many alike: what stands at three quarters is what sorting puts there, and one
 * absurd value shows it as the height that is typical. */
static void what_is_typical_does_not_hang_on_the_order(void **state) {
    (void)state;
    g_autoptr(GRand) random = g_rand_new_with_seed(9);
    for (int round = 0; round < 400; round++) {
        const size_t n = (size_t)g_rand_int_range(random, 5, 300);
        web_range spans[300];
        double sorted[300];
        const double kinds = round % 3 ? 1e6 : 6;
        for (size_t i = 0; i < n; i++) {
            const double high = 100 + floor(g_rand_double(random) * kinds) / kinds;
            sorted[i] = high;
            spans[i] = (web_range){0, high};
        }
        const size_t absurd = (size_t)g_rand_int_range(random, 0, (gint32)n);
        spans[absurd].high_ns = sorted[absurd] = 1e9;
        const double newest = fmin(spans[n - 1].high_ns, spans[n - 2].high_ns);
        qsort(sorted, n, sizeof *sorted, ascending);
        const double typical = fmax(sorted[3 * (n - 1) / 4], newest), within = sorted[n - 2];
        const web_range shown = range_typical(spans, spans, n);
        assert_true(fabs(shown.high_ns - (within + typical * WEB_RANGE_MARGIN)) < EPSILON);
        assert_true(shown.low_ns >= 0 && shown.low_ns <= 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_range_follows_the_many),
        cmocka_unit_test(outliers_never_flatten_the_typical),
        cmocka_unit_test(what_is_typical_does_not_hang_on_the_order),
        cmocka_unit_test(of_many_nights_the_medians_say_what_is_typical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
