/* Measuring again: error rates by simulation, early stops, refused input. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/watch/confirm.h"
#include "tests/unit/detector/luck.h"

#define LOOPS_MAX 1000

typedef struct {
    double before, after;    /* standard deviation between the loops of each commit */
    double parent;           /* of both commits' parent; 0: none */
    double change, expected; /* of a portion of 1000 */
    int heavy;               /* Student's t with three degrees of freedom, of the same spread */
    double slow;             /* share of the new commit's processes that take a third more */
    double effect;           /* minimum effect */
} trial;

/* Student's t with three degrees of freedom has the variance 3. */
static double deviate(int heavy, uint64_t *seed) {
    const double z = luck_normal(seed);
    if (!heavy)
        return z;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double x = luck_normal(seed);
        square += x * x;
    }
    return z / sqrt(square / 3) / sqrt(3);
}

static det_confirm_result session(const trial *t, uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX], parent[LOOPS_MAX], below[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    const det_confirm_question question = {
        .name = "I", .expected = t->expected, .effect_absolute = t->effect, .level = 0.95};
    det_confirm_policy_init(&policy);
    for (size_t loops = 0; r.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step; i++, loops++) {
            const double slow = luck_uniform(seed) < t->slow ? 1.3 : 1;
            before[loops] = 1000 + t->before * deviate(t->heavy, seed);
            after[loops] = (1000 + t->change) * slow + t->after * deviate(t->heavy, seed);
            parent[loops] = 400 + t->parent * deviate(t->heavy, seed);
            below[loops] = 400 + t->parent * deviate(t->heavy, seed);
        }
        const det_confirm_sample s = {.before = before,
                                      .after = after,
                                      .before_parent = t->parent > 0 ? parent : NULL,
                                      .after_parent = t->parent > 0 ? below : NULL,
                                      .loops = loops,
                                      .parent_loops = loops};
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &s), DET_OK);
    }
    assert_true(strlen(r.reason) > 20);
    return r;
}

/* In either direction where there is no change, and else in its own alone. */
static unsigned confirmed_of(const trial *t, unsigned sessions, uint64_t seed) {
    unsigned confirmed = 0;
    for (unsigned i = 0; i < sessions; i++) {
        const det_confirm_result r = session(t, &seed);
        confirmed += r.state == DET_CONFIRM_YES;
        assert_true(r.state != DET_CONFIRM_YES || t->change * r.difference.mean >= 0);
    }
    return confirmed;
}

static void error_rates_are_as_stated(void **state) {
    (void)state;
    enum { SESSIONS = 2000 };
    static const struct {
        double change, slow;
        unsigned least, most;
    } table[] = {{0, 0, 0, 8}, {0, 0.01, 0, 8}, {-20, 0, 0, SESSIONS}, {20, 0, 1860, SESSIONS}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const trial t = {.before = 30,
                         .after = 30,
                         .parent = 10,
                         .change = table[k].change,
                         .slow = table[k].slow,
                         .expected = 20};
        assert_in_range(confirmed_of(&t, SESSIONS, 1 + k), table[k].least, table[k].most);
    }
}

/* Spreads that differ up to tenfold either way, normal and heavy-tailed: a change of ten standard
   errors at sixty loops is confirmed, nothing is not, whatever was expected. */
static void unequal_spreads_keep_the_error_rates(void **state) {
    (void)state;
    enum { SESSIONS = 1000 };
    static const double ratio[] = {1, 3, 10};
    static const double expected[] = {3, 30, 300};
    unsigned found = 0, wrong = 0, of = 0;
    for (size_t k = 0; k < 3 * 3 * 2 * 2; k++) {
        const double spread = 10, other = spread * ratio[k % 3];
        const int swapped = k / 9 % 2 > 0, heavy = k / 18 % 2 > 0;
        trial t = {.before = swapped ? spread : other,
                   .after = swapped ? other : spread,
                   .heavy = heavy,
                   .expected = expected[k / 3 % 3]};
        wrong += confirmed_of(&t, SESSIONS, 100 + k);
        t.change = 10 * hypot(spread, other) / sqrt(60);
        found += confirmed_of(&t, SESSIONS, 200 + k);
        of += SESSIONS;
    }
    assert_true(wrong <= of / 500);
    assert_true(found >= of - of / 1000);
}

/* As it was in a trial on real commits: the older one is far noisier, the newer one quiet, and the
   plan knew the newer one alone. */
