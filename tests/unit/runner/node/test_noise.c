#include "runner/node/noise.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include "runner/ground/procfs.h"

/* ns: [n] clock values, ascending. */
static run_noise noise_of(const uint64_t *ns, size_t n) {
    run_noise noise = {0};
    for (size_t i = 1; i < n; i++)
        add_step(&noise, ns[i] - ns[i - 1]);
    finish(&noise, n > 0 ? ns[n - 1] - ns[0] : 0);
    return noise;
}

static void test_known_gaps(void **state) {
    (void)state;
    const uint64_t ns[] = {1000, 1050, 1100, 6100, 6150, 106150, 107000, 1001000};
    run_noise noise = noise_of(ns, sizeof ns / sizeof *ns);
    assert_int_equal(noise.gaps, 3);
    assert_int_equal(noise.longest_ns, 894000);
    assert_close(noise.lost_ppm, (5000.0 + 100000 + 894000) / 1000000 * 1e6, 1e-6);
    assert_close(noise.seconds, 0.001, 1e-12);
}

static void test_nothing(void **state) {
    (void)state;
    run_noise none = noise_of(NULL, 0);
    assert_int_equal(none.gaps, 0);
    assert_close(none.lost_ppm, 0, 0);
}

static void test_measures(void **state) {
    (void)state;
    run_noise noise = run_noise_measure(-1, 50);
    assert_true(noise.seconds >= 0.05);
    assert_true(noise.lost_ppm >= 0 && noise.lost_ppm <= 1e6);
}

static void test_words(void **state) {
    (void)state;
    assert_string_equal(run_noise_word(0), "silent");
    assert_string_equal(run_noise_word(100), "quiet");
    assert_string_equal(run_noise_word(1000), "fair");
    assert_string_equal(run_noise_word(10000), "noisy");
}

/* A third of the pieces takes half as long again. */
static void test_known_durations(void **state) {
    (void)state;
    double ns[300];
    for (size_t i = 0; i < 300; i++)
        ns[i] = i % 3 == 1 ? 37500 : 25000 + 10.0 * (double)(i % 7);
    const run_speed speed = speed_of(ns, 300);
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
    const run_speed speed = speed_of(ns, 100);
    assert_close(speed.slow_share, 0.01, 1e-12);
    assert_close(speed.times, 40, 1e-12);
    const run_speed none = speed_of(NULL, 0);
    assert_int_equal(none.pieces, 0);
    assert_close(none.slow_share, 0, 0);
    assert_close(none.times, 1, 0);
}

static void speed_test_measures(void **state) {
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_gaps),      cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_measures),        cmocka_unit_test(test_words),
        cmocka_unit_test(test_known_durations), cmocka_unit_test(test_single_pieces_say_nothing),
        cmocka_unit_test(speed_test_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
