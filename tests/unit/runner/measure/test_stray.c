#include "tests/unit/runner/test.h"

#include "runner/measure/stray.h"

#define DISTANCE 10.0

static char none[] = "none", probe[] = "probe";
static cfg_configuration both[] = {{.name = none}, {.name = probe, .parent = none}};
static char commit[] = "a1b2c3d4e5f6a7b8", older[] = "b1b2c3d4e5f6a7b8";
static const run_job night = {
    .benchmark.configurations = both, .benchmark.configurations_count = 2, .commit = commit};

static run_loop *add(GPtrArray *loops, const char *name, unsigned round, double mean) {
    run_loop *loop = run_loop_new(name, NULL, round);
    loop->summary = (det_summary){.n = 1500, .mean = mean, .max = mean + 100};
    g_ptr_array_add(loops, loop);
    return loop;
}

/* Loops 1 … n of a configuration, 500 ± 0.3 us. */
static run_loop *usual(GPtrArray *loops, const char *name, unsigned n) {
    run_loop *last = NULL;
    for (unsigned round = 1; round <= n; round++)
        last = add(loops, name, round, 500000 + 100 * ((int)round * 3 % 7 - 3));
    return last;
}

static run_loop *set_mean(run_loop *loop, double mean, double max) {
    loop->summary.mean = mean;
    loop->summary.max = max;
    return loop;
}

static void assert_stray(const run_loop *loop, bool stray) {
    assert_int_equal(loop->disturbed, stray);
    assert_int_equal(loop->stray, stray);
    assert_int_equal(loop->disturbed_by != NULL, stray);
}

static unsigned marked(const GPtrArray *loops) {
    unsigned count = 0;
    for (guint i = 0; i < loops->len; i++)
        count += run_loops_at(loops, i)->disturbed;
    return count;
}

/* A pause of 25 ms in one call of 1500 is 16.7 us of the loop's mean. */
static void test_a_pause_is_marked_with_its_evidence(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_loop *paused = set_mean(usual(loops, none, 30), 516700, 25.5e6);
    usual(loops, probe, 30);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(paused, true);
    assert_int_equal(marked(loops), 1);
    assert_string_equal(paused->disturbed_by,
                        "stands apart: its mean of 516700.0 ns is 56.3 robust standard deviations "
                        "from 500000.0 ns, the median of 30 loops; its longest call, 25.5 ms, "
                        "is 100 % of that");
    assert_false(run_stray_mark(&night, DISTANCE, loops)); /* the same again */
    json_t *report = run_stray_report(&night, DISTANCE, loops);
    assert_int_equal(json_object_size(report), 1);
    assert_string_equal(json_string_value(json_object_get(report, none)),
                        "1 of 30 loops stood apart");
    json_decref(report);
}

static void test_slow_throughout_is_told_apart(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_loop *slow = set_mean(usual(loops, none, 10), 600000, 700000);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_non_null(strstr(slow->disturbed_by, "; no single call explains it"));
    run_loop *fast = set_mean(slow, 300000, 400000); /* it did not do its work */
    run_loop_set_disturbed(fast, NULL);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(fast, true);
    assert_null(strstr(fast->disturbed_by, "call"));
}

