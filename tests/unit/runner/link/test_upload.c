#include "runner/link/upload.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/link/raw.h"
#include "tests/unit/runner/test.h"

#include "runner/link/client.h"

#include <glib/gstdio.h>
#include <string.h>

static void test_delay_grows_to_a_minute(void **state) {
    (void)state;
    const unsigned expected[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(run_upload_delay_s(i + 1), expected[i]);
    assert_int_equal(run_upload_delay_s(1000000), 60);
}

static void test_judge(void **state) {
    (void)state;
    const struct {
        long status;
        int code; /* -1: fine */
    } cases[] = {{200, -1},
                 {201, -1},
                 {204, -1},
                 {301, RUN_ERROR_REFUSED},
                 {400, RUN_ERROR_REFUSED},
                 {401, RUN_ERROR_AWAY},
                 {403, RUN_ERROR_AWAY},
                 {408, RUN_ERROR_AWAY},
                 {409, RUN_ERROR_LOST},
                 {413, RUN_ERROR_REFUSED},
                 {422, RUN_ERROR_REFUSED},
                 {429, RUN_ERROR_AWAY},
                 {500, RUN_ERROR_AWAY},
                 {507, RUN_ERROR_AWAY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char detail[] = "because";
        run_answer answer = {.status = cases[i].status, .detail = detail};
        GError *problem = NULL;
        assert_int_equal(run_client_judge(&answer, "what", &problem), cases[i].code == -1);
        if (cases[i].code != -1)
            assert_error(problem, cases[i].code, "what: the server answered");
    }
}

static void test_client_refuses(void **state) {
    (void)state;
    GError *problem = NULL;
    assert_null(run_client_new("file:///etc/passwd", "t", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "http");
    assert_null(run_client_new("http://s", "a\r\nX: y", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "token");
    assert_null(run_client_new("http://s", "", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "token");
}

static void test_no_server_is_away(void **state) {
    (void)state;
    g_autoptr(run_client) client = run_client_new("http://127.0.0.1:1/", "t", -1, NULL);
    g_auto(run_answer) answer = {0};
    GError *problem = NULL;
    json_t *body = json_object();
    assert_false(run_client_post(client, "/x", body, 5, &answer, &problem));
    assert_error(problem, RUN_ERROR_AWAY, "no answer from http://127.0.0.1:1:");
    json_decref(body);
}

static void test_build(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    g_ptr_array_add(loops, run_loop_new("probe", NULL, 1));
    const run_head head = {.started_ms = 1, .finished_ms = 2, .environment = json_object()};
    json_t *result = result_build("blade1", "lease", &head, loops);
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

static char none[] = "none", probe[] = "probe", newer[] = "aa", older[] = "bb";
static cfg_configuration both[] = {{.name = none}, {.name = probe}};

/* One attempt: what it wrote is the text, so that the test sees whose file was taken. */
typedef struct {
    const char *configuration;
    unsigned loop;
    const char *commit, *text; /* NULL text: it failed */
    bool disturbed;
} attempt;

static run_spool *spool_of(const char *folder, const attempt *attempts, size_t count) {
    json_t *head = json_pack("{s:{s:i}, s:i, s:i, s:{}}", "job", "id", 1, "started_ms", 1,
                             "finished_ms", 2, "environment");
    run_spool *spool = run_spool_create(folder, 1, head, NULL);
    json_decref(head);
    for (size_t i = 0; i < count; i++) {
        const attempt *a = &attempts[i];
        run_loop *loop = run_loop_new(a->configuration, a->commit, a->loop);
        loop->disturbed = a->disturbed;
        loop->failed = a->text ? NULL : g_strdup("it failed");
        assert_true(run_spool_add(spool, loop, raw_of(spool, a->text), NULL));
    }
    return spool;
}

static void assert_file(const char *folder, const char *name, const char *text) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *content = NULL;
    const bool there = g_file_get_contents(path, &content, NULL, NULL);
    assert_int_equal(there, text != NULL);
    if (there)
        assert_string_equal(content, text);
}

static void test_the_attempt_that_counts(void **state) {
    const run_job job = {.benchmark.configurations = both,
                         .benchmark.configurations_count = 2,
                         .benchmark.recursion_depth = 10,
                         .commit = newer};
    const attempt attempts[] = {{"none", 1, NULL, "disturbed first", true},
                                {"probe", 1, NULL, NULL, false},
                                {"none", 1, NULL, "good", false},
                                {"none", 1, NULL, "disturbed again", true},
                                {"none", 2, NULL, "disturbed", true},
                                {"none", 2, NULL, "the last disturbed", true},
                                {"other", 1, NULL, "of no configuration", false}};
    g_autoptr(run_spool) spool = spool_of(*state, attempts, 7);
    g_autofree char *folder = g_build_filename(*state, "results", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(run_results_folder_write(folder, &job, "blade1", spool, NULL));
    assert_file(folder, "raw-1-10-none.csv", "good");
    assert_file(folder, "raw-2-10-none.csv", "the last disturbed");
    assert_file(folder, "raw-1-10-probe.csv", NULL);
    assert_file(folder, "raw-1-10-other.csv", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_t *record = json_load_file(path, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(record, "commit")), "aa");
    assert_true(json_is_null(json_object_get(record, "before")));
    assert_int_equal(json_array_size(json_object_get(record, "loops")), 7);
    assert_null(json_object_get(record, "lease"));
    const json_t *benchmark = json_object_get(record, "benchmark");
    const json_t *first = json_array_get(json_object_get(benchmark, "configurations"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "none");
    assert_null(json_object_get(first, "environment")); /* a variable may be secret */
    json_decref(record);
}

static void test_two_commits(void **state) {
    const run_job job = {.benchmark.configurations = both,
                         .benchmark.configurations_count = 2,
                         .benchmark.recursion_depth = 5,
                         .commit = newer,
                         .before = older};
    const attempt attempts[] = {{"none", 1, "aa", "new", false},
                                {"none", 1, "bb", "old", false},
                                {"none", 1, "cc", "nobody's", false}};
    g_autoptr(run_spool) spool = spool_of(*state, attempts, 3);
    g_autofree char *folder = g_build_filename(*state, "two", NULL);
    assert_true(run_results_folder_write(folder, &job, "blade1", spool, NULL));
    assert_file(folder, "after/raw-1-5-none.csv", "new");
    assert_file(folder, "before/raw-1-5-none.csv", "old");
    GError *problem = NULL;
    assert_false(run_results_folder_write("/proc/none", &job, "blade1", spool, &problem));
    assert_error(problem, RUN_ERROR_NODE, "/proc/none");
}

static void test_values_without_raw_calls(void **state) {
    const run_job job = {.benchmark.configurations = both,
                         .benchmark.configurations_count = 2,
                         .benchmark.recursion_depth = 1,
                         .commit = newer};
    g_autoptr(run_spool) spool = spool_of(*state, NULL, 0);
    run_loop *loop = run_loop_new("none", NULL, 1);
    loop->summary = (det_summary){.n = 1, .mean = 7.5};
    assert_true(run_spool_add(spool, loop, NULL, NULL));
    g_autofree char *folder = g_build_filename(*state, "values", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(run_results_folder_write(folder, &job, "blade1", spool, NULL));
    assert_file(folder, "raw-1-1-none.csv", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_t *record = json_load_file(path, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(record, "loops")), 1);
    json_decref(record);
}

static void test_a_damaged_raw_file_is_told(void **state) {
    const run_job job = {.benchmark.configurations = both,
                         .benchmark.configurations_count = 2,
                         .benchmark.recursion_depth = 1,
                         .commit = newer};
    const attempt attempts[] = {{"none", 1, NULL, "whole", false}};
    g_autoptr(run_spool) spool = spool_of(*state, attempts, 1);
    g_autofree char *folder = g_build_filename(*state, "damaged", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    g_autofree char *raw = run_spool_raw_path(spool, 0);
    const struct {
        const char *bytes, *says;
    } cases[] = {{"not a zstd frame", "results:"}, {"", "it is empty"}};
    for (size_t i = 0; i < 2; i++) {
        GError *problem = NULL;
        g_autofree char *made = g_build_filename(folder, "raw-1-1-none.csv", NULL);
        (void)g_unlink(made);
        assert_true(g_file_set_contents(raw, cases[i].bytes, -1, NULL));
        assert_false(run_results_folder_write(folder, &job, "blade1", spool, &problem));
        assert_error(problem, RUN_ERROR_NODE, cases[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_grows_to_a_minute),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_client_refuses),
        cmocka_unit_test(test_no_server_is_away),

        cmocka_unit_test(test_build),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_long_failure),

        cmocka_unit_test_setup_teardown(test_the_attempt_that_counts, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_values_without_raw_calls, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_two_commits, make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_a_damaged_raw_file_is_told, make_test_folder,
                                        remove_test_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
