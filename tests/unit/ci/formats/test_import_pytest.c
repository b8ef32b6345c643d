/* pytest-benchmark's --benchmark-json: seconds. Its rounds share a process: no loops of ours. */
#include "tests/unit/ci/formats/reader.h"

static void a_run_with_its_commit(void **state) {
    (void)state;
    json_t *night = night_of(
        ci__import_pytest,
        "{'machine_info': {}, 'datetime': '2024-02-29T22:10:00.123456+00:00', 'commit_info':"
        " {'id': 'abcdef'}, 'benchmarks': [{'name': 'test_a', 'fullname': 'tests/x.py::test_a',"
        " 'stats': {'mean': 0.0025, 'rounds': 40}}, {'name': 'test_b', 'stats': {'mean': 1e-9}}]}");
    expect_text(night, "format", "pytest");
    expect_text(night, "night", "2024-02-29");
    expect_text(json_object_get(night, "commit"), "sha", "abcdef");
    expect_text(json_object_get(night, "commit"), "subject", "");
    expect_values(night, 2, 0);
    expect_mean(value_at(night, 0), "tests/x.py::test_a", 2.5e6, NAN, NAN);
    expect_mean(value_at(night, 1), "test_b", 1, NAN, NAN);
    assert_null(json_object_get(value_at(night, 0), "loops_ns"));
    expect_real(value_at(night, 0), "n", 0);
    json_decref(night);
}

static void what_is_not_there_is_left_out(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_pytest, "{'machine_info': {}, 'benchmarks': [{'name': 'a'}, {'stats':"
                                    " {'mean': 1}}, {'name': 'b', 'stats': {'mean': '1'}}, 3]}");
    expect_values(night, 0, 4);
    expect_text(night, "night", NULL);
    assert_true(json_is_null(json_object_get(night, "commit")));
    json_decref(night);
}

static void a_commit_without_id_is_none(void **state) {
    (void)state;
    json_t *night = night_of(ci__import_pytest, "{'machine_info': {}, 'commit_info': {'id': null,"
                                                " 'dirty': true}, 'benchmarks': []}");
    assert_true(json_is_null(json_object_get(night, "commit")));
    expect_values(night, 0, 0);
    json_decref(night);
}

static void another_tools_json(void **state) {
    (void)state;
    expect_needs(ci__import_pytest, "machine_info");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_with_its_commit),
        cmocka_unit_test(what_is_not_there_is_left_out),
        cmocka_unit_test(a_commit_without_id_is_none),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
