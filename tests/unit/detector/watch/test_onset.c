/* A history that begins with broken nights takes its level from the nights that follow. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NIGHTS 40

static const double usual[PORTIONS] = {90, 350, 1400, 1500};
static const double broken[PORTIONS] = {24500, 140, 20, 60};

typedef struct {
    det_verdict v[NIGHTS][PORTIONS];
    det_incident incident[NIGHTS]; /* of kind BROKEN; kind NONE: there is none */
    int at;                        /* night after which all was judged once more; 0: never */
    int times;
} judged;

/* A letter a night: 'g' good, 'b' broken, 'r' broken by another factor each night, 'W' the writer
   alone is broken, 'm' missing. After the last letter all are good. */
static char kind_of(const char *nights, int n) {
    if ((size_t)n < strlen(nights))
        return nights[n];
    return 'g';
}

static void means_of(double *means, const char *nights, int n, uint64_t seed) {
    const char what = kind_of(nights, n);
    double portions[PORTIONS];
    seed += (uint64_t)n * 7919;
    for (int p = 0; p < PORTIONS; p++)
        portions[p] = what == 'b'   ? broken[p]
                      : what == 'r' ? usual[p] * pow(25, 1 + n % 3)
                                    : usual[p];
    if (what == 'W')
        portions[W] *= 100;
    night_of(means, portions, 0.005, &seed);
    for (int i = 0; i < PORTIONS * LOOPS && what == 'm'; i++)
        means[i] = (double)NAN;
}

static det_watch *stored(det_watch *watch) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    size_t size;
    unsigned char *bytes = saved(watch, &size);
    det_watch_free(watch);
    watch = det_watch_restore(&chain, &policy, bytes, size);
    assert_non_null(watch);
    free(bytes);
    return watch;
}

/* As a caller that has the nights: once more from the first one when the watch says so. */
static void judge(const char *nights, int store, judged *out) {
    double means[PORTIONS * LOOPS];
    det_watch *watch = classic();
    *out = (judged){.at = 0};
    for (int n = 0; n < NIGHTS; n++) {
        means_of(means, nights, n, 5);
        const det_night night = {.id = 100 + n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, out->v[n]), DET_OK);
        if (det_watch_incident(watch, DET_INCIDENT_BROKEN, &out->incident[n]) != DET_OK)
            out->incident[n].kind = DET_INCIDENT_NONE;
        det_watch *again = det_watch_anew(watch);
        if (again) {
            assert_true(n > out->at); /* so it ends */
            out->at = n;
            out->times++;
            det_watch_free(watch);
            watch = again;
            n = -1;
        }
        if (store)
            watch = stored(watch);
    }
    det_watch_free(watch);
}

static void expect_night(const judged *j, int n, det_verdict_name verdict) {
    for (int p = 0; p < PORTIONS; p++) {
        assert_int_equal(j->v[n][p].verdict, verdict);
        if (verdict == DET_VERDICT_HARNESS)
            assert_int_equal(j->v[n][p].rule, DET_RULE_BROKEN);
    }
}

/* first: the good one that the series begins with */
static void expect_begin(const judged *j, const char *nights, int first) {
    for (int n = 0; n < NIGHTS; n++) {
        const char what = kind_of(nights, n);
        expect_night(j, n,
                     what != 'g'  ? DET_VERDICT_HARNESS
                     : n == first ? DET_VERDICT_FIRST
                                  : DET_VERDICT_OK);
    }
}

static void the_first_nights_are_the_broken_ones(void **state) {
    (void)state;
    static const struct {
        const char *nights;
        int first, at;
    } table[] = {
        {"b", 1, 3},        /* one, and three that agree */
        {"bb", 2, 4},       /* two and three */
        {"bbbb", 4, 8},     /* more good than broken ones */
        {"bbbbgb", 4, 12},  /* as inspectIT's of 2023: one good one among them */
        {"bbbbbbb", 7, 14}, /* as many as can be */
        {"gbbb", 0, 8},     /* three broken ones after one good: said, and taken back */
        {"gbb", 0, 0},      /* two prove nothing */
        {"ggggbbbg", 0, 0}, /* they are few */
        {"rrr", 3, 6},      /* each by another factor */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        judged j;
        judge(table[i].nights, 0, &j);
        assert_int_equal(j.at, table[i].at);
        expect_begin(&j, table[i].nights, table[i].first);
    }
}

static void an_incident_names_the_first_nights(void **state) {
    (void)state;
    judged j;
    judge("bbbbgb", 0, &j);
    assert_true(j.incident[0].begins && j.incident[0].lasts);
    for (int n = 0; n < 4; n++) {
        assert_int_equal(j.incident[n].kind, DET_INCIDENT_BROKEN);
        assert_int_equal(j.incident[n].since, 100);
        assert_int_equal(j.incident[n].before, 0);
        assert_int_equal(j.incident[n].begins, n == 0);
        assert_int_equal(j.incident[n].moved, PORTIONS);
        assert_string_equal(j.incident[n].reason, "all 4 configurations far outside everything "
                                                  "seen later, first on night 100");
    }
    assert_int_equal(j.incident[4].kind, DET_INCIDENT_BROKEN);
    assert_false(j.incident[4].lasts); /* over with the first good one */
    for (int n = 5; n < NIGHTS; n++)
        assert_int_equal(j.incident[n].kind, DET_INCIDENT_NONE); /* one odd night is none */
    assert_string_equal(j.v[0][I].reason, "I is not judged on night 100: values are far outside "
                                          "everything seen later");
    assert_non_null(strstr(j.v[4][I].reason, "the first night to compare with"));
    assert_non_null(strstr(j.v[5][I].reason, "far outside the level before"));
}

