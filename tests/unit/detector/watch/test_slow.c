/* What is told as a slow shift, and what is not. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <math.h>
#include <string.h>

static void a_ramp_is_told_as_a_slow_shift(void **state) {
    (void)state;
    det_verdict v[PORTIONS];
    det_chain chain;
    det_policy policy;
    uint64_t seed = 12;
    int slow = 0, told = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < 60; n++) {
        const double portions[] = {70, 200, 900 * pow(1.01, n < 40 ? 0 : n - 40), 2500};
        add(watch, n, portions, 0.01, &seed, v);
        told += v[C].verdict == DET_VERDICT_ANOMALY;
        if (v[C].verdict == DET_VERDICT_ANOMALY && v[C].rule == DET_RULE_SLOW) {
            slow++;
            assert_string_equal(det_rule_text(v[C].rule), "slow-shift");
            assert_non_null(strstr(v[C].reason, "C rose slowly from "));
            assert_non_null(strstr(v[C].reason, "; 95 % interval"));
        }
    }
    assert_true(told >= 2 && slow >= told - 1);
    det_watch_free(watch);
}

/* W rises by `more` a night, or at once by as much as five of them bring: of 200 histories whose
 * first change was told over four nights to six, how many were told as a slow shift. */
static void slow_of(bool ramp, double more, int *told, int *slow) {
    det_chain chain;
    det_policy policy;
    *told = *slow = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        for (int n = 0; n < 60; n++) {
            const int steps = n < 40 ? 0 : ramp ? n - 39 : 5;
            const double portions[] = {70, 200, 900, 3685 * (1 + more * steps)};
            det_verdict v[PORTIONS];
            add(watch, n, portions, 0.01, &random, v);
            if (v[W].verdict != DET_VERDICT_ANOMALY)
                continue;
            const int64_t nights = n + 1 - v[W].to;
            *told += nights >= 4 && nights <= 6;
            *slow += nights >= 4 && nights <= 6 && v[W].rule == DET_RULE_SLOW;
            break;
        }
        det_watch_free(watch);
    }
}

static void what_climbs_has_no_first_night(void **state) {
    (void)state;
    int told, slow;
    slow_of(true, 0.005, &told, &slow);
    assert_true(told > 100 && slow > 30);
    slow_of(false, 0.005, &told, &slow);
    assert_true(told > 40 && slow <= 1);
}

/* Of 400 series of one value, of which nights scatter by 1 % and one step is so many times that:
 * told at once, told of nights that have not the first one of the step, told of several nights. */
static void dated(double step, int *told, int *outside, int *several) {
    const det_chain chain = {.count = 1, .parent = {-1}, .name = {"X"}, .control = -1};
    det_policy policy;
    *told = *outside = *several = 0;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        const int first = 12 + (int)(seed % 13);
        for (int n = 0; n < first + 10; n++) {
            const double mean = 1000 * (1 + 0.01 * (noise(&random) + (n < first ? 0 : step)));
            const det_night night = {.id = n + 1, .loops = 1, .means = &mean};
            det_verdict v;
            assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
            if (n < first || v.verdict != DET_VERDICT_ANOMALY || v.rule == DET_RULE_SLOW)
                continue;
            ++*told;
            *outside += v.from >= first + 1 || v.to < first + 1;
            *several += v.to - v.from > 1;
            break;
        }
        det_watch_free(watch);
    }
}

static void nights_that_may_have_begun_it_are_in_question(void **state) {
    (void)state;
    int told, outside, several;
    dated(4, &told, &outside, &several);
    assert_true(told > 250 && outside * 30 < told && several * 4 < told);
    dated(10, &told, &outside, &several);
    assert_true(told > 390 && outside == 0 && several * 50 < told);
}

/* C is odd in one night, and W rises from the next one on: of 40 imported histories, how many have
 * that night, and how many another one. */
