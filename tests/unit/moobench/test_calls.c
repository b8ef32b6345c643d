/* calls: every thread's durations are there, and none is shorter than the method's time. */
#include "tests/unit/test.h"

#include "runner/moobench/c/moobench.h"

static moobench_options options_of(int64_t calls, int64_t method_time_ns, int depth, int threads) {
    return (moobench_options){calls, method_time_ns, depth, threads, "unused", true};
}

static void test_every_call_of_every_thread_is_timed(void **state) {
    (void)state;
    moobench_options options = options_of(500, 0, 10, 3);
    moobench_calls calls;
    assert_int_equal(moobench_calls_measure(&options, &calls), 0);
    assert_int_equal(calls.threads, 3);
    assert_int_equal(calls.calls, 500);
    for (int i = 0; i < 3 * 500; i++)
        assert_true(calls.durations[i] >= 0);
    moobench_calls_clear(&calls);
    assert_null(calls.durations);
}

static void test_method_time_is_a_lower_bound(void **state) {
    (void)state;
    moobench_options options = options_of(5, 200000, 4, 1);
    moobench_calls calls;
    assert_int_equal(moobench_calls_measure(&options, &calls), 0);
    for (int i = 0; i < 5; i++)
        assert_true(calls.durations[i] >= 200000);
    moobench_calls_clear(&calls);
}

static void test_deep_recursion_has_stack_enough(void **state) {
    (void)state;
    /* Not MOOBENCH_DEPTH_MAX: ThreadSanitizer follows 65536 activations at most. */
    moobench_options options = options_of(2, 0, 50000, 1);
    moobench_calls calls;
    assert_int_equal(moobench_calls_measure(&options, &calls), 0);
    moobench_calls_clear(&calls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_of_every_thread_is_timed),
        cmocka_unit_test(test_method_time_is_a_lower_bound),
        cmocka_unit_test(test_deep_recursion_has_stack_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
