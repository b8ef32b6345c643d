/* What measuring again adds to the watch: the size of a change, and which commits to measure. */
#include <math.h>

#include "tests/unit/detector/watch/nights.h"

/* Thirty quiet nights, then one of which I is given; the verdicts of that. */
static det_watch *night_of_change(double changed, uint64_t *seed, det_verdict *v) {
    det_watch *watch = remeasuring();
    for (int n = 0; n < 31; n++) {
        const double portions[] = {70, n == 30 ? changed : 200, 900, 2500};
        add(watch, n, portions, 0.01, seed, v);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
    return watch;
}

/* The night saw 330, the trial +60 +- 4: what comes at 260 is nothing new. */
static void the_reference_is_what_was_measured(void **state) {
    (void)state;
    for (int measured = 0; measured < 2; measured++) {
        static const det_interval difference = {.mean = 60, .low = 56, .high = 64};
        det_verdict v[PORTIONS];
        uint64_t seed = 6;
        det_watch *watch = night_of_change(330, &seed, v);
        assert_int_equal(measured ? det_watch_confirm(watch, I, v[I].to, NULL, &difference)
                                  : det_watch_resolve(watch, I, v[I].to, DET_CONFIRMED),
                         DET_OK);
        const double after[] = {70, 260, 900, 2500};
        add(watch, 31, after, 0.01, &seed, v);
        if (measured) {
            assert_int_equal(v[I].verdict, DET_VERDICT_OK);
            assert_true(fabs(v[I].reference.mean - 260) < 12);
        } else {
            assert_true(v[I].reference.mean > 300);
        }
        det_watch_free(watch);
    }
}

/* Measured in turn on a machine that takes twice as long, 60 ns of 200 were 120 of 400. */
static void a_trial_on_another_machine_moves_by_its_share(void **state) {
    (void)state;
    static const det_interval older = {.mean = 400, .low = 396, .high = 404},
                              difference = {.mean = 120, .low = 112, .high = 128};
    static const double later[] = {70, 260, 900, 2500};
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = night_of_change(262, &seed, v);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, &older, &difference), DET_OK);
    add(watch, 31, later, 0.01, &seed, v);
    assert_int_equal(v[I].verdict, DET_VERDICT_OK);
    assert_true(fabs(v[I].reference.mean - 260) < 12);
    det_watch_free(watch);
}

/* I rose in the night in which the machine became slower, too: measured in turn it rose by 60, and
 * no night had the level that makes. What the next one is compared with was measured. The machine's
 * change is of the same night. */
static void a_machine_is_told_against_its_nights(void **state) {
    (void)state;
    static const det_interval difference = {.mean = 60, .low = 56, .high = 64};
    static const double usual[] = {70, 400, 900, 2500}, slower[] = {77, 506, 990, 2750};
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        uint64_t seed = luck;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 16; n++) {
            add(watch, n, n < 14 ? usual : slower, 0.004, &seed, v);
            if (n == 14)
                assert_int_equal(det_watch_confirm(watch, I, 14, NULL, &difference), DET_OK);
        }
        det_incident incident;
        assert_int_equal(det_watch_incident(watch, DET_INCIDENT_SCALE, &incident), DET_OK);
        assert_int_equal(incident.since, 14);
        assert_int_equal(incident.before, 13);
        assert_int_equal(incident.moved, PORTIONS - 1); /* I rose, as its alert says */
        assert_int_equal(incident.seen, PORTIONS);
        assert_true(fabs(incident.factor - 1.1) < 0.01);
        if (!strstr(incident.reason, "the control too: the machine, not the code; I otherwise"))
            fail_msg("%s", incident.reason);
        assert_int_equal(v[T].verdict, DET_VERDICT_ENVIRONMENT);
        assert_int_equal(v[I].verdict, DET_VERDICT_OK);
        assert_int_equal(v[I].reference_nights, 1);
        if (!(fabs(v[I].reference.mean / 506 - 1) < 0.02) || strstr(v[I].reason, "rose"))
            fail_msg("%s", v[I].reason);
        det_watch_free(watch);
    }
}

/* The machine became faster in the night from which on I takes 12 % longer: what stands clear of
 * where the control puts it is measured again, for a rise, though it fell from the night before. */
