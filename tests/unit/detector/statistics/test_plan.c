/* Plans with known answers, worked by hand and by R. */
#include "tests/unit/test.h"

#include <math.h>

#include "detector/statistics/plan.h"
#include "tests/unit/detector/luck.h"

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

static void components_are_told_apart(void **state) {
    (void)state;
    static const double mean[] = {1, 2, 3}, sd[] = {2, 2, 2};
    det_components c;
    assert_int_equal(det_components_of(&c, mean, sd, 3, 16), DET_OK);
    assert_near(c.mean, 2, 1e-12);
    assert_near(c.within, 4, 1e-12);
    assert_near(c.between, 0.75, 1e-12); /* var(1:3) - 4/16 */
    assert_near(det_plan_variance(&c, 16), 1, 1e-12);
}

/* As many calls explain more than the processes differ by: a fifth stays between them. */
static void no_component_is_negative(void **state) {
    (void)state;
    static const double same[] = {1, 1, 1}, near[] = {1, 2, 3}, sd[] = {3, 4, 5};
    det_components c;
    assert_int_equal(det_components_of(&c, same, sd, 3, 10), DET_OK);
    assert_near(c.between, 0, 0);
    assert_int_equal(det_components_of(&c, near, sd, 3, 10), DET_OK);
    assert_near(c.between, 0.2, 1e-12);
    double shorts[] = {0, 4}, longs[] = {1, 2}; /* variances 8 and 0.5 */
    assert_int_equal(det_components_of_windows(&c, shorts, 2, 1, longs, 2, 10), DET_OK);
    assert_near(c.between, 0.1, 1e-12);
    assert_near(c.within, 7.9, 1e-12);
}

static void what_is_no_pilot_is_refused(void **state) {
    (void)state;
    static const double fine[] = {1, 2}, lost[] = {1, NAN}, below[] = {1, -1};
    det_components c;
    assert_int_equal(det_components_of(&c, fine, fine, 1, 10), DET_ESHORT);
    assert_int_equal(det_components_of(&c, fine, fine, 2, 0), DET_EINVAL);
    assert_int_equal(det_components_of(&c, fine, below, 2, 10), DET_EINVAL);
    assert_int_equal(det_components_of(&c, lost, fine, 2, 10), DET_ENUMERIC);
    assert_int_equal(det_components_of(&c, fine, lost, 2, 10), DET_ENUMERIC);
}

static double calls_of(double between, double within, double start_s, double call_s) {
    const det_plan_leg leg = {{0, between, within}, 1, start_s, call_s};
    double calls;
    det_plan_calls(&leg, 1, &calls);
    return calls;
}

/* sqrt(9/1 * 4/1) = 6; and no other number has a lower variance * cost. */
/* Windows of processes that differ by 3 and calls that scatter by 20, alone and in runs of 50
 * alike. */
static void windows_tell_what_single_calls_hide(void **state) {
    (void)state;
    enum { PROCESSES = 60, WINDOWS = 16, CALLS = 200 };
    static double shorts[PROCESSES * WINDOWS], longs[PROCESSES];
    uint64_t seed = 5;
    for (int runs = 1; runs <= 50; runs += 49) {
        det_components c;
        for (int p = 0; p < PROCESSES; p++) {
            const double own = 100 + 3 * luck_normal(&seed);
            longs[p] = 0;
            for (int w = 0; w < WINDOWS; w++) {
                double sum = 0;
                for (int i = 0; i < CALLS; i += runs)
                    sum += runs * (own + 20 * luck_normal(&seed));
                shorts[p * WINDOWS + w] = sum / CALLS;
                longs[p] += sum / CALLS / WINDOWS;
            }
        }
        assert_int_equal(det_components_of_windows(&c, shorts, PROCESSES * WINDOWS, CALLS, longs,
                                                   PROCESSES, CALLS * WINDOWS),
                         DET_OK);
        assert_near(c.mean, 100, 2);
        assert_near(sqrt(c.between), 3, 1);
        assert_near(sqrt(c.within), 20 * sqrt(runs), 5 * sqrt(runs));
    }
}

/* One process in ten is far off: the others' spread is told, as for nights. */
static void windows_are_trimmed(void **state) {
    (void)state;
    double shorts[20], longs[10];
    det_components c;
    for (int i = 0; i < 10; i++) {
        longs[i] = i == 3 ? 1000 : 100 + i % 3;
        shorts[2 * i] = shorts[2 * i + 1] = longs[i];
    }
    assert_int_equal(det_components_of_windows(&c, shorts, 20, 10, longs, 10, 20), DET_OK);
    assert_true(c.between < 4);
    assert_int_equal(det_components_of_windows(&c, shorts, 20, 0, longs, 10, 20), DET_EINVAL);
    assert_int_equal(det_components_of_windows(&c, shorts, 20, 20, longs, 10, 20), DET_EINVAL);
    assert_int_equal(det_components_of_windows(&c, shorts, 1, 10, longs, 10, 20), DET_ESHORT);
    assert_int_equal(det_components_of_windows(&c, shorts, 20, 10, longs, 1, 20), DET_ESHORT);
    longs[0] = NAN;
    assert_int_equal(det_components_of_windows(&c, shorts, 20, 10, longs, 10, 20), DET_ENUMERIC);
}

