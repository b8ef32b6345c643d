/* confirm with counts: what instructions say of a change of time, and what they must not. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/watch/confirm.h"
#include "tests/unit/detector/luck.h"

#define LOOPS_MAX 600
#define SPREAD 30.0 /* between loops of a portion of 1000 */

static det_confirm_result session(double expected, double change, double effect, det_counts counts,
                                  uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    const det_confirm_question question = {.name = "I",
                                           .expected = expected,
                                           .effect_absolute = effect,
                                           .level = 0.95,
                                           .counts = counts};
    det_confirm_policy_init(&policy);
    for (size_t loops = 0; r.state == DET_CONFIRM_MORE;) {
        for (unsigned i = 0; i < policy.step; i++, loops++) {
            before[loops] = 1000 + SPREAD * luck_normal(seed);
            after[loops] = 1000 + change + SPREAD * luck_normal(seed);
        }
        const det_confirm_sample s = {.before = before, .after = after, .loops = loops};
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &s), DET_OK);
    }
    return r;
}

typedef struct {
    unsigned state[DET_CONFIRM_UNDECIDED + 1];
    size_t loops;
} answers;

static answers answers_of(double expected, double change, double effect, det_counts counts,
                          unsigned sessions) {
    answers all = {{0}, 0};
    uint64_t seed = 7;
    for (unsigned i = 0; i < sessions; i++) {
        const det_confirm_result r = session(expected, change, effect, counts, &seed);
        all.state[r.state]++;
        all.loops += r.loops;
    }
    return all;
}

/* A change of three standard errors at 600 loops: of what loops alone leave undecided it confirms
 * what is outside of 99.9 %, and clears nothing. */
static void it_settles_what_loops_cannot(void **state) {
    (void)state;
    enum { SESSIONS = 200 };
    const answers alone = answers_of(20, 5, 0, DET_COUNTS_NONE, SESSIONS);
    const answers with = answers_of(20, 5, 0, DET_COUNTS_WITH, SESSIONS);
    assert_in_range(alone.state[DET_CONFIRM_UNDECIDED], 10, SESSIONS);
    assert_int_equal(with.state[DET_CONFIRM_NO], alone.state[DET_CONFIRM_NO]);
    assert_true(with.state[DET_CONFIRM_YES] > alone.state[DET_CONFIRM_YES]);
    assert_true(with.state[DET_CONFIRM_UNDECIDED] < alone.state[DET_CONFIRM_UNDECIDED]);
}

/* Time can change without instructions: no kind of counts takes an answer away. */
static void it_clears_nothing(void **state) {
    static const double changes[] = {0, 5, 20, 60};
    static const det_counts kinds[] = {DET_COUNTS_SAME, DET_COUNTS_AGAINST};
    (void)state;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        const answers alone = answers_of(20, changes[c], 0, DET_COUNTS_NONE, 100);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const answers so = answers_of(20, changes[c], 0, kinds[k], 100);
            assert_memory_equal(&so, &alone, sizeof so);
        }
    }
}

/* Where the time is the same, more instructions make no change of time: not more often than the
 * test may err. Nor do they where the change is below what matters. */
static void it_proves_nothing_by_itself(void **state) {
    (void)state;
    const unsigned erred = answers_of(20, 0, 0, DET_COUNTS_NONE, 2000).state[DET_CONFIRM_YES];
    assert_in_range(erred, 0, 4);
    assert_in_range(answers_of(20, 0, 0, DET_COUNTS_WITH, 2000).state[DET_CONFIRM_YES], erred,
                    erred + 1);
    const answers alone = answers_of(20, 5, 10, DET_COUNTS_NONE, 200);
    const answers with = answers_of(20, 5, 10, DET_COUNTS_WITH, 200);
    assert_memory_equal(&with, &alone, sizeof with);
}

/* Of equal work a session ends sooner where nothing is there, and no other way: what the loops show
 * is confirmed as often, and a change as large as the watch saw is cleared no more often than the
 * test may err (5 %). */
static void equal_work_is_cleared_sooner(void **state) {
    enum { SESSIONS = 200 };
    (void)state;
    const answers nothing = answers_of(60, 0, 0, DET_COUNTS_NONE, SESSIONS);
    const answers equal = answers_of(60, 0, 0, DET_COUNTS_EQUAL, SESSIONS);
    assert_true(2 * equal.loops < nothing.loops);
    assert_int_equal(equal.state[DET_CONFIRM_NO], SESSIONS);
    assert_in_range(nothing.state[DET_CONFIRM_NO], SESSIONS - 2, SESSIONS);
    const answers seen = answers_of(60, 60, 0, DET_COUNTS_EQUAL, SESSIONS);
    assert_in_range(seen.state[DET_CONFIRM_YES], SESSIONS * 95 / 100, SESSIONS);
    /* what the watch saw is what is looked for anyway: nothing is left to gain */
    const answers small = answers_of(10, 0, 0, DET_COUNTS_NONE, 50);
    const answers same = answers_of(10, 0, 0, DET_COUNTS_EQUAL, 50);
    assert_memory_equal(&same, &small, sizeof same);
}