static void odd_before(double times, int *right, int *wrong) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.caution = 1.25;
    policy.effect_relative = 0.05;
    policy.minimum_loops = 1;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        bool told = false;
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int n = 1; n <= 30 && !told; n++) {
            const double portions[] = {84, 337, n == 20 ? 740 * times : 740, n > 20 ? 1609 : 1490};
            double means[PORTIONS], level = 0;
            det_verdict v[PORTIONS];
            for (int p = 0; p < PORTIONS; p++)
                means[p] = level += portions[p] * (1 + 0.0065 * noise(&random));
            const det_night night = {.id = n, .loops = 1, .means = means};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            told = v[W].verdict == DET_VERDICT_ANOMALY;
            *right += told && v[W].to == 21;
            *wrong += told && v[W].to != 21;
        }
        det_watch_free(watch);
    }
}

/* W was told of C's night in most, and in some, at half of its size, never. */
static void an_odd_portion_lends_no_date(void **state) {
    (void)state;
    int right = 0, wrong = 0;
    odd_before(1.15, &right, &wrong);
    assert_true(right == 40 && wrong == 0);
    odd_before(1, &right, &wrong);
    assert_true(right == 80 && wrong == 0);
}

/* Its first alert comes before anybody can see a ramp, and accuses no night of it alone. */
static void the_first_night_of_a_ramp_is_at_neither_level(void **state) {
    (void)state;
    const det_chain chain = {.count = 1, .parent = {-1}, .name = {"X"}, .control = -1};
    det_policy policy;
    int told = 0, several = 0;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.effect_relative = 0.05;
    policy.minimum_loops = 1;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        det_verdict v = {.verdict = DET_VERDICT_OK};
        for (int n = 0; n < 26 && v.verdict != DET_VERDICT_ANOMALY; n++) {
            const double level = 1000 * pow(1.03, n < 18 ? 0 : n - 17);
            const double mean = level * (1 + 0.003 * noise(&random));
            const det_night night = {.id = n + 1, .loops = 1, .means = &mean};
            assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
        }
        told += v.verdict == DET_VERDICT_ANOMALY && v.rule != DET_RULE_SLOW;
        several += v.verdict == DET_VERDICT_ANOMALY && v.rule != DET_RULE_SLOW && v.to - v.from > 1;
        det_watch_free(watch);
    }
    assert_true(told > 50 && several * 10 > told * 9);
}

/* What is told of I began a night after W, and ends what is known of W's own night. */
static void another_portion_a_night_later_hides_no_night(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    int told = 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        for (int n = 0; n < 24; n++) {
            const double portions[] = {84, n < 17 ? 337 : 388, 740, n < 16 ? 1610 : 1481};
            det_verdict v[PORTIONS];
            add(watch, n, portions, 0.008, &random, v);
            if (v[W].verdict != DET_VERDICT_ANOMALY)
                continue;
            told++;
            assert_true(v[W].from <= 15 && v[W].to >= 16);
        }
        det_watch_free(watch);
    }
    assert_true(told >= 58);
}

/* A small step of C, by the rule that it is told by; together: all its results are of one night. */
static det_rule step_told_by(bool together) {
    det_chain chain;
    det_policy policy;
    uint64_t seed = 12;
    det_rule rule = DET_RULE_NONE;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < 60 && rule == DET_RULE_NONE; n++) {
        const double portions[] = {70, 200, n < 40 ? 900 : 911, 2500};
        double means[PORTIONS * LOOPS];
        det_verdict v[PORTIONS];
        night_of(means, portions, 0.01, &seed);
        const det_night night = {.id = n,
                                 .label = together && n >= 40 ? "2013-05-01" : NULL,
                                 .loops = LOOPS,
                                 .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        if (v[C].verdict == DET_VERDICT_ANOMALY)
            rule = v[C].rule;
    }
    det_watch_free(watch);
    return rule;
}

static void what_one_night_shows_is_no_slow_shift(void **state) {
    (void)state;
    assert_int_equal(step_told_by(false), DET_RULE_SLOW);
    assert_int_equal(step_told_by(true), DET_RULE_WINDOW);
}

