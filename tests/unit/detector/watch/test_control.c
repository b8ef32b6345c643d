/* A control that moved by its last two nights is another machine, however noisy the node is. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <math.h>

#define FAULT 30
#define HISTORIES 20
#define OTHERWISE "; W otherwise: the machine or the code"

/* A night whose control is off by so many of its spreads of 5 %; exactly where nothing is. */
static void add_control(det_watch *watch, int64_t id, double off, det_verdict *out) {
    uint64_t seed = 77 + (uint64_t)id;
    double means[PORTIONS * LOOPS];
    const double portions[] = {200, 2000, 7000, 90000};
    night_of(means, portions, 0.005, &seed);
    for (int l = 0; l < LOOPS; l++)
        means[l] *= 1 + 0.05 * off;
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}

/* Thirty nights around the level, then two; night after the fault that opened an incident of the
   control, from 1 on; 0: none did. */
static int opened_by(double first, double second) {
    static const double usual[] = {1, -1, 0.5, -1.2, 1.1, -0.4, 0.2, -0.9, 1.3, -0.6};
    det_verdict v[PORTIONS];
    det_incident incident;
    det_watch *watch = classic();
    int opened = 0;
    for (int n = 0; n < FAULT + 2; n++) {
        const double off = n < FAULT ? usual[n % 10] : n == FAULT ? first : second;
        add_control(watch, n, off, v);
        if (det_watch_incident(watch, DET_INCIDENT_CONTROL, &incident) != DET_OK)
            continue;
        assert_int_equal(opened, 0);
        opened = n - FAULT + 1;
        assert_int_equal(incident.since, FAULT);
        for (int p = I; p < PORTIONS; p++)
            assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
    }
    det_watch_free(watch);
    return opened;
}

static void two_nights_that_agree_are_another_machine(void **state) {
    (void)state;
    static const struct {
        double first, second;
        int opened;
    } table[] = {
        {3.2, 3.7, 2},   /* learning from these two nights would hide them */
        {2.8, 3.8, 2},   /* the first one alone is nothing */
        {-3.2, -3.7, 2}, /* faster as well */
        {2.4, 2.4, 0},   /* little off, */
        {1, 4, 0},       /* or in one night alone, */
        {4.5, -1, 0},    /* or both ways: no proof */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(opened_by(table[i].first, table[i].second), table[i].opened);
}

/* Scatter alone opens hardly any: at most one in a thousand nights, of which the control scatters
 * by 5 %. */
static void scatter_opens_hardly_any(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_incident incident;
    int opened = 0;
    for (int h = 0; h < HISTORIES; h++) {
        uint64_t seed = (uint64_t)(h + 1) * UINT64_C(0x9E3779B97F4A7C15);
        det_watch *watch = classic();
        for (int n = 0; n < 300; n++) {
            add_control(watch, h * 300 + n, noise(&seed), v);
            opened += det_watch_incident(watch, DET_INCIDENT_CONTROL, &incident) == DET_OK;
        }
        det_watch_free(watch);
    }
    assert_true(opened <= 6);
}

static void without_a_control_there_is_nothing_to_say(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_incident incident;
    det_watch *watch = uncontrolled();
    for (int n = 0; n < FAULT + 2; n++) {
        add_control(watch, n, n < FAULT ? 0 : 4, v);
        assert_int_equal(det_watch_incident(watch, DET_INCIDENT_CONTROL, &incident), DET_ESHORT);
    }
    det_watch_free(watch);
}

/* Two values without a control, 16 nights, the last of them so many per cent up, and the next. */
static det_watch *both_up(double up, int nights, det_verdict *out) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = 1;
    chain.control = chain.parent[1] = -1;
    chain.count = 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    uint64_t seed = 7;
    for (int n = 1; n <= nights; n++) {
        double means[2 * LOOPS];
        for (int i = 0; i < 2 * LOOPS; i++)
            means[i] =
                (i < LOOPS ? 812 : 1350) * (n < 16 ? 1 : 1 + up / 100) * (1 + 0.002 * noise(&seed));
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
    }
    return watch;
}

