/* No sentence contradicts its own numbers: what is printed is read again and held against itself.
 */
#include "detector/words/change.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "detector/detector.h"
#include "tests/unit/detector/luck.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const units[] = {"ns", "µs", "ms", "s"};
static const double unit_ns[] = {1, 1e3, 1e6, 1e9};

/* A time as printed, in ns, and how far rounding may have moved it. */
typedef struct {
    double ns, rounding;
} printed;

/* Reads "1.45 µs" and moves on. */
static printed read_time(const char **at) {
    char *end;
    const double value = strtod(*at, &end);
    const char *point = memchr(*at, '.', (size_t)(end - *at));
    double last = point ? pow(10, -(double)(end - point - 1)) : 1;
    assert_true(end > *at && *end == ' ');
    for (size_t i = sizeof units / sizeof *units; i-- > 0;)
        if (strncmp(end + 1, units[i], strlen(units[i])) == 0) {
            *at = end + 1 + strlen(units[i]);
            return (printed){value * unit_ns[i], last / 2 * unit_ns[i] * (1 + 1e-9)};
        }
    fail_msg("no unit: %s", *at);
    return (printed){0, 0};
}

static void expect(const char **at, const char *text, const char *all) {
    if (strncmp(*at, text, strlen(text)) != 0)
        fail_msg("\"%s\" was expected at \"%s\" of: %s", text, *at, all);
    *at += strlen(text);
}

static bool take(const char **at, const char *text) {
    const bool found = strncmp(*at, text, strlen(text)) == 0;
    *at += found ? strlen(text) : 0;
    return found;
}

/* Two times with words between them. */
static void read_both(const char **at, const char *all, printed *first, const char *between,
                      printed *second) {
    *first = read_time(at);
    expect(at, between, all);
    *second = read_time(at);
}

/* Holds "rose from A to B (+D, +P %; L % interval +X to +Y)" and "is B against A (…)" against
   itself; at: after the name. Returns the direction that was told; maybe: as what may have
   happened. */
static int hold(const char *all, const char **at, bool *maybe) {
    int direction;
    printed before, after;
    *maybe = false;
    if (take(at, "stayed at ")) {
        (void)read_time(at);
        return 0;
    }
    if (take(at, "is ")) {
        read_both(at, all, &after, " against ", &before);
        direction = after.ns > before.ns ? 1 : -1;
    } else {
        *maybe = take(at, "may have ");
        direction = take(at, *maybe ? "risen " : "rose ") ? 1 : -1;
        if (direction < 0)
            expect(at, *maybe ? "fallen " : "fell ", all);
        (void)take(at, "slowly ");
        expect(at, "from ", all);
        read_both(at, all, &before, " to ", &after);
    }
    expect(at, " (", all);
    if ((after.ns - before.ns) * direction <= 0)
        fail_msg("the verb is not that of the numbers: %s", all);
    const printed gap = read_time(at);
    if (gap.ns * direction <= 0)
        fail_msg("the difference has another sign than the verb: %s", all);
    if (fabs(after.ns - before.ns - gap.ns) > before.rounding + after.rounding + gap.rounding)
        fail_msg("the difference is not that of the levels: %s", all);
    if (take(at, ", ")) {
        char *end;
        const double percent = strtod(*at, &end);
        if (percent * direction <= 0)
            fail_msg("the percentage has another sign than the verb: %s", all);
        *at = end;
        expect(at, " %", all);
    }
    if (take(at, "; ")) {
        *at = strstr(*at, "interval ") + strlen("interval ");
        const printed low = read_time(at);
        expect(at, " to ", all);
        const printed high = read_time(at);
        if (low.ns > gap.ns || high.ns < gap.ns)
            fail_msg("the interval does not hold its estimate: %s", all);
    }
    expect(at, ")", all);
    return direction;
}

static void hold_change(const det_change *change) {
    char text[DET_CHANGE_MAX], headline[DET_CHANGE_MAX];
    det_change_sentence(text, sizeof text, change);
    det_change_headline(headline, sizeof headline, change);
    const char *at = text;
    expect(&at, change->name, text);
    expect(&at, " ", text);
    bool maybe;
    const int told = hold(text, &at, &maybe);
    assert_int_equal(*at, 0);
    assert_int_equal(told, change_direction(change));
    assert_non_null(strstr(headline, told == 0 ? " stayed as it was"
                                     : maybe
                                         ? told > 0 ? " may have risen by " : " may have fallen by "
                                     : told > 0 ? " rose by "
                                                : " fell by "));
    if (told != 0 && maybe != (has_interval(change) && change->low <= 0 && change->high >= 0))
        fail_msg("as certain as its interval: %s", text);
    if (strstr(headline, " by 0 ") || strstr(headline, " by 0.00 "))
        fail_msg("a change by nothing: %s", headline);
}