static void what_stands_apart_from_the_machine_is_measured_again(void **state) {
    (void)state;
    static const det_interval difference = {.mean = 33.6, .low = 30, .high = 37};
    static const double usual[] = {70, 400, 900, 2500}, faster[] = {49, 313.6, 630, 1750};
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        uint64_t seed = luck;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 17; n++) {
            add(watch, n, n < 14 ? usual : faster, 0.004, &seed, v);
            if (n < 14 || n == 16)
                continue;
            assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
            assert_int_equal(v[I].rule, DET_RULE_NOT_SCALED);
            assert_int_equal(v[I].direction, 1);
            assert_int_equal(v[I].to, 14);
            assert_true(fabs(v[I].reference.mean / 280 - 1) < 0.02);
            assert_non_null(
                strstr(v[I].reason, "; the former value is where the control's factor puts it"));
            assert_int_equal(v[T].verdict, DET_VERDICT_ENVIRONMENT);
        }
        assert_int_equal(det_watch_confirm(watch, I, 14, NULL, &difference), DET_OK);
        add(watch, 17, faster, 0.004, &seed, v);
        assert_int_equal(v[I].verdict, DET_VERDICT_OK);
        assert_true(fabs(v[I].reference.mean / 313.6 - 1) < 0.03);
        det_watch_free(watch);
    }
}

/* The same, confirmed after the levels had begun anew with the machine. When that is back, I is
 * where this puts it. */
static void what_was_confirmed_beside_the_machine_is_told_once(void **state) {
    (void)state;
    static const det_interval difference = {.mean = 27, .low = 24, .high = 30};
    static const double usual[] = {98, 337, 660, 1495}, faster[] = {91, 338, 614, 1390},
                        risen[] = {98, 364, 660, 1495};
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        uint64_t seed = luck;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 30; n++) {
            add(watch, n, n < 14 ? usual : n < 18 ? faster : risen, 0.004, &seed, v);
            if (n == 15)
                assert_int_equal(det_watch_confirm(watch, I, 14, NULL, &difference), DET_OK);
            if (n > 18 && v[I].verdict == DET_VERDICT_SUSPECT && v[I].ratio > 1.04)
                fail_msg("seed %d, night %d: %s", (int)luck, n, v[I].reason);
        }
        det_watch_free(watch);
    }
}

/* The machine became slower, which was asked about and cleared. The next night W rose by 7 %, and
 * rested: both nights' W was told as the machine's, and the rise never. Learning from these nights
 * how widely nights scatter hid it, too. It is of the night that brought it. */
static void what_rises_on_a_slower_machine_is_told(void **state) {
    (void)state;
    static const double usual[] = {84, 275, 740, 1610}, slower[] = {94, 308, 829, 1803};
    static const double risen[] = {94, 308, 829, 1929};
    unsigned told = 0;
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        uint64_t seed = luck;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 18; n++)
            add(watch, n, usual, 0.008, &seed, v);
        add(watch, 18, slower, 0.008, &seed, v);
        assert_int_equal(det_watch_resolve(watch, W, 18, DET_CLEARED), DET_OK);
        add(watch, 19, risen, 0.008, &seed, v);
        for (int p = T; p < W; p++)
            assert_int_equal(v[p].verdict, DET_VERDICT_ENVIRONMENT);
        if (v[W].verdict == DET_VERDICT_SUSPECT) {
            told++;
            assert_int_equal(v[W].rule, DET_RULE_NOT_SCALED);
            assert_int_equal(v[W].to, 19);
            assert_true(fabs(v[W].reference.mean / 1803 - 1) < 0.03);
        }
        det_watch_free(watch);
    }
    assert_true(told >= 18);
}

/* W takes the slower machine harder than the control does: once that was cleared, the next night,
 * which has it apart as well, does not ask again. */
static void what_gains_more_than_the_control_is_asked_about_once(void **state) {
    (void)state;
    static const double usual[] = {84, 275, 740, 1610}, slower[] = {94, 308, 829, 1950};
    det_verdict v[PORTIONS];
    uint64_t seed = 3;
    det_watch *watch = remeasuring();
    for (int n = 0; n < 20; n++) {
        add(watch, n, n < 18 ? usual : slower, 0.004, &seed, v);
        assert_int_equal(v[W].verdict == DET_VERDICT_SUSPECT, n == 18);
        assert_true(n < 18 || v[W].rule == DET_RULE_NOT_SCALED);
        if (n == 18)
            assert_int_equal(det_watch_resolve(watch, W, v[W].to, DET_CLEARED), DET_OK);
    }
    det_watch_free(watch);
}

