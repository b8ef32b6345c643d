/* pyperf's JSON: seconds; a run is a process, and those that calibrate have no values. */
#include "tests/unit/config/formats/reader.h"

static void runs_are_loops(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "pyperf", "{'benchmarks': [{'metadata': {'name': 'none', 'python_version': '3.13'}, "
                  "'runs': [{'metadata': {'date':"
                  " '2026-11-27 17:13:59.247260'}, 'warmups': [[1, 8e-6]]}, {'values': [2e-9,"
                  " 4e-9]}, {'values': [5e-9]}]}], 'metadata': {'unit': 'second', 'cpu_count': 2,"
                  " 'hostname': 'blade', 'load_avg_1min': 1.5}, 'version':"
                  " '1.0'}");
    expect_values(night, 1, 0);
    assert_true(is_near(value_at(night, 0)->mean_ns, 4));
    expect_loops(value_at(night, 0), 2, 3);
    expect_machine(night, "{'cpu_count': 2, 'hostname': 'blade', 'python_version': '3.13'}");
    assert_true(night->time_ms == INT64_C(1795799639000));
    fmt_night_free(night);
}

/* With one benchmark its name stands at the top. */
static void what_all_share_stands_at_the_top(void **state) {
    (void)state;
    fmt_night *night = night_of("pyperf", "{'metadata': {'name': 'span'}, 'benchmarks': [{'runs':"
                                          " [{'values': [1e-9]}]}]}");
    expect_mean(value_at(night, 0), "span", 1, NAN, NAN);
    fmt_night_free(night);
    night = night_of("pyperf", "{'benchmarks': [{'metadata': {'name': 'size', 'unit': 'byte'},"
                               " 'runs': [{'values': [4]}]}, {'metadata': {'name': 'a'}, 'runs':"
                               " [{'values': [NaN, 1e-9]}]}]}");
    expect_values(night, 1, 2);
    expect_left(night, 0, "size", "\"byte\" is not a unit of time");
    expect_left(night, 1, "a", "run 1, value 1 is not a number");
    fmt_night_free(night);
    expect_wrong("pyperf", "{'benchmarks': [{'runs': []}, {'runs': []}]}",
                 "benchmarks[1]: \"\" is there twice");
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}", "[]", "{'benchmarks': []}",
                                        "{'benchmarks': [{'runs': 3}]}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("pyperf", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_loops),
        cmocka_unit_test(what_all_share_stands_at_the_top),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
