/* The sentence of a verdict: what it says of every rule, and that it fits its place. */
#include "tests/unit/detector/watch/nights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/watch/watch__.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Six labelled nights; the sentences are about the last one. */
static det_watch *after_six_nights(void) {
    const double portions[] = {70, 200, 900, 2500};
    uint64_t seed = 1;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int n = 1; n <= 6; n++) {
        char label[16];
        double means[PORTIONS * LOOPS];
        const double rose[] = {70, 250, 900, 2500}; /* as the sentences say */
        night_of(means, n == 6 ? rose : portions, .002, &seed);
        snprintf(label, sizeof label, "2013-04-%02d", n);
        const det_night night = {.id = n, .label = label, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    }
    return watch;
}

static det_interval around(double mean, double half) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = 1, .df = 4};
}

/* I rose from 200 ns to 250 ns. */
static det_verdict rise(det_verdict_name verdict, det_rule rule) {
    return (det_verdict){.verdict = verdict,
                         .rule = rule,
                         .direction = 1,
                         .night = around(250, 2),
                         .reference = around(200, 1),
                         .difference = around(50, 3),
                         .ratio = 1.25,
                         .score = 2.5,
                         .reference_nights = 3,
                         .reference_from = 3,
                         .reference_to = 5,
                         .from = 5,
                         .to = 6};
}

#define OR_THE_METHOD ": the machine, the harness or the method itself, not the monitoring"

static const char *explained(const det_watch *watch, det_verdict *v) {
    det__explain(watch, 5, I, v);
    assert_true(strlen(v->reason) < sizeof v->reason - 1);
    return v->reason;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void a_change_names_its_numbers_and_nights(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_ANOMALY, DET_RULE_NIGHT);
    const char *reason = explained(watch, &v);
    has(reason, "I rose from 200 ns to 250 ns");
    has(reason, "+50");
    has(reason, "+25");
    has(reason, "95 %");
    has(reason, "against 3 nights, 2013-04-03 to 2013-04-05");
    has(reason, "2.50 times the threshold");
    v = rise(DET_VERDICT_ANOMALY, DET_RULE_NIGHT);
    v.reference_nights = 1;
    v.reference_from = 5;
    has(explained(watch, &v), "against 1 night, 2013-04-05:");
    det_watch_free(watch);
}

static det_watch *patient(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    return det_watch_new(&chain, &policy);
}

/* Six results of three nights, and two of the night that rose: how often one was measured does not
 * make it several. */
