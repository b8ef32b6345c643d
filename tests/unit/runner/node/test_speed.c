#include "tests/unit/runner/test.h"

#include "runner/ground/cpus.h"
#include "runner/node/speed.h"

/* A third of the pieces takes half as long again. */
static void test_known_durations(void **state) {
    (void)state;
    double ns[300];
    for (size_t i = 0; i < 300; i++)
        ns[i] = i % 3 == 1 ? 37500 : 25000 + 10.0 * (double)(i % 7);
    const run_speed speed = run_speed_of(ns, 300);
    assert_int_equal(speed.pieces, 300);
    assert_close(speed.slow_share, 1.0 / 3, 1e-12);
    assert_close(speed.times, 1.5, 0.01);
}

/* One pause is no slow processor, and neither is one piece that was faster than all. */
static void test_single_pieces_say_nothing(void **state) {
    (void)state;
    double ns[100];
    for (size_t i = 0; i < 100; i++)
        ns[i] = i == 7 ? 1e6 : i == 50 ? 1000 : 25000;
    const run_speed speed = run_speed_of(ns, 100);
    assert_close(speed.slow_share, 0.01, 1e-12);
    assert_close(speed.times, 40, 1e-12);
    const run_speed none = run_speed_of(NULL, 0);
    assert_int_equal(none.pieces, 0);
    assert_close(none.slow_share, 0, 0);
    assert_close(none.times, 1, 0);
}

static void test_measures(void **state) {
    (void)state;
    cpu_set_t before, after;
    run_cpus_allowed(&before);
    const run_speed speed = run_speed_measure(-1, 50);
    assert_true(speed.pieces > 10 && speed.times >= 1);
    assert_true(speed.slow_share >= 0 && speed.slow_share <= 1);
    run_cpus_allowed(&after);
    assert_true(CPU_EQUAL(&before, &after));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_durations),
                                       cmocka_unit_test(test_single_pieces_say_nothing),
                                       cmocka_unit_test(test_measures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