/* One commit makes all but the control a tenth slower: as if the machine had changed, but the
 * control did not move. Each is measured again. */
static void what_the_control_does_not_match_is_measured_again(void **state) {
    (void)state;
    static const double usual[] = {70, 400, 900, 2500}, slower[] = {70, 440, 990, 2750};
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        uint64_t seed = luck;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 16; n++) {
            add(watch, n, n < 14 ? usual : slower, 0.004, &seed, v);
            for (int p = I; p < PORTIONS && n == 14; p++)
                if (v[p].verdict != DET_VERDICT_SUSPECT || v[p].direction != 1)
                    fail_msg("%s", v[p].reason);
            assert_int_not_equal(v[T].verdict, DET_VERDICT_SUSPECT);
        }
        det_watch_free(watch);
    }
}

/* All but the control took 6 % longer from the night on in which the machine became 5 % slower. The
 * others' factor was told "the control too", and from a night later on. */
static void a_control_that_moved_otherwise_is_no_witness(void **state) {
    det_watch *(*const kinds[])(void) = {classic, remeasuring};
    static const double usual[] = {70, 400, 1130, 1600}, slower[] = {73.5, 445.2, 1257.7, 1780.8};
    unsigned opened = 0;
    (void)state;
    for (uint64_t luck = 1; luck <= 40; luck++) {
        det_verdict v[PORTIONS];
        det_incident incident;
        uint64_t seed = luck;
        det_watch *watch = kinds[luck % 2]();
        for (int n = 0; n < 22; n++) {
            add(watch, n, n < 17 ? usual : slower, 0.006, &seed, v);
            if (det_watch_incident(watch, DET_INCIDENT_SCALE, &incident) != DET_OK)
                continue;
            opened++;
            assert_int_equal(incident.since, 17);
            assert_int_equal(incident.before, 16);
            if (incident.low > 1.06 &&
                !strstr(incident.reason, ", the control otherwise: the machine or the code"))
                fail_msg("%s", incident.reason);
        }
        det_watch_free(watch);
    }
    assert_true(opened > 0);
}

/* What is measured on top of the portion keeps its own level. */
static void the_others_stay(void **state) {
    (void)state;
    static const det_interval difference = {.mean = 60, .low = 56, .high = 64};
    det_verdict v[PORTIONS];
    uint64_t seed = 9;
    det_watch *watch = night_of_change(262, &seed, v);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, NULL, &difference), DET_OK);
    const double after[] = {70, 260, 900, 2500};
    for (int n = 31; n < 36; n++) {
        add(watch, n, after, 0.01, &seed, v);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].verdict, DET_VERDICT_OK);
    }
    assert_true(fabs(v[C].reference.mean - 900) < 15);
    assert_true(fabs(v[W].reference.mean - 2500) < 40);
    det_watch_free(watch);
}

static void what_is_no_measurement_is_refused(void **state) {
    (void)state;
    static const det_interval fine = {.mean = 60, .low = 56, .high = 64};
    static const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    static const det_interval endless = {.mean = 60, .low = -INFINITY, .high = INFINITY};
    det_verdict v[PORTIONS];
    uint64_t seed = 3;
    det_watch *watch = night_of_change(330, &seed, v);
    assert_int_equal(det_watch_confirm(watch, I, 1000, NULL, &fine), DET_EINVAL);
    assert_int_equal(det_watch_confirm(watch, PORTIONS, v[I].to, NULL, &fine), DET_EINVAL);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, NULL, &none), DET_ENUMERIC);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, NULL, &endless), DET_ENUMERIC);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, NULL, &fine), DET_OK);
    det_watch_free(watch);
}

/* A clear change is dated without doubt: the night before it is measured against. */
static void a_clear_change_is_measured_against_the_night_before(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = night_of_change(330, &seed, v);
    assert_int_equal(v[I].to, 30);
    assert_int_equal(v[I].trial_from, 29);
    det_watch_free(watch);
}