static void one_configuration_can_begin_broken(void **state) {
    (void)state;
    judged j;
    judge("WW", 0, &j);
    assert_int_equal(j.times, 1);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(j.v[n][W].rule, DET_RULE_BROKEN);
        assert_int_equal(j.v[n][C].verdict, n ? DET_VERDICT_OK : DET_VERDICT_FIRST);
        assert_non_null(strstr(j.incident[n].reason, "1 configuration far outside"));
        assert_int_equal(j.incident[n].since, 100);
    }
    assert_int_equal(j.v[2][W].verdict, DET_VERDICT_FIRST);
    assert_int_equal(j.v[2][C].verdict, DET_VERDICT_OK);
    assert_false(j.incident[2].lasts);
    for (int n = 3; n < NIGHTS; n++)
        expect_night(&j, n, DET_VERDICT_OK);
}

/* What does not agree with itself is no level, and after more than seven nights it is too late. */
static void nothing_is_begun_anew_without_a_reason(void **state) {
    (void)state;
    static const char *const table[] = {"",
                                        "grrrrrrrr",
                                        "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr",
                                        "ggggggggbbbbbbbbbbbbbbb",
                                        "bbbbbbbb",
                                        "mmmmmmmmmm"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        judged j;
        judge(table[i], 0, &j);
        assert_int_equal(j.times, 0);
        for (int n = 0; n < NIGHTS; n++)
            for (int p = 0; p < PORTIONS; p++)
                assert_int_not_equal(j.v[n][p].verdict, DET_VERDICT_ANOMALY);
    }
}

static void missing_nights_before_the_first_are_passed_over(void **state) {
    (void)state;
    judged j;
    judge("mbmb", 0, &j);
    assert_int_equal(j.times, 1);
    assert_int_equal(j.v[0][T].rule, DET_RULE_MISSING);
    assert_int_equal(j.v[1][T].rule, DET_RULE_BROKEN);
    assert_int_equal(j.v[2][T].rule, DET_RULE_MISSING);
    expect_night(&j, 4, DET_VERDICT_FIRST);
    for (int n = 5; n < NIGHTS; n++)
        expect_night(&j, n, DET_VERDICT_OK);
}

static void a_stored_watch_begins_anew_likewise(void **state) {
    (void)state;
    static const char *const table[] = {"bbbbgb", "gbbb", "WW", "rr", "b"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        judged whole, parts;
        judge(table[i], 0, &whole);
        judge(table[i], 1, &parts);
        assert_int_equal(whole.at, parts.at);
        for (int n = 0; n < NIGHTS; n++) {
            assert_int_equal(whole.incident[n].kind, parts.incident[n].kind);
            for (int p = 0; p < PORTIONS; p++) {
                assert_int_equal(whole.v[n][p].verdict, parts.v[n][p].verdict);
                assert_string_equal(whole.v[n][p].reason, parts.v[n][p].reason);
            }
        }
    }
}

static void another_environment_has_no_first_nights_of_its_own(void **state) {
    (void)state;
    double means[PORTIONS * LOOPS];
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int n = 0; n < 12; n++) {
        means_of(means, "gggb", n, 5);
        const det_night night = {
            .id = n, .loops = LOOPS, .means = means, .new_environment = n == 3};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        assert_null(det_watch_anew(watch));
    }
    det_watch_free(watch);
}

static void the_policies_of_portions_go_with_it(void **state) {
    (void)state;
    double means[PORTIONS * LOOPS];
    det_verdict v[PORTIONS];
    det_policy falls;
    det_policy_init(&falls);
    falls.direction = -1; /* nobody asks whether I rises */
    det_watch *watch = classic();
    assert_int_equal(det_watch_set_policy(watch, I, &falls), DET_OK);
    int again = 0;
    for (int n = 0; n < NIGHTS; n++) {
        uint64_t seed = 11 + (uint64_t)n;
        const double later[PORTIONS] = {90, n < 20 ? 350 : 700, 1400, 1500};
        night_of(means, n == 0 ? broken : later, 0.005, &seed);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(watch, &night, v), DET_OK);
        for (int p = 0; p < PORTIONS; p++)
            assert_int_not_equal(v[p].verdict, DET_VERDICT_ANOMALY);
        det_watch *anew = det_watch_anew(watch);
        if (!anew)
            continue;
        det_watch_free(watch);
        watch = anew;
        again++;
        n = -1;
    }
    assert_int_equal(again, 1);
    det_watch_free(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_nights_are_the_broken_ones),
        cmocka_unit_test(an_incident_names_the_first_nights),
        cmocka_unit_test(one_configuration_can_begin_broken),
        cmocka_unit_test(nothing_is_begun_anew_without_a_reason),
        cmocka_unit_test(missing_nights_before_the_first_are_passed_over),
        cmocka_unit_test(a_stored_watch_begins_anew_likewise),
        cmocka_unit_test(another_environment_has_no_first_nights_of_its_own),
        cmocka_unit_test(the_policies_of_portions_go_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
