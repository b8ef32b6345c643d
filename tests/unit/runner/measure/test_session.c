/* A job of which the spool knows all there is to know: what a session does with it, and leaves. */
#include "tests/unit/runner/test.h"

#include "tests/unit/runner/link/raw.h"
#include "tests/unit/runner/shell.h"

#include "runner/measure/session.h"
#include "runner/measure/trees.h"
#include "runner/process/descendants.h"

#include <sched.h>

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

/* What it takes to run something. */
static void trial_node(place *at) {
    static char harness[] = "/none";
    at->config.log_limit_bytes = 4096;
    at->config.loop_output_limit_bytes = 1 << 20;
    at->config.idle_cpu_percent = at->config.disturbed_cpu_percent = 1e9;
    at->config.disturbed_steal_percent = 100;
    at->node.harness_dir = harness;
    assert_int_equal(sched_getaffinity(0, sizeof(cpu_set_t), &at->node.benchmark_cpus), 0);
    at->node.housekeeping_cpus = at->node.benchmark_cpus;
    assert_true(run_descendants_adopt(NULL));
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

static void add_loop(run_spool *spool) {
    run_loop *loop = run_loop_new("none", NULL, 1);
    loop->summary = (det_summary){.n = 2, .mean = 6};
    assert_true(run_spool_add(spool, loop, raw_of(spool, "1;5\n1;7\n"), NULL));
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
    add_loop(spool);
    assert_int_equal(run_session_run(&at.node, NULL, spool, 60), RUN_SESSION_DONE);
    assert_true(has_results(&at, "raw-1-10-none.csv"));
    assert_true(has_results(&at, "experiment.json"));
    place_clear(&at);
}

static void test_a_job_that_is_none_fails(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) spool = spool_of(&at, "{\"job\":{\"id\":7},\"started_ms\":1}");
    assert_int_equal(run_session_run(&at.node, NULL, spool, 60), RUN_SESSION_FAILED);
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
    add_loop(spool);
    assert_int_equal(run_session_run(&at.node, NULL, spool, 0), RUN_SESSION_FAILED);
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
    add_loop(spool);
    at.node.results_dir = "/proc/none";
    assert_int_equal(run_session_run(&at.node, NULL, spool, 60), RUN_SESSION_FAILED);
    place_clear(&at);
}

/* Says in a file what it is run for; its count and its calls are made up. */
#define SAYS                                                                                       \
    "case $LD_PRELOAD in *vgpreload*) echo count;; *) echo measure;; esac >>'%s';"                 \
    " for raw; do :; done; printf '0;5\\n0;7\\n' >\"$raw\";"                                       \
    " exec /bin/sh -c 'printf \"\\ntotals: 20\\n\" >\"$TMPDIR/../out/counted\"'"

/* A trial's job, whose commits each have one loop; taken over: counts, of an earlier session. */
static json_t *trial_of(const char *order, json_t *counts) {
    g_autofree char *line = g_strdup_printf(SAYS, order);
    json_t *head = json_loads("{\"job\":" JOB ",\"started_ms\":1,\"prepared\":[]}", 0, NULL);
    json_t *job = json_object_get(head, "job"), *benchmark = json_object_get(job, "benchmark");
    json_object_set_new(job, "kind", json_string("confirmation"));
    json_object_set_new(job, "before", json_string("89abcdef0123456789abcdef0123456789abcdef"));
    json_object_set_new(benchmark, "count", json_string("auto"));
    json_object_set_new(benchmark, "count_both", json_true());
    json_object_set_new(json_array_get(json_object_get(benchmark, "configurations"), 0), "command",
                        json_pack("[s, s, s, s]", "/bin/sh", "-c", line, "sh"));
    if (counts)
        json_object_set_new(head, "counts", counts);
    return head;
}

/* Both commits are ready, each in its folder. */
static void trees_make(const place *at, const json_t *head) {
    g_autoptr(run_job) job = run_job_parse(json_object_get(head, "job"), NULL);
    run_trees trees;
    assert_non_null(job);
    run_trees_find(&trees, &at->node, job);
    for (unsigned which = 0; which < trees.count; which++)
        assert_int_equal(g_mkdir_with_parents(trees.checkout[which], 0700), 0);
    run_trees_clear(&trees);
}

/* What a session of it did, one word a line, to g_free; counts: out, what its result has. */
static char *session_of(place *at, json_t *earlier, json_t **counts) {
    g_autofree char *order = g_build_filename(at->results, "order", NULL);
    g_autofree char *record = g_build_filename(at->results, "experiment.json", NULL);
    char *did = NULL;
    json_t *head = trial_of(order, earlier);
    trees_make(at, head);
    g_autofree char *text = json_dumps(head, 0);
    g_autoptr(run_spool) spool = spool_of(at, text);
    assert_int_equal(run_session_run(&at->node, NULL, spool, 60), RUN_SESSION_DONE);
    assert_true(g_file_get_contents(order, &did, NULL, NULL));
    json_t *told = json_load_file(record, 0, NULL);
    *counts = json_incref(
        json_object_get(json_object_get(json_object_get(told, "environment"), "detail"), "counts"));
    json_decref(told);
    json_decref(head);
    return did;
}

