#include "tests/unit/runner/test.h"

#include "runner/link/result.h"

#include <string.h>

static char none[] = "none", probe[] = "probe";
static run_configuration both[] = {{.name = none}, {.name = probe}};
static const run_job job = {
    .configurations = both, .configurations_count = 2, .loops = 2, .rest_s = 1};

static void test_build(void **state) {
    (void)state;
    json_t *loops = json_pack("[{s:s}]", "configuration", "probe");
    json_t *head = json_pack("{s:i, s:i, s:{}, s:b}", "started_ms", 1, "finished_ms", 2,
                             "environment", "prepared", 1);
    json_t *result = run_result_build("blade1", "lease", head, loops);
    json_t *expected =
        json_loads("{\"lease\":\"lease\",\"node\":\"blade1\",\"started_ms\":1,\"finished_ms\":2,"
                   "\"environment\":{},\"loops\":[{\"configuration\":\"probe\"}]}",
                   0, NULL);
    assert_true(json_equal(result, expected));
    json_decref(expected);
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

static char newer[] = "aa", older[] = "bb";
static const run_job trial = {.configurations = both,
                              .configurations_count = 2,
                              .loops = 2,
                              .rest_s = 1,
                              .commit = newer,
                              .against = older};

static void test_done_knows_the_commit(void **state) {
    (void)state;
    json_t *loops = json_pack("[{s:s, s:i, s:s}, {s:s, s:i, s:s}, {s:s, s:i, s:s}, {s:s, s:i}]",
                              "configuration", "probe", "loop", 1, "commit", "aa", "configuration",
                              "probe", "loop", 1, "commit", "bb", "configuration", "probe", "loop",
                              1, "commit", "cc", "configuration", "probe", "loop", 1);
    const unsigned sides[] = {0, 1, G_MAXUINT, G_MAXUINT};
    g_autoptr(GArray) done = run_result_done(&trial, loops);
    g_autoptr(GArray) plain = run_result_done(&job, loops);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(g_array_index(done, run_plan_done, i).side, sides[i]);
        assert_int_equal(g_array_index(plain, run_plan_done, i).side, 0);
    }
    json_decref(loops);
}

/* Repeated and failed attempts are no further loops; with two commits the scarcer one counts. */
static void test_least(void **state) {
    (void)state;
    const struct {
        const run_job *job;
        const char *loops;
        unsigned least;
    } cases[] = {
        {&job, "[]", 0},
        {&job, "[[\"none\",1,null,\"\"],[\"none\",2,null,\"\"]]", 0},
        {&job, "[[\"none\",1,null,\"\"],[\"probe\",1,null,\"\"],[\"probe\",1,null,\"\"]]", 1},
        {&job, "[[\"none\",1,null,\"\"],[\"none\",2,\"why\",\"\"],[\"probe\",2,null,\"\"]]", 1},
        {&job,
         "[[\"none\",1,null,\"\"],[\"none\",2,null,\"\"],[\"probe\",1,null,\"\"],"
         "[\"probe\",2,null,\"\"]]",
         2},
        {&trial, "[[\"none\",1,null,\"aa\"],[\"probe\",1,null,\"aa\"],[\"none\",1,null,\"bb\"]]",
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *rows = json_loads(cases[i].loops, 0, NULL), *loops = json_array(), *row;
        size_t at;
        json_array_foreach (rows, at, row) {
            json_array_append_new(
                loops, json_pack("{s:O, s:O, s:O, s:O}", "configuration", json_array_get(row, 0),
                                 "loop", json_array_get(row, 1), "failed", json_array_get(row, 2),
                                 "commit", json_array_get(row, 3)));
        }
        assert_int_equal(run_result_least(cases[i].job, loops), cases[i].least);
        json_decref(loops);
        json_decref(rows);
    }
}

static void test_eta(void **state) {
    (void)state;
    json_t *loops = json_array();
    assert_true(run_result_eta_s(&job, loops) < 0);
    json_array_append_new(
        loops, json_pack("{s:s, s:i, s:f}", "configuration", "none", "loop", 1, "seconds", 4.0));
    /* one more of none, two of probe at the mean of what is known; a second's rest each */
    assert_close(run_result_eta_s(&job, loops), 3 * 5.0, 1e-9);
    /* in a trial each of them twice: eight, one is done */
    assert_close(run_result_eta_s(&trial, loops), 7 * 5.0, 1e-9);
    json_decref(loops);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build),
                                       cmocka_unit_test(test_done_ignores_unknown),
                                       cmocka_unit_test(test_done_knows_the_commit),
                                       cmocka_unit_test(test_least),
                                       cmocka_unit_test(test_eta),
                                       cmocka_unit_test(test_failure),
                                       cmocka_unit_test(test_long_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