/* Everything moves by 8 % in night 40. W rises by `step` at once two nights later, or by 1 % a
 * night from night `ramp` on (0: not): of 100 histories, how many told of it from then on, and how
 * many said first that it came slowly. */
static void slow_after_machine(double step, int ramp, int *told, int *slow) {
    *told = *slow = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        det_watch *watch = imported();
        uint64_t random = seed;
        for (int n = 0; n < 60; n++) {
            const double machine = n < 40 ? 1 : 1.08, more = n < 42 ? 1 : 1 + step;
            const double crept = ramp > 0 && n >= ramp ? 1 + 0.01 * (n - ramp + 1) : 1;
            const double portions[] = {97 * machine, 285 * machine, 705 * machine,
                                       1420 * machine * more * crept};
            det_verdict v[PORTIONS];
            add(watch, n, portions, 0.01, &random, v);
            if (n < 42 || v[W].verdict != DET_VERDICT_ANOMALY)
                continue;
            ++*told;
            *slow += v[W].rule == DET_RULE_SLOW;
            break;
        }
        det_watch_free(watch);
    }
}

/* Nor does another machine hide one that went on across its first night. */
static void another_machine_is_no_step_of_a_slow_shift(void **state) {
    (void)state;
    int told, slow;
    slow_after_machine(0.10, 0, &told, &slow);
    assert_true(told == 100 && slow == 0);
    slow_after_machine(0, 32, &told, &slow);
    assert_true(told > 50 && slow > told * 9 / 10);
}

/* W rises by 8 % in night 40 and again in night 45, or by 1 % a night for ten nights: of 100
 * histories, how many more rises were told after the first, and how many as a slow shift. */
static void slow_after_first(bool ramp, int *told, int *slow) {
    *told = *slow = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        det_watch *watch = imported();
        uint64_t random = seed;
        for (int n = 0, first = 1; n < 60; n++) {
            const int steps = n < 40 ? 0 : n < 50 ? n - 39 : 10;
            const double jumps = (n < 40 ? 1 : 1.08) * (n < 45 ? 1 : 1.08);
            const double portions[] = {70, 200, 900, 3685 * (ramp ? pow(1.01, steps) : jumps)};
            det_verdict v[PORTIONS];
            add(watch, n, portions, 0.01, &random, v);
            if (n < 40 || v[W].verdict != DET_VERDICT_ANOMALY || v[W].direction < 0)
                continue;
            *told += !first;
            *slow += !first && v[W].rule == DET_RULE_SLOW;
            first = 0;
        }
        det_watch_free(watch);
    }
}

static void a_jump_soon_after_another_is_no_slow_shift(void **state) {
    (void)state;
    int told, slow;
    slow_after_first(false, &told, &slow);
    assert_true(told >= 100 && slow <= 2);
    slow_after_first(true, &told, &slow);
    assert_true(told > 150 && slow > told * 97 / 100);
}

/* One value rises at once, where as much evidence is wanted as beside time, or by 0.3 % a night: of
 * 100 histories, how many were told over more than a week, and how many of these as a slow shift.
 */
static void slow_of_late(bool ramp, int *told, int *slow) {
    const det_chain chain = {.count = 1, .parent = {-1}, .control = -1, .name = {"cpu"}};
    det_policy policy;
    *told = *slow = 0;
    det_policy_init(&policy);
    policy.minimum_loops = 1;
    policy.caution = ramp ? 1 : 6;
    policy.patience = ramp ? 2 : 1;
    policy.effect_relative = 0.03;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        for (int n = 0; n < 60; n++) {
            const double more = n < 20 ? 0 : ramp ? 0.003 * fmin(n - 19, 20) : 0.075;
            const double mean = 81.2 * (1 + more) * (1 + (ramp ? 0.01 : 0.004) * noise(&random));
            const det_night night = {.id = n, .loops = 1, .means = &mean};
            det_verdict v;
            assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
            if (v.verdict != DET_VERDICT_ANOMALY)
                continue;
            *told += n - v.to >= 7;
            *slow += n - v.to >= 7 && v.rule == DET_RULE_SLOW;
            break;
        }
        det_watch_free(watch);
    }
}

