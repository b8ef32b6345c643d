#include "tests/unit/runner/test.h"

#include "runner/measure/order.h"

#include <string.h>

static void test_is_a_permutation_for_every_size(void **state) {
    (void)state;
    for (size_t n = 0; n <= 64; n++) {
        unsigned order[64];
        bool seen[64] = {false};
        run_order_shuffle(7, 1, n, order);
        for (size_t i = 0; i < n; i++) {
            assert_true(order[i] < n);
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
    }
}

/* Known answer: SplitMix64 and Fisher-Yates, computed independently in Python:
 *   M=2**64-1
 *   def nxt(s): s[0]=(s[0]+0x9e3779b97f4a7c15)&M; z=s[0]; z=((z^(z>>30))*0xbf58476d1ce4e5b9)&M
 *               z=((z^(z>>27))*0x94d049bb133111eb)&M; return z^(z>>31)
 *   def order(seed,rnd,n): s=[seed]; s=[nxt(s)^rnd]; o=list(range(n))
 *     for i in range(n,1,-1): j=nxt(s)%i; o[i-1],o[j]=o[j],o[i-1]
 * (the rejection of incomplete blocks does not occur for these) */
static void test_known_answers(void **state) {
    (void)state;
    const struct {
        uint64_t seed;
        unsigned round, expected[6];
    } cases[] = {{0, 1, {5, 1, 0, 2, 3, 4}},
                 {42, 1, {5, 0, 1, 2, 4, 3}},
                 {42, 2, {2, 4, 3, 1, 5, 0}},
                 {9223372036854775807, 10, {2, 3, 1, 0, 4, 5}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned order[6];
        run_order_shuffle(cases[i].seed, cases[i].round, 6, order);
        assert_memory_equal(order, cases[i].expected, sizeof order);
    }
}

/* 24 orders of 4; each expected 1000 times in 24000 rounds. 24 degrees of freedom less one:
 * chi-squared above 60 has probability below 5e-5. The seed is fixed: no luck involved. */
static void test_all_orders_are_about_as_frequent(void **state) {
    (void)state;
    unsigned count[256] = {0};
    for (unsigned round = 1; round <= 24000; round++) {
        unsigned o[4];
        run_order_shuffle(2013, round, 4, o);
        count[o[0] * 64 + o[1] * 16 + o[2] * 4 + o[3]]++;
    }
    double chi2 = 0;
    unsigned kinds = 0;
    for (unsigned i = 0; i < 256; i++) {
        if (count[i] > 0) {
            kinds++;
            chi2 += ((double)count[i] - 1000) * ((double)count[i] - 1000) / 1000;
        }
    }
    assert_int_equal(kinds, 24);
    assert_true(chi2 < 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_a_permutation_for_every_size),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_all_orders_are_about_as_frequent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