static void a_noisy_older_commit_does_not_hide_sixteen_standard_errors(void **state) {
    (void)state;
    enum { LOOPS = 60 };
    static double before[LOOPS], after[LOOPS];
    det_confirm_policy policy;
    det_confirm_result r;
    uint64_t seed = 1;
    det_confirm_policy_init(&policy);
    policy.maximum = LOOPS;
    for (int i = 0; i < LOOPS; i++) {
        before[i] = 8620 + 3700 * luck_normal(&seed);
        after[i] = 863 + 20 * luck_normal(&seed);
    }
    const det_confirm_question question = {
        .name = "I", .expected = -12, .effect_relative = 0.01, .level = 0.95};
    const det_confirm_sample s = {.before = before, .after = after, .loops = LOOPS};
    assert_int_equal(det_confirm_judge(&r, &policy, &question, &s), DET_OK);
    assert_int_equal(r.state, DET_CONFIRM_YES);
    assert_true(r.sequential.high < 0 && r.sequential.low < r.difference.low);
}

static void clear_cases_end_at_the_first_looks(void **state) {
    (void)state;
    uint64_t seed = 5;
    const trial up = {.before = 30, .after = 30, .parent = 10, .change = 200, .expected = 20};
    const trial down = {.before = 30, .after = 30, .parent = 10, .change = -200, .expected = 20};
    det_confirm_result r = session(&up, &seed);
    assert_int_equal(r.state, DET_CONFIRM_YES);
    assert_int_equal(r.loops, 15);
    r = session(&down, &seed);
    assert_int_equal(r.state, DET_CONFIRM_YES);
    assert_in_range(r.loops, 5, 15);
    assert_non_null(strstr(r.reason, "I fell from"));
}

/* What was measured in turn and shows the other direction is never called absent, however little
   was asked for. */
static void the_other_direction_is_not_cleared(void **state) {
    (void)state;
    static const double change[] = {-15, -25, -60};
    unsigned told[3] = {0}, undecided = 0;
    for (size_t k = 0; k < 3 * 200; k++) {
        uint64_t random = k + 1;
        const trial t = {
            .before = 30, .after = 30, .change = change[k % 3], .expected = 40, .effect = 10};
        const det_confirm_result r = session(&t, &random);
        if (r.state == DET_CONFIRM_NO)
            assert_true(r.difference.high >= 0 || r.difference.mean > -10);
        if (r.state == DET_CONFIRM_YES)
            assert_true(r.sequential.high <= -10);
        told[k % 3] += r.state == DET_CONFIRM_YES;
        undecided += r.state == DET_CONFIRM_UNDECIDED;
    }
    assert_true(told[2] >= 190 && told[0] < told[2] && undecided > 0);
}

/* A real difference that matters is never called absent: its interval would say otherwise. */
static void undecided_is_an_answer_of_its_own(void **state) {
    (void)state;
    unsigned undecided = 0;
    const trial faint = {.before = 100, .after = 100, .change = 14, .expected = 40};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        const det_confirm_result r = session(&faint, &random);
        undecided += r.state == DET_CONFIRM_UNDECIDED;
        if (r.state == DET_CONFIRM_UNDECIDED) {
            assert_int_equal(r.loops, 600);
            assert_non_null(strstr(r.reason, ": undecided"));
        }
        if (r.state == DET_CONFIRM_NO)
            assert_true(r.difference.low <= 0);
    }
    assert_true(undecided > 0);
    const trial small = {.before = 5, .after = 5, .change = 10, .expected = 40, .effect = 30};
    uint64_t seed = 2;
    assert_int_equal(session(&small, &seed).state, DET_CONFIRM_NO);
}

/* There, and a little below the minimum effect: on which side of it would take all loops. */
static void nearly_the_minimum_effect_ends_early(void **state) {
    (void)state;
    const trial nearly = {.before = 5, .after = 5, .change = 29, .expected = 40, .effect = 30};
    unsigned told = 0;
    size_t loops = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        const det_confirm_result r = session(&nearly, &random);
        assert_in_range(r.loops, 5, 300);
        loops += r.loops;
        assert_int_not_equal(r.state, DET_CONFIRM_UNDECIDED);
        if (r.state == DET_CONFIRM_YES)
            assert_true(r.difference.mean >= 30);
        else
            assert_true(r.sequential.high < 1.25 * 30);
        if (r.state == DET_CONFIRM_NO)
            assert_non_null(strstr(r.reason, ": cleared, below the minimum effect"));
        told += r.state == DET_CONFIRM_YES;
    }
    assert_in_range(told, 1, 50);
    assert_in_range(loops / 100, 5, 40);
}

static det_verdict verdict_of(double difference, double own, double parent) {
    return (det_verdict){.reference = {.mean = 1000},
                         .difference = {.mean = difference},
                         .evidence = 5,
                         .spreads = {own, parent, own, parent}};
}