/* None of the two stands out alone, and there is nothing that did not move. */
static void without_a_control_what_moves_together_is_measured_again(void **state) {
    (void)state;
    static const struct {
        double up;
        int suspected; /* night */
    } table[] = {{5, 17}, {9.8, 16}, {-9.5, 16}, {10, 16}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        det_verdict v[2];
        det_watch *watch = both_up(table[i].up, table[i].suspected, v);
        for (int p = 0; p < 2; p++) {
            assert_int_equal(v[p].verdict, DET_VERDICT_SUSPECT);
            assert_int_equal(v[p].from, 15);
            assert_int_equal(v[p].to, 16);
        }
        det_watch_free(watch);
    }
}

/* It was the machine: measured again, neither differs. Soon its level is the reference. */
static void what_was_cleared_together_is_followed(void **state) {
    (void)state;
    static const double means[2 * LOOPS] = {852,  853,  852.5, 852.1,  853.3,
                                            1417, 1419, 1418,  1417.3, 1418.2};
    int asked = 0;
    det_verdict v[2];
    det_watch *watch = both_up(5, 17, v);
    for (int n = 18; n < 40; n++) {
        asked += v[0].verdict == DET_VERDICT_SUSPECT;
        for (size_t p = 0; p < 2; p++)
            if (v[p].verdict == DET_VERDICT_SUSPECT)
                assert_int_equal(det_watch_resolve(watch, p, v[p].to, DET_CLEARED), DET_OK);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    }
    assert_int_equal(asked, 2);
    for (int p = 0; p < 2; p++) {
        assert_int_equal(v[p].verdict, DET_VERDICT_OK);
        assert_true(fabs(v[p].ratio - 1) < 0.002);
    }
    det_watch_free(watch);
}

/* Where nothing is measured again, each night of one common factor looks like an outlier, and a
 * portion is told when many of them scatter so. Each was told of one of the last, and with that of
 * a commit that did nothing: it is of the first. */
static void what_moved_together_is_of_its_first_night(void **state) {
    (void)state;
    static const double usual[] = {95, 240, 820, 2100}, slower[] = {100.7, 254.4, 869.2, 2226};
    unsigned told[PORTIONS] = {0};
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        uint64_t luck = seed;
        det_chain chain;
        det_policy policy;
        chain_classic(&chain);
        det_policy_init(&policy);
        policy.patience = 2;
        chain.control = -1;
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int n = 0; n < 2 * FAULT; n++) {
            det_verdict v[PORTIONS];
            add(watch, n, n < FAULT ? usual : slower, 0.006, &luck, v);
            for (int p = 0; p < PORTIONS; p++)
                if (v[p].verdict == DET_VERDICT_ANOMALY) {
                    told[p]++;
                    if (v[p].to != FAULT || v[p].from != FAULT - 1)
                        fail_msg("seed %d, night %d: %s", (int)seed, n, v[p].reason);
                }
        }
        det_watch_free(watch);
    }
    for (int p = T; p <= C; p++)
        assert_true(told[p] >= HISTORIES - 2 && told[p] <= HISTORIES);
}

enum { SUITE = 8, GAINED = 2, LOST = 5, LATER = FAULT + 10, LAST = LATER + 8 };

/* Benchmarks without a control, one value a night; effect: the least of a change. */
static det_watch *suite(double effect) {
    det_chain chain = {0};
    det_policy policy;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    policy.effect_relative = effect;
    for (int p = 0; p < SUITE; p++)
        assert_int_equal(det_chain_add(&chain, (char[]){(char)('a' + p), 0}, -1), DET_OK);
    chain.control = -1;
    return det_watch_new(&chain, &policy);
}

static double level_of(int p, double factor) {
    return 100 * (p + 1) * factor;
}

/* What one moves by itself, of its level. */
static double own_of(int p) {
    return p == GAINED ? 0.15 : p == LOST ? -0.09 : 0;
}

/* A suite of eight without a control, all of which take 8 % more from a night on: nobody knows
 * whether that is the machine, and none of them is quiet. It was "within the noise" for good. */
