#include "tests/unit/runner/test.h"

#include "runner/node/noise.h"

static void test_known_gaps(void **state) {
    (void)state;
    const uint64_t ns[] = {1000, 1050, 1100, 6100, 6150, 106150, 107000, 1001000};
    run_noise noise = run_noise_of(ns, sizeof ns / sizeof *ns);
    assert_int_equal(noise.gaps, 3);
    assert_int_equal(noise.longest_ns, 894000);
    assert_close(noise.lost_ppm, (5000.0 + 100000 + 894000) / 1000000 * 1e6, 1e-6);
    assert_close(noise.seconds, 0.001, 1e-12);
}

static void test_nothing(void **state) {
    (void)state;
    run_noise none = run_noise_of(NULL, 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_gaps), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_measures), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
