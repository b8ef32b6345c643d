#include "tests/unit/runner/shell_bench.h"

#include "runner/measure/session.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct {
    shell_bench bench;
    run_attempt attempt;
    run_trees trees;
    run_heartbeat beat;
} place;

static char before[] = BENCH_AGAINST;

static void place_init(place *at, const char *folder, const char *line) {
    bench_init(&at->bench, folder, line);
    at->attempt =
        (run_attempt){.node = &at->bench.node, .job = &at->bench.job, .spool = at->bench.spool};
    at->beat = (run_heartbeat){.node = "blade1", .phase = "measure"};
    run_readings_take(&at->attempt.since, &at->bench.node.benchmark_cpus);
}

/* The trees of all commits, each with its number in the file "which". */
static void make_trees(place *at) {
    run_trees_find(&at->trees, &at->bench.node, &at->bench.job);
    for (unsigned which = 0; which < at->trees.count; which++) {
        g_autofree char *file = g_build_filename(at->trees.checkout[which], "which", NULL);
        g_autofree char *text = g_strdup_printf("%u\n", which);
        assert_int_equal(g_mkdir_with_parents(at->trees.checkout[which], 0700), 0);
        assert_true(g_file_set_contents(file, text, -1, NULL));
    }
}

static bool measure(place *at, GError **error) {
    bool complete;
    make_trees(at);
    const bool good = run_rounds_measure(&at->attempt, &at->trees, &at->beat, &complete, error);
    assert_true(!good || complete);
    return good;
}

static void place_clear(place *at) {
    run_trees_clear(&at->trees);
    g_free(at->attempt.last_log);
    bench_clear(&at->bench);
}

/* As an earlier run left it. */
static void add(place *at, const char *name, unsigned round, double mean) {
    run_loop *loop = run_loop_new(name, NULL, round);
    loop->summary = (det_summary){.n = 1, .mean = mean};
    assert_true(run_spool_add(at->bench.spool, loop, NULL, NULL));
}

static void expect_loops(const place *at, guint count) {
    assert_int_equal(run_spool_loops(at->bench.spool)->len, count);
}

static const char *ended_early(const place *at) {
    const json_t *environment = run_spool_head(at->bench.spool)->environment;
    return json_string_value(
        json_object_get(json_object_get(environment, "detail"), "ended_early"));
}

static void test_every_loop_of_the_plan(void **state) {
    place at;
    unsigned count[2] = {0};
    place_init(&at, *state, "echo 12");
    at.bench.job.benchmark.loops = 3;
    at.bench.job.benchmark.configurations_count = 2;
    assert_true(measure(&at, NULL));
    expect_loops(&at, 6);
    for (guint i = 0; i < 6; i++) {
        const run_loop *loop = bench_loop(&at.bench, i);
        assert_null(loop->failed);
        assert_int_equal(loop->number, i / 2 + 1); /* round by round */
        assert_int_equal(loop->position, i);
        count[g_str_equal(loop->configuration, "probe")]++;
    }
    assert_int_equal(count[0], 3);
    assert_int_equal(count[1], 3);
    assert_null(ended_early(&at));
    assert_int_equal(at.beat.done, 5); /* told before the last process */
    place_clear(&at);
}

/* Other nights are measured between them. */
static void test_a_turn_is_a_round(void **state) {
    place at;
    place_init(&at, *state, "echo 12");
    at.bench.job.benchmark.loops = 3;
    at.bench.job.benchmark.configurations_count = 2;
    make_trees(&at);
    for (unsigned turn = 1; turn <= 4; turn++) {
        bool complete;
        at.attempt.turn = turn;
        assert_true(run_rounds_measure(&at.attempt, &at.trees, &at.beat, &complete, NULL));
        expect_loops(&at, 2 * MIN(turn, 3));
        assert_int_equal(complete, turn >= 3);
        for (guint i = 0; i < 2 && turn <= 3; i++)
            assert_int_equal(bench_loop(&at.bench, 2 * turn - 2 + i)->turn, turn);
    }
    place_clear(&at);
}

/* Blocks can be long: a turn is as many processes as a round has. */
static void test_a_turn_in_a_block(void **state) {
    place at;
    bool complete = false;
    place_init(&at, *state, "echo 12");
    at.bench.job.benchmark.loops = 2;
    at.bench.job.benchmark.configurations_count = 2;
    at.bench.job.benchmark.budget_minutes = 0.05;
    make_trees(&at);
    for (at.attempt.turn = 1; !complete; at.attempt.turn++) {
        const guint before_it = run_spool_loops(at.bench.spool)->len;
        assert_true(run_rounds_measure(&at.attempt, &at.trees, &at.beat, &complete, NULL));
        const guint measured = run_spool_loops(at.bench.spool)->len - before_it;
        if (!complete)
            assert_int_equal(measured, 2);
        assert_true(measured <= 2);
    }
    assert_true(run_spool_loops(at.bench.spool)->len > 4);
    place_clear(&at);
}