/* 10 to the power of low to high, either sign. */
static double any(uint64_t *seed, double low, double high) {
    const double size = pow(10, low + (high - low) * luck_uniform(seed));
    return luck_uniform(seed) < 0.9 ? size : -size;
}

static void no_sentence_contradicts_itself(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 200000; i++) {
        det_change c = {.name = "C", .before = any(&seed, -6, 12), .level = 0.5};
        const double step = any(&seed, -12, 2);
        c.after = i % 3 == 0   ? any(&seed, -6, 12)
                  : i % 3 == 1 ? c.before * (1 + step)
                               : c.before + step;
        const double half = fabs(any(&seed, -6, 6)), mean = c.after - c.before;
        c.low = i % 4 ? mean - half : (double)NAN;
        c.high = i % 4 ? mean + half * luck_uniform(&seed) : (double)NAN;
        c.level = luck_uniform(&seed);
        hold_change(&c);
    }
}

static void what_is_no_number_is_not_told(void **state) {
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 0, 70};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++) {
            const det_change c = {
                "C", odd[i], odd[k], odd[k], odd[i], odd[i], NULL, DET_KNOWN_MEASURED, 0, 0};
            char text[DET_CHANGE_MAX];
            det_change_sentence(text, sizeof text, &c);
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "unknown"));
            assert_null(strstr(text, "huge"));
            if (i < 4 || k < 4)
                assert_string_equal(text, "C changed");
        }
}

