/* Changes below the minimum effect, and sentences against their own numbers. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"
#include "tests/unit/detector/luck.h"

#define PORTIONS 4
#define LOOPS 5

enum { T, I, C, W };

static void add(det_watch *watch, int64_t id, const double *portions, double cv, uint64_t *seed,
                det_verdict *out) {
    double means[PORTIONS * LOOPS], level = 0;
    for (int c = 0; c < PORTIONS; c++) {
        level += portions[c];
        for (int l = 0; l < LOOPS; l++)
            means[c * LOOPS + l] = level * (1 + cv * luck_normal(seed));
    }
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}

static det_watch *watch_of(double effect, unsigned patience, int remeasure) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.effect_relative = effect;
    policy.patience = patience;
    policy.remeasure = remeasure;
    return det_watch_new(&chain, &policy);
}

/* I climbs by 1.5 % of the first level three times; the minimum effect is 4 %. */
static double stair(int night) {
    return 2000 * (1 + 0.015 * (night < 40 ? 0 : night < 80 ? 1 : night < 120 ? 2 : 3));
}

static void small_steps_are_followed_in_silence_until_their_sum_matters(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 3;
    int moved = 0, told = 0;
    det_watch *watch = watch_of(0.04, 2, 0);
    for (int n = 0; n < 160; n++) {
        const double portions[] = {70, stair(n), 900, 2500};
        add(watch, n, portions, 0.002, &seed, v);
        moved += v[I].rule == DET_RULE_BELOW_EFFECT;
        if (v[I].rule == DET_RULE_BELOW_EFFECT) {
            assert_int_equal(v[I].verdict, DET_VERDICT_OK);
            assert_int_equal(v[I].direction, 1);
            assert_true(v[I].to == 40 || v[I].to == 80);
            assert_non_null(strstr(v[I].reason, "below the minimum effect"));
        }
        if (v[I].verdict == DET_VERDICT_ANOMALY) {
            told++;
            assert_int_equal(v[I].rule, DET_RULE_SLOW);
            assert_int_equal(v[I].steps, 2);
            assert_int_equal(v[I].to, 120);
            assert_int_equal(v[I].from, 39);
            assert_true(fabs(v[I].ratio - 1.045) < 0.004);
            assert_non_null(strstr(v[I].reason, "against the level of night 39"));
            assert_non_null(strstr(v[I].reason, "in 3 small steps"));
        }
        if (n > 50 && n < 80) /* the reference is the new level */
            assert_true(fabs(v[I].reference.mean - 2030) < 8);
    }
    assert_int_equal(moved, 2);
    assert_int_equal(told, 1);
    det_watch_free(watch);
}

/* The control, or a portion, was some percent higher in the end, and each step was told alone. */
static void small_steps_tell_what_they_add_up_to(void **state) {
    (void)state;
    for (int p = T; p <= I; p++) {
        det_verdict v[PORTIONS];
        uint64_t seed = 3;
        int steps = 0;
        det_watch *watch = watch_of(0.2, 2, 0);
        for (int n = 0; n < 160; n++) {
            const double portions[] = {p == T ? stair(n) : 70, p == I ? stair(n) : 300, 900, 2500};
            add(watch, n, portions, 0.002, &seed, v);
            if (v[p].rule != DET_RULE_BELOW_EFFECT)
                continue;
            static const char *const sums[] = {NULL, "; 2 small steps after night 39 are +3.",
                                               "; 3 small steps after night 39 are +4."};
            assert_true(steps < 3 && (sums[steps] ? strstr(v[p].reason, sums[steps]) != NULL
                                                  : strstr(v[p].reason, "small steps") == NULL));
            steps++;
        }
        assert_int_equal(steps, 3);
        det_watch_free(watch);
    }
}

static void a_sum_of_small_steps_is_measured_again_where_that_is_possible(void **state) {
    (void)state;
    for (int confirmed = 0; confirmed < 2; confirmed++) {
        det_verdict v[PORTIONS];
        uint64_t seed = 5;
        int asked = 0;
        det_watch *watch = watch_of(0.04, 1, 1);
        for (int n = 0; n < 160; n++) {
            const double portions[] = {70, stair(n), 900, 2500};
            add(watch, n, portions, 0.002, &seed, v);
            assert_int_not_equal(v[I].verdict, DET_VERDICT_ANOMALY);
            if (v[I].verdict != DET_VERDICT_SUSPECT)
                continue;
            asked++;
            assert_int_equal(v[I].trial_from, 39);
            assert_int_equal(
                det_watch_resolve(watch, I, v[I].to, confirmed ? DET_CONFIRMED : DET_CLEARED),
                DET_OK);
        }
        assert_int_equal(asked, 1);
        assert_true(fabs(v[I].reference.mean - 2090) < 8);
        det_watch_free(watch);
    }
}

/* T takes 4 % more from a night on, and C 6 %: as if everything took 3 % more. I and W were said to
 * have risen, too, and for a week C lay off a level that no night had. */