/* What failed is tried again in the same turn. */
static void test_a_turn_with_a_failure(void **state) {
    place at;
    bool complete;
    g_autofree char *mark = g_build_filename(*state, "failed", NULL);
    g_autofree char *line =
        g_strdup_printf("test -e '%s' && echo 12 || { : >'%s'; exit 3; }", mark, mark);
    place_init(&at, *state, line);
    at.bench.job.benchmark.loops = 2;
    make_trees(&at);
    at.attempt.turn = 1;
    assert_true(run_rounds_measure(&at.attempt, &at.trees, &at.beat, &complete, NULL));
    assert_false(complete);
    expect_loops(&at, 2);
    assert_non_null(bench_loop(&at.bench, 0)->failed);
    assert_null(bench_loop(&at.bench, 1)->failed);
    place_clear(&at);
}

static void test_nothing_is_measured_twice(void **state) {
    place at;
    place_init(&at, *state, "exit 9");
    at.bench.job.benchmark.loops = 2;
    add(&at, "none", 1, 5);
    add(&at, "none", 2, 5);
    assert_true(measure(&at, NULL));
    expect_loops(&at, 2);
    place_clear(&at);
}

static void test_a_configuration_that_never_works(void **state) {
    place at;
    GError *problem = NULL;
    place_init(&at, *state, "echo no licence; exit 3");
    at.bench.job.benchmark.loops = 30;
    assert_false(measure(&at, &problem));
    assert_non_null(strstr(problem->message, "no licence"));
    assert_error(
        problem, RUN_ERROR_JOB,
        "configuration none: loop 1 failed 3 times without a good result; last: exit status "
        "3 after ");
    expect_loops(&at, 3);
    assert_string_equal(at.attempt.last_log, "no licence\n");
    place_clear(&at);
}

/* The loop went well, with the value of its commit; whether that is the newer one. */
static bool is_newer(const run_loop *loop, double of_new, double of_old) {
    const bool is_new = g_str_equal(loop->commit, BENCH_COMMIT);
    assert_null(loop->failed);
    assert_close(loop->summary.mean, is_new ? of_new : of_old, 0);
    return is_new;
}

/* Each commit's process finds its own tree, in an open folder, beside a closed one. */
static void test_both_commits_of_a_trial(void **state) {
    place at;
    unsigned of_new = 0;
    place_init(&at, *state,
               "[ $(stat -c %a ..) = 711 ] &&"
               " [ $(stat -c %a ../../* | sort | tr '\\n' +) = 700+711+ ] && cat which");
    at.bench.job.before = before;
    at.bench.job.benchmark.loops = 2;
    assert_true(measure(&at, NULL));
    expect_loops(&at, 4);
    for (guint i = 0; i < 4; i++)
        of_new += is_newer(bench_loop(&at.bench, i), 0, 1);
    assert_int_equal(of_new, 2);
    const bool last_new = g_str_equal(bench_loop(&at.bench, 3)->commit, BENCH_COMMIT);
    assert_string_equal(at.beat.message,
                        last_new ? "commit 0123456789ab (after)" : "commit 89abcdef0123 (before)");
    place_clear(&at);
}

/* Where each process runs, and that the other commit's runs beside it. */
static void test_both_commits_at_once(void **state) {
    place at;
    unsigned on_low[2] = {0};
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        skip();
    place_init(&at, *state,
               "echo >here; until [ $(ls ../../*/tree/here | wc -l) = 2 ]; do :; done;"
               " echo 1$(cat which)");
    at.bench.config.duet = true;
    at.bench.job.before = before;
    at.bench.job.benchmark.loops = 2;
    assert_true(measure(&at, NULL));
    expect_loops(&at, 4);
    for (guint i = 0; i < 4; i++) {
        const run_loop *loop = bench_loop(&at.bench, i);
        const bool is_new = is_newer(loop, 10, 11);
        const json_t *duet = json_object_get(loop->readings, "duet");
        assert_int_equal(loop->position, i);
        assert_int_equal(is_new, i % 2 == 0);
        const cpu_set_t half =
            run_duet_half(&at.bench.node.benchmark_cpus, i % 2, loop->number, loop->attempt);
        g_autofree char *text = run_cpus_format(&half);
        assert_string_equal(json_string_value(json_object_get(duet, "cpus")), text);
        const cpu_set_t low = run_duet_half(&at.bench.node.benchmark_cpus, 0, 1, 1);
        on_low[is_new] += CPU_EQUAL(&half, &low) != 0;
    }
    assert_int_equal(on_low[0], 1);
    assert_int_equal(on_low[1], 1);
    assert_string_equal(at.beat.message, "both commits");
    place_clear(&at);
}

