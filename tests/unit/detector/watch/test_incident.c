/* What happens to the machine or the harness is one incident, and no alarm about the code. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"
#include "tests/unit/detector/luck.h"

#define PORTIONS 4
#define LOOPS 5
#define FAULT 30

enum { T, I, C, W };

static const double level[PORTIONS] = {70, 270, 1170, 3670};

static det_watch *classic(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_name_copy(chain.called[W], "file");
    det_policy_init(&policy);
    return det_watch_new(&chain, &policy);
}

/* A factor on every configuration; 0: no result. */
static void add(det_watch *watch, int64_t id, const double *factor, uint64_t *seed,
                det_verdict *out) {
    double means[PORTIONS * LOOPS];
    for (int c = 0; c < PORTIONS; c++)
        for (int l = 0; l < LOOPS; l++)
            means[c * LOOPS + l] =
                factor[c] > 0 ? level[c] * factor[c] * (1 + 0.01 * luck_normal(seed)) : (double)NAN;
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}

/* The only incident that the last night shows. */
static det_status incident_of(const det_watch *watch, det_incident *out) {
    det_status status = DET_ESHORT;
    for (int kind = DET_INCIDENT_SCALE; kind < DET_INCIDENT_KINDS; kind++) {
        det_incident found;
        if (det_watch_incident(watch, (det_incident_kind)kind, &found) != DET_OK)
            continue;
        assert_int_equal(found.kind, kind);
        assert_int_equal(status, DET_ESHORT);
        status = DET_OK;
        *out = found;
    }
    assert_int_equal(det_watch_incident(watch, DET_INCIDENT_NONE, out), DET_EINVAL);
    assert_int_equal(det_watch_incident(watch, DET_INCIDENT_NOISE + 1, out), DET_EINVAL);
    return status;
}

/* A benchmark that is not of the chain says nothing against its control. */
static void one_beside_the_chain_moves_with_the_machine(void **state) {
    (void)state;
    static const double levels[PORTIONS + 1] = {50, 195, 450, 750, 1120};
    det_verdict v[PORTIONS + 1];
    det_incident incident;
    det_chain chain;
    det_policy policy;
    uint64_t seed = 11;
    int opened = 0;
    chain_classic(&chain);
    assert_int_equal(det_chain_add(&chain, "TCP", -1), DET_OK);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < FAULT; n++) {
        double means[PORTIONS + 1];
        for (int c = 0; c <= PORTIONS; c++)
            means[c] = levels[c] * (n < 19 ? 1 : 1.31) * (1 + 0.004 * luck_normal(&seed));
        const det_night night = {.id = n, .loops = 1, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p <= PORTIONS; p++)
            assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
        opened += incident_of(watch, &incident) == DET_OK && incident.begins;
    }
    assert_int_equal(opened, 1);
    det_watch_free(watch);
}

