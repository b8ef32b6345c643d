/* What is dropped of recorded processes, and how often chance has a say in it. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/statistics/warmup.h"
#include "tests/unit/detector/luck.h"

#define CALLS 10000u

static double calls[CALLS];

/* The first `cold` calls take twice as long; calls scatter by a tenth. */
static void process(uint64_t *seed, size_t cold) {
    for (size_t i = 0; i < CALLS; i++)
        calls[i] = (i < cold ? 200 : 100) + 10 * luck_normal(seed);
}

static size_t chosen(uint64_t *seed, unsigned processes, size_t cold) {
    det_warmup sum;
    memset(&sum, 0, sizeof sum);
    for (unsigned p = 0; p < processes; p++) {
        process(seed, cold);
        assert_int_equal(det_warmup_add(&sum, calls, CALLS), DET_OK);
    }
    assert_int_equal(sum.processes, processes);
    return det_warmup_choose(&sum);
}

static void shares_are_whole_calls(void **state) {
    (void)state;
    assert_int_equal(det_warmup_calls(0, CALLS), 100);
    assert_int_equal(det_warmup_calls(8, CALLS), 5000);
    for (size_t i = 1; i < DET_WARMUP_SHARES; i++)
        assert_true(det_warmup_share[i] > det_warmup_share[i - 1]);
}

/* The least share that covers the cold calls, in at least 9 of 10 pilots; never less. */
static void cold_calls_are_dropped_and_no_more(void **state) {
    (void)state;
    static const struct {
        size_t cold, share;
    } cases[] = {{0, 0}, {90, 0}, {900, 3}, {2500, 6}, {4500, 8}};
    uint64_t seed = 2010;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned exact = 0;
        for (unsigned pilot = 0; pilot < 20; pilot++) {
            const size_t share = chosen(&seed, 5, cases[i].cold);
            assert_true(share >= cases[i].share);
            exact += share == cases[i].share;
        }
        assert_true(exact >= 18);
    }
}

static void what_never_settles_has_no_warmup(void **state) {
    (void)state;
    uint64_t seed = 7;
    assert_int_equal(chosen(&seed, 5, 8500), DET_WARMUP_SHARES);
}

/* One slow starter among five decides for all. */
static void every_process_must_settle(void **state) {
    (void)state;
    det_warmup sum;
    memset(&sum, 0, sizeof sum);
    uint64_t seed = 11;
    for (unsigned p = 0; p < 5; p++) {
        process(&seed, p == 3 ? 2500 : 0);
        assert_int_equal(det_warmup_add(&sum, calls, CALLS), DET_OK);
    }
    assert_int_equal(sum.settled[0], 4);
    assert_int_equal(det_warmup_choose(&sum), 6);
}

/* A host that slows two of five processes by 45 per cent from their start makes no warm-up longer:
   the median process and the length of single calls tell it from a cold start. */
static void a_slow_host_is_no_cold_start(void **state) {
    (void)state;
    uint64_t seed = 19;
    unsigned exact = 0;
    for (unsigned pilot = 0; pilot < 20; pilot++) {
        det_warmup sum;
        memset(&sum, 0, sizeof sum);
        for (unsigned p = 0; p < 5; p++) {
            process(&seed, 900);
            for (size_t i = 0; i < CALLS; i++)
                if ((p == 1 && i < 4000) || (p == 4 && i > 7000))
                    calls[i] *= 1.45;
            assert_int_equal(det_warmup_add(&sum, calls, CALLS), DET_OK);
        }
        assert_true(det_warmup_choose(&sum) >= 3);
        exact += det_warmup_choose(&sum) == 3;
        assert_true(sum.settled[3] <= 3); /* told all the same */
    }
    assert_true(exact >= 18);
}

static void few_processes_or_calls_say_nothing(void **state) {
    (void)state;
    det_warmup sum;
    memset(&sum, 0, sizeof sum);
    uint64_t seed = 3;
    assert_int_equal(det_warmup_choose(&sum), DET_WARMUP_SHARES);
    assert_int_equal(chosen(&seed, 2, 0), DET_WARMUP_SHARES);
    process(&seed, 0);
    assert_int_equal(det_warmup_add(&sum, calls, 600), DET_ESHORT); /* 180 left after 70 % */
    calls[9999] = NAN;
    assert_int_equal(det_warmup_add(&sum, calls, CALLS), DET_ENUMERIC);
    assert_int_equal(sum.processes, 0);
    assert_int_equal(sum.settled[0], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_whole_calls),
        cmocka_unit_test(cold_calls_are_dropped_and_no_more),
        cmocka_unit_test(what_never_settles_has_no_warmup),
        cmocka_unit_test(every_process_must_settle),
        cmocka_unit_test(a_slow_host_is_no_cold_start),
        cmocka_unit_test(few_processes_or_calls_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