static void the_plan_follows_noise_and_size(void **state) {
    (void)state;
    det_confirm_policy confirm;
    det_policy policy;
    det_verdict v = verdict_of(100, 20, 5);
    det_confirm_policy_init(&confirm);
    det_policy_init(&policy);
    const det_confirm_plan quiet = det_confirm_plan_of(&confirm, &policy, &v);
    assert_true(quiet.stage == DET_STAGE_BOTH && quiet.due);
    assert_true(quiet.loops <= confirm.worth * 1.001);
    assert_true(quiet.expected > 0 && quiet.expected <= 100);
    v.evidence = 0;
    assert_false(det_confirm_plan_of(&confirm, &policy, &v).due);
    v = verdict_of(-15, 400, 400);
    v.evidence = 2;
    const det_confirm_plan noisy = det_confirm_plan_of(&confirm, &policy, &v);
    assert_true(noisy.expected < 0 && noisy.loops > confirm.maximum && !noisy.due);
    v = verdict_of(15, 20, 5); /* the older commit's noise counts as much */
    const det_confirm_plan even = det_confirm_plan_of(&confirm, &policy, &v);
    v.spreads.own_before = 200;
    assert_true(det_confirm_plan_of(&confirm, &policy, &v).loops > 20 * even.loops);
    v.spreads.own_before = 0; /* not known: as the newer one's */
    assert_true(det_confirm_plan_of(&confirm, &policy, &v).loops == even.loops);
}

/* The parent's noise is none of its own configuration's. */
static void the_plan_begins_alone_where_that_can_clear(void **state) {
    (void)state;
    det_confirm_policy confirm;
    det_policy policy;
    det_verdict v = verdict_of(15, 60, 200);
    det_confirm_policy_init(&confirm);
    det_policy_init(&policy);
    const det_confirm_plan both = det_confirm_plan_of(&confirm, &policy, &v);
    v.trial_alone = 1;
    const det_confirm_plan alone = det_confirm_plan_of(&confirm, &policy, &v);
    assert_int_equal(alone.stage, DET_STAGE_ALONE);
    assert_true(alone.expected == both.expected && 10 * alone.loops < both.loops);
}

/* By how much a configuration moved, and its parent, in spreads of a loop. */
typedef struct {
    double own, parent;
} moves;

/* Of the configuration there are more than of its parent, which is measured later. */
static void expect_loops(const char *reason, size_t loops, size_t parents, int alone) {
    char text[100];
    (void)snprintf(text, sizeof text,
                   alone ? ", %zu loops of each commit in turn"
                         : ", %zu loops of each commit in turn (%zu of its parent)",
                   loops, parents);
    assert_non_null(strstr(reason, text));
}

/* What comes of a question that begins with the configuration alone. */
static det_confirm_result staged(const moves *by, det_confirm_stage *stage, uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX], before_parent[LOOPS_MAX],
        after_parent[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    size_t loops = 0, parents = 0;
    det_confirm_policy_init(&policy);
    *stage = DET_STAGE_ALONE;
    while (r.state == DET_CONFIRM_MORE || r.state == DET_CONFIRM_MOVED) {
        const int alone = *stage == DET_STAGE_ALONE;
        for (unsigned i = 0; i < policy.step; i++) {
            before[loops] = 5000 + 10 * luck_normal(seed);
            after[loops++] = 5000 + 10 * by->own + 10 * luck_normal(seed);
            before_parent[parents] = 2000 + 10 * luck_normal(seed);
            after_parent[parents] = 2000 + 10 * by->parent + 10 * luck_normal(seed);
            parents += !alone;
        }
        const det_confirm_question question = {.name = alone ? "T + I + C + W" : "W",
                                               .stage = *stage,
                                               .expected = 20,
                                               .effect_relative = 0.001,
                                               .level = 0.95};
        const det_confirm_sample s = {.before = before,
                                      .after = after,
                                      .before_parent = alone ? NULL : before_parent,
                                      .after_parent = alone ? NULL : after_parent,
                                      .loops = loops,
                                      .parent_loops = parents};
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &s), DET_OK);
        expect_loops(r.reason, loops, parents, alone);
        if (r.state == DET_CONFIRM_MOVED) {
            assert_int_equal(*stage, DET_STAGE_ALONE);
            assert_non_null(strstr(r.reason, "T + I + C + W rose"));
            assert_non_null(
                strstr(r.reason, ": it changed; its parent configuration is measured next"));
            *stage = DET_STAGE_MOVED;
        }
    }
    return r;
}

