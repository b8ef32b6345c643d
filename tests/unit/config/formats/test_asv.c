/* A result file of airspeed velocity: one commit, a result for each combination of parameters. */
#include "tests/unit/config/formats/reader.h"

#define FILE_OF(results)                                                                           \
    "{'commit_hash': 'abc', 'params': {'cpu': 'CPU X', 'ram': '8', 'os': null},"                   \
    " 'date': 1700000000000, 'result_columns': ['result', 'params',"                               \
    " 'version', 'stats_ci_99_a', 'samples'], 'results': {" results "}}"

static void a_result_for_each_combination(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "asv", FILE_OF("'m.C.time_a': [[1e-6, null, NaN, 4e-6], [['1', '8'], [\"x\", \"y\"]], 'v',"
                       " [-Infinity, 1, 2, 3], [[1e-6, 3e-6], null, null, [4e-6]]],"
                       " 'm.time_b': [[5e-9], []]"));
    assert_string_equal(night->sha, "abc");
    expect_machine(night, "{'cpu': 'CPU X', 'ram': '8'}");
    assert_true(night->commit_ms == INT64_C(1700000000000));
    expect_values(night, 3, 2);
    expect_mean(value_at(night, 0), "m.C.time_a(1, x)", 1000, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 2);
    expect_mean(value_at(night, 1), "m.C.time_a(8, y)", 4000, NAN, NAN);
    expect_mean(value_at(night, 2), "m.time_b", 5, NAN, NAN);
    expect_left(night, 0, "m.C.time_a(1, y)", "has failed, or was skipped");
    expect_note(night, "asv's own interval is not read: it is of 99 %");
    fmt_night_free(night);
}

/* Another one begins another series. */
static void machine_and_environment_are_the_suite(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"'params': {'machine': 'box'}, 'env_name': 'venv-py3.11'", "box, venv-py3.11"},
        {"'params': {'machine': 'box'}", "box"},
        {"'env_name': 'venv-py3.11'", "venv-py3.11"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{'commit_hash': 'abc', %s, 'result_columns': ['result'],"
                            " 'results': {'m.time_b': [[5e-9]]}}",
                            cases[i][0]);
        fmt_night *night = night_of("asv", text);
        assert_string_equal(night->suite, cases[i][1]);
        fmt_night_free(night);
    }
}

static void what_is_no_time_is_left_out(void **state) {
    (void)state;
    fmt_night *night = night_of("asv", FILE_OF("'m.peakmem_a': [[36052992], []], 'm.track_b': [[1],"
                                               " []], 'm.time_c': [null, []]"));
    expect_values(night, 0, 3);
    expect_left(night, 0, "m.peakmem_a", "is not a time");
    expect_left(night, 2, "m.time_c", "has failed");
    fmt_night_free(night);
    expect_wrong("asv", "{'commit_hash': 'a', 'results': {}}", "no result_columns");
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}", "[]", "{'results': {}}", "{'version': 2}",
                                        "{'commit_hash': 'a', 'results': []}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("asv", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_for_each_combination),
        cmocka_unit_test(machine_and_environment_are_the_suite),
        cmocka_unit_test(what_is_no_time_is_left_out),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
