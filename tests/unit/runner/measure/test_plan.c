#include "tests/unit/runner/test.h"

#include "runner/measure/order.h"
#include "runner/measure/plan.h"

#include <string.h>

#define STEPS_MAX 200

typedef struct {
    run_loop_done done[STEPS_MAX];
    unsigned count;
} history;

static void add(history *past, const run_plan_step *step, bool failed, bool disturbed) {
    assert_true(past->count < STEPS_MAX);
    past->done[past->count++] =
        (run_loop_done){step->configuration, step->loop, failed, disturbed, step->which};
}

static void test_round_by_round_in_seeded_order(void **state) {
    (void)state;
    run_plan plan = {.seed = 42, .configurations = 4, .loops = 5};
    history past = {.count = 0};
    run_plan_step step;
    for (unsigned loop = 1; loop <= 5; loop++) {
        unsigned order[4];
        run_order_shuffle(42, loop, 4, order);
        for (unsigned place = 0; place < 4; place++) {
            assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
            assert_int_equal(step.configuration, order[place]);
            assert_int_equal(step.loop, loop);
            assert_int_equal(step.place, place);
            assert_int_equal(step.attempt, 1);
            add(&past, &step, false, false);
        }
    }
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_COMPLETE);
}

/* Whatever is lost from the middle of the history is what comes next. */
static void test_missing_loop_is_measured(void **state) {
    (void)state;
    run_plan plan = {.seed = 1, .configurations = 3, .loops = 3};
    history past = {.count = 0};
    run_plan_step step;
    while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT)
        add(&past, &step, false, false);
    run_loop_done lost = past.done[4];
    memmove(&past.done[4], &past.done[5], (past.count - 5) * sizeof lost);
    past.count--;
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
    assert_int_equal(step.configuration, lost.configuration);
    assert_int_equal(step.loop, lost.loop);
}

static void test_failed_loop_is_repeated_within_its_round(void **state) {
    (void)state;
    run_plan plan = {.seed = 3, .configurations = 2, .loops = 2};
    history past = {.count = 0};
    run_plan_step step;
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
    unsigned bad = step.configuration;
    add(&past, &step, true, false);
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
    assert_int_not_equal(step.configuration, bad);
    add(&past, &step, false, false);
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
    assert_int_equal(step.configuration, bad);
    assert_int_equal(step.loop, 1);
    assert_int_equal(step.attempt, 2);
    add(&past, &step, false, false);
    assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
    assert_int_equal(step.loop, 2);
}

static void test_always_failing_is_hopeless_after_the_budget(void **state) {
    (void)state;
    run_plan plan = {.seed = 3, .configurations = 2, .loops = 10};
    history past = {.count = 0};
    run_plan_step step;
    unsigned tries = 0;
    run_plan_answer answer;
    while ((answer = run_plan_next(&plan, past.done, past.count, &step)) == RUN_PLAN_NEXT) {
        tries += step.configuration == 1;
        add(&past, &step, step.configuration == 1, false);
    }
    assert_int_equal(answer, RUN_PLAN_HOPELESS);
    assert_int_equal(step.configuration, 1);
    assert_int_equal(tries, 1 + RUN_REPEATS_PER_CONFIGURATION);
}

static void test_failures_beyond_the_budget_stay(void **state) {
    (void)state;
    run_plan plan = {.seed = 3, .configurations = 1, .loops = 6};
    history past = {.count = 0};
    run_plan_step step;
    run_plan_answer answer;
    while ((answer = run_plan_next(&plan, past.done, past.count, &step)) == RUN_PLAN_NEXT)
        add(&past, &step, step.loop > 1, false);
    assert_int_equal(answer, RUN_PLAN_COMPLETE);
    assert_int_equal(past.count, 6 + RUN_REPEATS_PER_CONFIGURATION);
}

static void test_disturbed_loops_have_their_own_budget(void **state) {
    (void)state;
    run_plan plan = {.seed = 3, .configurations = 1, .loops = 4, .disturbed_repeats = 3};
    history past = {.count = 0};
    run_plan_step step;
    while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT)
        add(&past, &step, false, true);
    assert_int_equal(past.count, 4 + 3);
    plan.disturbed_repeats = 0;
    past.count = 0;
    while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT)
        add(&past, &step, false, true);
    assert_int_equal(past.count, 4);
}

/* Each configuration with both commits, one right after the other, the first of them changing. */
static void test_trial_alternates_the_commits(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        run_plan plan = {.seed = seed, .configurations = 3, .loops = 4, .commits = 2};
        history past = {.count = 0};
        run_plan_step step;
        unsigned first = 0;
        for (unsigned loop = 1; loop <= 4; loop++) {
            unsigned order[3];
            run_order_shuffle(seed, loop, 3, order);
            for (unsigned place = 0; place < 6; place++) {
                assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
                first = past.count == 0 ? step.which : first;
                assert_int_equal(step.configuration, order[place / 2]);
                assert_int_equal(step.which, (first + place + loop - 1) % 2);
                assert_int_equal(step.loop, loop);
                assert_int_equal(step.place, place);
                assert_int_equal(step.attempt, 1);
                add(&past, &step, false, false);
            }
        }
        assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_COMPLETE);
    }
}