/* Where it is as before so is its portion, and no loop of the parent is spent. */
static void a_configuration_alone_clears_its_portion(void **state) {
    (void)state;
    uint64_t seed = 5;
    int cleared = 0;
    for (int i = 0; i < 100; i++) {
        det_confirm_stage stage;
        const det_confirm_result r = staged(&(moves){0, 0}, &stage, &seed);
        cleared += r.state == DET_CONFIRM_NO && stage == DET_STAGE_ALONE;
        if (r.state == DET_CONFIRM_NO && stage == DET_STAGE_ALONE)
            assert_non_null(strstr(r.reason, "T + I + C + W"));
    }
    assert_true(cleared >= 98);
}

/* Alone it confirms nothing: what is below it may have moved. */
static void what_moved_alone_is_told_apart_by_its_parent(void **state) {
    (void)state;
    uint64_t seed = 6;
    int confirmed = 0, cleared = 0;
    for (int i = 0; i < 100; i++) {
        det_confirm_stage stage;
        det_confirm_result r = staged(&(moves){2, 0}, &stage, &seed);
        confirmed += r.state == DET_CONFIRM_YES && stage == DET_STAGE_MOVED;
        if (r.state == DET_CONFIRM_YES)
            assert_non_null(strstr(r.reason, "Measured again, W rose"));
        r = staged(&(moves){2, 2}, &stage, &seed);
        cleared += r.state == DET_CONFIRM_NO;
        assert_int_not_equal(r.state, DET_CONFIRM_YES);
    }
    assert_true(confirmed >= 90);
    assert_true(cleared >= 90);
}

/* A project that allows few loops asks for what few loops can tell, not for nothing. */
static void a_large_change_fits_into_few_loops(void **state) {
    (void)state;
    det_confirm_policy confirm;
    det_policy policy;
    det_confirm_policy_init(&confirm);
    det_policy_init(&policy);
    confirm.maximum = confirm.step = 5;
    det_verdict v = verdict_of(2000, 20, 10);
    const det_confirm_plan plan = det_confirm_plan_of(&confirm, &policy, &v);
    assert_true(plan.due && plan.loops <= 5);
    assert_true(plan.expected == 2000);
}

/* Both commits at once on a host that slows both by up to a half, ever anew: what is gone from the
   pairs' differences is far more than the change. */
static det_confirm_result duet_of(double change, int paired, uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX], below[LOOPS_MAX], above[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    const det_confirm_question question = {.name = "I", .expected = 20, .level = 0.95};
    det_confirm_policy_init(&policy);
    for (size_t loops = 0; r.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step; i++, loops++) {
            const double slow = 1 + luck_uniform(seed) / 2, other = 1 + luck_uniform(seed) / 2;
            before[loops] = 1000 * slow + 10 * luck_normal(seed);
            after[loops] = (1000 + change) * slow + 10 * luck_normal(seed);
            below[loops] = 400 * other + 10 * luck_normal(seed);
            above[loops] = 400 * other + 10 * luck_normal(seed);
        }
        const det_confirm_sample s = {.before = before,
                                      .after = after,
                                      .before_parent = below,
                                      .after_parent = above,
                                      .loops = loops,
                                      .parent_loops = loops,
                                      .paired = paired};
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &s), DET_OK);
    }
    return r;
}

static void pairs_of_a_duet_are_judged_as_pairs(void **state) {
    (void)state;
    enum { SESSIONS = 1000 };
    unsigned wrong = 0, found = 0, found_unpaired = 0;
    uint64_t seed = 11;
    for (unsigned i = 0; i < SESSIONS; i++) {
        wrong += duet_of(0, 1, &seed).state == DET_CONFIRM_YES;
        const det_confirm_result r = duet_of(20, 1, &seed);
        found += r.state == DET_CONFIRM_YES;
        assert_true(fabs(r.after.mean - r.before.mean - r.difference.mean) < 1e-6);
        assert_non_null(strstr(r.reason, "at the same time"));
    }
    for (unsigned i = 0; i < SESSIONS / 20; i++)
        found_unpaired += duet_of(20, 0, &seed).state == DET_CONFIRM_YES;
    assert_true(wrong <= SESSIONS / 250);
    assert_true(found >= SESSIONS - SESSIONS / 20);
    assert_true(found_unpaired <= SESSIONS / 40);
}