static void a_jump_that_took_long_to_show_is_no_slow_shift(void **state) {
    (void)state;
    int told, slow;
    slow_of_late(false, &told, &slow);
    assert_true(told > 80 && slow <= 1);
    slow_of_late(true, &told, &slow);
    assert_true(told > 40 && slow > told * 9 / 10);
}

/* One value, whose nights lie a third apart, rises by half and ten nights later tenfold: the nights
 * before that lie as close as their own level has it. */
static void nor_is_a_jump_of_what_scatters_widely(void **state) {
    (void)state;
    det_chain chain = {.count = 1, .parent = {-1}, .control = -1, .name = {"lost"}};
    det_policy policy;
    int told = 0, slow = 0;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        det_watch *watch = det_watch_new(&chain, &policy);
        uint64_t random = seed;
        for (int n = 0; n < 60; n++) {
            const double level = (n < 30 ? 1 : 1.5) * (n < 40 ? 1 : 10);
            const double mean = level * (1 + 0.3 * fmax(fmin(noise(&random), 2), -2));
            const det_night night = {.id = n, .loops = 1, .means = &mean};
            det_verdict v;
            assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
            if (n < 40 || v.verdict != DET_VERDICT_ANOMALY)
                continue;
            told++;
            slow += v.rule == DET_RULE_SLOW;
            break;
        }
        det_watch_free(watch);
    }
    assert_true(told >= 100 && slow <= 8);
}

/* The rule that the last change of one value's nights is told by, one loop each. */
static det_rule last_told_by(const double *nights, size_t count) {
    const det_chain chain = {.count = 1, .parent = {-1}, .control = -1, .name = {"export"}};
    det_policy policy;
    det_rule rule = DET_RULE_NONE;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    policy.effect_relative = 0.05;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (size_t n = 0; n < count; n++) {
        const det_night night = {.id = (int64_t)n, .loops = 1, .means = &nights[n]};
        det_verdict v;
        assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
        if (v.verdict == DET_VERDICT_ANOMALY)
            rule = v.rule;
    }
    det_watch_free(watch);
    return rule;
}

/* Each rises by 6 % or 7 % four nights after it did, and is told two nights later: what was learnt
 * from the jump itself would hide it. */
static void few_nights_show_a_jump_after_another(void **state) {
    (void)state;
    const double imported[] = {119.6, 121.8, 121.0, 121.1, 119.9, 119.1, 119.0, 119.1, 120.2,
                               119.4, 127.5, 128.3, 127.4, 127.1, 134.9, 134.4, 134.6, 134.8};
    const double measured[] = {1.537, 1.546, 1.540, 1.565, 1.556, 1.540, 1.551, 1.554,
                               1.567, 1.551, 1.550, 1.546, 1.596, 1.548, 1.662, 1.654,
                               1.649, 1.653, 1.733, 1.763, 1.775, 1.776};
    assert_int_equal(last_told_by(imported, 18), DET_RULE_WINDOW);
    assert_int_equal(last_told_by(measured, 22), DET_RULE_WINDOW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ramp_is_told_as_a_slow_shift),
        cmocka_unit_test(what_one_night_shows_is_no_slow_shift),
        cmocka_unit_test(what_climbs_has_no_first_night),
        cmocka_unit_test(nights_that_may_have_begun_it_are_in_question),
        cmocka_unit_test(the_first_night_of_a_ramp_is_at_neither_level),
        cmocka_unit_test(an_odd_portion_lends_no_date),
        cmocka_unit_test(another_portion_a_night_later_hides_no_night),
        cmocka_unit_test(a_jump_soon_after_another_is_no_slow_shift),
        cmocka_unit_test(a_jump_that_took_long_to_show_is_no_slow_shift),
        cmocka_unit_test(nor_is_a_jump_of_what_scatters_widely),
        cmocka_unit_test(few_nights_show_a_jump_after_another),
        cmocka_unit_test(another_machine_is_no_step_of_a_slow_shift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