static void what_several_do_is_no_small_step_of_all(void **state) {
    (void)state;
    static const double usual[] = {125, 345, 660, 1330}, after[] = {130, 345, 699.6, 1330};
    unsigned steps = 0, levels = 0;
    for (uint64_t luck = 1; luck <= 60; luck++) {
        uint64_t seed = luck;
        det_watch *watch = watch_of(0.01, 1, 1);
        for (int n = 0; n < 28; n++) {
            det_verdict v[PORTIONS];
            add(watch, n, n < 18 ? usual : after, 0.008, &seed, v);
            steps += n >= 18 && v[I].rule == DET_RULE_BELOW_EFFECT;
            for (size_t p = I; p <= W; p++) {
                levels += n > 20 && strstr(v[p].reason, "by themselves") != NULL;
                if (v[p].verdict == DET_VERDICT_SUSPECT)
                    assert_int_equal(
                        det_watch_resolve(watch, p, v[p].to, p == C ? DET_CONFIRMED : DET_CLEARED),
                        DET_OK);
            }
        }
        det_watch_free(watch);
    }
    assert_true(steps <= 2 && levels < 10);
}

/* The sentence says what the numbers say. */
static void bears_out(const det_verdict *v) {
    const int zero_inside = v->difference.low <= 0 && v->difference.high >= 0;
    const int overlap = det_intervals_overlap(&v->night, &v->reference);
    assert_true(v->night.low <= v->night.mean && v->night.mean <= v->night.high);
    if (isnan(v->difference.low)) /* nobody knows how far nights lie apart */
        assert_true(v->rule == DET_RULE_PENDING && v->assumed && isnan(v->difference.high));
    else
        assert_true(v->difference.low <= v->difference.mean &&
                    v->difference.mean <= v->difference.high);
    assert_true(fabs(v->night.mean - v->reference.mean - v->difference.mean) <=
                1e-6 * (1 + fabs(v->night.mean)));
    if (v->rule == DET_RULE_WITHIN) {
        assert_true(overlap && v->direction == 0 && v->score < 1);
        assert_true(zero_inside && strstr(v->reason, "within the noise"));
        return;
    }
    if (v->rule == DET_RULE_LITTLE) {
        assert_true(overlap && !zero_inside && v->direction == 0 && v->score < 1);
        assert_non_null(strstr(v->reason, ": differs, "));
        return;
    }
    assert_true(!zero_inside && v->direction == (v->difference.mean > 0) * 2 - 1);
    const int up = strstr(v->reason, " rose ") || strstr(v->reason, " may have risen ");
    assert_true(v->rule == DET_RULE_BELOW_EFFECT || (v->direction > 0) == (up != 0));
    if (v->rule == DET_RULE_PENDING) {
        assert_true(overlap && v->score < 1);
        assert_non_null(strstr(v->reason, "not enough to say so"));
    } else {
        assert_true(v->score >= 1);
        assert_false(overlap && v->verdict == DET_VERDICT_ANOMALY);
        assert_null(strstr(v->reason, "not enough"));
    }
}

static void no_sentence_contradicts_its_numbers(void **state) {
    (void)state;
    int seen[DET_RULE_LITTLE + 1] = {0};
    for (uint64_t world = 1; world <= 60; world++) {
        uint64_t seed = world * 7919;
        double portions[] = {70, 400, 900, 2500};
        const double cv = 0.002 + 0.02 * luck_uniform(&seed), effect = 0.04 * luck_uniform(&seed);
        det_verdict v[PORTIONS];
        det_watch *watch = watch_of(effect, 1 + (unsigned)(world % 3), 0);
        for (int n = 0; n < 120; n++) {
            if (luck_uniform(&seed) < 0.05) /* a step of any size, of any portion but the control */
                portions[1 + (int)(3 * luck_uniform(&seed))] *= exp(0.1 * luck_normal(&seed));
            add(watch, n, portions, cv * (luck_uniform(&seed) < 0.02 ? 5 : 1), &seed, v);
            for (int p = 0; p < PORTIONS; p++) {
                seen[v[p].rule]++;
                if (v[p].verdict == DET_VERDICT_OK || v[p].verdict == DET_VERDICT_ANOMALY)
                    bears_out(&v[p]);
            }
        }
        det_watch_free(watch);
    }
    assert_true(seen[DET_RULE_WITHIN] && seen[DET_RULE_PENDING] && seen[DET_RULE_BELOW_EFFECT] &&
                seen[DET_RULE_NIGHT] && seen[DET_RULE_WINDOW] && seen[DET_RULE_SLOW] &&
                seen[DET_RULE_LITTLE]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_steps_are_followed_in_silence_until_their_sum_matters),
        cmocka_unit_test(small_steps_tell_what_they_add_up_to),
        cmocka_unit_test(a_sum_of_small_steps_is_measured_again_where_that_is_possible),
        cmocka_unit_test(what_several_do_is_no_small_step_of_all),
        cmocka_unit_test(no_sentence_contradicts_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