static void a_night_that_was_measured_again_counts_once(void **state) {
    (void)state;
    const double portions[] = {70, 200, 900, 2500}, rose[] = {70, 250, 900, 2500};
    uint64_t seed = 1;
    det_verdict v[PORTIONS];
    det_watch *watch = patient();
    for (int n = 0; n < 8; n++) {
        char label[16];
        double means[PORTIONS * LOOPS];
        night_of(means, n >= 6 ? rose : portions, .002, &seed);
        snprintf(label, sizeof label, "2013-04-%02d", 1 + n / 2);
        const det_night night = {.id = n, .label = label, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        if (n == 5)
            has(v[I].reason, " (3 nights, 2013-04-01 to 2013-04-03)");
    }
    assert_int_equal(v[I].rule, DET_RULE_WINDOW);
    has(v[I].reason, " against 3 nights, 2013-04-01 to 2013-04-03: ");
    assert_null(strstr(v[I].reason, ", judged over "));
    det_watch_free(watch);
}

/* What is done about it, or why nothing is, stands at the end. */
static void every_rule_has_its_own_end(void **state) {
    (void)state;
    static const struct {
        det_verdict_name verdict;
        det_rule rule;
        const char *end;
    } cases[] = {
        {DET_VERDICT_SUSPECT, DET_RULE_NIGHT, " times the threshold"},
        {DET_VERDICT_OK, DET_RULE_PENDING, "; not enough to say so"},
        {DET_VERDICT_OK, DET_RULE_BELOW_EFFECT,
         ": below the minimum effect, so the reference is moved without an alert"},
        {DET_VERDICT_ENVIRONMENT, DET_RULE_COMMON_SCALE,
         "; one factor for all portions explains it, so the machine is the likely cause"},
        {DET_VERDICT_ENVIRONMENT, DET_RULE_NOT_SCALED,
         "; the control moved, and this one otherwise, so it is not judged"},
        {DET_VERDICT_ENVIRONMENT, DET_RULE_UNCLEAR,
         "; as if the machine had changed, but the control did not move to match it: not judged"},
        {DET_VERDICT_OK, DET_RULE_DIRECTION, "; the policy does not ask for this direction"},
        {DET_VERDICT_ENVIRONMENT, DET_RULE_CONTROL_MOVED,
         "; the control moved, so the machine is the likely cause"},
        {DET_VERDICT_ANOMALY, DET_RULE_SLOW, "; a slow shift"},
        {DET_VERDICT_ANOMALY, DET_RULE_WINDOW, " times the threshold"},
    };
    det_watch *watch = after_six_nights();
    for (size_t i = 0; i < COUNT(cases); i++) {
        det_verdict v = rise(cases[i].verdict, cases[i].rule);
        const char *reason = explained(watch, &v);
        const size_t size = strlen(reason), end = strlen(cases[i].end);
        if (size < end || strcmp(reason + size - end, cases[i].end) != 0)
            fail_msg("\"%s\" does not end in \"%s\"", reason, cases[i].end);
    }
    det_watch_free(watch);
}

/* A start that moves with that of the control may be the harness's: nobody has seen the machine. */
static void what_is_no_time_does_not_tell_of_the_machine(void **state) {
    (void)state;
    det_policy policy;
    det_policy_init(&policy);
    policy.unit = "ms";
    det_watch *watch = after_six_nights();
    assert_int_equal(det_watch_set_policy(watch, I, &policy), DET_OK);
    det_verdict v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_COMMON_SCALE);
    has(explained(watch, &v), "; one factor for all portions explains it, as if the machine had "
                              "changed: not judged");
    v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_CONTROL_MOVED);
    has(explained(watch, &v), "; the control moved, as if the machine had changed: not judged");
    det_watch_free(watch);
}

/* It cannot be its own witness; nor is the machine shown where the others did not move with it. */
static void the_control_is_not_told_of_the_control(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_UNCLEAR);
    det__explain(watch, 5, (size_t)watch->chain.control, &v);
    has(v.reason, "; the control, and it did not move as one change of the machine would move it: "
                  "not judged");
    v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_CONTROL_MOVED);
    det__explain(watch, 5, (size_t)watch->chain.control, &v);
    has(v.reason, "; it is the control" OR_THE_METHOD);
    v.direction = 0;
    has(explained(watch, &v), "; the control moved" OR_THE_METHOD);
    det_watch_free(watch);
}

/* "T rose from 90.9 to 98.1" stood beside 90.96 that the night had measured. */
static void what_was_measured_stands_beside_what_is_judged(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_ANOMALY, DET_RULE_WINDOW);
    v.night.n = 3;
    has(explained(watch, &v), "2.50 times the threshold, judged over 3 nights");
    assert_null(strstr(v.reason, "this night alone"));
    for (int i = 0; i < 2; i++) { /* what is not judged is not judged over nights */
        v = rise(DET_VERDICT_ENVIRONMENT, i ? DET_RULE_UNCLEAR : DET_RULE_NOT_SCALED);
        v.night.n = 3;
        assert_null(strstr(explained(watch, &v), "judged over"));
    }
    v = rise(DET_VERDICT_ANOMALY, DET_RULE_WINDOW);
    v.night = around(300, 2);
    has(explained(watch, &v), "; this night alone is at 25");
    has(v.reason, " ns without its outermost loops");
    det__cells_at(watch, 5)[T].loops = det__cells_at(watch, 5)[I].loops = 2; /* all count */
    has(explained(watch, &v), "; this night alone is at 25");
    assert_null(strstr(v.reason, "outermost"));
    v.night = around(300, 90); /* a wide interval hides no other half of the change */
    has(explained(watch, &v), "; this night alone is at 25");
    v = rise(DET_VERDICT_ANOMALY, DET_RULE_WINDOW);
    v.night = around(270, 90);
    v.difference = around(70, 60); /* nor does a wide difference */
    assert_null(strstr(explained(watch, &v), "this night alone"));
    v.difference = around(70, 3);
    has(explained(watch, &v), "; this night alone is at 25");
    v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_COMMON_SCALE);
    v.night = around(300, 2);
    has(explained(watch, &v), ", the other value is what one change of all portions makes of it; ");
    v = rise(DET_VERDICT_OK, DET_RULE_BELOW_EFFECT);
    v.night = around(300, 2);
    has(explained(watch, &v),
        ", so the reference is moved without an alert; this night alone is at 25");
    v.night = around(det__tonight(watch, 5, I) + 1e-3, 1e-4); /* two numbers that print alike */
    v.difference = around(50, 1e-4);
    assert_null(strstr(explained(watch, &v), "this night alone"));
    det_watch_free(watch);
}