static const struct {
    det_change change;
    const char *sentence, *headline;
} known[] = {
    {{"I", 203, 823, 598, 642, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "I rose from 203 ns to 823 ns (+620 ns, +305 %; 95 % interval +598 ns to +642 ns)",
     "I rose by 305 %"},
    {{"T + I", 163.06, 162.96, -0.58, 0.37, 0.95, NULL, DET_KNOWN_CLEARED, 0, 0},
     "T + I is 162.96 ns against 163.06 ns (-0.10 ns, -0.061 %; 95 % interval -0.58 ns to "
     "+0.37 ns)",
     "T + I may have fallen by 0.061 %"},
    {{"W", 1332.4, 1387, 31.2, 78, 0.99, NULL, DET_KNOWN_MEASURED, 0, 0},
     "W rose from 1.332 µs to 1.387 µs (+54.6 ns, +4.10 %; 99 % interval +31.2 ns to +78.0 ns)",
     "W rose by 4.10 %"},
    /* as it was told of Kieker's real history: "fell from 350 ns to 350 ns" */
    {{"I", 350, 349.91, -6.94, 6.76, 0.999, NULL, DET_KNOWN_MEASURED, 0, 0},
     "I may have fallen from 350.00 ns to 349.91 ns (-0.09 ns, -0.026 %; 99.9 % interval -6.94 "
     "ns to "
     "+6.76 ns)",
     "I may have fallen by 0.026 %"},
    {{"C", -20, 30, NAN, NAN, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "C rose from -20.0 ns to 30.0 ns (+50.0 ns)",
     "C rose by 50.0 ns"},
    {{"C", 999.4, 999.6, NAN, NAN, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "C rose from 0.99940 µs to 0.99960 µs (+0.20 ns, +0.020 %)",
     "C rose by 0.020 %"},
    {{"C", 203, 2650, NAN, NAN, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "C rose from 203 ns to 2.65 µs (+2.45 µs, +1205 %)",
     "C rose by 1205 %"},
    /* of OpenTelemetry's Python 1.24.0, before which a disabled SDK did all the work */
    {{"C", 222, 116422, NAN, NAN, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "C rose from 222 ns to 116 µs (+116 µs)",
     "C rose by 116 µs"},
    {{"C", 70, 70, -1, 1, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0},
     "C stayed at 70.0 ns",
     "C stayed as it was"},
    /* five equal values against five equal ones: nobody knows how far others may lie */
    {{"dropped", 0, 12, 12, 12, 0.95, "spans", DET_KNOWN_MEASURED, 0, 0},
     "dropped rose from 0.0 spans to 12.0 spans (+12.0 spans)",
     "dropped rose by 12.0 spans"},
    {{"peak memory of W", 120.5, 128.5, 7.9, 8.1, 0.95, "MB", DET_KNOWN_MEASURED, 0, 0},
     "peak memory of W rose from 121 MB to 129 MB (+8.00 MB, +6.64 %; 95 % interval +7.90 "
     "MB to "
     "+8.10 MB)",
     "peak memory of W rose by 6.64 %"},
    /* "by 0.45 %" of an error rate that was 0 is read as a share of it */
    {{"failed", 0, 0.45, 0.42, 0.48, 0.95, "%", DET_KNOWN_JUDGED, 0, 0},
     "failed rose from 0.00 % to 0.45 % (+0.45 points; 95 % interval +0.42 points to +0.48 "
     "points)",
     "failed rose by 0.45 points"},
    {{"checks", 99.25, 97.1, -2.2, -2.1, 0.95, "%", DET_KNOWN_JUDGED, 0, 0},
     "checks fell from 99.3 % to 97.1 % (-2.15 points, -2.17 %; 95 % interval -2.20 points "
     "to -2.10 points)",
     "checks fell by 2.15 points"},
    {{"slower", 3.09, 4.07, NAN, NAN, 0.95, "percent", DET_KNOWN_JUDGED, NAN, 0},
     "slower rose from 3.09 percent to 4.07 percent (+0.98 points, +31.7 %)",
     "slower rose by 0.98 points"},
    /* +4473 % of a level that may be 0 */
    {{"I", 139, 6352, -2696, 15123, 0.95, NULL, DET_KNOWN_MEASURED, 2534, 0},
     "I may have risen from 139 ns to 6.35 µs (+6.21 µs; 95 % interval -2.70 µs to +15.12 µs)",
     "I may have risen by 6.21 µs"},
    {{"W", 1332.4, 1387, NAN, NAN, 0.95, NULL, DET_KNOWN_JUDGED, NAN, 0},
     "W rose from 1.332 µs to 1.387 µs (+54.6 ns, +4.10 %)",
     "W rose by 4.10 %"},
};

static void known_sentences(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[DET_CHANGE_MAX];
        det_change_sentence(text, sizeof text, &known[i].change);
        assert_string_equal(text, known[i].sentence);
        det_change_headline(text, sizeof text, &known[i].change);
        assert_string_equal(text, known[i].headline);
    }
}

/* A verdict has more to go by than an interval; what is in question has less. */
static void a_verdict_says_how_certain_it_is(void **state) {
    (void)state;
    static const struct {
        det_known known;
        double low;
        const char *verb;
    } cases[] = {
        {DET_KNOWN_MEASURED, 5, "rose"},           {DET_KNOWN_MEASURED, -5, "may have risen"},
        {DET_KNOWN_MEASURED, 0, "may have risen"}, {DET_KNOWN_JUDGED, -5, "rose"},
        {DET_KNOWN_ASKED, 5, "may have risen"},    {DET_KNOWN_MEASURED, NAN, "rose"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det_change c = {"C", 200, 220, cases[i].low, 40, 0.95, NULL, cases[i].known, 0, 0};
        char text[DET_CHANGE_MAX], start[64];
        det_change_sentence(text, sizeof text, &c);
        snprintf(start, sizeof start, "C %s from 200 ns", cases[i].verb);
        assert_int_equal(strncmp(text, start, strlen(start)), 0);
        det_change_headline(text, sizeof text, &c);
        snprintf(start, sizeof start, "C %s by 10.0 %%", cases[i].verb);
        assert_string_equal(text, start);
    }
    assert_string_equal(det_change_maybe(0), "may have changed");
}

static void a_short_buffer_cuts(void **state) {
    (void)state;
    const det_change c = {"C", 203, 823, 598, 642, 0.95, NULL, DET_KNOWN_MEASURED, 0, 0};
    for (size_t size = 1; size < 40; size++) {
        char text[40];
        memset(text, 'x', sizeof text);
        det_change_sentence(text, size, &c);
        assert_int_equal(strlen(text), size - 1);
        assert_true(size == 40 || text[size] == 'x');
    }
}

/* The number before " times the threshold", or NaN. */
static double threshold_of(const char *reason) {
    const char *words = strstr(reason, " times the threshold"), *at = words;
    while (at && at > reason && at[-1] != ' ')
        at--;
    return words ? strtod(at, NULL) : (double)NAN;
}

static void hold_reason(const char *name, const det_verdict *v) {
    const char *at = v->reason;
    const double score = threshold_of(v->reason);
    expect(&at, name, v->reason);
    expect(&at, " ", v->reason);
    if (strstr(v->reason, " times the threshold") || strstr(v->reason, " agree first") ||
        strstr(v->reason, "that matters")) {
        bool maybe;
        const int told = hold(v->reason, &at, &maybe);
        if (told != 0 && told != (v->difference.mean > 0) - (v->difference.mean < 0))
            fail_msg("the sentence says another direction than the verdict: %s", v->reason);
    }
    if (score >= 1 && strstr(v->reason, "not enough"))
        fail_msg("over the threshold, and not enough: %s", v->reason);
    if (v->verdict == DET_VERDICT_ANOMALY && score < 1)
        fail_msg("an anomaly below its threshold: %s", v->reason);
}

/* Histories that move by anything from far below the minimum effect to ten times their level. */
static void verdicts_do_not_contradict_themselves(void **state) {
    (void)state;
    enum { HISTORIES = 120, NIGHTS = 40, LOOPS = 5 };
    uint64_t seed = 5;
    det_chain chain;
    det_policy policy;
    det_chain_init(&chain);
    for (int c = 0; c < 4; c++)
        assert_int_equal(det_chain_add(&chain, (const char *[]){"T", "I", "C", "W"}[c], c - 1),
                         DET_OK);
    for (int h = 0; h < HISTORIES; h++) {
        det_policy_init(&policy);
        policy.confidence = h % 2 ? 0.99 : 0.9;
        policy.patience = 1 + (unsigned)h % 3;
        policy.remeasure = h % 4 == 0;
        policy.effect_absolute = h % 5 ? 1 : 20;
        det_watch *watch = det_watch_new(&chain, &policy);
        const double noise = pow(10, -4 + 3 * luck_uniform(&seed));
        double level[4] = {70, 350, 1170, 3670};
        for (int n = 0; n < NIGHTS; n++) {
            double x[4 * LOOPS];
            if (luck_uniform(&seed) < 0.1)
                level[1 + n % 3] *= 1 + any(&seed, -4, 1) / 2;
            for (int i = 0; i < 4 * LOOPS; i++)
                x[i] = fabs(level[i / LOOPS] * (1 + noise * luck_normal(&seed)));
            det_verdict v[DET_CONFIGURATIONS_MAX];
            const det_night night = {.id = n, .loops = LOOPS, .means = x};
            assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
            for (int p = 0; p < 4; p++)
                hold_reason(chain.name[p], &v[p]);
        }
        det_watch_free(watch);
    }
}

/* What measuring again says of itself. */
static void trials_do_not_contradict_themselves(void **state) {
    (void)state;
    enum { LOOPS = 20 };
    uint64_t seed = 3;
    det_confirm_policy policy;
    det_confirm_policy_init(&policy);
    for (int i = 0; i < 2000; i++) {
        double before[LOOPS], after[LOOPS];
        const double level = pow(10, 6 * luck_uniform(&seed)), step = any(&seed, -7, 1);
        for (int k = 0; k < LOOPS; k++) {
            before[k] = level * (1 + 0.01 * luck_normal(&seed));
            after[k] = level * (1 + step + 0.01 * luck_normal(&seed));
        }
        const det_confirm_sample sample = {.before = before, .after = after, .loops = LOOPS};
        det_confirm_result r;
        const det_confirm_question question = {
            .name = "C", .expected = step * level, .level = 0.99};
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &sample), DET_OK);
        const char *at = r.reason;
        expect(&at, "Measured again, C ", r.reason);
        bool maybe;
        (void)hold(r.reason, &at, &maybe);
        expect(&at, ", 20 loops", r.reason);
        assert_true(!strstr(r.reason, "interval") || strstr(r.reason, "; 99 % interval"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sentence_contradicts_itself),
        cmocka_unit_test(what_is_no_number_is_not_told),
        cmocka_unit_test(known_sentences),
        cmocka_unit_test(a_verdict_says_how_certain_it_is),
        cmocka_unit_test(a_short_buffer_cuts),
        cmocka_unit_test(verdicts_do_not_contradict_themselves),
        cmocka_unit_test(trials_do_not_contradict_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