static void another_machine_is_one_incident_and_no_alarm(void **state) {
    (void)state;
    static const struct {
        double factor[PORTIONS];
        det_incident_kind kind;
        size_t moved;
        const char *says;
    } table[] = {
        {{.5, .5, .5, .5}, DET_INCIDENT_SCALE, 4, "a unit or a clock, not the code"},
        {{2, 2, 2, 2}, DET_INCIDENT_SCALE, 4, "a unit or a clock, not the code"},
        {{1000, 1000, 1000, 1000}, DET_INCIDENT_SCALE, 4, "a unit or a clock, not the code"},
        {{1.12, 1.12, 1.12, 1.12}, DET_INCIDENT_SCALE, 4, "the machine, not the code"},
        /* what of the others 7 ns of T are, no night of theirs can show */
        {{1.1, 1, 1, 1}, DET_INCIDENT_CONTROL, 1, "T × 1.1"},
        {{1.1, 277. / 270, 1177. / 1170, 3677. / 3670}, DET_INCIDENT_CONTROL, 1, "T × 1.1"},
        {{.001, .001, .001, .001}, DET_INCIDENT_SCALE, 4, " × 0.001"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        static const double usual[PORTIONS] = {1, 1, 1, 1};
        det_verdict v[PORTIONS];
        det_incident incident;
        uint64_t seed = 7 + i;
        int opened = 0;
        det_watch *watch = classic();
        for (int n = 0; n < FAULT + 20; n++) {
            add(watch, n, n < FAULT ? usual : table[i].factor, &seed, v);
            for (int p = 0; p < PORTIONS; p++)
                assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
            if (incident_of(watch, &incident) != DET_OK)
                continue;
            opened++;
            assert_int_equal(n, FAULT + 1);
            assert_int_equal(incident.kind, table[i].kind);
            assert_true(incident.begins && !incident.lasts);
            assert_int_equal(incident.since, FAULT);
            assert_int_equal(incident.before, FAULT - 1);
            assert_int_equal(incident.moved, table[i].moved);
            assert_int_equal(incident.seen, PORTIONS);
            assert_true(fabs(incident.factor / table[i].factor[T] - 1) < 0.02);
            if (!strstr(incident.reason, table[i].says))
                fail_msg("%s", incident.reason);
            assert_non_null(strstr(incident.reason, " since night 30"));
        }
        assert_int_equal(opened, 1);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_equal(v[p].verdict, DET_VERDICT_OK);
        det_watch_free(watch);
    }
}

/* I alone took 20 % longer from the night on in which the machine became a quarter slower. The
 * factor is the control's, and what stands clear of where that puts it is not the machine's. */
static void what_changed_beside_the_machine_is_not_its_own(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1};
    static const double factor[PORTIONS] = {1.25, 1.25 * 310 / 270, 1.25 * 1210 / 1170,
                                            1.25 * 3710 / 3670};
    int held = 0;
    for (uint64_t luck = 1; luck <= 20; luck++) {
        det_verdict v[PORTIONS];
        det_incident incident;
        uint64_t seed = luck;
        det_watch *watch = classic();
        for (int n = 0; n < FAULT + 2; n++) {
            add(watch, n, n < FAULT ? usual : factor, &seed, v);
            if (n < FAULT)
                continue;
            assert_int_equal(v[I].verdict, DET_VERDICT_ENVIRONMENT);
            assert_int_equal(v[I].rule, DET_RULE_NOT_SCALED);
            assert_true(v[I].night.mean > 290);
        }
        assert_int_equal(v[T].rule, DET_RULE_COMMON_SCALE);
        assert_int_equal(incident_of(watch, &incident), DET_OK);
        assert_int_equal(incident.kind, DET_INCIDENT_SCALE);
        assert_int_equal(incident.moved, 3);
        assert_non_null(strstr(incident.reason, "not the code; I otherwise"));
        held += incident.low < 1.25 && incident.high > 1.25;
        det_watch_free(watch);
    }
    assert_true(held >= 17); /* 95 % of them */
}

/* From the night before everything took `times` as long, or all calls 30 ns more (1), `who` lacks
 * three results. more: writing, from the machine's night on */
static void add_without(det_watch *watch, int n, int who, double times, double more, uint64_t *seed,
                        det_verdict *out) {
    double factor[PORTIONS] = {1, 1, 1, 1};
    for (int c = 0; c < PORTIONS && n >= FAULT; c++)
        factor[c] = times == 1 ? 1 + 30 / level[c] : times;
    factor[W] += n < FAULT ? 0 : times * more * (level[W] - level[C]) / level[W];
    if (n >= FAULT - 1 && n < FAULT + 2)
        factor[who] = 0;
    add(watch, n, factor, seed, out);
}

/* What another machine met without a result is taken along as the control was, and judged against
 * that. The incident counts nothing that it did not see. */
static void what_has_no_result_is_taken_along_by_the_machine(void **state) {
    (void)state;
    for (int i = 0; i < 160; i++) {
        const int who = i % 2 ? C : W;
        const double times = i % 8 < 4 ? 1.1 : 1, more = i % 4 < 2 ? 0 : 0.08;
        const double usual = times * (level[W] - level[C]);
        const det_incident_kind kind = times == 1 ? DET_INCIDENT_CONTROL : DET_INCIDENT_SCALE;
        det_verdict v[PORTIONS];
        det_incident incident;
        uint64_t seed = 100 + (uint64_t)i;
        int told = 0, opened = 0;
        det_watch *watch = classic();
        for (int n = 0; n < FAULT + 8; n++) {
            add_without(watch, n, who, times, more, &seed, v);
            for (int p = 0; p < W; p++)
                assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
            told += v[W].verdict == DET_VERDICT_ANOMALY;
            if (n == FAULT + 2) {
                assert_true(fabs(v[W].reference.mean / usual - 1) < 0.03);
                assert_true(v[W].reference.high - v[W].reference.low < 0.2 * usual);
                assert_true(more == 0 || v[W].rule != DET_RULE_WITHIN);
            }
            if (det_watch_incident(watch, kind, &incident) != DET_OK)
                continue;
            opened++;
            assert_int_equal(incident.moved, times == 1 ? 1 : who == W ? 3 : 2);
            assert_true(fabs(incident.factor / (times == 1 ? 100. / 70 : 1.1) - 1) < 0.02);
        }
        assert_int_equal(opened, 1);
        assert_int_equal(told, more > 0);
        det_watch_free(watch);
    }
}

