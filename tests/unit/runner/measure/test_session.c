/* A job of which the spool knows all there is to know: what a session does with it, and leaves. */
#include "tests/unit/runner/test.h"

#include "runner/measure/session.h"

#include <string.h>

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define JOB                                                                                        \
    "{\"id\":7,\"project\":\"p\",\"seed\":42,\"commit\":\"" COMMIT "\",\"repository\":"            \
    "{\"url\":\"https://h/r.git\",\"branch\":\"main\"},\"benchmark\":{\"driver\":\"native\","      \
    "\"prepare\":[],\"prepare_timeout_seconds\":900,\"loops\":1,\"method_time_ns\":0,"             \
    "\"recursion_depth\":10,\"threads\":1,\"loop_timeout_seconds\":600,\"rest_seconds\":0,"        \
    "\"configurations\":[{\"name\":\"none\",\"total_calls\":2,\"warmup_calls\":0}]}}"

/* A node without a server: results go to <folder>/results. */
typedef struct {
    char *work, *results;
    cfg_runner config;
    run_node node;
} place;

static void place_init(place *at, const char *folder) {
    static char name[] = "blade1";
    *at = (place){.work = g_build_filename(folder, "work", NULL),
                  .results = g_build_filename(folder, "results", NULL)};
    at->config.node = name;
    at->config.work_dir = at->work;
    at->node = (run_node){.config = &at->config, .results_dir = at->results, .stop_fd = -1};
    assert_int_equal(g_mkdir_with_parents(at->results, 0700), 0);
    assert_int_equal(g_mkdir_with_parents(at->work, 0700), 0);
}

static void place_clear(place *at) {
    g_autofree char *spool = g_build_filename(at->work, "spool", "job-7", NULL);
    assert_false(g_file_test(spool, G_FILE_TEST_EXISTS)); /* nothing is left of the job */
    assert_true(run_scratch_remove(at->results, NULL));
    g_free(at->work);
    g_free(at->results);
}

static run_spool *spool_of(const place *at, const char *head_text) {
    json_t *head = json_loads(head_text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(head);
    run_spool *spool = run_spool_create(at->work, 7, head, NULL);
    json_decref(head);
    assert_non_null(spool);
    return spool;
}

static void add_loop(const place *at, run_spool *spool) {
    g_autofree char *raw = g_build_filename(at->work, "raw.csv", NULL);
    assert_true(g_file_set_contents(raw, "1;5\n1;7\n", -1, NULL));
    run_loop *loop = run_loop_new("none", NULL, 1);
    loop->summary = (det_summary){.n = 2, .mean = 6};
    assert_true(run_spool_add(spool, loop, raw, NULL));
}

static bool has_results(const place *at, const char *name) {
    g_autofree char *path = g_build_filename(at->results, name, NULL);
    return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* Killed after the last loop: what is measured is handed over, and nothing is measured again. */
static void test_a_measured_job_is_handed_over(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) spool =
        spool_of(&at, "{\"job\":" JOB
                      ",\"started_ms\":1,\"finished_ms\":2,\"environment\":{\"detail\":{}}}");
    add_loop(&at, spool);
    assert_int_equal(run_session(&at.node, NULL, spool, 60), RUN_SESSION_DONE);
    assert_true(has_results(&at, "raw-1-10-none.csv"));
    assert_true(has_results(&at, "experiment.json"));
    place_clear(&at);
}

static void test_a_job_that_is_none_fails(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) spool = spool_of(&at, "{\"job\":{\"id\":7},\"started_ms\":1}");
    assert_int_equal(run_session(&at.node, NULL, spool, 60), RUN_SESSION_FAILED);
    assert_false(has_results(&at, "experiment.json"));
    place_clear(&at);
}

/* Killed while a failure was told: it is told again, and the job is not tried once more. */
static void test_a_spooled_failure_is_told_again(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) spool =
        spool_of(&at, "{\"job\":" JOB ",\"started_ms\":1,\"finished_ms\":2,\"environment\":{},"
                      "\"failure\":{\"phase\":\"measure\",\"reason\":\"it failed\",\"log\":\"\","
                      "\"retry\":false}}");
    add_loop(&at, spool);
    assert_int_equal(run_session(&at.node, NULL, spool, 0), RUN_SESSION_FAILED);
    assert_false(has_results(&at, "experiment.json"));
    place_clear(&at);
}

/* Results that cannot be written are the node's trouble; the job fails and its spool goes. */
static void test_results_that_cannot_be_written(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) spool =
        spool_of(&at, "{\"job\":" JOB
                      ",\"started_ms\":1,\"finished_ms\":2,\"environment\":{\"detail\":{}}}");
    add_loop(&at, spool);
    at.node.results_dir = "/proc/none";
    assert_int_equal(run_session(&at.node, NULL, spool, 60), RUN_SESSION_FAILED);
    place_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_measured_job_is_handed_over),
                                       cmocka_unit_test(test_a_job_that_is_none_fails),
                                       cmocka_unit_test(test_a_spooled_failure_is_told_again),
                                       cmocka_unit_test(test_results_that_cannot_be_written)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
