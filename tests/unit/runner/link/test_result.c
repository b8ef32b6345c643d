#include "tests/unit/runner/test.h"

#include "runner/link/result.h"

#include <string.h>

static void test_build(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    g_ptr_array_add(loops, run_loop_new("probe", NULL, 1));
    const run_head head = {.started_ms = 1, .finished_ms = 2, .environment = json_object()};
    json_t *result = run_result_build("blade1", "lease", &head, loops);
    json_t *sent = json_object_get(result, "loops");
    assert_int_equal(json_array_size(sent), 1);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(sent, 0), "configuration")), "probe");
    json_object_del(result, "loops");
    json_t *expected =
        json_loads("{\"lease\":\"lease\",\"node\":\"blade1\",\"started_ms\":1,\"finished_ms\":2,"
                   "\"environment\":{}}",
                   0, NULL);
    assert_true(json_equal(result, expected));
    json_decref(expected);
    json_decref(result);
    json_decref(head.environment);
}

static void test_failure(void **state) {
    (void)state;
    const struct {
        int code;
        bool retry;
    } cases[] = {{RUN_ERROR_JOB, false},
                 {RUN_ERROR_NODE, true},
                 {RUN_ERROR_BUSY, true},
                 {RUN_ERROR_REFUSED, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(GError) problem = g_error_new(RUN_ERROR, cases[i].code, "why");
        json_t *out = run_result_failure("measure", problem, NULL);
        assert_string_equal(json_string_value(json_object_get(out, "phase")), "measure");
        assert_string_equal(json_string_value(json_object_get(out, "reason")), "why");
        assert_string_equal(json_string_value(json_object_get(out, "log")), "");
        assert_int_equal(json_is_true(json_object_get(out, "retry")), cases[i].retry);
        json_decref(out);
    }
}

/* Long texts are cut to their bounds, in the middle of letters too. */
static void test_long_failure(void **state) {
    (void)state;
    g_autoptr(GString) text = g_string_new("x");
    while (text->len < 100000)
        g_string_append(text, "ä");
    g_string_append(text, "end");
    g_autoptr(GError) problem = g_error_new_literal(RUN_ERROR, RUN_ERROR_JOB, text->str);
    json_t *out = run_result_failure("prepare", problem, text->str);
    const char *reason = json_string_value(json_object_get(out, "reason"));
    const char *log = json_string_value(json_object_get(out, "log"));
    assert_true(strlen(reason) <= 4096 + 2 && g_utf8_validate(reason, -1, NULL));
    assert_true(strlen(log) <= 65536 + 2 && g_utf8_validate(log, -1, NULL));
    assert_true(g_str_has_suffix(log, "äend"));
    json_decref(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build), cmocka_unit_test(test_failure),
                                       cmocka_unit_test(test_long_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