/* Nothing among them is what no commit changes. */
static void without_a_control_nobody_knows_whose_a_factor_is(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, tenfold[PORTIONS] = {9, 9, 9, 9};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 11;
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    chain.control = -1; /* benchmarks that nothing connects */
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < FAULT + 2; n++)
        add(watch, n, n < FAULT ? usual : tenfold, &seed, v);
    assert_int_equal(det_watch_incident(watch, DET_INCIDENT_SCALE, &incident), DET_OK);
    assert_non_null(strstr(incident.reason, "all 4 configurations × "));
    assert_non_null(strstr(incident.reason,
                           "; there is no control: a unit, a clock, the machine or "
                           "the code"));
    det_watch_free(watch);
}

static void broken_nights_last_until_they_end(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1};
    static const double broken[3][PORTIONS] = {
        {500, 40, 900, 60}, {80, 300, 50, 700}, {900, 60, 400, 30}};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 3;
    det_watch *watch = classic();
    for (int n = 0; n < FAULT + 5; n++) {
        const int odd = n - FAULT;
        add(watch, n, odd >= 0 && odd < 3 ? broken[odd] : usual, &seed, v);
        const det_status status = incident_of(watch, &incident);
        assert_int_equal(status, odd >= 1 && odd <= 3 ? DET_OK : DET_ESHORT);
        if (status != DET_OK)
            continue;
        assert_string_equal(det_incident_text(incident.kind), "broken");
        assert_int_equal(incident.begins, odd == 1);
        assert_int_equal(incident.lasts, odd < 3);
        assert_int_equal(incident.since, FAULT);
    }
    det_watch_free(watch);
}

static void a_writer_that_stays_away_is_told_and_only_its_portion_waits(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 5;
    det_watch *watch = classic();
    for (int n = 0; n < FAULT + 6; n++) {
        const int away = n >= FAULT && n < FAULT + 4;
        add(watch, n, away ? lacking : usual, &seed, v);
        for (int p = 0; p < PORTIONS && n; p++)
            assert_int_equal(v[p].verdict, away && p == W ? DET_VERDICT_HARNESS : DET_VERDICT_OK);
        if (n == FAULT + 1) {
            assert_int_equal(incident_of(watch, &incident), DET_OK);
            assert_int_equal(incident.kind, DET_INCIDENT_MISSING);
            assert_true(incident.begins && incident.lasts && incident.moved == 1);
            assert_string_equal(incident.reason, "file without a result since night 30");
        }
    }
    assert_int_equal(incident_of(watch, &incident), DET_ESHORT);
    det_watch_free(watch);
}

/* Taken away for good: after a month it is how things are. */
static void a_writer_that_never_comes_back_is_over_after_a_month(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 19;
    det_watch *watch = classic();
    for (int n = 0; n < FAULT + 60; n++) {
        add(watch, n, n < FAULT ? usual : lacking, &seed, v);
        const det_status status = incident_of(watch, &incident);
        assert_int_equal(status, n > FAULT && n <= FAULT + 30 ? DET_OK : DET_ESHORT);
        if (status == DET_OK)
            assert_int_equal(incident.lasts, n < FAULT + 30);
    }
    det_watch_free(watch);
}

