/* A release in the form of OTEP 5109: medians, allocations, environment. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/otep.h"

#define LOOP(used_, bytes_)                                                                        \
    "{'used': " used_ ", 'readings': {'allocated_bytes_per_call': " bytes_ "}}"

static const char experiment[] =
    "{'release': '1.55.0', 'commit': {'sha': 'abc', 'time_ms': 1787146668571},"
    " 'environment_detail': {'node': 'metal\\u000a1', 'runtime': 'openjdk 17.0.1', 'cpu': 'EPYC',"
    " 'kernel': '6.1.0', 'detail': {'runner': '0.1.0'}},"
    " 'configurations': [{'name': 'api', 'label': 'counter increment', 'median_ns': 3.25,"
    "  'loop_results': [" LOOP("true", "104") "," LOOP("false", "9000") "," LOOP(
        "true", "108") ","
                       "  {'used': true, 'readings': null}]},"
                       " {'name': 'gone', 'label': 'gone', 'median_ns': null, 'loop_results': []},"
                       " {'name': 'sdk', 'label': 'with the SDK', 'median_ns': 70, 'loop_results': "
                       "[{'used': true}]}]}";

static void expect_bench(const json_t *benches, size_t at, const char *name, const char *unit,
                         double value) {
    const json_t *bench = json_array_get(benches, at);
    expect_text(bench, "name", name);
    expect_text(bench, "unit", unit);
    expect_real(bench, "value", value);
    expect_text(
        bench, "extra",
        "runner=metal 1\nruntime=openjdk 17.0.1\ncpu=EPYC\nkernel=6.1.0\nframework=moowatch "
        "0.1.0");
}

static void a_point_of_a_release(void **state) {
    (void)state;
    json_t *json = json_of(experiment), *point = ci_otep_point(json);
    expect_text(point, "release", "1.55.0");
    expect_text(point, "commit", "abc");
    assert_int_equal(json_integer_value(json_object_get(point, "date")), 1787146668571);
    const json_t *benches = json_object_get(point, "benches");
    assert_int_equal(json_array_size(benches), 3);
    expect_bench(benches, 0, "counter increment", "ns", 3.25);
    expect_bench(benches, 1, "counter increment allocations", "B/op", 106);
    expect_bench(benches, 2, "with the SDK", "ns", 70);
    json_decref(point);
    json_decref(json);
}

/* Nothing is made up of what is not known. */
static void what_is_not_known(void **state) {
    (void)state;
    json_t *json = json_of("{'configurations': [{'label': 'x', 'median_ns': 1}]}");
    json_t *point = ci_otep_point(json);
    assert_null(json_object_get(point, "release"));
    const json_t *benches = json_object_get(point, "benches");
    assert_int_equal(json_array_size(benches), 1);
    expect_text(json_array_get(benches, 0), "extra", "framework=moowatch");
    json_decref(point);
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_of_a_release),
        cmocka_unit_test(what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