/* Any one loop that a kill took away is what comes next, with its own commit. */
static void test_trial_measures_what_is_missing(void **state) {
    (void)state;
    run_plan plan = {.seed = 5, .configurations = 2, .loops = 3, .commits = 2};
    history whole = {.count = 0};
    run_plan_step step;
    while (run_plan_next(&plan, whole.done, whole.count, &step) == RUN_PLAN_NEXT)
        add(&whole, &step, false, false);
    assert_int_equal(whole.count, 12);
    for (unsigned lost = 0; lost < whole.count; lost++) {
        history past = {.count = 0};
        for (unsigned i = 0; i < whole.count; i++)
            if (i != lost)
                past.done[past.count++] = whole.done[i];
        assert_int_equal(run_plan_next(&plan, past.done, past.count, &step), RUN_PLAN_NEXT);
        assert_int_equal(step.configuration, whole.done[lost].configuration);
        assert_int_equal(step.loop, whole.done[lost].loop);
        assert_int_equal(step.which, whole.done[lost].which);
    }
}

/* What goes wrong with one commit is repeated with that one, and never costs the other's budget. */
static void test_trial_repeats_stay_with_their_commit(void **state) {
    (void)state;
    run_plan plan = {
        .seed = 5, .configurations = 1, .loops = 6, .disturbed_repeats = 3, .commits = 2};
    unsigned counts[2] = {0, 0};
    history past = {.count = 0};
    run_plan_step step;
    while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT) {
        counts[step.which]++;
        add(&past, &step, false, step.which == 1);
    }
    assert_int_equal(counts[0], 6);
    assert_int_equal(counts[1], 6 + 3);
    past.count = counts[0] = counts[1] = 0;
    run_plan_answer answer;
    while ((answer = run_plan_next(&plan, past.done, past.count, &step)) == RUN_PLAN_NEXT) {
        counts[step.which]++;
        add(&past, &step, step.which == 1, false);
    }
    assert_int_equal(answer, RUN_PLAN_HOPELESS);
    assert_int_equal(step.which, 1);
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 1 + RUN_REPEATS_PER_CONFIGURATION);
}

static void test_other_commits_match_nothing(void **state) {
    (void)state;
    run_plan plan = {.seed = 5, .configurations = 1, .loops = 1};
    const run_loop_done done[] = {{0, 1, false, false, 1}, {0, 1, false, false, UINT32_MAX}};
    run_plan_step step;
    assert_int_equal(run_plan_next(&plan, done, 2, &step), RUN_PLAN_NEXT);
    assert_int_equal(step.attempt, 1);
    assert_int_equal(step.which, 0);
}

/* After the rounds, in seeded order, every configuration's loops numbered on. */
static void test_blocks_follow_the_rounds(void **state) {
    (void)state;
    static const run_plan_block blocks[] = {{{1, 4, 2}}, {{0, 3, 1}}};
    const unsigned loops[] = {2 + 1, 2 + 4 + 3, 2 + 2 + 1};
    for (uint64_t seed = 0; seed < 20; seed++) {
        run_plan plan = {
            .seed = seed, .configurations = 3, .loops = 2, .blocks = blocks, .blocks_count = 2};
        history past = {.count = 0};
        run_plan_step step;
        unsigned seen[3][10] = {{0}};
        while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT) {
            assert_true(step.loop <= loops[step.configuration]);
            assert_true((step.loop > 2) == (past.count >= 6));
            seen[step.configuration][step.loop]++;
            add(&past, &step, false, false);
        }
        assert_int_equal(past.count, 6 + 7 + 4);
        for (unsigned c = 0; c < 3; c++)
            for (unsigned loop = 1; loop <= loops[c]; loop++)
                assert_int_equal(seen[c][loop], 1);
    }
}

static void test_repetitions_of_a_block(void **state) {
    (void)state;
    static const run_plan_block block = {{1, 3}};
    run_plan plan = {.seed = 9,
                     .configurations = 2,
                     .loops = 1,
                     .disturbed_repeats = 1,
                     .blocks = &block,
                     .blocks_count = 1};
    history past = {.count = 0};
    run_plan_step step;
    while (run_plan_next(&plan, past.done, past.count, &step) == RUN_PLAN_NEXT)
        add(&past, &step, false, past.count == 2 || past.count == 3);
    assert_true(past.count >= 2 + 4 + 1 && past.count <= 2 + 4 + 2);
    for (unsigned i = 6; i < past.count; i++)
        assert_true(past.done[i].loop > 1); /* at the end of the block, not of the round */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_by_round_in_seeded_order),
        cmocka_unit_test(test_missing_loop_is_measured),
        cmocka_unit_test(test_failed_loop_is_repeated_within_its_round),
        cmocka_unit_test(test_always_failing_is_hopeless_after_the_budget),
        cmocka_unit_test(test_failures_beyond_the_budget_stay),
        cmocka_unit_test(test_disturbed_loops_have_their_own_budget),
        cmocka_unit_test(test_trial_alternates_the_commits),
        cmocka_unit_test(test_trial_measures_what_is_missing),
        cmocka_unit_test(test_trial_repeats_stay_with_their_commit),
        cmocka_unit_test(test_other_commits_match_nothing),
        cmocka_unit_test(test_blocks_follow_the_rounds),
        cmocka_unit_test(test_repetitions_of_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
