/* hyperfine --export-json, format 1 and 2: every run is a process of its own. */
#include "tests/unit/config/formats/reader.h"

static void runs_are_loops(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "hyperfine", "{'results': [{'command': 'sleep 0.1', 'mean': 0.103, 'times': [0.102, 0.104],"
                     " 'exit_codes': [0, 0]}, {'command': 'true', 'mean': 0.0005}]}");
    expect_values(night, 2, 0);
    assert_true(is_near(value_at(night, 0)->mean_ns, 103e6));
    expect_loops(value_at(night, 0), 2, 2);
    expect_mean(value_at(night, 1), "true", 5e5, NAN, NAN); /* without times: its mean */
    fmt_night_free(night);
}

#define RUN(seconds, code)                                                                         \
    "{'time_wall_clock': {'value': " seconds ", 'unit': 'second'}, 'time_cpu': {'value': 9,"       \
    " 'unit': 'second'}, 'exit_code': " code "}"

/* A name goes before the command, and what a parameter gave tells equal ones apart. */
static void the_second_format(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "hyperfine",
        "{'schema_version': 2, 'metadata': {'start_time': '2026-11-27T17:19:37Z',"
        " 'hyperfine_version': '2.0.0', 'platform': {'os': 'Linux'}}, 'results': ["
        "{'command': './run', 'name': 'none', 'measurements': [" RUN("0.002", "0") "," RUN(
            "0.004", "0") "]},"
                          "{'command': './run', 'measurements': [" RUN(
                              "0.5", "0") "], 'parameters': {'n': {'value': '1'}}},"
                                          "{'command': './run', 'measurements': [" RUN(
                                              "0.6",
                                              "0") "], 'parameters': {'n': {'value': '2'}}}]}");
    assert_true(night->time_ms == INT64_C(1795799977000));
    expect_machine(night, "{'hyperfine_version': '2.0.0', 'os': 'Linux'}");
    expect_values(night, 3, 0);
    assert_string_equal(value_at(night, 0)->name, "none");
    expect_loops(value_at(night, 0), 2, 2);
    expect_mean(value_at(night, 1), "./run [n=1]", 5e8, NAN, NAN);
    expect_mean(value_at(night, 2), "./run [n=2]", 6e8, NAN, NAN);
    assert_false(night->lasting); /* it may be the commit: `-L rev v1 -n build` */
    fmt_night_free(night);
}

static void what_else_was_measured_is_told(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "hyperfine", "{'results': [{'command': 'a', 'mean': 1, 'stddev': null, 'median': 1,"
                     " 'user': 0.1, 'system': 0, 'min': 1, 'max': 1, 'times': [1],"
                     " 'memory_usage_byte': [7], 'exit_codes': [0]}]}");
    expect_note(night, "beside the times, not read: user, system, memory_usage_byte");
    assert_int_equal(night->notes->len, 1);
    fmt_night_free(night);
    night = night_of("hyperfine", "{'primary_metric': 'time_cpu', 'results': [{'command': 'a',"
                                  " 'measurements': [" RUN("2", "0") "]}]}");
    expect_mean(value_at(night, 0), "a", 2e9, NAN, NAN);
    assert_string_equal(night->notes->pdata[0],
                        "time_wall_clock is read, not the primary metric time_cpu");
    expect_note(night, "beside the times, not read: time_cpu");
    fmt_night_free(night);
    night = night_of("hyperfine", "{'primary_metric': 'time_wall_clock', 'results': [{'command':"
                                  " 'a', 'mean': 2}]}");
    assert_int_equal(night->notes->len, 0);
    fmt_night_free(night);
}

static void failed_runs_are_left_out(void **state) {
    (void)state;
    fmt_night *night =
        night_of("hyperfine", "{'results': [{'command': 'a', 'times': [1, null]}, {'times': [1]},"
                              " {'command': 'c'}, {'command': 'd', 'times': [2, 8], 'exit_codes':"
                              " [0, 3]}, {'command': 'e', 'measurements': [" RUN("1", "1") "]}]}");
    expect_values(night, 2, 5);
    expect_mean(value_at(night, 0), "a", 1e9, NAN, NAN);
    expect_mean(value_at(night, 1), "d", 2e9, NAN, NAN);
    expect_left(night, 0, "a", "1 of 2 runs failed; the last of them is run 2 (its time is not a ");
    expect_left(night, 3, "d", "1 of 2 runs failed; the last of them is run 2 (exit code 3)");
    expect_left(night, 4, "e", "1 of 1 runs failed");
    fmt_night_free(night);
    expect_wrong("hyperfine",
                 "{'results': [{'command': 'a', 'times': [1]}, {'command': 'a', 'times': [2]}]}",
                 "results[1]: \"a\" is there twice");
}

/* Which it was, and why: the others keep their numbers. */
static void a_failed_run_is_a_failed_loop(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "hyperfine", "{'results': [{'command': 'a', 'times': [1, 2, 3, 4], 'exit_codes': [0, 1, 0,"
                     " null]}]}");
    const fmt_value *value = value_at(night, 0);
    assert_int_equal(value->loops->len, 2);
    assert_int_equal(value->failed->len, 2);
    const fmt_failed *failed = (const fmt_failed *)(const void *)value->failed->data;
    assert_int_equal(failed[0].loop, 2);
    assert_string_equal(failed[0].why, "exit code 1");
    assert_int_equal(failed[1].loop, 4);
    assert_string_equal(failed[1].why, "no exit code: a signal ended it");
    fmt_night_free(night);
}

/* The start of a shell is subtracted; what is below 0 then stands as 0, and a mean of such is none.
 */
static void runs_shorter_than_the_shell(void **state) {
    (void)state;
    fmt_night *night = night_of(
        "hyperfine", "{'results': [{'command': 'a', 'times': [0.0, 0.003, 0.0]}, {'command': 'b',"
                     " 'times': [0.0], 'exit_codes': [1]}, {'command': 'c', 'times': [0.001]}]}");
    expect_values(night, 1, 2);
    expect_mean(value_at(night, 0), "c", 1e6, NAN, NAN);
    expect_left(night, 0, "a", "2 of 3 runs are 0: they took no longer than the shell");
    expect_left(night, 1, "b", "1 of 1 runs failed");
    fmt_night_free(night);
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
        expect_refused("hyperfine", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_loops),
        cmocka_unit_test(the_second_format),
        cmocka_unit_test(what_else_was_measured_is_told),
        cmocka_unit_test(failed_runs_are_left_out),
        cmocka_unit_test(a_failed_run_is_a_failed_loop),
        cmocka_unit_test(runs_shorter_than_the_shell),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
