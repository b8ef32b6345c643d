/* The changes under suspicion: what a portion is made of, and which suspicion is the strongest. */
#include "tests/unit/test.h"

#include <math.h>

#include "detector/detector.h"
#include "detector/watch/watch__.h"
#include "tests/unit/detector/luck.h"
#include "tests/unit/detector/watch/nights.h"

/* T -> I -> C -> {W Zipkin, W Prometheus}: two writers over one parent. */
static det_chain two_writers(void) {
    det_chain chain;
    chain_classic(&chain);
    assert_int_equal(det_chain_add(&chain, "W Prometheus", C), DET_OK);
    return chain;
}

static void a_portion_is_a_difference_to_its_parent(void **state) {
    (void)state;
    const det_chain chain = two_writers();
    const double levels[] = {100, 130, 180, 300, 250};
    static const double portions[] = {100, 30, 50, 120, 70};
    for (size_t p = 0; p < chain.count; p++)
        assert_true(det__difference(&chain, levels, p) == portions[p]);
}

static void what_lies_under_a_portion_moves_with_it(void **state) {
    (void)state;
    const det_chain chain = two_writers();
    static const char *const under[] = {"11111", "01111", "00111", "00010", "00001"};
    for (size_t p = 0; p < chain.count; p++)
        for (size_t c = 0; c < chain.count; c++)
            assert_int_equal(det__under(&chain, c, p), under[p][c] == '1');
}

/* Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b), over random covariances. */
static void the_variance_of_a_difference(void **state) {
    (void)state;
    const det_chain chain = two_writers();
    const size_t n = chain.count;
    uint64_t seed = 3;
    for (int round = 0; round < 100; round++) {
        double root[5][5], filter[DET__FILTER_MAX] = {0};
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                root[i][k] = luck_normal(&seed);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                for (size_t m = 0; m < n; m++)
                    filter[n + i * n + k] += root[i][m] * root[k][m];
        for (size_t p = 0; p < n; p++) {
            double expected = 0;
            for (size_t m = 0; m < n; m++) {
                const double weight =
                    root[p][m] - (chain.parent[p] < 0 ? 0 : root[(size_t)chain.parent[p]][m]);
                expected += weight * weight;
            }
            const double found = det__difference_variance(&chain, filter, p);
            assert_true(fabs(found - expected) <= 1e-12 * fmax(1, expected));
        }
    }
}

static void put(det_watch *watch, uint64_t portion, uint64_t start, double evidence) {
    watch->bank[watch->changes++] =
        (det__change){.portion = portion, .start = start, .evidence = evidence};
}

static void the_strongest_suspicion_of_each_kind(void **state) {
    (void)state;
    det_watch *watch = classic();
    put(watch, I, 10, 2);
    put(watch, I, 14, 5);
    put(watch, I, 20, 5); /* as strong and younger */
    put(watch, C, 12, 1);
    put(watch, DET__SCALE, 15, 3);
    put(watch, DET__ALONE + T, 16, 4);
    put(watch, DET__ALONE + C, 17, 6);
    det__find_best(watch);
    assert_int_equal(det__strongest(watch, I, 0, 100), 2);
    assert_int_equal(det__strongest(watch, C, 0, 100), 3);
    assert_int_equal(det__strongest(watch, W, 0, 100), -1);
    assert_int_equal(det__strongest(watch, DET__SCALE, 0, 100), 4);
    assert_int_equal(det__strongest(watch, DET__ALONE + T, 0, 100), 5);
    assert_int_equal(det__strongest(watch, DET__ALONE + C, 0, 100), 6);
    assert_int_equal(det__strongest(watch, DET__ALONE + I, 0, 100), -1);
    /* Only those that begin within the nights asked for: after the first, up to the last. */
    assert_int_equal(det__strongest(watch, I, 0, 19), 1);
    assert_int_equal(det__strongest(watch, I, 10, 13), -1);
    assert_int_equal(det__strongest(watch, I, 9, 13), 0);
    assert_int_equal(det__strongest(watch, I, 20, 100), -1);
    det_watch_free(watch);
}