/* ... and where it has no result, the one before that. */
static void a_missing_night_is_passed_over(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = remeasuring();
    for (int n = 0; n < 31; n++) {
        const double portions[] = {70, n == 30 ? 330 : 200, 900, 2500};
        double means[PORTIONS * LOOPS];
        night_of(means, portions, 0.01, &seed);
        for (int l = 0; n == 29 && l < 2 * LOOPS; l++)
            means[LOOPS + l] = NAN; /* I and C */
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
    assert_int_equal(v[I].trial_from, 28);
    det_watch_free(watch);
}

/* A small one may have come some nights before the night that it is dated to: the night to measure
 * against lies before all of these. */
static void a_small_change_is_measured_against_an_undisputed_night(void **state) {
    (void)state;
    int suspected = 0, earlier = 0;
    for (uint64_t begin = 1; begin <= 40; begin++) {
        det_verdict v[PORTIONS];
        uint64_t seed = begin;
        det_watch *watch = remeasuring();
        for (int n = 0; n < 45; n++) {
            const double portions[] = {70, n >= 30 ? 207 : 200, 900, 2500};
            add(watch, n, portions, 0.01, &seed, v);
            if (n < 30 || v[I].verdict != DET_VERDICT_SUSPECT)
                continue;
            suspected++;
            assert_true(v[I].trial_from < v[I].to);
            assert_true(v[I].trial_from + 8 >= v[I].from);
            earlier += v[I].trial_from < v[I].from;
            break;
        }
        det_watch_free(watch);
    }
    assert_true(suspected >= 20);
    assert_true(earlier >= suspected / 4);
}

/* The night that brought it was read as before: the trial of the next one has it on both sides, and
 * clears it. Who suspects it again measures against the nights before. */
static void what_is_suspected_after_a_clearance_is_measured_further_back(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = remeasuring();
    for (int n = 0; n < 32; n++) {
        const double portions[] = {70, n >= 30 ? 330 : 200, 900, 2500};
        add(watch, n, portions, 0.01, &seed, v);
        if (n >= 30)
            assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
        assert_true(n != 30 || v[I].trial_from == 29);
        if (n == 30)
            assert_int_equal(det_watch_resolve(watch, I, v[I].to, DET_CLEARED), DET_OK);
    }
    assert_int_equal(v[I].to, 31);
    assert_int_equal(v[I].trial_from, 23);
    det_watch_free(watch);
}

static det_watch *asking(int ask) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.ask = ask;
    return det_watch_new(&chain, &policy);
}

/* One night by itself, and several that agree: asked about where the other believes, in the same
 * words, and on from there alike. */
static void who_asks_sees_what_who_believes_sees(void **state) {
    (void)state;
    static const double levels[] = {400, 206};
    for (size_t k = 0; k < 2; k++) {
        uint64_t one = 11, two = 11;
        bool told = false;
        det_verdict v[PORTIONS], w[PORTIONS];
        det_watch *believes = asking(0), *asks = asking(1);
        for (int n = 0; n < 40; n++) {
            const double portions[] = {70, n >= 20 ? levels[k] : 200, 900, 2500};
            add(believes, n, portions, 0.005, &one, v);
            add(asks, n, portions, 0.005, &two, w);
            if (v[I].verdict == DET_VERDICT_ANOMALY) {
                assert_int_equal(w[I].verdict, DET_VERDICT_SUSPECT);
                assert_int_equal(w[I].to, v[I].to);
                det_verdict_believe(&w[I]);
                assert_string_equal(w[I].reason, v[I].reason);
                assert_int_equal(det_watch_resolve(asks, I, w[I].to, DET_CONFIRMED), DET_OK);
                told = true;
            } else {
                assert_int_equal(w[I].verdict, v[I].verdict);
            }
        }
        assert_true(told);
        det_watch_free(believes);
        det_watch_free(asks);
    }
}

