#include "tests/unit/runner/test.h"

#include "runner/measure/stray.h"

#define DISTANCE 10.0

static char none[] = "none", probe[] = "probe";
static run_configuration both[] = {{.name = none, .parent = -1}, {.name = probe, .parent = 0}};
static char commit[] = "a1b2c3d4e5f6a7b8", older[] = "b1b2c3d4e5f6a7b8";
static const run_job night = {.configurations = both, .configurations_count = 2, .commit = commit};

static json_t *add(json_t *loops, const char *name, int round, double mean) {
    json_t *loop = json_pack("{s:s, s:i, s:b, s:n, s:{}, s:{s:f, s:i, s:f}}", "configuration", name,
                             "loop", round, "disturbed", 0, "failed", "readings", "summary",
                             "mean_ns", mean, "n", 1500, "max_ns", mean + 100);
    json_array_append_new(loops, loop);
    return loop;
}

/* Loops 1 … n of a configuration, 500 ± 0.3 us. */
static json_t *usual(json_t *loops, const char *name, int n) {
    json_t *last = NULL;
    for (int round = 1; round <= n; round++)
        last = add(loops, name, round, 500000 + 100 * (round * 3 % 7 - 3));
    return last;
}

static json_t *set_mean(json_t *loop, double mean, double max) {
    json_t *summary = json_object_get(loop, "summary");
    json_object_set_new(summary, "mean_ns", json_real(mean));
    json_object_set_new(summary, "max_ns", json_real(max));
    return loop;
}

static const char *by(json_t *loop) {
    return json_string_value(json_object_get(json_object_get(loop, "readings"), "disturbed_by"));
}

static void assert_stray(json_t *loop, bool stray) {
    assert_int_equal(json_is_true(json_object_get(loop, "disturbed")), stray);
    assert_int_equal(json_is_true(json_object_get(json_object_get(loop, "readings"), "stray")),
                     stray);
    assert_int_equal(by(loop) != NULL, stray);
}

static unsigned marked(json_t *loops) {
    unsigned count = 0;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        count += json_is_true(json_object_get(loop, "disturbed"));
    return count;
}

/* A pause of 25 ms in one call of 1500 is 16.7 us of the loop's mean. */
static void test_a_pause_is_marked_with_its_evidence(void **state) {
    (void)state;
    json_t *loops = json_array();
    json_t *paused = set_mean(usual(loops, none, 30), 516700, 25.5e6);
    usual(loops, probe, 30);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(paused, true);
    assert_int_equal(marked(loops), 1);
    assert_string_equal(by(paused),
                        "stands alone: its mean of 516700.0 ns is 56.3 robust standard deviations "
                        "from 500000.0 ns, the median of 30 loops; its longest call, 25.5 ms, "
                        "makes 100 % of that");
    assert_false(run_stray_mark(&night, DISTANCE, loops)); /* the same again */
    json_t *report = run_stray_report(&night, DISTANCE, loops);
    assert_int_equal(json_object_size(report), 1);
    assert_string_equal(json_string_value(json_object_get(report, none)),
                        "1 of 30 loops stood alone");
    json_decref(report);
    json_decref(loops);
}

static void test_slow_throughout_is_told_apart(void **state) {
    (void)state;
    json_t *loops = json_array();
    json_t *slow = set_mean(usual(loops, none, 10), 600000, 700000);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_non_null(strstr(by(slow), "; no single call makes it"));
    json_t *fast = set_mean(slow, 300000, 400000); /* it did not do its work */
    json_object_set_new(fast, "disturbed", json_false());
    json_object_clear(json_object_get(fast, "readings"));
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(fast, true);
    assert_null(strstr(by(fast), "call"));
    json_decref(loops);
}

static void test_who_is_not_judged(void **state) {
    (void)state;
    json_t *loops = json_array();
    json_t *few = set_mean(usual(loops, none, 7), 900000, 1e9); /* of seven */
    json_t *last = usual(loops, probe, 12);
    json_object_set_new(last, "disturbed", json_true()); /* by what others did */
    set_mean(last, 900000, 1e9);
    json_t *failed = add(loops, probe, 13, 900000);
    json_object_set_new(failed, "failed", json_string("exit status 1"));
    assert_false(run_stray_mark(&night, DISTANCE, loops));
    assert_stray(few, false);
    assert_null(by(last));
    assert_null(by(failed));
    assert_null(run_stray_report(&night, DISTANCE, loops));
    json_object_set_new(last, "disturbed", json_false());
    assert_false(run_stray_mark(&night, 0, loops)); /* switched off */
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    json_decref(loops);
}

/* Two kinds of process: nothing is hidden by measuring until it looks like one. */
static void test_many_are_no_strays(void **state) {
    (void)state;
    json_t *loops = json_array();
    usual(loops, none, 30);
    for (size_t i = 0; i < 3; i++)
        set_mean(json_array_get(loops, 9 * i), 600000, 700000);
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_int_equal(marked(loops), 3);
    add(loops, none, 1, 600000); /* a repetition, as slow again */
    assert_true(run_stray_mark(&night, DISTANCE, loops));
    assert_int_equal(marked(loops), 0);
    json_t *report = run_stray_report(&night, DISTANCE, loops);
    assert_string_equal(json_string_value(json_object_get(report, none)),
                        "4 of 31 loops are far from the others: more than bad luck, so all count "
                        "and none was measured again for it");
    json_decref(report);
    json_decref(loops);
}

/* The commits of a trial differ: each has its own usual. */
static void test_each_commit_of_a_trial_has_its_own_usual(void **state) {
    (void)state;
    run_job trial = night;
    trial.against = older;
    json_t *loops = json_array();
    for (int round = 1; round <= 10; round++) {
        json_t *one = add(loops, none, round, 500000 + 100 * (round % 3));
        json_object_set_new(one, "commit", json_string(commit));
        json_t *other = add(loops, none, round, 400000 + 100 * (round % 3));
        json_object_set_new(other, "commit", json_string(older));
    }
    assert_false(run_stray_mark(&trial, DISTANCE, loops));
    json_t *stray = set_mean(json_array_get(loops, 1), 500000, 1e9);
    assert_true(run_stray_mark(&trial, DISTANCE, loops));
    assert_stray(stray, true);
    assert_int_equal(marked(loops), 1);
    json_t *report = run_stray_report(&trial, DISTANCE, loops);
    assert_string_equal(json_string_value(json_object_get(report, "none, commit b1b2c3d4e5f6")),
                        "1 of 10 loops stood alone");
    json_decref(report);
    json_decref(loops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pause_is_marked_with_its_evidence),
        cmocka_unit_test(test_slow_throughout_is_told_apart),
        cmocka_unit_test(test_who_is_not_judged),
        cmocka_unit_test(test_many_are_no_strays),
        cmocka_unit_test(test_each_commit_of_a_trial_has_its_own_usual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