static void what_moved_together_stays_in_question(void **state) {
    (void)state;
    det_policy usual;
    det_policy_init(&usual);
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        uint64_t luck = seed;
        bool told[SUITE] = {false};
        det_watch *watch = suite(usual.effect_relative);
        for (int n = 0; n < 2 * FAULT; n++) {
            double means[SUITE];
            det_verdict v[SUITE];
            for (int p = 0; p < SUITE; p++)
                means[p] = level_of(p, n < FAULT ? 1 : 1.08) * (1 + 0.006 * noise(&luck));
            const det_night night = {.id = n, .loops = 1, .means = means};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            for (int p = 0; p < SUITE; p++) {
                const bool open =
                    v[p].rule == DET_RULE_PENDING || v[p].verdict == DET_VERDICT_ANOMALY;
                if (n > FAULT + 1 && !told[p] && !(open && v[p].to == FAULT))
                    fail_msg("night %d: %s", n, v[p].reason);
                told[p] |= v[p].verdict == DET_VERDICT_ANOMALY;
            }
        }
        det_watch_free(watch);
    }
}

/* Of what moved by itself: is the level before one of its nights, and the difference's interval
 * right? */
static bool holds(double nights[][SUITE], int p, double factor, const det_verdict *v) {
    const double moved = own_of(p) * level_of(p, factor);
    double least = INFINITY, most = 0;
    for (int n = FAULT; n < LATER; n++) {
        least = fmin(least, nights[n][p]);
        most = fmax(most, nights[n][p]);
    }
    if (moved == 0 || !(v->reference.mean >= least && v->reference.mean <= most))
        fail_msg("x %g: %s", factor, v->reason);
    return v->difference.low <= moved && v->difference.high >= moved;
}

/* All of a suite moved by one factor, which is too small to tell, or hardly: their levels lagged
 * behind it, their nights were "within the noise" of what none since had, and what moved by itself
 * later was told against that. */
static void what_moves_later_is_told_against_its_nights(void **state) {
    (void)state;
    static const double factors[] = {0.96, 1.03, 1.04, 1.05, 1.06, 1.08};
    unsigned told = 0, held = 0;
    for (uint64_t seed = 1; seed <= 6 * HISTORIES; seed++) {
        const double factor = factors[seed % 6];
        double nights[LAST][SUITE];
        uint64_t luck = seed;
        det_watch *watch = suite(0.05);
        for (int n = 0; n < LAST; n++) {
            det_verdict v[SUITE];
            for (int p = 0; p < SUITE; p++)
                nights[n][p] = level_of(p, n < FAULT ? 1 : factor) *
                               (1 + (n < LATER ? 0 : own_of(p)) + 0.006 * noise(&luck));
            const det_night night = {.id = n, .loops = 1, .means = nights[n]};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            for (int p = 0; p < SUITE; p++) {
                const double off = v[p].reference.mean / level_of(p, factor) - 1;
                if (v[p].rule == DET_RULE_WITHIN && n > FAULT + 2 && n < LATER && fabs(off) > 0.015)
                    fail_msg("x %g, night %d: %s", factor, n, v[p].reason);
                if (v[p].verdict != DET_VERDICT_ANOMALY || v[p].to != LATER)
                    continue;
                told++;
                held += holds(nights, p, factor, &v[p]);
            }
        }
        det_watch_free(watch);
    }
    assert_true(told >= 12 * HISTORIES * 0.98 && held >= 0.95 * told);
}

#define STARTS 9

/* A start of a JVM, as nine nights had it: the machine's part in two modes, 104 ms of the
 * framework's own. Then a night of these two. */
static det_watch *starts(double control, double own, det_verdict *out) {
    static const double modes[STARTS] = {82, 83, 92, 81, 94, 82, 90, 83, 91};
    static const double owns[STARTS] = {104, 106, 101, 105, 103, 107, 102, 104, 100};
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    chain.count = 2;
    policy.remeasure = 1;
    policy.caution = 6;
    policy.effect_relative = 0.03;
    det_watch *watch = det_watch_new(&chain, &policy);
    uint64_t seed = 7;
    for (int n = 0; n <= STARTS; n++) {
        double means[2 * LOOPS];
        const double machine = n < STARTS ? modes[n] : control;
        for (int i = 0; i < 2 * LOOPS; i++)
            means[i] = machine + (i < LOOPS ? 0 : n < STARTS ? owns[n] : own) + noise(&seed);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
    }
    return watch;
}

/* It passed for the noise of a configuration of which the machine moves a part, or, in a night
 * whose control moved as well, for the machine's. */