static void calls_are_those_of_kalibera_and_jones(void **state) {
    (void)state;
    const det_components c = {.between = 1, .within = 4};
    assert_near(calls_of(1, 4, 9, 1), 6, 1e-12);
    const double least = det_plan_variance(&c, 6) * (9 + 6);
    for (int n = 1; n < 40; n++)
        assert_true(det_plan_variance(&c, n) * (9 + n) >= least - 1e-12);
}

static void calls_have_ends(void **state) {
    (void)state;
    assert_near(calls_of(1, 0, 9, 1), 1, 0);
    assert_near(calls_of(100, 1, 1, 1), 1, 0);
    assert_true(isinf(calls_of(0, 1, 1, 1)));
    assert_true(isinf(calls_of(100, 1, 1, 0)));
}

/* What eight processes say of themselves, from windows of an eighth of their calls. */
static det_components piloted(const det_components *truth, double calls, uint64_t *seed) {
    enum { PROCESSES = 8, WINDOWS = 8, EARLY = 4 };
    double shorts[PROCESSES * EARLY], longs[PROCESSES];
    det_components c;
    for (int p = 0; p < PROCESSES; p++) {
        const double own = truth->mean + sqrt(truth->between) * luck_normal(seed);
        longs[p] = 0;
        for (int w = 0; w < WINDOWS; w++) {
            const double x = own + sqrt(truth->within / calls * WINDOWS) * luck_normal(seed);
            longs[p] += x / WINDOWS;
            if (w < EARLY)
                shorts[p * EARLY + w] = x;
        }
    }
    assert_int_equal(det_components_of_windows(&c, shorts, PROCESSES * EARLY, calls / WINDOWS,
                                               longs, PROCESSES, calls),
                     DET_OK);
    return c;
}

/* Variance times cost by the plans of 400 pilots, of what the best plan has; no process is more
 * than ten times as long as the pilot's. In the mean: 1.7 to 2 without a least share between
 * processes. */
static void plans_of_few_processes_lose_little(void **state) {
    (void)state;
    static const double between[] = {.3, 1, 3}; /* of within / calls */
    enum { CALLS = 1000, PILOTS = 400 };
    uint64_t seed = 2013;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        const det_components truth = {100, between[i], CALLS};
        const double start_s = .3, call_s = 1e-3,
                     best = calls_of(truth.between, CALLS, start_s, call_s),
                     least = det_plan_variance(&truth, best) * (start_s + best * call_s);
        double sum = 0;
        for (int n = 0; n < PILOTS; n++) {
            const det_components c = piloted(&truth, CALLS, &seed);
            const double calls =
                fmin(fmax(calls_of(c.between, c.within, start_s, call_s), .1 * CALLS), 10 * CALLS);
            sum += det_plan_variance(&truth, calls) * (start_s + calls * call_s) / least;
        }
        assert_true(sum / PILOTS < 1.2);
    }
}

/* Of a round of three; the noisy one gets more calls, the dear one fewer, and nothing is better. */
static void a_round_is_planned_together(void **state) {
    (void)state;
    static const det_plan_leg leg[] = {
        {{0, 1, 100}, 2, 3, 0.1}, {{0, 1, 400}, 2, 3, 0.1}, {{0, 2, 400}, 1, 4, 0.4}};
    double calls[3];
    det_plan_calls(leg, 3, calls);
    assert_near(calls[1] / calls[0], 2, 1e-12);
    assert_near(calls[1] / calls[2], sqrt(8), 1e-12);
    for (int c = 0; c < 3; c++)
        for (int sign = -1; sign <= 1; sign++) {
            double variance = 0, time = 0, least = 0, least_time = 0;
            for (int i = 0; i < 3; i++) {
                const double other = calls[i] * (i == c ? 1 + 0.2 * sign : 1);
                variance += leg[i].weight * det_plan_variance(&leg[i].varies, other);
                least += leg[i].weight * det_plan_variance(&leg[i].varies, calls[i]);
                time += leg[i].start_s + leg[i].call_s * other;
                least_time += leg[i].start_s + leg[i].call_s * calls[i];
            }
            assert_true(variance * time >= least * least_time - 1e-9);
        }
}

/* R: (qnorm(.975) + qnorm(.8)) * sqrt(2 / 8) */
static void the_detectable_change_is_that_of_the_normal_test(void **state) {
    (void)state;
    assert_near(det_plan_detectable(1.0 / 8, 0.95, 0.8), 1.4007926, 1e-6);
    assert_near(det_plan_detectable(0, 0.95, 0.8), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_told_apart),
        cmocka_unit_test(no_component_is_negative),
        cmocka_unit_test(what_is_no_pilot_is_refused),
        cmocka_unit_test(windows_tell_what_single_calls_hide),
        cmocka_unit_test(windows_are_trimmed),
        cmocka_unit_test(calls_are_those_of_kalibera_and_jones),
        cmocka_unit_test(calls_have_ends),
        cmocka_unit_test(plans_of_few_processes_lose_little),
        cmocka_unit_test(a_round_is_planned_together),
        cmocka_unit_test(the_detectable_change_is_that_of_the_normal_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
