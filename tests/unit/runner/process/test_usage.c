#include "tests/unit/runner/test.h"

#include "runner/process/usage.h"

static double value(json_t *out, const char *key, size_t i) {
    return json_number_value(json_array_get(json_object_get(out, key), i));
}

static void test_joins_neighbours_when_full(void **state) {
    (void)state;
    g_autoptr(run_usage) usage = run_usage_new();
    for (unsigned i = 0; i < RUN_USAGE_SAMPLES_MAX + 1; i++) {
        run_usage_sample sample = {.cpu_percent = i, .memory_mb = i, .disk_mb = 1, .network_mb = 2};
        run_usage_add(usage, &sample);
    }
    json_t *out = run_usage_json(usage);
    assert_int_equal(json_integer_value(json_object_get(out, "every_seconds")),
                     2 * RUN_USAGE_EVERY_S);
    assert_int_equal(json_array_size(json_object_get(out, "cpu_percent")),
                     RUN_USAGE_SAMPLES_MAX / 2 + 1);
    assert_close(value(out, "cpu_percent", 1), 2.5, 0);
    assert_close(value(out, "memory_mb", 1), 3, 0);
    assert_close(value(out, "disk_mb", 1), 2, 0);
    assert_close(value(out, "network_mb", 1), 4, 0);
    json_decref(out);
}

static void test_no_sample_before_its_time(void **state) {
    (void)state;
    g_autoptr(run_usage) usage = run_usage_new();
    run_usage_tick(usage);
    json_t *out = run_usage_json(usage);
    assert_int_equal(json_array_size(json_object_get(out, "cpu_percent")), 0);
    json_decref(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joins_neighbours_when_full),
                                       cmocka_unit_test(test_no_sample_before_its_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
