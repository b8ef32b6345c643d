/* hyperfine --export-json: seconds, and every run is a process of its own. */
#include "tests/unit/ci/formats/reader.h"

static void runs_are_loops(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_hyperfine,
                 "{'results': [{'command': 'sleep 0.1', 'mean': 0.103, 'stddev': 0.001,"
                 " 'median': 0.103, 'user': 0.001, 'system': 0.001, 'min': 0.102, 'max':"
                 " 0.104, 'times': [0.102, 0.104], 'exit_codes': [0, 0]}, {'command':"
                 " 'true', 'mean': 0.0005}]}");
    expect_text(night, "format", "hyperfine");
    expect_text(night, "night", NULL);
    expect_values(night, 2, 0);
    const json_t *first = value_at(night, 0);
    expect_mean(first, "sleep 0.1", 103e6, NAN, NAN);
    expect_real(first, "n", 2);
    assert_int_equal(json_array_size(json_object_get(first, "loops_ns")), 2);
    assert_true(json_number_value(json_array_get(json_object_get(first, "loops_ns"), 1)) == 104e6);
    expect_mean(value_at(night, 1), "true", 5e5, NAN, NAN); /* without times: its mean */
    expect_real(value_at(night, 1), "n", 0);
    json_decref(night);
}

static void what_is_no_number_is_left_out(void **state) {
    (void)state;
    json_t *night = night_of(ci__import_hyperfine,
                             "{'results': [{'command': 'a', 'times': [1, null]}, {'times': [1]},"
                             " {'command': 'c'}, {'command': 'd', 'times': [2]}]}");
    expect_values(night, 1, 3);
    expect_mean(value_at(night, 0), "d", 2e9, NAN, NAN);
    json_decref(night);
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{'results': []}",
                                        "{'results': {}}",
                                        "{'results': [3]}",
                                        "{'results': [{'mean': 1}]}",
                                        "{'results': [{'command': 3}]}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused(ci__import_hyperfine, texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_loops),
        cmocka_unit_test(what_is_no_number_is_left_out),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
