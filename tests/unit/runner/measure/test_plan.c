#include "tests/unit/runner/test.h"

#include "runner/loop/loop.h"
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

static void test_is_a_permutation_for_every_size(void **state) {
    (void)state;
    for (size_t n = 0; n <= 64; n++) {
        unsigned order[64];
        bool seen[64] = {false};
        run_order_shuffle(7, 1, n, order);
        for (size_t i = 0; i < n; i++) {
            assert_true(order[i] < n);
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
    }
}

/* Known answer: SplitMix64 and Fisher-Yates, computed independently in Python:
 *   M=2**64-1
 *   def nxt(s): s[0]=(s[0]+0x9e3779b97f4a7c15)&M; z=s[0]; z=((z^(z>>30))*0xbf58476d1ce4e5b9)&M
 *               z=((z^(z>>27))*0x94d049bb133111eb)&M; return z^(z>>31)
 *   def order(seed,rnd,n): s=[seed]; s=[nxt(s)^rnd]; o=list(range(n))
 *     for i in range(n,1,-1): j=nxt(s)%i; o[i-1],o[j]=o[j],o[i-1]
 * (the rejection of incomplete blocks does not occur for these) */
static void test_known_answers(void **state) {
    (void)state;
    const struct {
        uint64_t seed;
        unsigned round, expected[6];
    } cases[] = {{0, 1, {5, 1, 0, 2, 3, 4}},
                 {42, 1, {5, 0, 1, 2, 4, 3}},
                 {42, 2, {2, 4, 3, 1, 5, 0}},
                 {9223372036854775807, 10, {2, 3, 1, 0, 4, 5}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned order[6];
        run_order_shuffle(cases[i].seed, cases[i].round, 6, order);
        assert_memory_equal(order, cases[i].expected, sizeof order);
    }
}

/* 24 orders of 4; each expected 1000 times in 24000 rounds. 24 degrees of freedom less one:
 * chi-squared above 60 has probability below 5e-5. The seed is fixed: no luck involved. */
static void test_all_orders_are_about_as_frequent(void **state) {
    (void)state;
    unsigned count[256] = {0};
    for (unsigned round = 1; round <= 24000; round++) {
        unsigned o[4];
        run_order_shuffle(2013, round, 4, o);
        count[o[0] * 64 + o[1] * 16 + o[2] * 4 + o[3]]++;
    }
    double chi2 = 0;
    unsigned kinds = 0;
    for (unsigned i = 0; i < 256; i++) {
        if (count[i] > 0) {
            kinds++;
            chi2 += ((double)count[i] - 1000) * ((double)count[i] - 1000) / 1000;
        }
    }
    assert_int_equal(kinds, 24);
    assert_true(chi2 < 60);
}

static cpu_set_t cpus_of(const char *text) {
    cpu_set_t set;
    assert_true(run_cpus_parse(text, &set, NULL));
    return set;
}

/* Each commit has its half, and in the next attempt the other one's. */
static void test_halves_are_swapped(void **state) {
    (void)state;
    static const struct {
        const char *all, *low, *high;
    } cases[] = {{"0-1", "0", "1"}, {"2-5", "2-3", "4-5"}, {"1,3,5", "1", "3"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const cpu_set_t all = cpus_of(cases[i].all);
        for (unsigned loop = 1; loop <= 2; loop++) {
            for (unsigned attempt = 1; attempt <= 2; attempt++) {
                for (unsigned which = RUN_AFTER; which <= RUN_BEFORE; which++) {
                    const cpu_set_t half = run_duet_half(&all, which, loop, attempt);
                    g_autofree char *text = run_cpus_format(&half);
                    assert_string_equal(text, (which + loop + attempt) % 2 == 0 ? cases[i].low
                                                                                : cases[i].high);
                }
            }
        }
    }
}

static void test_where_it_applies(void **state) {
    (void)state;
    static char before[] = "89abcdef0123456789abcdef0123456789abcdef";
    cfg_runner config = {.duet = true};
    const run_node node = {.config = &config};
    run_job night = {.before = NULL}, trial = {.before = before},
            levels = {.before = before, .benchmark.in_turn = true};
    assert_false(run_duet_applies(&node, &night));
    assert_true(run_duet_applies(&node, &trial));
    assert_false(run_duet_applies(&node, &levels));
    config.duet = false;
    assert_false(run_duet_applies(&node, &trial));
}

/* Both of a pair are one; what was alone when the agent was killed is none. */
static void test_pairs(void **state) {
    (void)state;
    static const run_loop_done loops[] = {
        {.configuration = 0, .loop = 1, .which = RUN_AFTER},
        {.configuration = 0, .loop = 1, .which = RUN_BEFORE, .disturbed = true},
        {.configuration = 1, .loop = 1, .which = RUN_AFTER}, /* the agent was killed here */
        {.configuration = 1, .loop = 1, .which = RUN_AFTER, .failed = true},
        {.configuration = 1, .loop = 1, .which = RUN_BEFORE},
        {.configuration = 1, .loop = 1, .which = RUN_AFTER},
        {.configuration = 1, .loop = 1, .which = RUN_BEFORE},
        {.configuration = 0, .loop = 2, .which = RUN_AFTER}};
    static const run_loop_done expected[] = {{.configuration = 0, .loop = 1, .disturbed = true},
                                             {.configuration = 1, .loop = 1, .failed = true},
                                             {.configuration = 1, .loop = 1}};
    g_autoptr(GArray) done = g_array_new(FALSE, FALSE, sizeof(run_loop_done));
    g_array_append_vals(done, loops, G_N_ELEMENTS(loops));
    g_autoptr(GArray) pairs = run_duet_pairs(done);
    assert_int_equal(pairs->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < pairs->len; i++) {
        const run_loop_done *pair = &g_array_index(pairs, run_loop_done, i);
        assert_int_equal(pair->configuration, expected[i].configuration);
        assert_int_equal(pair->loop, expected[i].loop);
        assert_int_equal(pair->which, RUN_AFTER);
        assert_int_equal(pair->failed, expected[i].failed);
        assert_int_equal(pair->disturbed, expected[i].disturbed);
    }
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(run_loop_done));
    g_autoptr(GArray) of_none = run_duet_pairs(none);
    assert_int_equal(of_none->len, 0);
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

        cmocka_unit_test(test_is_a_permutation_for_every_size),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_all_orders_are_about_as_frequent),

        cmocka_unit_test(test_halves_are_swapped),
        cmocka_unit_test(test_where_it_applies),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