/* One of both that fails is named, and both are measured again. */
static void test_one_of_both_fails(void **state) {
    place at;
    GError *problem = NULL;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        skip();
    place_init(&at, *state, "[ $(cat which) = 0 ] && echo 1 || { echo no licence; exit 4; }");
    at.bench.config.duet = true;
    at.bench.job.before = before;
    assert_false(measure(&at, &problem));
    assert_error(problem, RUN_ERROR_JOB, "commit " BENCH_AGAINST ": loop 1 failed 3 times");
    expect_loops(&at, 6);
    assert_string_equal(at.attempt.last_log, "no licence\n");
    place_clear(&at);
}

static void test_sure_enough_ends_early(void **state) {
    place at;
    place_init(&at, *state, "exit 9");
    at.bench.job.benchmark.loops = 30;
    at.bench.job.benchmark.precision_percent = 2;
    for (unsigned round = 1; round <= 12; round++)
        add(&at, "none", round, round % 2 ? 100 : 100.2);
    assert_true(measure(&at, NULL));
    expect_loops(&at, 12);
    assert_non_null(strstr(ended_early(&at), "after 12 of 30 rounds"));
    place_clear(&at);
}

/* What fits is measured; the minimum whatever it takes. */
static void test_a_budget_ends_the_rounds(void **state) {
    place at;
    place_init(&at, *state, "echo 12");
    at.bench.job.benchmark.loops = 30;
    at.bench.job.benchmark.budget_minutes = 1e-9;
    at.bench.job.minimum_loops = 3;
    assert_true(measure(&at, NULL));
    expect_loops(&at, 3);
    assert_string_equal(ended_early(&at), "budget_minutes (1e-09) ended after 3 of 30 rounds");
    assert_close(at.beat.eta_s, 0, 0);
    place_clear(&at);
}

static void test_a_spent_budget_is_no_early_end(void **state) {
    place at;
    place_init(&at, *state, "exit 9");
    at.bench.job.benchmark.loops = 4;
    at.bench.job.benchmark.budget_minutes = 1e-9;
    for (unsigned round = 1; round <= 4; round++)
        add(&at, "none", round, 100);
    run_loops_at(run_spool_loops(at.bench.spool), 0)->seconds = 60;
    assert_true(measure(&at, NULL));
    expect_loops(&at, 4);
    assert_null(ended_early(&at));
    place_clear(&at);
}

/* With its minimum a night counts though the node is not idle any more; with less it does not. */
static void test_a_node_that_stays_busy(void **state) {
    for (unsigned minimum = 2; minimum <= 3; minimum++) {
        place at;
        GError *problem = NULL;
        place_init(&at, *state, "exit 9");
        at.bench.config.gate_wait_s = 1;
        at.bench.config.idle_cpu_percent = -1e9;
        at.bench.job.benchmark.loops = 5;
        at.bench.job.minimum_loops = minimum;
        add(&at, "none", 1, 5);
        add(&at, "none", 2, 5);
        assert_int_equal(measure(&at, &problem), minimum == 2);
        expect_loops(&at, 2);
        if (minimum == 2)
            assert_non_null(strstr(ended_early(&at), "; 2 of 5 loops of each configuration"));
        else
            assert_error(problem, RUN_ERROR_BUSY, "; 2 of 5 loops of each configuration");
        place_clear(&at);
    }
}

/* While a process runs or while it rests, whichever comes first: no second one begins. */
static void test_asked_to_end(void **state) {
    place at;
    GError *problem = NULL;
    int stop[2];
    assert_int_equal(pipe2(stop, O_CLOEXEC), 0);
    assert_int_equal(write(stop[1], "", 1), 1);
    place_init(&at, *state, "echo 1");
    at.bench.job.benchmark.loops = 2;
    at.bench.job.benchmark.rest_s = 3600;
    at.bench.node.stop_fd = stop[0];
    assert_false(measure(&at, &problem));
    assert_error(problem, RUN_ERROR_STOPPED, "told to stop");
    assert_true(run_spool_loops(at.bench.spool)->len <= 1);
    close(stop[0]);
    close(stop[1]);
    place_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_loop_of_the_plan),
                                       cmocka_unit_test(test_a_turn_is_a_round),
                                       cmocka_unit_test(test_a_turn_in_a_block),
                                       cmocka_unit_test(test_a_turn_with_a_failure),
                                       cmocka_unit_test(test_nothing_is_measured_twice),
                                       cmocka_unit_test(test_a_configuration_that_never_works),
                                       cmocka_unit_test(test_both_commits_of_a_trial),
                                       cmocka_unit_test(test_both_commits_at_once),
                                       cmocka_unit_test(test_one_of_both_fails),
                                       cmocka_unit_test(test_sure_enough_ends_early),
                                       cmocka_unit_test(test_a_budget_ends_the_rounds),
                                       cmocka_unit_test(test_a_spent_budget_is_no_early_end),
                                       cmocka_unit_test(test_a_node_that_stays_busy),
                                       cmocka_unit_test(test_asked_to_end)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