/* What is taken as removed hides nothing that goes later, and each is told with its own nights. */
static void one_that_was_removed_does_not_hide_the_next(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0},
                        more[PORTIONS] = {1, 1, 0, 0};
    static const int next[] = {FAULT + 40, FAULT + 20}; /* after it was removed, or before */
    for (size_t k = 0; k < 2; k++) {
        det_verdict v[PORTIONS];
        det_incident incident;
        char reason[DET_REASON_MAX];
        uint64_t seed = 29;
        int opened = 0;
        det_watch *watch = classic();
        (void)snprintf(reason, sizeof reason, "C without a result since night %d", next[k]);
        for (int n = 0; n < FAULT + 49; n++) {
            add(watch, n, n < FAULT ? usual : n < next[k] ? lacking : more, &seed, v);
            if (incident_of(watch, &incident) != DET_OK || !incident.begins)
                continue;
            opened++;
            assert_string_equal(incident.reason,
                                opened == 1 ? "file without a result since night 30" : reason);
        }
        assert_int_equal(opened, 2);
        assert_true(incident.lasts && incident.moved == 1);
        det_watch_free(watch);
    }
}

/* C fails in one night and the writer in the next: neither is missing. What goes on lacking is, by
 * its own nights. */
static void two_gaps_of_a_night_are_no_incident(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, one[PORTIONS] = {1, 1, 0, 1},
                        other[PORTIONS] = {1, 1, 1, 0};
    for (int nights = 1; nights < 3; nights++) {
        det_verdict v[PORTIONS];
        det_incident incident;
        uint64_t seed = 31;
        int opened = 0;
        det_watch *watch = classic();
        for (int n = 0; n < FAULT + 6; n++) {
            const bool lacks = n > FAULT && n <= FAULT + nights;
            add(watch, n, n == FAULT ? one : lacks ? other : usual, &seed, v);
            if (incident_of(watch, &incident) != DET_OK || !incident.begins)
                continue;
            opened++;
            assert_int_equal(n, FAULT + 2);
            assert_string_equal(incident.reason, "file without a result since night 31");
        }
        assert_int_equal(opened, nights - 1);
        det_watch_free(watch);
    }
}

/* Kieker-java-8 in February 2025: a constant of 70 µs on everything is a factor of 500 on the
   control and of 1.4 on the writer, whose portion would have fallen by two thirds. */
static void a_control_far_out_speaks_for_everything(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 23;
    det_watch *watch = classic();
    for (int n = 0; n < FAULT + 10; n++) {
        static const double usual[PORTIONS] = {1, 1, 1, 1};
        static const double constant[PORTIONS] = {1000, 260, 60, 1.4};
        const bool broken = n == FAULT || n == FAULT + 1 || n == FAULT + 5;
        add(watch, n, broken ? constant : usual, &seed, v);
        for (int p = 0; p < PORTIONS; p++) {
            assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
            if (broken)
                assert_int_equal(v[p].verdict, DET_VERDICT_HARNESS);
        }
        const det_status status = incident_of(watch, &incident);
        assert_int_equal(status, n == FAULT + 1 || n == FAULT + 2 ? DET_OK : DET_ESHORT);
    }
    det_watch_free(watch);
}

/* 211 of OpenTelemetry's 537 nights lack a writer that was added later. */
static void a_writer_added_later_starts_a_series_of_its_own(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 9;
    det_watch *watch = classic();
    for (int n = 0; n < 2 * FAULT; n++) {
        add(watch, n, n < FAULT ? lacking : usual, &seed, v);
        assert_int_equal(incident_of(watch, &incident), DET_ESHORT);
        for (int p = 0; p < PORTIONS && n; p++)
            assert_int_equal(v[p].verdict, p != W || n > FAULT ? DET_VERDICT_OK
                                           : n < FAULT         ? DET_VERDICT_HARNESS
                                                               : DET_VERDICT_FIRST);
        if (n == FAULT + 4) {
            assert_int_equal(v[W].reference_nights, 4);
            assert_int_equal(v[W].reference_from, FAULT);
            assert_int_equal(v[C].reference_nights, 30);
        }
    }
    det_watch_free(watch);
}

