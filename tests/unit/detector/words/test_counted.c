/* counted: what counts say beside a change of time. */
#include "tests/unit/test.h"

#include "detector/words/counted.h"

#include <math.h>

static det_counted one(const char *name, double before, double after) {
    return (det_counted){.dimension = det_dimension_find(name),
                         .before = {.mean = before, .low = before, .high = before, .n = 2},
                         .after = {.mean = after, .low = after, .high = after, .n = 2}};
}

static void a_change_is_told_in_each_dimension_that_moved(void **state) {
    (void)state;
    char text[DET_COUNTED_MAX];
    const det_counted list[] = {one("instructions", 5000, 5410), one("allocations", 1, 3),
                                one("bytes", 32, 128), one("peak_mb", 8, 9)};
    det_counted_change(text, sizeof text, "I", list, 4);
    assert_string_equal(text, "I +410 instructions, +2 allocations, +96 bytes a call");
    det_counted_change(text, sizeof text, "I", &list[3], 1);
    assert_string_equal(text, "");
    det_counted slow[] = {one("instructions", 5000, 5410), one("bytes", 32, 128)};
    slow[0].slow = 1;
    det_counted_change(text, sizeof text, "I", slow, 2);
    assert_string_equal(text, "I +410 instructions (in small steps), +96 bytes a call");
    const det_counted fewer[] = {one("instructions", 500, 410.25), one("allocations", 2, 1.5)};
    det_counted_change(text, sizeof text, "W", fewer, 2);
    assert_string_equal(text, "W -89.8 instructions, -0.50 allocations a call");
}

static det_interval share(double mean, double half) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = 5};
}

static void what_is_lost_is_no_improvement_before_it_is_told_alone(void **state) {
    (void)state;
    static const struct {
        double before, before_half, after, after_half;
        const char *says, *alone;
    } cases[] = {
        {0, 0, 0.79, 0.33, "W +0.79 % of records lost", "W +0.79 % of records lost"},
        {0, 0, 0.79, 0.86, "W +0.79 % of records lost", ""},
        {0.1, 0.3, 0.8, 2, "W +0.70 % of records lost", ""},
        {0.1, 0.3, 0.8, 2.2, "", ""}, /* chance may have taken them */
        {0, 0, 0.04, 0, "", ""},      /* below the least that is told */
        {0.79, 0.33, 0, 0, "", "W -0.79 % of records lost"},
        {(double)NAN, 0, 2, 0.1, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[DET_COUNTED_MAX];
        const det_counted it = {.dimension = det_dimension_find("lost_percent"),
                                .before = share(cases[i].before, cases[i].before_half),
                                .after = share(cases[i].after, cases[i].after_half)};
        assert_int_equal(det_counted_lost(text, sizeof text, "W", &it), *cases[i].says != '\0');
        assert_string_equal(text, cases[i].says);
        det_counted_change(text, sizeof text, "W", &it, 1);
        assert_string_equal(text, cases[i].alone);
    }
}

/* Nothing of the machine: beside it stands whether it is that, and both were measured in turn. */
#define NO_WORK ": the cause may be waiting (memory, locks, the system) or the layout of the code"

static void a_verdict_with_time(void **state) {
    static const struct {
        double before, after;
        int direction;
        const char *says;
    } cases[] = {
        {5000, 5410, 1, "C +410 instructions a call"},
        {5410, 5000, -1, "C -410 instructions a call"},
        {5210, 5210, 1, "C: its instructions did not change (5210 a call)" NO_WORK},
        {5210, 5211, -1, "C: its instructions did not change (5211 a call)" NO_WORK},
        {5410, 5000, 1, "C -410 instructions a call; it does less and takes longer" NO_WORK},
        {5000, 5410, -1, "C +410 instructions a call; it does more and takes less time" NO_WORK},
        {(double)NAN, 5410, 1, ""}, /* not counted before */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[DET_COUNTED_MAX];
        const det_counted list[] = {one("instructions", cases[i].before, cases[i].after)};
        det_counted_verdict(text, sizeof text, "C", cases[i].direction, list, 1);
        assert_string_equal(text, cases[i].says);
    }
}

static void without_instructions_it_says_what_else_moved(void **state) {
    (void)state;
    char text[DET_COUNTED_MAX];
    const det_counted list[] = {one("bytes", 0, 96)}, same[] = {one("bytes", 96, 96)};
    det_counted_verdict(text, sizeof text, "I", 1, list, 1);
    assert_string_equal(text, "I +96 bytes a call");
    det_counted_verdict(text, sizeof text, "I", 1, same, 1);
    assert_string_equal(text, "");
    det_counted_verdict(text, sizeof text, "I", 1, NULL, 0);
    assert_string_equal(text, "");
}

static void a_dimension_by_itself(void **state) {
    static const struct {
        const char *name;
        double before, after;
        const char *says;
    } cases[] = {
        {"instructions", 5000, 5410, "+410 instructions a call"},
        {"instructions", 5410, 5000, "-410 instructions a call"},
        {"instructions", 5210, 5211, "5211 instructions a call, as before"},
        {"bytes", 0, 96, "+96 bytes a call"},
        {"bytes", 96, 96, "96 bytes a call, as before"},
        {"bytes", (double)NAN, 96, ""},
        {"of a newer server", 0, 96, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[DET_COUNTED_MAX];
        const det_counted it = one(cases[i].name, cases[i].before, cases[i].after);
        det_counted_alone(text, sizeof text, &it);
        assert_string_equal(text, cases[i].says);
    }
}

static void what_does_not_fit_is_cut(void **state) {
    (void)state;
    char text[8];
    const det_counted list[] = {one("instructions", 0, 410)};
    det_counted_verdict(text, sizeof text, "I", 1, list, 1);
    assert_string_equal(text, "I +410 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_told_in_each_dimension_that_moved),
        cmocka_unit_test(what_is_lost_is_no_improvement_before_it_is_told_alone),
        cmocka_unit_test(a_verdict_with_time),
        cmocka_unit_test(without_instructions_it_says_what_else_moved),
        cmocka_unit_test(a_dimension_by_itself),
        cmocka_unit_test(what_does_not_fit_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