/* The last reason of a value a night, of what nothing measures again; returns in how many some of
 * their results hardly counted. */
static int reason_of(const double *values, size_t count, char *reason) {
    int told = 0;
    det_chain chain;
    det_policy policy;
    det_verdict v;
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "value", -1), DET_OK);
    chain.control = -1;
    det_policy_init(&policy);
    policy.patience = 4; /* as of any value */
    policy.caution = 1.15;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (size_t n = 0; n < count; n++) {
        const double means[] = {values[n], values[n]};
        const det_night night = {.id = (int64_t)n, .loops = 2, .means = means};
        assert_int_equal(det_watch_add(watch, &night, &v), DET_OK);
        told += strstr(v.reason, "hardly counted") != NULL;
    }
    strcpy(reason, v.reason);
    det_watch_free(watch);
    return told;
}

/* Of 14.9, 201 and 229 the level was "14.9 (3 nights)". One outlier of many is none of its news,
 * nor is how far nights lie from a level that it fell from, in what they scatter by now. */
static void what_hardly_counts_in_a_level_is_told(void **state) {
    (void)state;
    static const double wild[] = {14.9126, 201.4117, 228.5708, 8.4267},
                        calm[] = {100, 100.5, 99.8, 100.2, 99.7, 130, 100.1, 99.9, 100.3, 100.1},
                        fall[] = {200, 230, 210, 21, 20, 22, 20.5, 21.2};
    char reason[DET_REASON_MAX];
    assert_int_equal(reason_of(wild, COUNT(wild), reason), 1);
    has(reason, "against 14.9 ns (3 nights, night 0 to night 2)");
    has(reason, "; far from 14.9 ns, and hardly counted in it: 2 of their 3 results");
    assert_int_equal(reason_of(calm, COUNT(calm), reason), 0);
    assert_int_equal(reason_of(fall, COUNT(fall), reason), 0);
}

/* What a policy takes for 0 is told as 0. */
static void a_night_of_nothing_is_at_zero(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_policy policy;
    det_policy_init(&policy);
    policy.zero = 300; /* more than the night has */
    policy.unit = "spans";
    assert_int_equal(det_watch_set_policy(watch, I, &policy), DET_OK);
    det_verdict v = rise(DET_VERDICT_ANOMALY, DET_RULE_WINDOW);
    v.night = around(300, 2);
    has(explained(watch, &v), "; this night alone is at 0.00 spans");
    det_watch_free(watch);
}