static void odd_input_gets_a_code(void **state) {
    (void)state;
    double x[] = {1, 2, 3, 4}, bad[] = {1, NAN, 3, 4}, flat[] = {5, 5, 5, 5};
    det_confirm_policy policy;
    det_confirm_result r;
    det_confirm_policy_init(&policy);
    det_confirm_question q = {.name = "T", .expected = 1, .level = 0.95};
    det_confirm_sample s = {.before = x, .after = x, .loops = 4};
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_OK);
    q.expected = 0;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_EINVAL);
    q.expected = NAN;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_EINVAL);
    q.expected = 1;
    q.level = 1;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_EINVAL);
    q.level = 0.95;
    q.effect_relative = -1;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_EINVAL);
    q.effect_relative = 0;
    s.loops = 2;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_ESHORT);
    s = (det_confirm_sample){.before = x, .after = bad, .loops = 4};
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_ENUMERIC);
    s = (det_confirm_sample){.before = flat, .after = flat, .loops = 4};
    q.effect_absolute = 0.5;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_OK);
    assert_int_equal(r.state, DET_CONFIRM_NO);
    s.after = (double[]){9, 9, 9, 9};
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_OK);
    assert_int_equal(r.state, DET_CONFIRM_YES);
    policy.alpha = 0;
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_EINVAL);
}

/* Ten loops of each commit whose means lie `change` apart; the same spread in both. */
static det_confirm_state known_so_far(double change, size_t *ends) {
    enum { LOOPS = 10 };
    double before[LOOPS], after[LOOPS];
    det_confirm_policy policy;
    det_confirm_result r;
    const det_confirm_question q = {
        .name = "I", .expected = 20, .effect_absolute = 5, .level = 0.95};
    det_confirm_policy_init(&policy);
    for (size_t i = 0; i < LOOPS; i++) {
        before[i] = 1000 + 10 * ((double)i - 4.5);
        after[i] = before[i] + change;
    }
    const det_confirm_sample s = {.before = before, .after = after, .loops = LOOPS};
    assert_int_equal(det_confirm_judge(&r, &policy, &q, &s), DET_OK);
    assert_int_equal(det_confirm_ends(ends, &policy, &q, &s), DET_OK);
    return r.state;
}

/* The nearer the difference lies to the middle of none and the expected, the longer it takes. */
static void the_end_can_be_told_beforehand(void **state) {
    (void)state;
    size_t at_once, near, nearer, never;
    assert_int_equal(known_so_far(200, &at_once), DET_CONFIRM_YES);
    assert_int_equal(at_once, 10);
    assert_int_equal(known_so_far(30, &near), DET_CONFIRM_MORE);
    assert_int_equal(known_so_far(18, &nearer), DET_CONFIRM_MORE);
    assert_true(near > 10 && near % 10 == 0);
    assert_true(nearer > near);
    (void)known_so_far(10, &never);
    assert_true(never <= 600 && never > nearer);
}

static void no_end_of_what_cannot_be_judged(void **state) {
    (void)state;
    static const double loops[] = {1, 2, NAN};
    size_t ends = 7;
    det_confirm_policy policy;
    det_confirm_question q = {.name = "I", .expected = 20, .level = 0.95};
    det_confirm_policy_init(&policy);
    det_confirm_sample s = {.before = loops, .after = loops, .loops = 2};
    assert_int_equal(det_confirm_ends(&ends, &policy, &q, &s), DET_ESHORT);
    s.loops = 3;
    assert_int_equal(det_confirm_ends(&ends, &policy, &q, &s), DET_ENUMERIC);
    q.expected = 0;
    assert_int_equal(det_confirm_ends(&ends, &policy, &q, &s), DET_EINVAL);
    assert_int_equal(ends, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_rates_are_as_stated),
        cmocka_unit_test(unequal_spreads_keep_the_error_rates),
        cmocka_unit_test(a_noisy_older_commit_does_not_hide_sixteen_standard_errors),
        cmocka_unit_test(clear_cases_end_at_the_first_looks),
        cmocka_unit_test(the_other_direction_is_not_cleared),
        cmocka_unit_test(undecided_is_an_answer_of_its_own),
        cmocka_unit_test(nearly_the_minimum_effect_ends_early),
        cmocka_unit_test(the_plan_follows_noise_and_size),
        cmocka_unit_test(the_plan_begins_alone_where_that_can_clear),
        cmocka_unit_test(a_configuration_alone_clears_its_portion),
        cmocka_unit_test(what_moved_alone_is_told_apart_by_its_parent),
        cmocka_unit_test(a_large_change_fits_into_few_loops),
        cmocka_unit_test(pairs_of_a_duet_are_judged_as_pairs),
        cmocka_unit_test(odd_input_gets_a_code),
        cmocka_unit_test(the_end_can_be_told_beforehand),
        cmocka_unit_test(no_end_of_what_cannot_be_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