static void what_is_denied_is_no_new_level(void **state) {
    (void)state;
    uint64_t seed = 11;
    det_verdict v[PORTIONS];
    det_watch *watch = asking(1);
    for (int n = 0; n < 21; n++) {
        const double portions[] = {70, n == 20 ? 400 : 200, 900, 2500};
        add(watch, n, portions, 0.005, &seed, v);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
    assert_int_equal(det_watch_resolve(watch, I, v[I].to, DET_CLEARED), DET_OK);
    const double usual[] = {70, 200, 900, 2500};
    for (int n = 21; n < 30; n++) {
        add(watch, n, usual, 0.005, &seed, v);
        assert_int_equal(v[I].verdict, DET_VERDICT_OK);
    }
    assert_int_equal(v[I].reference_from, 0);
    det_watch_free(watch);
}

static void a_level_begins_where_the_caller_says_so(void **state) {
    (void)state;
    uint64_t seed = 5;
    det_verdict v[PORTIONS];
    det_watch *watch = asking(0);
    const double usual[] = {70, 200, 900, 2500};
    for (int n = 0; n < 20; n++) {
        add(watch, n, usual, 0.01, &seed, v);
        if (n == 0)
            assert_int_equal(det_watch_resolve(watch, I, 0, DET_CONFIRMED), DET_EINVAL);
        if (n == 12)
            assert_int_equal(det_watch_resolve(watch, I, 12, DET_CONFIRMED), DET_OK);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_OK);
    assert_int_equal(v[I].reference_from, 12);
    assert_int_equal(v[I].reference_nights, 7);
    assert_int_equal(v[W].reference_from, 0);
    det_watch_free(watch);
}

/* Nothing below I is in doubt, so that its configuration alone can clear it. */
static void a_portion_alone_in_doubt_is_measured_alone(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = night_of_change(330, &seed, v);
    assert_true(v[I].trial_alone);
    det_watch_free(watch);
}

/* 130 ns move from C to I: C's own configuration is as before, and would clear it. */
static void a_cost_that_moves_is_measured_with_its_parent(void **state) {
    (void)state;
    static const det_interval difference = {.mean = 130, .low = 126, .high = 134};
    static const double moved[] = {70, 330, 770, 2500};
    det_verdict v[PORTIONS];
    uint64_t seed = 6;
    det_watch *watch = remeasuring();
    for (int n = 0; n < 31; n++) {
        const double portions[] = {70, 200, 900, 2500};
        add(watch, n, n == 30 ? moved : portions, 0.01, &seed, v);
    }
    assert_int_equal(v[I].verdict, DET_VERDICT_SUSPECT);
    assert_int_equal(v[C].verdict, DET_VERDICT_SUSPECT);
    assert_true(v[I].trial_alone && !v[C].trial_alone);
    assert_int_equal(det_watch_confirm(watch, I, v[I].to, NULL, &difference), DET_OK);
    add(watch, 31, moved, 0.01, &seed, v);
    assert_int_equal(v[C].verdict, DET_VERDICT_SUSPECT);
    assert_false(v[C].trial_alone); /* the older commit is from before I changed */
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_what_was_measured),
        cmocka_unit_test(a_trial_on_another_machine_moves_by_its_share),
        cmocka_unit_test(a_machine_is_told_against_its_nights),
        cmocka_unit_test(what_stands_apart_from_the_machine_is_measured_again),
        cmocka_unit_test(what_was_confirmed_beside_the_machine_is_told_once),
        cmocka_unit_test(what_rises_on_a_slower_machine_is_told),
        cmocka_unit_test(what_gains_more_than_the_control_is_asked_about_once),
        cmocka_unit_test(what_the_control_does_not_match_is_measured_again),
        cmocka_unit_test(a_control_that_moved_otherwise_is_no_witness),
        cmocka_unit_test(the_others_stay),
        cmocka_unit_test(what_is_no_measurement_is_refused),
        cmocka_unit_test(a_clear_change_is_measured_against_the_night_before),
        cmocka_unit_test(a_missing_night_is_passed_over),
        cmocka_unit_test(a_small_change_is_measured_against_an_undisputed_night),
        cmocka_unit_test(what_is_suspected_after_a_clearance_is_measured_further_back),
        cmocka_unit_test(a_portion_alone_in_doubt_is_measured_alone),
        cmocka_unit_test(a_cost_that_moves_is_measured_with_its_parent),
        cmocka_unit_test(who_asks_sees_what_who_believes_sees),
        cmocka_unit_test(what_is_denied_is_no_new_level),
        cmocka_unit_test(a_level_begins_where_the_caller_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