/* Nothing rises before it is judged to have risen. */
static void what_is_in_question_has_not_risen(void **state) {
    (void)state;
    static const struct {
        det_verdict_name verdict;
        det_rule rule;
        const char *verb;
    } cases[] = {{DET_VERDICT_SUSPECT, DET_RULE_NIGHT, "I may have risen from 200 ns"},
                 {DET_VERDICT_OK, DET_RULE_PENDING, "I may have risen from 200 ns"},
                 {DET_VERDICT_OK, DET_RULE_BELOW_EFFECT, "I is 250 ns, +25.0 % against 200 ns"},
                 {DET_VERDICT_ANOMALY, DET_RULE_NIGHT, "I rose from 200 ns"}};
    det_watch *watch = after_six_nights();
    for (size_t i = 0; i < COUNT(cases); i++) {
        det_verdict v = rise(cases[i].verdict, cases[i].rule);
        has(explained(watch, &v), cases[i].verb);
    }
    det_verdict v = rise(DET_VERDICT_SUSPECT, DET_RULE_NIGHT);
    (void)explained(watch, &v);
    det_verdict_believe(&v);
    assert_int_equal(v.verdict, DET_VERDICT_ANOMALY);
    has(v.reason, "I rose from 200 ns to 250 ns (+50");
    strcpy(v.reason, "it may have risen may have fallen from 3 ns");
    det_verdict_believe(&v);
    assert_string_equal(v.reason, "it may have risen fell from 3 ns");
    strcpy(v.reason, "I stayed");
    det_verdict_believe(&v);
    assert_string_equal(v.reason, "I stayed");
    det_watch_free(watch);
}

/* A suspicion that nobody measures again does not promise it. */
static void what_is_not_measured_again_stays_in_question(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_SUSPECT, DET_RULE_NIGHT);
    assert_null(strstr(explained(watch, &v), "measured again"));
    det_verdict_pend(&v, "not enough to say so");
    has(v.reason, "times the threshold; not enough to say so");
    assert_int_equal(v.verdict, DET_VERDICT_OK);
    assert_int_equal(v.rule, DET_RULE_PENDING);
    memset(v.reason, 'x', sizeof v.reason - 1);
    v.reason[sizeof v.reason - 1] = '\0';
    det_verdict_pend(&v, "not enough to say so");
    assert_int_equal(strlen(v.reason), sizeof v.reason - 1);
    det_watch_free(watch);
}

/* Below its threshold nothing is "1.00 times the threshold". */
static void a_score_is_never_rounded_up_to_one(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_OK, DET_RULE_PENDING);
    v.score = .9999;
    has(explained(watch, &v), "0.99 times the threshold");
    v.score = 1;
    has(explained(watch, &v), "1.00 times the threshold");
    v.score = .009; /* a pool of two machines, of which every third night is so far off */
    has(explained(watch, &v), ": far off by itself; not enough to say so");
    det_watch_free(watch);
}

static void a_sum_of_small_steps_says_of_how_many(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_ANOMALY, DET_RULE_WINDOW);
    v.steps = 2;
    const char *reason = explained(watch, &v);
    has(reason, "against the level of 2013-04-05");
    has(reason, " in 3 small steps");
    det_watch_free(watch);
}

static void a_quiet_night_says_what_it_is_compared_with(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_OK, DET_RULE_WITHIN);
    v.night = around(203, 2);
    v.ratio = 1.015;
    assert_string_equal(explained(watch, &v),
                        "I is 203 ns, +1.50 % against 200 ns (3 nights, 2013-04-03 to 2013-04-05): "
                        "within the noise");
    det_policy percent; /* 1.5 % of a percentage is read as points */
    det_policy_init(&percent);
    percent.unit = "%";
    assert_int_equal(det_watch_set_policy(watch, I, &percent), DET_OK);
    has(explained(watch, &v), "I is 203 %, +3.00 points against 200 % (3 nights");
    det_policy_init(&percent);
    assert_int_equal(det_watch_set_policy(watch, I, &percent), DET_OK);
    v.night = around(200.2, 2);
    has(explained(watch, &v), "I is 200 ns as before (3 nights");
    v.ratio = 1.001; /* of what differs for sure, "as before" is said by no number */
    v.rule = DET_RULE_BELOW_EFFECT;
    has(explained(watch, &v), "I is 200 ns, +0.100 % against 200 ns (3 nights");
    v.rule = DET_RULE_LITTLE;
    has(explained(watch, &v), "I is 200 ns, +0.100 % against 200 ns (3 nights");
    has(explained(watch, &v), "2013-04-05): differs, too little evidence of a change");
    v.difference = around(0.2, 0.1);
    has(explained(watch, &v), "2013-04-05): differs, by less than is reported");
    v.rule = DET_RULE_WITHIN;
    v.reference = around(-4, 6); /* a portion may be below nothing: no percentage of that */
    v.night = around(5, 6);
    const char *reason = explained(watch, &v);
    has(reason, "I is 5.00 ns against -4.00 ns");
    assert_null(strchr(reason, '%'));
    v.reference = around(0.2, 6); /* nor of what may be nothing: it was -2224 % */
    assert_null(strchr(explained(watch, &v), '%'));
    v.reference = around(0.003, 1e-4); /* a fifth more of little is no "0.00 ns as before" */
    v.night = around(0.0036, 1e-4);
    v.ratio = 1.2;
    has(explained(watch, &v), "I is 0.00360 ns, +20.0 % against 0.00300 ns (3 nights");
    det_watch_free(watch);
}