/* Before the first loop, whose look hears what was counted. */
static void test_a_trial_counts_first(void **state) {
    g_autofree char *valgrind = g_find_program_in_path("valgrind");
    if (!valgrind)
        skip();
    place at;
    json_t *counts;
    place_init(&at, *state);
    trial_node(&at);
    g_autofree char *did = session_of(&at, NULL, &counts);
    assert_string_equal(did, "count\ncount\ncount\ncount\nmeasure\nmeasure\n");
    assert_int_equal(json_object_size(json_object_get(counts, "before")), 1);
    assert_int_equal(json_object_size(json_object_get(counts, "configurations")), 1);
    json_decref(counts);
    place_clear(&at);
}

/* Killed after it had counted: the spool knows what, or that nothing could be. */
static void test_what_was_counted_is_not_counted_again(void **state) {
    for (int known = 0; known < 2; known++) {
        place at;
        json_t *counts;
        place_init(&at, *state);
        trial_node(&at);
        g_autofree char *did =
            session_of(&at, known ? json_pack("{s:s}", "known", "yes") : json_null(), &counts);
        assert_string_equal(did, "measure\nmeasure\n");
        assert_int_equal(json_object_size(counts), known);
        json_decref(counts);
        place_clear(&at);
    }
}

/* A repository whose older commit does not build; their ids are in ../older and ../newer. */
static const char script[] =
    "set -e; export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t "
    "GIT_AUTHOR_EMAIL=t@e GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e; mkdir repo; cd repo; "
    "git init -q -b main; echo 'echo no rule; exit 3' > build; git add -A; git commit -qm older; "
    "git rev-parse HEAD > ../older; echo true > build; git commit -qam newer; "
    "git rev-parse HEAD > ../newer";

static char *commit_of(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return g_strstrip(text);
}

/* A job that explains the two. */
static char *explain_of(const char *folder) {
    g_autofree char *url = g_build_filename(folder, "repo", NULL);
    g_autofree char *older = commit_of(folder, "older"), *newer = commit_of(folder, "newer");
    json_t *head = json_loads("{\"job\":" JOB ",\"started_ms\":1}", 0, NULL);
    json_t *job = json_object_get(head, "job");
    json_object_set_new(job, "kind", json_string("explain"));
    json_object_set_new(job, "explain_minutes", json_integer(1));
    json_object_set_new(job, "commit", json_string(newer));
    json_object_set_new(job, "before", json_string(older));
    json_object_set_new(json_object_get(job, "repository"), "url", json_string(url));
    json_object_set_new(json_object_get(job, "benchmark"), "prepare",
                        json_pack("[s, s]", "/bin/sh", "build"));
    char *text = json_dumps(head, 0);
    json_decref(head);
    return text;
}

/* Which of the two, and why: the alert has no other explanation. */
static void test_a_commit_that_no_longer_builds_is_named(void **state) {
    place at;
    assert_true(shell(*state, script));
    place_init(&at, *state);
    trial_node(&at);
    at.config.prepare_output_limit_bytes = UINT64_C(1) << 30;
    g_autofree char *text = explain_of(*state), *older = commit_of(*state, "older");
    g_autofree char *names =
        g_strdup_printf("commit %.12s (before): prepare: /bin/sh: exit status 3 after ", older);
    g_autoptr(run_spool) spool = spool_of(&at, text);
    assert_int_equal(run_session_run(&at.node, NULL, spool, 60), RUN_SESSION_FAILED);
    const json_t *failure = run_spool_head(spool)->failure;
    const char *reason = json_string_value(json_object_get(failure, "reason"));
    if (!reason || !g_str_has_prefix(reason, names))
        fail_msg("\"%s\"", reason ? reason : "");
    assert_string_equal(json_string_value(json_object_get(failure, "phase")), "prepare");
    assert_string_equal(json_string_value(json_object_get(failure, "log")), "no rule\n");
    assert_false(json_is_true(json_object_get(failure, "retry")));
    place_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_measured_job_is_handed_over),
        cmocka_unit_test(test_a_job_that_is_none_fails),
        cmocka_unit_test(test_a_spooled_failure_is_told_again),
        cmocka_unit_test(test_results_that_cannot_be_written),
        cmocka_unit_test(test_a_trial_counts_first),
        cmocka_unit_test(test_a_commit_that_no_longer_builds_is_named),
        cmocka_unit_test(test_what_was_counted_is_not_counted_again)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
