/* Measuring again: error rates by simulation, early stops, refused input. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/watch/confirm.h"

#define LOOPS_MAX 1000

static double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static double noise(uint64_t *seed) {
    return sqrt(-2 * log(1 - uniform(seed))) * cos(6.283185307179586 * uniform(seed));
}

static det_confirm_state session(double change, double slow, uint64_t *seed, size_t *loops) {
    static double before[LOOPS_MAX], after[LOOPS_MAX], parent[LOOPS_MAX], below[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    det_confirm_policy_init(&policy);
    for (*loops = 0; r.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step; i++, (*loops)++) {
            before[*loops] = 1000 + 30 * noise(seed);
            after[*loops] = (1000 + change) * (uniform(seed) < slow ? 1.3 : 1) + 30 * noise(seed);
            parent[*loops] = 400 + 10 * noise(seed);
            below[*loops] = 400 + 10 * noise(seed);
        }
        const det_confirm_sample s = {.before = before,
                                      .after = after,
                                      .before_parent = parent,
                                      .after_parent = below,
                                      .loops = *loops,
                                      .parent_loops = *loops};
        assert_int_equal(det_confirm_judge(&r, &policy, "I", 20, &s, 0.95), DET_OK);
    }
    assert_true(strlen(r.reason) > 20);
    return r.state;
}

static void error_rates_are_as_stated(void **state) {
    (void)state;
    enum { SESSIONS = 2000 };
    static const struct {
        double change, slow;
        unsigned least, most;
    } table[] = {{0, 0, 0, 10}, {0, 0.01, 0, 10}, {-20, 0, 0, 2}, {20, 0, 1860, SESSIONS}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        uint64_t seed = 1 + k;
        unsigned confirmed = 0;
        for (int i = 0; i < SESSIONS; i++) {
            size_t loops;
            confirmed += session(table[k].change, table[k].slow, &seed, &loops) == DET_CONFIRM_YES;
        }
        assert_in_range(confirmed, table[k].least, table[k].most);
    }
}

static void clear_cases_end_at_the_first_look(void **state) {
    (void)state;
    uint64_t seed = 5;
    size_t loops;
    assert_int_equal(session(200, 0, &seed, &loops), DET_CONFIRM_YES);
    assert_int_equal(loops, 10);
    assert_int_equal(session(-200, 0, &seed, &loops), DET_CONFIRM_NO);
    assert_int_equal(loops, 10);
}

static void the_plan_follows_noise_and_size(void **state) {
    (void)state;
    det_confirm_policy confirm;
    det_policy policy;
    det_verdict v = {.reference = {.mean = 1000}, .difference = {.mean = 100}, .evidence = 5};
    det_confirm_policy_init(&confirm);
    det_policy_init(&policy);
    const det_confirm_plan quiet = det_confirm_plan_of(&confirm, &policy, &v, 20, 5);
    assert_true(quiet.parent_share == 0.25 && quiet.due && quiet.loops <= confirm.worth * 1.001);
    assert_true(quiet.expected > 0 && quiet.expected <= 75);
    v.difference.mean = -15;
    const det_confirm_plan noisy = det_confirm_plan_of(&confirm, &policy, &v, 400, 400);
    assert_true(noisy.expected < 0 && noisy.loops > confirm.maximum && !noisy.due);
    v.evidence = 0;
    assert_false(det_confirm_plan_of(&confirm, &policy, &v, 20, 5).due);
    v.difference.mean = 900; /* a large change is told with as few loops as are allowed */
    v.evidence = 5;
    confirm.step = confirm.maximum = 5;
    const det_confirm_plan few = det_confirm_plan_of(&confirm, &policy, &v, 60, 60);
    assert_true(few.due && few.loops <= 5 && few.expected > quiet.expected);
}

/* A project that allows few loops asks for what few loops can tell, not for nothing. */
static void a_large_change_fits_into_few_loops(void **state) {
    (void)state;
    det_confirm_policy confirm;
    det_policy policy;
    det_confirm_policy_init(&confirm);
    det_policy_init(&policy);
    confirm.maximum = confirm.step = 5;
    const det_verdict v = {
        .evidence = 60, .difference = {.mean = 2000}, .reference = {.mean = 2000}};
    const det_confirm_plan plan = det_confirm_plan_of(&confirm, &policy, &v, 20, 10);
    assert_true(plan.due && plan.loops <= 5);
    assert_true(plan.expected > 20 && plan.expected < 2000);
}

static void odd_input_gets_a_code(void **state) {
    (void)state;
    double x[] = {1, 2, 3, 4}, bad[] = {1, NAN, 3, 4}, flat[] = {5, 5, 5, 5};
    det_confirm_policy policy;
    det_confirm_result r;
    det_confirm_policy_init(&policy);
    det_confirm_sample s = {.before = x, .after = x, .loops = 4};
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 0.95), DET_OK);
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 0, &s, 0.95), DET_EINVAL);
    assert_int_equal(det_confirm_judge(&r, &policy, "T", NAN, &s, 0.95), DET_EINVAL);
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 1), DET_EINVAL);
    s.loops = 2;
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 0.95), DET_ESHORT);
    s = (det_confirm_sample){.before = x, .after = bad, .loops = 4};
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 0.95), DET_ENUMERIC);
    s = (det_confirm_sample){.before = flat, .after = flat, .loops = 4};
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 0.95), DET_OK);
    assert_int_equal(r.state, DET_CONFIRM_NO);
    policy.alpha = 0;
    assert_int_equal(det_confirm_judge(&r, &policy, "T", 1, &s, 0.95), DET_EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_rates_are_as_stated),
        cmocka_unit_test(clear_cases_end_at_the_first_look),
        cmocka_unit_test(the_plan_follows_noise_and_size),
        cmocka_unit_test(a_large_change_fits_into_few_loops),
        cmocka_unit_test(odd_input_gets_a_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