static void a_first_night_and_a_new_machine(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_FIRST, DET_RULE_FIRST);
    assert_string_equal(explained(watch, &v),
                        "I is judged at 250 ns, the first night to compare with");
    v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_NEW_ENVIRONMENT);
    assert_string_equal(explained(watch, &v),
                        "I is judged at 250 ns, the first night in a new environment");
    v = rise(DET_VERDICT_ENVIRONMENT, DET_RULE_NEW_LEVEL);
    assert_string_equal(explained(watch, &v), "I is judged at 250 ns, the first night of a new "
                                              "level: values far from those before have lasted");
    det_watch_free(watch);
}

static void what_is_not_judged_says_why(void **state) {
    (void)state;
    static const struct {
        det_rule rule;
        const char *why;
    } cases[] = {
        {DET_RULE_MISSING, "a configuration has no result"},
        {DET_RULE_FEW_LOOPS, "fewer loops can be used than detection.minimum_loops wants"},
        {DET_RULE_UNIT, "off by exactly 2, by 1000 or by a million"},
        {DET_RULE_SPREAD, ": its values scatter by as much as their mean, or more"},
        {DET_RULE_BROKEN, "far outside the level before"},
        {DET_RULE_NONE, "the measurement is suspect"},
    };
    det_watch *watch = after_six_nights();
    for (size_t i = 0; i < COUNT(cases); i++) {
        det_verdict v = rise(DET_VERDICT_HARNESS, cases[i].rule);
        const char *reason = explained(watch, &v);
        has(reason, "I is not judged on 2013-04-06: ");
        has(reason, cases[i].why);
    }
    det_verdict v = rise(DET_VERDICT_HARNESS, DET_RULE_MISSING);
    det__cells_at(watch, 5)[T].loops = 0;
    det_name_copy(watch->chain.called[T], "none");
    has(explained(watch, &v), ": none has no result");
    det__cells_at(watch, 5)[I].loops = 0;
    det_name_copy(watch->chain.called[I], "off");
    has(explained(watch, &v), ": none and off have no result");
    det_watch_free(watch);
}

/* Of a portion's two configurations the one whose groups lie further apart is named. */
static void two_groups_are_told_with_their_sizes(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    watch->groups[I] = (det__groups){.low = 200, .high = 400, .low_n = 3, .high_n = 2, .ratio = 5};
    watch->groups[T] = (det__groups){.low = 60, .high = 90, .low_n = 4, .high_n = 1, .ratio = 2};
    det_verdict v = rise(DET_VERDICT_HARNESS, DET_RULE_BIMODAL);
    has(explained(watch, &v), "two groups, 3 of them around 200 ns and 2 around 400 ns");
    watch->groups[T].ratio = 9;
    has(explained(watch, &v), "4 of them around 60.0 ns and 1 around 90.0 ns");
    det_watch_free(watch);
}

/* A reference older than what is kept has no date any more. */
static void a_forgotten_night_is_a_question_mark(void **state) {
    (void)state;
    det_watch *watch = after_six_nights();
    det_verdict v = rise(DET_VERDICT_ANOMALY, DET_RULE_NIGHT);
    v.reference_from = 4711;
    has(explained(watch, &v), "3 nights, ? to 2013-04-05");
    det_watch_free(watch);
}