static void test_who_is_not_judged(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_loop *few = set_mean(usual(loops, none, 7), 900000, 1e9); /* of seven */
    run_loop *last = usual(loops, probe, 12);
    last->disturbed = true; /* by what others did */
    set_mean(last, 900000, 1e9);
    run_loop *failed = add(loops, probe, 13, 900000);
    failed->failed = g_strdup("exit status 1");
    assert_false(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(few, false);
    assert_null(last->disturbed_by);
    assert_null(failed->disturbed_by);
    assert_null(run_stray_report(&night, DISTANCE, loops));
    last->disturbed = false;
    assert_false(run_stray_mark(&night, 0, loops)); /* switched off */
    assert_true(run_stray_mark(&night, DISTANCE, loops));
}

/* Two kinds of process: nothing is hidden by measuring until it looks like one. */
static void test_many_are_no_strays(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    usual(loops, none, 30);
    for (guint i = 0; i < 3; i++)
        set_mean(run_loops_at(loops, 9 * i), 600000, 700000);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_int_equal(marked(loops), 3);
    add(loops, none, 1, 600000); /* a repetition, as slow again */
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_int_equal(marked(loops), 0);
    json_t *report = run_stray_report(&night, DISTANCE, loops);
    assert_string_equal(
        json_string_value(json_object_get(report, none)),
        "4 of 31 loops are far from the others: too many to be chance; all were kept");
    json_decref(report);
}

/* The commits of a trial differ: each has its own usual. */
static void test_each_commit_of_a_trial_has_its_own_usual(void **state) {
    (void)state;
    run_job trial = night;
    trial.before = older;
    g_autoptr(GPtrArray) loops = run_loops_new();
    for (unsigned round = 1; round <= 10; round++) {
        run_loop *one = add(loops, none, round, 500000 + 100 * (round % 3));
        one->commit = g_strdup(commit);
        run_loop *other = add(loops, none, round, 400000 + 100 * (round % 3));
        other->commit = g_strdup(older);
    }
    assert_false(run_stray_mark(&trial, DISTANCE, loops));
    run_loop *stray = set_mean(run_loops_at(loops, 1), 500000, 1e9);
    assert_true(run_stray_mark(&trial, DISTANCE, loops));
    assert_stray(stray, true);
    assert_int_equal(marked(loops), 1);
    json_t *report = run_stray_report(&trial, DISTANCE, loops);
    assert_string_equal(json_string_value(json_object_get(report, "none, commit b1b2c3d4e5f6")),
                        "1 of 10 loops stood apart");
    json_decref(report);
}

/* A night says what its warm-up rested on. */

static char told[] = "pilot of 2026-11-22";
static cfg_configuration settled_both[] = {{.name = none, .warmup_calls = 100},
                                           {.name = probe, .parent = none, .warmup_calls = 50}};

static run_job asking(char *evidence) {
    return (run_job){.benchmark.configurations = settled_both,
                     .benchmark.configurations_count = 2,
                     .benchmark.warmup_evidence = evidence};
}

static run_loop *settled_add(GPtrArray *loops, const char *name, int settled) {
    run_loop *loop = run_loop_new(name, NULL, loops->len + 1);
    if (settled >= 0)
        run_loop_add_reading(loop, "settled", json_boolean(settled));
    g_ptr_array_add(loops, loop);
    return loop;
}

static void expect(const run_job *job, const GPtrArray *loops, const char *text) {
    json_t *report = run_settled_report(job, loops);
    char *got = report ? json_dumps(report, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (g_strcmp0(got, text) != 0)
        fail_msg("%s instead of %s", got, text);
    free(got);
    json_decref(report);
}

static void test_nothing_to_say(void **state) {
    (void)state;
    const run_job job = asking(NULL);
    g_autoptr(GPtrArray) loops = run_loops_new();
    expect(&job, loops, NULL);
    settled_add(loops, "none", -1); /* of several threads, or without calls */
    expect(&job, loops, NULL);
}

static void test_loops_are_counted(void **state) {
    (void)state;
    const run_job job = asking(NULL);
    g_autoptr(GPtrArray) loops = run_loops_new();
    settled_add(loops, "none", 1);
    settled_add(loops, "none", 0);
    settled_add(loops, "none", 1)->failed = g_strdup("exit status 1");
    settled_add(loops, "none", -1);
    expect(&job, loops,
           "{\"configurations\":{\"none\":{\"calls\":100,\"loops\":2,\"settled\":1}}}");
    settled_add(loops, "probe", 1);
    expect(&job, loops,
           "{\"configurations\":{\"none\":{\"calls\":100,\"loops\":2,\"settled\":1},"
           "\"probe\":{\"calls\":50,\"loops\":1,\"settled\":1}}}");
}

static void test_evidence_goes_with_it(void **state) {
    (void)state;
    const run_job job = asking(told);
    g_autoptr(GPtrArray) loops = run_loops_new();
    expect(&job, loops, "{\"configurations\":{},\"evidence\":\"pilot of 2026-11-22\"}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pause_is_marked_with_its_evidence),
        cmocka_unit_test(test_slow_throughout_is_told_apart),
        cmocka_unit_test(test_who_is_not_judged),
        cmocka_unit_test(test_many_are_no_strays),
        cmocka_unit_test(test_each_commit_of_a_trial_has_its_own_usual),
        cmocka_unit_test(test_nothing_to_say),
        cmocka_unit_test(test_loops_are_counted),
        cmocka_unit_test(test_evidence_goes_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
