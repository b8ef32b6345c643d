/* dimension: which change of a count is told. */
#include "tests/unit/test.h"

#include "detector/statistics/dimension.h"

#include <math.h>

static det_interval at(double mean, double half) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = 2, .df = 1};
}

static void the_smallest_change_that_is_told(void **state) {
    static const struct {
        const char *dimension;
        double before, before_half, after, after_half;
        int moved;
    } cases[] = {
        {"instructions", 5000, 0, 5025, 0, 1}, /* 0.5 % */
        {"instructions", 5000, 0, 5024, 0, 0},
        {"instructions", 5000, 0, 4975, 0, -1},
        {"instructions", 100, 0, 104, 0, 0}, /* 4 %, but less than 5 instructions */
        {"instructions", 100, 0, 105, 0, 1},
        {"instructions", -20, 0, -26, 0, -1}, /* a portion may be below 0 */
        {"instructions", 0, 0, 410, 0, 1},
        {"instructions", 5000, 0, 5000, 0, 0},
        {"instructions", 5000, 30, 5040, 30, 0}, /* the counts waver by as much */
        {"instructions", 5000, 30, 5043, 30, 1},
        {"allocations", 0, 0, 2, 0, 1},
        {"allocations", 1, 0, 1.005, 0, 0},
        {"bytes", 96, 0, 96.5, 0, 0},
        {"bytes", 0, 0, 96, 0, 1},
        {"peak_mb", 10, 0, 1000, 0, 0}, /* only shown */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det_interval before = at(cases[i].before, cases[i].before_half);
        const det_interval after = at(cases[i].after, cases[i].after_half);
        const det_dimension *dimension = det_dimension_find(cases[i].dimension);
        assert_non_null(dimension);
        if (det_dimension_moved(dimension, &before, &after) != cases[i].moved)
            fail_msg("%s from %g to %g is not %d", cases[i].dimension, cases[i].before,
                     cases[i].after, cases[i].moved);
    }
}

static void what_is_not_known_moves_nothing(void **state) {
    (void)state;
    const det_dimension *instructions = det_dimension_find("instructions");
    const det_interval sure = at(5000, 0), once = {.mean = 9000, .low = NAN, .high = NAN, .n = 1},
                       none = {.mean = NAN, .low = NAN, .high = NAN};
    assert_int_equal(det_dimension_moved(instructions, &sure, &once), 0);
    assert_int_equal(det_dimension_moved(instructions, &none, &sure), 0);
    assert_int_equal(det_dimension_moved(instructions, &sure, &none), 0);
}

static void names_are_found_and_differ(void **state) {
    (void)state;
    for (size_t i = 0; i < DET_DIMENSIONS; i++)
        assert_ptr_equal(det_dimension_find(det_dimensions[i].name), &det_dimensions[i]);
    assert_null(det_dimension_find("time"));
    assert_null(det_dimension_find(NULL));
    assert_true(det_dimension_counted(det_dimension_find("bytes")));
    assert_false(det_dimension_counted(det_dimension_find("switches")));
    assert_true(det_dimension_counted(det_dimension_find("lost_percent")));
    assert_true(det_dimension_series() == 6);
}

static void a_count_is_neither_below_zero_nor_beyond_all(void **state) {
    (void)state;
    assert_true(det_dimension_valid(0));
    assert_true(det_dimension_valid(5210.5));
    assert_false(det_dimension_valid(-1));
    assert_false(det_dimension_valid(1e16));
    assert_false(det_dimension_valid(NAN));
    assert_false(det_dimension_valid(INFINITY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_change_that_is_told),
        cmocka_unit_test(what_is_not_known_moves_nothing),
        cmocka_unit_test(names_are_found_and_differ),
        cmocka_unit_test(a_count_is_neither_below_zero_nor_beyond_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
