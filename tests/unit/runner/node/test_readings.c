#include "runner/node/readings.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <math.h>
#include <unistd.h>

static run_readings look(double at_s, double busy_s, double steal_s, double own_s) {
    double ticks = (double)sysconf(_SC_CLK_TCK);
    return (run_readings){.at_us = (int64_t)(at_s * 1e6),
                          .own_cpu_seconds = own_s,
                          .temperature_c = NAN,
                          .stat = {.busy_ticks = (uint64_t)(busy_s * ticks),
                                   .steal_ticks = (uint64_t)(steal_s * ticks)}};
}

static void test_others(void **state) {
    (void)state;
    const struct {
        double busy_s, steal_s, own_s, others_percent;
    } cases[] = {{10, 0, 10, 0},  {10.5, 0, 10, 5}, {20, 0, 10, 100},
                 {9.9, 0, 10, 0}, {12, 2, 10, 0},   {13, 2, 10, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_readings before = look(5, 100, 1, 3);
        run_readings after =
            look(15, 100 + cases[i].busy_s, 1 + cases[i].steal_s, 3 + cases[i].own_s);
        run_readings_span span;
        run_readings_between(&before, &after, &span);
        assert_close(span.seconds, 10, 1e-9);
        assert_close(span.others_cpu_percent, cases[i].others_percent, 1e-9);
        assert_close(span.steal_percent,
                     10 * cases[i].steal_s / (double)sysconf(_SC_NPROCESSORS_ONLN), 1e-9);
    }
}

static void test_rates(void **state) {
    (void)state;
    run_readings before = look(0, 0, 0, 0), after = look(2, 0, 0, 0);
    before.stat.switches = 100;
    after.stat.switches = 300;
    after.pressure_us[2] = 500000;
    after.interrupts_on_cpus = 50;
    run_readings_span span;
    run_readings_between(&before, &after, &span);
    assert_close(span.switches_per_s, 100, 0);
    assert_close(span.pressure_percent[2], 25, 1e-12);
    assert_close(span.interrupts_on_cpus_per_s, 25, 0);
    json_t *out = run_readings_json(&span);
    assert_close(json_real_value(json_object_get(out, "memory_pressure_percent")), 25, 0);
    assert_null(json_object_get(out, "temperature_c")); /* unknown is left out */
    json_decref(out);
}

/* Nobody used eighteen trillion processors meanwhile. */
static void test_counters_that_were_set_back(void **state) {
    (void)state;
    run_readings before = look(0, 50, 5, 0), after = look(10, 40, 5, 1);
    run_readings_span span;
    before.stat.switches = before.stat.interrupts = before.interrupts_on_cpus = 9;
    before.throttles = before.pressure_us[1] = 9;
    run_readings_between(&before, &after, &span);
    assert_true(span.went_back);
    const double told[] = {span.others_cpu_percent,  span.steal_percent,
                           span.switches_per_s,      span.interrupts_per_s,
                           span.pressure_percent[1], span.interrupts_on_cpus_per_s,
                           (double)span.throttles};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_true(told[i] == 0);
    after = look(10, 60, 4, 1); /* a virtual machine that has moved: what was stolen begins anew */
    run_readings_between(&before, &after, &span);
    assert_true(span.went_back && span.steal_percent == 0);
    run_readings_between(&before, &before, &span);
    assert_false(span.went_back);
    const totals much = {.cpu_s = 9, .disk_mb = 9, .network_mb = 9}, none = {0};
    const run_usage_sample sample = usage_between(&much, &none, 10);
    assert_true(sample.cpu_percent == 0 && sample.disk_mb == 0 && sample.network_mb == 0);
}

static void test_take_moves_on(void **state) {
    (void)state;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    run_readings before, after;
    run_readings_take(&before, &cpus);
    run_readings_take(&after, &cpus);
    assert_true(before.stat.busy_ticks > 0 && before.stat.running > 0 && before.memory_mb > 0);
    assert_true(after.at_us >= before.at_us && after.stat.busy_ticks >= before.stat.busy_ticks);
    assert_true(after.own_cpu_seconds >= before.own_cpu_seconds);
}

static double value(json_t *out, const char *key, size_t i) {
    return json_number_value(json_array_get(json_object_get(out, key), i));
}

static void test_joins_neighbours_when_full(void **state) {
    (void)state;
    g_autoptr(run_usage) usage = run_usage_new();
    for (unsigned i = 0; i < RUN_USAGE_SAMPLES_MAX + 1; i++) {
        run_usage_sample sample = {.cpu_percent = i, .memory_mb = i, .disk_mb = 1, .network_mb = 2};
        usage_add(usage, &sample);
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
    run_usage_tick(usage, false);
    json_t *out = run_usage_json(usage);
    assert_int_equal(json_array_size(json_object_get(out, "cpu_percent")), 0);
    json_decref(out);
}

static void test_pressure(void **state) {
    (void)state;
    assert_int_equal(pressure_us_of("some avg10=0.00 avg60=0.00 avg300=0.00 total=123\n"
                                    "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"),
                     123);
    assert_int_equal(pressure_us_of("full total=9\n"), 0);
    assert_int_equal(pressure_us_of(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_counters_that_were_set_back),
        cmocka_unit_test(test_take_moves_on),
        cmocka_unit_test(test_joins_neighbours_when_full),
        cmocka_unit_test(test_no_sample_before_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
