/* A watch written down and read again goes on as if nothing had happened. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <stdlib.h>

static void a_restored_watch_says_the_same(void **state) {
    (void)state;
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    uint64_t seed = 9;
    det_watch *whole = det_watch_new(&chain, &policy), *parts = det_watch_new(&chain, &policy);
    for (int n = 0; n < 150; n++) {
        const double portions[] = {70, 200, n < 80 ? 900 : 1100, 2500};
        double means[PORTIONS * LOOPS];
        det_verdict a[PORTIONS], b[PORTIONS];
        night_of(means, portions, 0.02, &seed);
        const det_night night = {.id = n, .loops = LOOPS, .means = means};
        assert_int_equal(det_watch_add(whole, &night, a), DET_OK);
        assert_int_equal(det_watch_add(parts, &night, b), DET_OK);
        for (int p = 0; p < PORTIONS; p++) {
            assert_int_equal(a[p].verdict, b[p].verdict);
            assert_string_equal(a[p].reason, b[p].reason);
        }
        size_t size;
        unsigned char *bytes = saved(parts, &size);
        det_watch_free(parts);
        if (n == 100) {
            bytes[size / 2] ^= 1;
            assert_null(det_watch_restore(&chain, &policy, bytes, size));
            bytes[size / 2] ^= 1;
            assert_null(det_watch_restore(&chain, &policy, bytes, size - 1));
        }
        parts = det_watch_restore(&chain, &policy, bytes, size);
        assert_non_null(parts);
        free(bytes);
    }
    det_watch_free(whole);
    det_watch_free(parts);
}

/* Its levels are of another statistic. */
static void another_trim_begins_anew(void **state) {
    (void)state;
    static const double portions[] = {70, 200, 900, 2500};
    uint64_t seed = 9;
    det_chain chain;
    det_policy policy;
    det_verdict v[PORTIONS];
    chain_classic(&chain);
    det_policy_init(&policy);
    for (det_trim trim = DET_TRIM_ENDS; trim <= DET_TRIM_SLOW; trim++) {
        policy.trim = trim;
        det_watch *watch = det_watch_new(&chain, &policy);
        add(watch, 1, portions, .01, &seed, v);
        size_t size;
        unsigned char *bytes = saved(watch, &size);
        det_watch_free(watch);
        watch = det_watch_restore(&chain, &policy, bytes, size);
        assert_non_null(watch);
        det_watch_free(watch);
        policy.trim = trim == DET_TRIM_ENDS ? DET_TRIM_SLOW : DET_TRIM_ENDS;
        assert_null(det_watch_restore(&chain, &policy, bytes, size));
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_watch_says_the_same),
        cmocka_unit_test(another_trim_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