/* Loops scatter three times as widely for a while: the node, not the code. */
static void a_noisier_node_is_told_until_it_is_quiet_again(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 13;
    det_watch *watch = classic();
    int opened = 0, over = 0;
    for (int n = 0; n < FAULT + 40; n++) {
        const bool noisy = n >= FAULT && n < FAULT + 6;
        double means[PORTIONS * 10];
        for (int i = 0; i < PORTIONS * 10; i++)
            means[i] = level[i / 10] * (1 + (noisy ? 0.04 : 0.01) * luck_normal(&seed));
        const det_night night = {.id = n, .loops = 10, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        if (det_watch_incident(watch, DET_INCIDENT_NOISE, &incident) != DET_OK)
            continue;
        if (incident.begins) {
            opened++;
            assert_int_equal(n, FAULT + 2);
            assert_int_equal(incident.since, FAULT);
            assert_true(incident.factor > 2 && incident.factor < 8);
            assert_non_null(strstr(incident.reason, " configurations scatter on average "));
        }
        over += !incident.lasts;
    }
    assert_int_equal(opened, 1);
    assert_int_equal(over, 1);
    det_watch_free(watch);
}

/* What lasts is not forgotten when something else happens meanwhile. */
static void two_kinds_at_a_time(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0};
    static const double halved[PORTIONS] = {.5, .5, .5, 0};
    det_verdict v[PORTIONS];
    det_incident incident;
    uint64_t seed = 17;
    det_watch *watch = classic();
    for (int n = 0; n < FAULT + 12; n++) {
        add(watch, n, n < FAULT ? usual : n < FAULT + 6 ? lacking : halved, &seed, v);
        const det_status missing = det_watch_incident(watch, DET_INCIDENT_MISSING, &incident);
        assert_int_equal(missing, n > FAULT ? DET_OK : DET_ESHORT);
        if (missing == DET_OK) {
            assert_true(incident.lasts && *incident.who);
            assert_true(strncmp(incident.reason, incident.who, strlen(incident.who)) == 0);
        }
        if (n == FAULT + 7) {
            assert_int_equal(det_watch_incident(watch, DET_INCIDENT_SCALE, &incident), DET_OK);
            assert_true(fabs(incident.factor - 0.5) < 0.02);
        }
    }
    det_watch_free(watch);
}

static void incidents_survive_the_state(void **state) {
    (void)state;
    static const double usual[PORTIONS] = {1, 1, 1, 1}, lacking[PORTIONS] = {1, 1, 1, 0};
    det_chain chain;
    det_policy policy;
    det_verdict v[PORTIONS];
    det_incident before, after;
    uint64_t seed = 11;
    unsigned char bytes[1 << 20];
    chain_classic(&chain);
    det_name_copy(chain.called[W], "file"); /* names are the caller's, and in no state */
    det_policy_init(&policy);
    det_watch *watch = classic();
    for (int n = 0; n < 12; n++)
        add(watch, n, n < 10 ? usual : lacking, &seed, v);
    assert_int_equal(incident_of(watch, &before), DET_OK);
    const size_t size = det_watch_save(watch, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    det_watch *again = det_watch_restore(&chain, &policy, bytes, size);
    assert_non_null(again);
    assert_int_equal(incident_of(again, &after), DET_OK);
    assert_string_equal(before.reason, after.reason);
    assert_int_equal(before.since, after.since);
    det_watch_free(watch);
    det_watch_free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_beside_the_chain_moves_with_the_machine),
        cmocka_unit_test(another_machine_is_one_incident_and_no_alarm),
        cmocka_unit_test(what_changed_beside_the_machine_is_not_its_own),
        cmocka_unit_test(what_has_no_result_is_taken_along_by_the_machine),
        cmocka_unit_test(without_a_control_nobody_knows_whose_a_factor_is),
        cmocka_unit_test(broken_nights_last_until_they_end),
        cmocka_unit_test(a_writer_that_stays_away_is_told_and_only_its_portion_waits),
        cmocka_unit_test(a_writer_added_later_starts_a_series_of_its_own),
        cmocka_unit_test(a_noisier_node_is_told_until_it_is_quiet_again),
        cmocka_unit_test(two_kinds_at_a_time),
        cmocka_unit_test(a_writer_that_never_comes_back_is_over_after_a_month),
        cmocka_unit_test(one_that_was_removed_does_not_hide_the_next),
        cmocka_unit_test(two_gaps_of_a_night_are_no_incident),
        cmocka_unit_test(a_control_far_out_speaks_for_everything),
        cmocka_unit_test(incidents_survive_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