static void what_lies_outside_all_its_nights_is_asked_about(void **state) {
    (void)state;
    static const struct {
        double control, own;
        bool suspected;
    } table[] = {{82, 121, true},   {93, 121, true},  {95, 121, true},
                 {86, 87, true},    {93, 108, false}, {82, 107, false},
                 {100, 104, false}, {72, 114, false}}; /* its configuration is as before: the
                                                          control's alone */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        det_verdict v[2];
        det_watch *watch = starts(table[i].control, table[i].own, v);
        assert_int_equal(v[1].verdict == DET_VERDICT_SUSPECT, table[i].suspected);
        if (table[i].suspected) {
            assert_int_equal(v[1].to, STARTS);
            assert_int_equal(v[1].direction, table[i].own > 104 ? 1 : -1);
        }
        assert_int_not_equal(v[0].verdict, DET_VERDICT_SUSPECT);
        det_watch_free(watch);
    }
}

/* All takes a tenth longer from then on: it is asked about once. */
static void a_slower_machine_is_asked_about_once(void **state) {
    (void)state;
    static const double modes[] = {92, 101, 90, 103, 91, 99, 92, 102};
    det_verdict v[2];
    uint64_t seed = 3;
    unsigned asked = 0;
    det_watch *watch = starts(102, 115, v);
    for (int n = STARTS + 1; n < STARTS + 30; n++) {
        double means[2 * LOOPS];
        if (v[1].verdict == DET_VERDICT_SUSPECT) {
            asked++;
            assert_int_equal(det_watch_resolve(watch, 1, v[1].to, DET_CLEARED), DET_OK);
        }
        for (int i = 0; i < 2 * LOOPS; i++)
            means[i] = modes[n % 8] + (i < LOOPS ? 0 : 115 + 2 * (n % 3 - 1)) + noise(&seed);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    }
    assert_int_equal(asked, 1);
    det_watch_free(watch);
}

/* Thirty nights of a history, then three on which T takes of_t times as long and W of_w times. Of
   these the first two are the control's, also where a portion is told, and what moved against it is
   not the machine's. Returns the portions that were told or suspected, by bits. */
static int told_beside(double of_t, double of_w, int remeasure, uint64_t seed) {
    det_chain chain;
    det_policy policy;
    det_incident incident;
    int told = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.remeasure = remeasure;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < FAULT + 3; n++) {
        const bool after = n >= FAULT;
        double portions[] = {100, 150, 200, 500};
        det_verdict v[PORTIONS];
        portions[T] *= (1 + 0.004 * noise(&seed)) * (after ? of_t : 1);
        portions[W] *= (1 + 0.004 * noise(&seed)) * (after ? of_w : 1);
        add(watch, n, portions, 0.002, &seed, v);
        for (int p = 0; p < PORTIONS && (after || !remeasure); p++)
            told |= (v[p].verdict == DET_VERDICT_ANOMALY || v[p].verdict == DET_VERDICT_SUSPECT)
                    << p;
        if (!after || (of_t - 1) * (of_w - 1) >= 0)
            continue;
        if (strstr(v[W].reason, "the likely cause"))
            fail_msg("%s", v[W].reason);
        if (remeasure || fabs(of_t - 1) < 0.035)
            continue;
        assert_int_equal(v[T].verdict == DET_VERDICT_ENVIRONMENT, n < FAULT + 2);
        assert_int_equal(det_watch_incident(watch, DET_INCIDENT_CONTROL, &incident) == DET_OK,
                         n == FAULT + 1);
        if (n == FAULT + 1 && (told >> W & 1) == (strstr(incident.reason, OTHERWISE) != NULL))
            fail_msg("%s", incident.reason);
    }
    det_watch_free(watch);
    return told;
}

/* Four percent of the control say nothing of a fourth of W, which is not measured again, nor do
 * seven of what moved the other way; a machine on which W gains more than the control does is a
 * machine. */