/* The best that is kept beside the bank is what a walk through the bank finds. */
static void what_is_kept_is_what_a_walk_finds(void **state) {
    (void)state;
    uint64_t seed = 8;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int n = 0; n < 120; n++) {
        const double portions[] = {70, n < 60 ? 500 : 530, n < 80 ? 900 : 880, 2500};
        add(watch, n + 1, portions, .004, &seed, v);
        static const uint64_t kinds[] = {
            T, I, C, W, DET__SCALE, DET__ALONE + T, DET__ALONE + I, DET__ALONE + C};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            int best = -1;
            for (int i = 0; i < (int)watch->changes; i++) {
                const det__change *a = &watch->bank[i];
                if (a->portion == kinds[k] &&
                    (best < 0 || a->evidence > watch->bank[best].evidence ||
                     (a->evidence == watch->bank[best].evidence &&
                      a->start > watch->bank[best].start)))
                    best = i;
            }
            assert_int_equal(det__strongest(watch, kinds[k], 0, watch->nights), best);
        }
    }
    det_watch_free(watch);
}

static void the_bank_never_overflows(void **state) {
    (void)state;
    uint64_t seed = 21;
    det_verdict v[PORTIONS];
    det_watch *watch = classic();
    for (int n = 0; n < 400; n++) {
        /* A wild machine: every night looks like a change of something. */
        const double wild = n % 7 == 0 ? 1.3 : n % 5 == 0 ? .8 : 1;
        const double portions[] = {70 * wild, 500 / wild, 900 * wild * wild, 2500};
        add(watch, n + 1, portions, .01, &seed, v);
        assert_true(watch->changes < DET__BANK);
        for (size_t i = 0; i < watch->changes; i++) {
            assert_true(watch->bank[i].start < watch->nights);
            assert_true(watch->nights - watch->bank[i].start <= DET__BELIEFS);
            assert_true(!isnan(watch->bank[i].evidence));
        }
    }
    det_watch_free(watch);
}

static void what_was_cleared_is_forgotten_and_rests(void **state) {
    (void)state;
    det_watch *watch = classic();
    put(watch, I, 3, 6);
    put(watch, I, 4, -2);
    put(watch, C, 4, 6);
    put(watch, DET__ALONE + I, 4, 3);
    put(watch, DET__ALONE + T, 4, 3);
    det__clear(watch, I, 9, true);
    assert_true(watch->bank[3].evidence == -1 && watch->bank[4].evidence == 3);
    assert_true(watch->bank[0].evidence == -1 && watch->bank[1].evidence == -3);
    assert_true(watch->bank[2].evidence == 6);
    assert_int_equal(watch->rest[I], 13); /* three nights after this one */
    assert_int_equal(watch->rest[C], 0);
    det__clear(watch, C, 9, false); /* not known: nothing speaks against it */
    assert_true(watch->bank[2].evidence == 0);
    det_watch_free(watch);
}

/* Of unrelated benchmarks I rises after two nights, which nights tell a week later and date back; C
 * after four, which the sixth tells. C's level went back to what it was before, its nights were so
 * far from it for good, and it was taken to scatter so: by a third of its level. */
static void what_was_told_is_so_still_when_an_earlier_change_is(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    chain.control = chain.parent[I] = chain.parent[C] = chain.parent[W] = -1;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    int later = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        int64_t told[PORTIONS] = {0};
        det_watch *watch = det_watch_new(&chain, &policy);
        for (int64_t night = 1; night <= 40; night++) {
            const double levels[] = {50, night < 3 ? 70 : 84, night < 5 ? 90 : 135, 110};
            double means[PORTIONS];
            det_verdict v[PORTIONS];
            for (int p = 0; p < PORTIONS; p++)
                means[p] = levels[p] * (1 + .01 * noise(&luck));
            const det_night values = {.id = night, .loops = 1, .means = means};
            assert_int_equal(det_watch_add(watch, &values, v), DET_OK);
            for (int p = 0; p < PORTIONS; p++)
                told[p] = v[p].verdict == DET_VERDICT_ANOMALY ? night : told[p];
        }
        assert_true(told[C] == 6 && told[I] >= 6);
        later += told[I] > told[C];
        for (int p = 0; p < PORTIONS; p++)
            assert_true(watch->spread[p].usual < .02);
        assert_true(fabs(watch->base[C] / 135 - 1) < .02);
        det_watch_free(watch);
    }
    assert_true(later > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_portion_is_a_difference_to_its_parent),
        cmocka_unit_test(what_lies_under_a_portion_moves_with_it),
        cmocka_unit_test(the_variance_of_a_difference),
        cmocka_unit_test(the_strongest_suspicion_of_each_kind),
        cmocka_unit_test(what_is_kept_is_what_a_walk_finds),
        cmocka_unit_test(the_bank_never_overflows),
        cmocka_unit_test(what_was_cleared_is_forgotten_and_rests),
        cmocka_unit_test(what_was_told_is_so_still_when_an_earlier_change_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