static void the_longest_names_and_numbers_fit(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    det_verdict v[2];
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "abcdefghijklmnopqrstuvw", -1), DET_OK);
    assert_int_equal(det_chain_add(&chain, "Writing over the networ", 0), DET_OK);
    det_policy_init(&policy);
    policy.confidence = .9999;
    det_watch *watch = det_watch_new(&chain, &policy);
    double means[] = {123456789012, 123456789012, 987654321098, 987654321098};
    const char *label = "a label of thirty-one letters !";
    const det_night night = {.id = 1, .label = label, .loops = 2, .means = means};
    assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
    for (int rule = DET_RULE_NONE; rule <= DET_RULE_BY_HAND; rule++)
        for (int verdict = DET_VERDICT_OK; verdict <= DET_VERDICT_SUSPECT; verdict++) {
            det_verdict wide = {.verdict = (det_verdict_name)verdict,
                                .rule = (det_rule)rule,
                                .direction = -1,
                                .night = around(-98765432109.8, 12345678901),
                                .reference = around(123456789012.3, 1234567890.1),
                                .difference = around(-222222221122.1, 13456789012.3),
                                .ratio = -.79,
                                .score = 123456.7,
                                .reference_nights = 60,
                                .reference_from = 1,
                                .reference_to = 1,
                                .steps = 99};
            det__explain(watch, 1, 1, &wide);
            assert_true(strlen(wide.reason) > 10);
            assert_true(strlen(wide.reason) < sizeof wide.reason - 1);
        }
    det_watch_free(watch);
}

static void words_of_verdicts_and_rules(void **state) {
    (void)state;
    for (int verdict = DET_VERDICT_OK; verdict <= DET_VERDICT_SUSPECT; verdict++)
        for (int other = DET_VERDICT_OK; other < verdict; other++)
            assert_string_not_equal(det_verdict_text((det_verdict_name)verdict),
                                    det_verdict_text((det_verdict_name)other));
    for (int rule = DET_RULE_NONE; rule <= DET_RULE_SLOW; rule++) {
        assert_non_null(det_rule_text((det_rule)rule));
        for (int other = DET_RULE_NONE; other < rule; other++)
            assert_string_not_equal(det_rule_text((det_rule)rule), det_rule_text((det_rule)other));
    }
    assert_string_equal(det_verdict_text(DET_VERDICT_ENVIRONMENT), "environment");
    assert_string_equal(det_rule_text(DET_RULE_COMMON_SCALE), "common-scale");
    assert_string_equal(det_verdict_text((det_verdict_name)99), "unknown");
    assert_string_equal(det_rule_text((det_rule)99), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_names_its_numbers_and_nights),
        cmocka_unit_test(a_night_that_was_measured_again_counts_once),
        cmocka_unit_test(every_rule_has_its_own_end),
        cmocka_unit_test(what_is_no_time_does_not_tell_of_the_machine),
        cmocka_unit_test(the_control_is_not_told_of_the_control),
        cmocka_unit_test(what_was_measured_stands_beside_what_is_judged),
        cmocka_unit_test(what_hardly_counts_in_a_level_is_told),
        cmocka_unit_test(a_night_of_nothing_is_at_zero),
        cmocka_unit_test(what_is_in_question_has_not_risen),
        cmocka_unit_test(what_is_not_measured_again_stays_in_question),
        cmocka_unit_test(a_score_is_never_rounded_up_to_one),
        cmocka_unit_test(a_sum_of_small_steps_says_of_how_many),
        cmocka_unit_test(a_quiet_night_says_what_it_is_compared_with),
        cmocka_unit_test(a_first_night_and_a_new_machine),
        cmocka_unit_test(what_is_not_judged_says_why),
        cmocka_unit_test(two_groups_are_told_with_their_sizes),
        cmocka_unit_test(a_forgotten_night_is_a_question_mark),
        cmocka_unit_test(the_longest_names_and_numbers_fit),
        cmocka_unit_test(words_of_verdicts_and_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
