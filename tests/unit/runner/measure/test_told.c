/* What a program says last. */
#include "tests/unit/runner/test.h"

#include "runner/measure/attempt.h"

static void test_a_failure_is_what_stands_above_the_stack(void **state) {
    (void)state;
    static const struct {
        const char *log, *failure;
    } cases[] = {
        {NULL, ""},
        {"", ""},
        {" \n\t\n", ""},
        {"one\ntwo\n", "two"},
        {"one\n  two  \n\n", "two"},
        {"ERROR: no lock\n\tat org.Runner.run(Runner.java:199)\n\tat org.Main.main(Main.java:71)\n",
         "ERROR: no lock"},
        {"Exception: late\n\tat a.b(c.java:1)\nCaused by: E: early\n\tat a.c(c.java:2)\n\t... 12 "
         "more\n",
         "Caused by: E: early"},
        {"at last\n", "at last"}, /* not a frame: it begins the line */
        {"\tat a.b(c.java:1)\n", ""},
        {"bad \xff byte", "bad \xef\xbf\xbd byte"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autofree char *failure = run_told_failure(cases[i].log);
        assert_string_equal(failure, cases[i].failure);
    }
    g_autofree char *long_line = g_strnfill(1000, 'x');
    g_autofree char *shortened = run_told_failure(long_line);
    assert_int_equal(strlen(shortened), 400);
}

static void test_the_last_line_counts(void **state) {
    (void)state;
    static const struct {
        const char *log;
        bool object, counted;
        uint64_t records;
    } cases[] = {
        {NULL, false, false, 0},
        {"", false, false, 0},
        {"\n\n", false, false, 0},
        {"{\"records\": 3}", true, true, 3},
        {"{\"records\": 3}\n\n", true, true, 3},
        {"up\n{\"records\": 0}\n", true, true, 0},
        {"{\"records\": 3}\nbye\n", false, false, 0}, /* not the last */
        {"[3]\n", false, false, 0},
        {"3\n", false, false, 0},
        {"{\"records\": 3\n", false, false, 0},
        {"{}\n", true, false, 0},
        {"{\"records\": -1}\n", true, false, 0},
        {"{\"records\": 2.5}\n", true, false, 0},
        {"{\"records\": \"3\"}\n", true, false, 0},
        {"{\"records\": 9007199254740993}\n", true, true, 9007199254740993},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *told = run_told_object(cases[i].log);
        uint64_t records = 77;
        if (cases[i].object != (told != NULL))
            fail_msg("case %zu: %s", i, cases[i].log);
        assert_int_equal(run_told_records(told, &records), cases[i].counted);
        assert_int_equal(records, cases[i].counted ? cases[i].records : 77);
        json_decref(told);
    }
}

static void test_a_reading_has_what_was_expected(void **state) {
    (void)state;
    json_t *reading = run_told_reading(json_pack("{s:i, s:i}", "records", 4, "others", 1), 5);
    json_t *should = json_pack("{s:i, s:i, s:i}", "records", 4, "others", 1, "expected", 5);
    assert_true(json_equal(reading, should));
    json_decref(reading);
    json_decref(should);
    reading = run_told_reading(NULL, 7); /* it said nothing that counts */
    assert_int_equal(json_object_size(reading), 1);
    assert_int_equal(json_integer_value(json_object_get(reading, "expected")), 7);
    json_decref(reading);
}

/* A program cannot pretend that something else was expected. */
static void test_what_was_expected_is_ours_to_say(void **state) {
    (void)state;
    json_t *reading = run_told_reading(json_pack("{s:i}", "expected", 1), 20);
    assert_int_equal(json_integer_value(json_object_get(reading, "expected")), 20);
    json_decref(reading);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failure_is_what_stands_above_the_stack),
        cmocka_unit_test(test_the_last_line_counts),
        cmocka_unit_test(test_a_reading_has_what_was_expected),
        cmocka_unit_test(test_what_was_expected_is_ours_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
