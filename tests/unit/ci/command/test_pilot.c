/* What follows from a pilot: calls, rounds and shares. */
#include "tests/unit/test.h"

#include "ci/command/pilot.h"

#include <math.h>

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

/* T and W: a process takes `start` seconds and 1 s for its 1000 calls. */
static ci_pilot made(double start, double between, double within) {
    ci_pilot p = {.count = 2, .loops = 10};
    for (int i = 0; i < 2; i++)
        p.leg[i] = (ci_pilot_leg){.name = i ? "full" : "none",
                                  .portion = i ? "W" : "T",
                                  .parent = i - 1,
                                  .varies = {1e6, between, within},
                                  .start_s = start,
                                  .call_s = 0.001,
                                  .calls = 1000,
                                  .planned = 1000};
    return p;
}

static bool planned(ci_pilot *pilot, double minutes) {
    g_autoptr(GError) error = NULL;
    bool good = ci_pilot_plan(pilot, minutes, &error);
    if (!good)
        assert_int_equal(error->code, CI_ERROR_INPUT);
    return good;
}

/* sqrt(within / call * start / between): both are part of W; T itself is the control */
static void calls_follow_from_what_varies(void **state) {
    (void)state;
    static const struct {
        double start, between, within, calls;
    } cases[] = {{4, 1, 1000, 2000}, /* starting is dear */
                 {1, 1, 250, 500},   /* the processes differ more */
                 {1, 0, 250, 10000}, /* ... not at all: as long as a pilot can say */
                 {1, 9, 1, 100}};    /* ... by nothing else: as short */
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ci_pilot p = made(cases[i].start, cases[i].between, cases[i].within);
        assert_true(planned(&p, 60));
        assert_near(p.leg[1].planned, cases[i].calls, 0.5);
    }
}

static void minutes_are_kept(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    assert_true(planned(&p, 10));
    assert_int_equal(p.planned_loops, 150); /* of twice 1 + 1 s */
    assert_true(p.seconds_after <= 600);
    assert_true(planned(&p, 1440));
    assert_int_equal(p.planned_loops, 1000); /* benchmark.loops has an end */
}

static void the_noisier_one_has_the_larger_share(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    p.leg[1].varies = (det_components){1e6, 16, 16000};
    assert_true(planned(&p, 10));
    assert_true(p.leg[1].planned > p.leg[0].planned);
    assert_true(p.leg[1].share > p.leg[0].share);
    assert_near(p.leg[0].share + p.leg[1].share, 1, 1e-9);
}

/* More rounds show smaller changes, as their square root. */
static void the_detectable_change_shrinks(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    assert_true(planned(&p, 10));
    const double before = ci_pilot_detectable(&p, 1, 0.95, false);
    const double after = ci_pilot_detectable(&p, 1, 0.95, true);
    assert_near(before / after, sqrt(150 / 10.0), 0.3);
    assert_true(ci_pilot_detectable(&p, 0, 0.95, true) < after); /* T has no parent */
    assert_true(ci_pilot_detectable(&p, 1, 0.99, true) > after);
}

static void too_few_minutes_are_refused(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    assert_false(planned(&p, 0.1));
    assert_true(planned(&p, 8.0 / 60));
    assert_int_equal(p.planned_loops, 2);
}

/* What is left after the first rounds goes to the noisy one, within the minutes. */
static void a_budget_goes_where_it_helps(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    p.budget = true;
    p.leg[0].varies.mean = 1e6;
    p.leg[1].varies = (det_components){2e6, 16, 16000};
    assert_true(planned(&p, 10));
    assert_int_equal(p.planned_loops, 5);
    assert_true(p.leg[1].planned_loops > 3 * p.leg[0].planned_loops);
    assert_true(p.leg[0].planned_loops > 5);
    assert_near(p.seconds_after, 600, 1e-6);
    assert_near(p.leg[0].share + p.leg[1].share, 1, 1e-9);
    const double budget = ci_pilot_detectable(&p, 1, 0.95, true);
    p.budget = false;
    assert_true(planned(&p, 10));
    assert_true(budget < ci_pilot_detectable(&p, 1, 0.95, true));
}

/* Fewer calls to drop make a process cheaper, and more of them fit. */
static void a_shorter_warmup_saves_time(void **state) {
    (void)state;
    ci_pilot p = made(3, 1, 1000), q = p;
    for (int i = 0; i < 2; i++) {
        p.leg[i].warmup = q.leg[i].warmup = p.leg[i].planned_warmup = 1000; /* a second */
        q.leg[i].planned_warmup = 100;
    }
    assert_true(planned(&p, 60));
    assert_true(planned(&q, 60));
    assert_true(q.planned_loops > p.planned_loops);
    assert_true(ci_pilot_detectable(&q, 1, 0.95, true) < ci_pilot_detectable(&p, 1, 0.95, true));
    assert_near(ci_pilot_detectable(&q, 1, 0.95, false), ci_pilot_detectable(&p, 1, 0.95, false),
                1e-9);
}

/* Of 24 s each of two configurations may take one: 12 processes are there for an interval. */
static void processes_are_not_too_long(void **state) {
    (void)state;
    for (int budget = 0; budget < 2; budget++) {
        ci_pilot p = made(0.25, 0, 1e6);
        p.budget = budget;
        p.leg[0].call_s = p.leg[1].call_s = 0.0005;
        assert_true(planned(&p, 0.4));
        assert_near(p.leg[0].planned, 1500, 0.5);
        assert_true(p.leg[0].planned_loops >= 12);
        p = made(5, 0, 1e6); /* longer already: as it is */
        p.budget = budget;
        assert_true(planned(&p, 0.4));
        assert_near(p.leg[0].planned, 1000, 0.5);
    }
}

static void a_night_has_its_minimum(void **state) {
    (void)state;
    ci_pilot p = made(1, 1, 1000);
    p.least = 7;
    assert_false(planned(&p, 0.4));
    assert_true(planned(&p, 1));
    p.budget = true;
    assert_false(planned(&p, 0.3));
    assert_true(planned(&p, 1));
    assert_int_equal(p.planned_loops, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_follow_from_what_varies),
        cmocka_unit_test(minutes_are_kept),
        cmocka_unit_test(the_noisier_one_has_the_larger_share),
        cmocka_unit_test(the_detectable_change_shrinks),
        cmocka_unit_test(too_few_minutes_are_refused),
        cmocka_unit_test(a_budget_goes_where_it_helps),
        cmocka_unit_test(a_shorter_warmup_saves_time),
        cmocka_unit_test(processes_are_not_too_long),
        cmocka_unit_test(a_night_has_its_minimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