/* A smaller change than the watch saw, whose interval stands clear of zero, is never cleared by
 * it. */
static void equal_work_clears_nothing_that_the_loops_show(void **state) {
    (void)state;
    unsigned cleared = 0;
    for (int change = 5; change <= 40; change += 5) {
        uint64_t seed = 11;
        for (int i = 0; i < 50; i++) {
            const det_confirm_result r = session(60, (double)change, 0, DET_COUNTS_EQUAL, &seed);
            assert_true(r.state != DET_CONFIRM_NO || r.difference.low <= 0);
            cleared += r.state == DET_CONFIRM_NO;
        }
    }
    assert_true(cleared > 0);
}

static void ends_with(const char *reason, const char *end) {
    const size_t length = strlen(reason), ending = strlen(end);
    assert_true(length > ending);
    assert_string_equal(reason + length - ending, end);
}

static void it_is_told(void **state) {
    static const struct {
        double change;
        det_counts counts;
        const char *ends;
    } cases[] = {
        {60, DET_COUNTS_NONE, ": confirmed"},
        {60, DET_COUNTS_WITH, ": confirmed; its instructions moved with it"},
        {60, DET_COUNTS_AGAINST, ": confirmed; its instructions went the other way"},
        {-60, DET_COUNTS_AGAINST, ": confirmed; its instructions moved with it"},
        {-60, DET_COUNTS_WITH, ": confirmed; its instructions went the other way"},
        {60, DET_COUNTS_SAME, ": confirmed; its instructions did not change"},
        {60, DET_COUNTS_EQUAL, ": confirmed; its instructions did not change"},
        {0, DET_COUNTS_SAME, ": cleared; its instructions did not change"},
        {0, DET_COUNTS_EQUAL, ": cleared; its instructions did not change"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t seed = 3;
        ends_with(session(20, cases[i].change, 0, cases[i].counts, &seed).reason, cases[i].ends);
    }
}

static void it_is_told_of_bytes(void **state) {
    static const double before[] = {1000, 1001, 1002}, after[] = {2000, 2001, 2002};
    const det_confirm_sample s = {.before = before, .after = after, .loops = 3};
    const det_confirm_question asked = {.name = "I",
                                        .expected = 900,
                                        .level = 0.95,
                                        .counts = DET_COUNTS_WITH,
                                        .counted = det_dimension_find("bytes")};
    det_confirm_policy policy;
    det_confirm_result r;
    (void)state;
    det_confirm_policy_init(&policy);
    assert_int_equal(det_confirm_judge(&r, &policy, &asked, &s), DET_OK);
    ends_with(r.reason, "; its allocated bytes moved with it");
}

static det_interval at(double mean) {
    return (det_interval){.mean = mean, .low = mean, .high = mean, .n = 2};
}

static void what_counts_say(void **state) {
    static const struct {
        const char *counted;
        double before, after;
        int direction;
        det_counts says;
    } cases[] = {
        {"instructions", 2000, 2010, 1, DET_COUNTS_WITH},
        {"instructions", 2000, 2009, 1, DET_COUNTS_SAME},
        {"instructions", 2000, 2001, -1, DET_COUNTS_SAME},
        {"instructions", 2000, 2000.4, 1, DET_COUNTS_EQUAL},
        {"instructions", 2000, 1999.6, 1, DET_COUNTS_EQUAL},
        {"instructions", 2000, 1990, -1, DET_COUNTS_WITH},
        {"instructions", 2000, 1990, 1, DET_COUNTS_AGAINST},
        {"instructions", 2000, (double)NAN, 1, DET_COUNTS_NONE},
        {"instructions", (double)NAN, 2000, 1, DET_COUNTS_NONE},
        {"bytes", 200, 202, 1, DET_COUNTS_WITH},
        {"bytes", 200, 202, -1, DET_COUNTS_AGAINST},
        {"bytes", 200, 200, 1, DET_COUNTS_NONE}, /* a call may take longer all the same */
        {"unheard", 200, 300, 1, DET_COUNTS_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det_interval before = at(cases[i].before), after = at(cases[i].after);
        assert_int_equal(det_counts_say(det_dimension_find(cases[i].counted), &before, &after,
                                        cases[i].direction),
                         cases[i].says);
    }
    const det_interval wavers = {.mean = 2000, .low = 1999, .high = 2001, .n = 2};
    assert_int_equal(det_counts_say(det_dimension_find("instructions"), &wavers, &wavers, 1),
                     DET_COUNTS_SAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_settles_what_loops_cannot),
        cmocka_unit_test(it_clears_nothing),
        cmocka_unit_test(it_proves_nothing_by_itself),
        cmocka_unit_test(it_is_told),
        cmocka_unit_test(it_is_told_of_bytes),
        cmocka_unit_test(equal_work_is_cleared_sooner),
        cmocka_unit_test(equal_work_clears_nothing_that_the_loops_show),
        cmocka_unit_test(what_counts_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
