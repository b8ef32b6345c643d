/* confirm with a witness: what instructions say of a change of time, and what they must not. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/watch/confirm.h"
#include "tests/unit/detector/luck.h"

#define LOOPS_MAX 600
#define SPREAD 30.0 /* between loops of a portion of 1000 */

static det_confirm_result session(double change, double effect, det_witness witness,
                                  uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX];
    det_confirm_policy policy;
    det_confirm_result r = {.state = DET_CONFIRM_MORE};
    const det_confirm_question question = {
        .name = "I", .expected = 20, .effect_absolute = effect, .level = 0.95, .witness = witness};
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
} answers;

static answers answers_of(double change, double effect, det_witness witness, unsigned sessions) {
    answers all = {{0}};
    uint64_t seed = 7;
    for (unsigned i = 0; i < sessions; i++)
        all.state[session(change, effect, witness, &seed).state]++;
    return all;
}

/* A change of three standard errors at 600 loops: what loops alone leave undecided it decides, and
 * nothing else. */
static void it_settles_what_loops_cannot(void **state) {
    (void)state;
    enum { SESSIONS = 200 };
    const answers alone = answers_of(5, 0, DET_WITNESS_NONE, SESSIONS);
    const answers with = answers_of(5, 0, DET_WITNESS_WITH, SESSIONS);
    assert_in_range(alone.state[DET_CONFIRM_UNDECIDED], 10, SESSIONS);
    assert_int_equal(with.state[DET_CONFIRM_NO], alone.state[DET_CONFIRM_NO]);
    assert_int_equal(with.state[DET_CONFIRM_UNDECIDED], 0);
}

/* Time can change without instructions: neither kind of witness takes an answer away. */
static void it_clears_nothing(void **state) {
    static const double changes[] = {0, 5, 20, 60};
    static const det_witness kinds[] = {DET_WITNESS_SAME, DET_WITNESS_AGAINST};
    (void)state;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        const answers alone = answers_of(changes[c], 0, DET_WITNESS_NONE, 100);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const answers so = answers_of(changes[c], 0, kinds[k], 100);
            assert_memory_equal(&so, &alone, sizeof so);
        }
    }
}

/* Where the time is the same, more instructions make no change of time: not more often than the
 * test may err. Nor do they where the change is below what matters. */
static void it_proves_nothing_by_itself(void **state) {
    (void)state;
    assert_in_range(answers_of(0, 0, DET_WITNESS_WITH, 2000).state[DET_CONFIRM_YES], 0, 8);
    const answers alone = answers_of(5, 10, DET_WITNESS_NONE, 200);
    const answers with = answers_of(5, 10, DET_WITNESS_WITH, 200);
    assert_memory_equal(&with, &alone, sizeof with);
}

static void it_is_told(void **state) {
    static const struct {
        double change;
        det_witness witness;
        const char *ends;
    } cases[] = {
        {60, DET_WITNESS_NONE, ": confirmed"},
        {60, DET_WITNESS_WITH, ": confirmed; its instructions moved with it"},
        {60, DET_WITNESS_AGAINST, ": confirmed; its instructions went the other way"},
        {60, DET_WITNESS_SAME, ": confirmed; its instructions did not change: layout or machine"},
        {0, DET_WITNESS_SAME, ": not confirmed; its instructions did not change"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t seed = 3;
        const det_confirm_result r = session(cases[i].change, 0, cases[i].witness, &seed);
        const size_t length = strlen(r.reason), end = strlen(cases[i].ends);
        assert_true(length > end);
        assert_string_equal(r.reason + length - end, cases[i].ends);
    }
}

static det_interval at(double mean) {
    return (det_interval){.mean = mean, .low = mean, .high = mean, .n = 2};
}

static void what_instructions_say(void **state) {
    static const struct {
        double before, after;
        int direction;
        det_witness says;
    } cases[] = {
        {2000, 2010, 1, DET_WITNESS_WITH},        {2000, 2009, 1, DET_WITNESS_SAME},
        {2000, 1990, -1, DET_WITNESS_WITH},       {2000, 1990, 1, DET_WITNESS_AGAINST},
        {2000, (double)NAN, 1, DET_WITNESS_NONE}, {(double)NAN, 2000, 1, DET_WITNESS_NONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const det_interval before = at(cases[i].before), after = at(cases[i].after);
        assert_int_equal(det_witness_of(&before, &after, cases[i].direction), cases[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_settles_what_loops_cannot), cmocka_unit_test(it_clears_nothing),
        cmocka_unit_test(it_proves_nothing_by_itself),  cmocka_unit_test(it_is_told),
        cmocka_unit_test(what_instructions_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