static void what_no_machine_does_is_told_beside_it(void **state) {
    (void)state;
    static const struct {
        double of_t, of_w;
        int told;
    } table[] = {{1.04, 1.25, 1 << W}, {1.04, 0.85, 1 << W}, {0.97, 1.12, 1 << W},
                 {0.93, 1.07, 1 << W}, {1.08, 0.93, 1 << W}, {1.2, 0.8, 0},
                 {1.04, 1.04, 0},      {1.04, 1.08, 0},      {0.8, 0.6, 0},
                 {1.05, 1, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (uint64_t seed = 1; seed <= HISTORIES; seed++)
            if (told_beside(table[i].of_t, table[i].of_w, 0, seed) != table[i].told)
                fail_msg("T × %g, W × %g, seed %d: told %d", table[i].of_t, table[i].of_w,
                         (int)seed, told_beside(table[i].of_t, table[i].of_w, 0, seed));
}

#define AWAY 4 /* nights that the machine is another one */

/* So many nights, of which those from the thirtieth on have I times of_i, and the first four of
 * these are of a machine that takes `machine` times as long. told: by bits; v: of I, as told. */
static det_watch *gone(double machine, double of_i, int nights, uint64_t seed, int *told,
                       det_verdict *v) {
    det_watch *watch = classic();
    *told = 0;
    for (int n = 0; n < nights; n++) {
        double portions[] = {98, 337, 660, 1495};
        det_verdict out[PORTIONS];
        portions[I] *= n < FAULT ? 1 : of_i;
        for (int p = 0; p < PORTIONS; p++)
            portions[p] *=
                (n >= FAULT && n < FAULT + AWAY ? machine : 1) * (1 + 0.002 * noise(&seed));
        add(watch, n, portions, 0.004, &seed, out);
        for (int p = 0; p < PORTIONS; p++)
            *told |= (out[p].verdict == DET_VERDICT_ANOMALY) << p;
        if (out[I].verdict == DET_VERDICT_ANOMALY)
            *v = out[I];
    }
    return watch;
}

/* A commit made I 8 % slower in the night in which the machine became 7 % slower. That each night
 * stood out by so much, and the control's beside it, kept it from being told by both. */
static void what_rises_beyond_the_machine_is_told_by_its_second_night(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        det_verdict v;
        int told;
        det_watch_free(gone(1.07, 1.08, FAULT + 2, seed, &told, &v));
        assert_int_equal(told, 1 << I);
        det_watch_free(gone(1.07, 1.08, FAULT + 3 * AWAY, seed, &told, &v));
        assert_int_equal(told, 1 << I);
        assert_int_equal(v.from, FAULT - 1);
        assert_int_equal(v.to, FAULT);
    }
}

/* What the machine hid, or was taken for, is there when it is back: all levels began anew with it,
 * twice, and nobody was told. */
static void what_differs_when_the_machine_is_back_is_told(void **state) {
    (void)state;
    static const double table[][2] = {{0.93, 1.08}, {0.93, 1.05}, {1.07, 1.03}, {1.07, 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
            const double of_i = table[i][1];
            const int nights = FAULT + 3 * AWAY;
            det_verdict v, out[PORTIONS];
            int told;
            det_watch *watch = gone(table[i][0], of_i, nights, seed, &told, &v);
            if (told != (of_i != 1) << I)
                fail_msg("I × %g, seed %d: told %d", of_i, (int)seed, told);
            if (told) {
                assert_int_equal(v.from, FAULT - 1);
                assert_int_equal(v.to, FAULT + AWAY);
                assert_true(fabs(v.ratio / of_i - 1) < 0.02);
            }
            add(watch, nights, (const double[]){98, 337 * of_i, 660, 1495}, 0.004, &seed, out);
            assert_int_equal(out[W].reference_nights,
                             30); /* the policy's: of before it went, too */
            det_watch_free(watch);
        }
}

/* Where it can be measured again it is asked about, also of what moved further than the control, or
 * as far, which passed for the machine's though nothing else had moved. */
static void what_moved_otherwise_is_asked_about(void **state) {
    (void)state;
    static const double table[][2] = {
        {0.93, 1.07}, {1.08, 0.95}, {1.06, 1.2}, {0.8, 1.05}, {1.1, 1.1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (uint64_t seed = 1; seed <= HISTORIES; seed++)
            if (!(told_beside(table[i][0], table[i][1], 1, seed) >> W & 1))
                fail_msg("T × %g, W × %g, seed %d", table[i][0], table[i][1], (int)seed);
}

/* Two percent of the control, or of everything, are nobody's concern: the reference goes along, and
 * its night says so of all that it moved. */
static void a_small_step_of_the_control_is_no_secret(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 2 * HISTORIES; seed++) {
        uint64_t luck = seed;
        det_watch *watch = seed % 2 ? classic() : remeasuring();
        const bool everything = seed > HISTORIES;
        int told[PORTIONS] = {0};
        for (int n = 0; n < FAULT + 10; n++) {
            const double of = n < FAULT || !everything ? 1 : 1.02;
            const double portions[] = {n < FAULT ? 100 : 102, 150 * of, 200 * of, 500 * of};
            det_verdict v[PORTIONS];
            det_incident incident;
            add(watch, n, portions, 0.002, &luck, v);
            assert_int_not_equal(det_watch_incident(watch, DET_INCIDENT_SCALE, &incident), DET_OK);
            for (int p = 0; p < PORTIONS; p++) {
                assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
                if (v[p].rule != DET_RULE_BELOW_EFFECT)
                    continue;
                told[p]++;
                assert_int_equal(v[p].to, FAULT);
                assert_int_equal(v[p].direction, 1);
                assert_non_null(strstr(v[p].reason, p == T ? "): a small step of the control, so"
                                                           : "): a small step with the control"));
            }
            if (n > FAULT + 5 && everything && told[T] && v[I].reference_nights > 9)
                fail_msg("seed %d: %s", (int)seed, v[I].reason);
        }
        if (told[T] != 1 || (told[W] > 0) != everything)
            fail_msg("seed %d: told %d, %d times", (int)seed, told[T], told[W]);
        det_watch_free(watch);
    }
}

/* I rises by 30 % in one of four nights that have no control; machine: everything does by 8 %. In
 * how many of 20 histories it is told; others: what else is. */
static int told_without_control(int night, bool machine, int *others) {
    det_chain chain;
    det_policy policy;
    int told = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        for (int n = 0; n < 32; n++) {
            const bool now = n >= FAULT - 10 + night;
            const double k = now && machine ? 1.08 : 1, i = now && !machine ? 1.3 : 1;
            const double portions[] = {84 * k, 337 * k * i, 740 * k, 1610 * k};
            double means[PORTIONS * LOOPS];
            det_verdict v[PORTIONS];
            night_of(means, portions, 0.006, &random);
            for (int l = 0; l < LOOPS; l++)
                means[l] = n >= FAULT - 10 && n < FAULT - 6 ? (double)NAN : means[l];
            const det_night one = {.id = n + 1, .loops = LOOPS, .means = means};
            assert_int_equal(det_watch_add(watch, &one, v), DET_OK);
            for (int p = T; p < PORTIONS; p++) {
                told += p == I && v[p].verdict == DET_VERDICT_ANOMALY && v[p].direction > 0;
                *others += p != I && v[p].verdict == DET_VERDICT_ANOMALY;
            }
        }
        det_watch_free(watch);
    }
    return told;
}

/* It was "one factor for all portions", and never told: what stands on it moved as far. */
static void a_portion_moves_while_the_control_has_no_result(void **state) {
    (void)state;
    int others = 0;
    for (int night = 0; night < 4; night++) {
        assert_int_equal(told_without_control(night, false, &others), HISTORIES);
        assert_int_equal(told_without_control(night, true, &others), 0);
    }
    assert_int_equal(others, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_nights_that_agree_are_another_machine),
        cmocka_unit_test(scatter_opens_hardly_any),
        cmocka_unit_test(without_a_control_there_is_nothing_to_say),
        cmocka_unit_test(without_a_control_what_moves_together_is_measured_again),
        cmocka_unit_test(what_was_cleared_together_is_followed),
        cmocka_unit_test(what_moved_together_is_of_its_first_night),
        cmocka_unit_test(what_moved_together_stays_in_question),
        cmocka_unit_test(what_moves_later_is_told_against_its_nights),
        cmocka_unit_test(what_lies_outside_all_its_nights_is_asked_about),
        cmocka_unit_test(a_slower_machine_is_asked_about_once),
        cmocka_unit_test(what_no_machine_does_is_told_beside_it),
        cmocka_unit_test(what_rises_beyond_the_machine_is_told_by_its_second_night),
        cmocka_unit_test(what_differs_when_the_machine_is_back_is_told),
        cmocka_unit_test(what_moved_otherwise_is_asked_about),
        cmocka_unit_test(a_small_step_of_the_control_is_no_secret),
        cmocka_unit_test(a_portion_moves_while_the_control_has_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
