#include "tests/unit/runner/test.h"

#include "runner/result.h"

#include <string.h>

static char none[] = "none", probe[] = "probe";
static run_configuration both[] = {{.name = none}, {.name = probe}};
static const run_job job = {
    .configurations = both, .configurations_count = 2, .loops = 2, .rest_s = 1};

static const char attempts[] =
    "[{\"configuration\":\"probe\",\"loop\":1,\"order\":0,\"seconds\":2.0,\"failed\":\"x\"},"
    " {\"configuration\":\"none\",\"loop\":1,\"order\":1,\"seconds\":4.0,\"failed\":null},"
    " {\"configuration\":\"probe\",\"loop\":1,\"order\":0,\"seconds\":4.0,\"failed\":null},"
    " {\"configuration\":\"probe\",\"loop\":2,\"order\":1,\"seconds\":3.0,\"failed\":null},"
    " {\"configuration\":\"none\",\"loop\":2,\"order\":0,\"seconds\":3.0,\"failed\":\"y\"}]";

static const char *text_of(json_t *list, size_t i, const char *key) {
    return json_string_value(json_object_get(json_array_get(list, i), key));
}

static void test_build(void **state) {
    (void)state;
    json_t *loops = json_loads(attempts, 0, NULL);
    json_t *head = json_pack("{s:i, s:i, s:{}}", "started_ms", 1, "finished_ms", 2, "environment");
    json_t *result = run_result_build(&job, "blade1", "lease", head, loops);
    json_t *counting = json_object_get(result, "loops");
    json_t *discarded = json_object_get(result, "discarded");
    assert_int_equal(json_array_size(counting), 4);
    assert_string_equal(text_of(counting, 0, "configuration"), "probe");
    assert_null(text_of(counting, 0, "failed"));
    assert_string_equal(text_of(counting, 1, "configuration"), "none");
    assert_string_equal(text_of(counting, 2, "configuration"), "none");
    assert_string_equal(text_of(counting, 2, "failed"), "y"); /* no good attempt: told as failed */
    assert_int_equal(json_array_size(discarded), 1);
    assert_string_equal(text_of(discarded, 0, "failed"), "x");
    json_t *again = run_result_build(&job, "blade1", "lease", head, loops);
    assert_true(json_equal(result, again));
    json_decref(again);
    json_decref(result);
    json_decref(head);
    json_decref(loops);
}

static void test_done_ignores_unknown(void **state) {
    (void)state;
    json_t *loops = json_pack("[{s:s, s:i}]", "configuration", "other", "loop", 1);
    g_autoptr(GArray) done = run_result_done(&job, loops);
    assert_int_equal(g_array_index(done, run_plan_done, 0).configuration, G_MAXUINT);
    json_decref(loops);
}

static void test_eta(void **state) {
    (void)state;
    json_t *loops = json_array();
    assert_true(run_result_eta_s(&job, loops) < 0);
    json_array_append_new(
        loops, json_pack("{s:s, s:i, s:f}", "configuration", "none", "loop", 1, "seconds", 4.0));
    /* one more of none, two of probe at the mean of what is known; a second's rest each */
    assert_float_equal(run_result_eta_s(&job, loops), 3 * 5.0, 1e-9);
    json_decref(loops);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build),
                                       cmocka_unit_test(test_done_ignores_unknown),
                                       cmocka_unit_test(test_eta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
