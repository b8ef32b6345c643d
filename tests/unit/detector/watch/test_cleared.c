/* What was cleared once more is of no commit: the level is what the nights say. */
#include "nights.h"

#include <math.h>

#include "detector/watch/watch__.h"

static const double usual[] = {84, 337, 740, 1610};

typedef struct {
    int asked;     /* suspicions of nights that no commit changed, */
    int late, off; /* from the seventh night on; references far off, likewise */
    int missed;    /* histories in which C's rise in the last night is not suspected */
    double spread; /* the widest that was learnt by then */
} answers;

/* Of one portion the first nights are so many times as much, and what lies on top of it takes so
 * much less. */
typedef struct {
    int64_t nights;
    size_t portion;
    double times;
} odd;

static void night_with(det_watch *watch, int64_t night, odd of, uint64_t *luck, det_verdict *v) {
    double now[] = {usual[T], usual[I], usual[C], usual[W]};
    if (night <= of.nights)
        now[of.portion] *= of.times;
    if (night <= of.nights && of.portion < W)
        now[of.portion + 1] += (1 - of.times) * usual[of.portion];
    now[C] *= night == of.nights + 20 ? 1.05 : 1;
    add(watch, night, now, 0.006, luck, v);
}

/* Nineteen nights after them in which no commit changed anything, then C rises by 5 %. */
static answers after(odd first) {
    answers of = {0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        det_watch *watch = remeasuring();
        for (int64_t night = 1; night < first.nights + 20; night++) {
            const bool late = night > first.nights + 5;
            det_verdict v[PORTIONS];
            night_with(watch, night, first, &luck, v);
            for (size_t i = 0; i < PORTIONS; i++) {
                const bool asked = v[i].verdict == DET_VERDICT_SUSPECT;
                of.asked += asked;
                of.late += asked && late;
                of.off += late && fabs(v[i].reference.mean / usual[i] - 1) > 0.05;
                of.spread = fmax(of.spread, late ? watch->spread[i].usual : 0);
                if (asked)
                    assert_int_equal(det_watch_resolve(watch, i, v[i].to, DET_CLEARED), DET_OK);
            }
        }
        det_verdict v[PORTIONS];
        night_with(watch, first.nights + 20, first, &luck, v);
        of.missed += v[C].verdict != DET_VERDICT_SUSPECT;
        det_watch_free(watch);
    }
    return of;
}

static void expect_followed(answers of, int asked) {
    assert_in_range(of.asked, 0, asked);
    assert_in_range(of.late, 0, 10);
    assert_int_equal(of.off, 0);
    assert_int_equal(of.missed, 0);
    assert_true(of.spread < 0.02);
}

/* Before, C's or W's reference was off in each of the 280 late nights, and the spreads were 0.18 to
 * 0.56 instead of 0.006: of C's rises 8 and 13 of 20 passed for noise. */
static void a_first_night_far_out_is_soon_no_reference(void **state) {
    (void)state;
    const odd first[] = {{1, C, 0.2}, {1, C, 0.4}, {1, W, 0.4}, {1, I, 1.9}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        expect_followed(after(first[i]), 110);
}

/* Before, 271 to 621 suspicions: a trial nearly each night for two weeks. */
static void nor_is_a_level_that_no_commit_ended(void **state) {
    (void)state;
    const odd first[] = {{12, C, 0.6}, {12, W, 1.4}, {12, I, 1.3}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        expect_followed(after(first[i]), 130);
}

/* One trial in ten clears a small change by chance: W, 4 % dearer since night 21 and cleared twice,
 * is suspected again, against what it was. */
static void what_a_trial_may_miss_is_asked_again(void **state) {
    (void)state;
    int followed = 0, asked = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        int cleared = 0;
        det_watch *watch = remeasuring();
        for (int64_t night = 1; night <= 30; night++) {
            const double now[] = {usual[T], usual[I], usual[C], (night > 20 ? 1.04 : 1) * usual[W]};
            det_verdict v[PORTIONS];
            add(watch, night, now, 0.003, &luck, v);
            const bool again = night > 20 && v[W].verdict == DET_VERDICT_SUSPECT;
            followed += night == 30 && v[W].reference.mean > 1.02 * usual[W];
            asked += again && cleared >= 2;
            cleared += again;
            for (size_t i = 0; i < PORTIONS; i++)
                if (v[i].verdict == DET_VERDICT_SUSPECT && (i != W || night <= 20 || cleared <= 2))
                    (void)det_watch_resolve(watch, i, v[i].to, DET_CLEARED);
        }
        det_watch_free(watch);
    }
    assert_int_equal(followed, 0);
    assert_in_range(asked, 100, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_night_far_out_is_soon_no_reference),
        cmocka_unit_test(nor_is_a_level_that_no_commit_ended),
        cmocka_unit_test(what_a_trial_may_miss_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
