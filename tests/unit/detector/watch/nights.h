#pragma once
/* Nights of four portions and five loops, made up with a seed, for the tests of the watch. */
#include "tests/unit/test.h"

#include <stdlib.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"

#define PORTIONS 4
#define LOOPS 5

enum { T, I, C, W };

/* A seeded normal deviate: sum of uniforms is good enough for five loops. */
static inline double noise(uint64_t *seed) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

/* Loop means of a night with the given portions and coefficient of variation. */
static inline void night_of(double *means, const double *portions, double cv, uint64_t *seed) {
    double level = 0;
    for (int c = 0; c < PORTIONS; c++) {
        level += portions[c];
        for (int l = 0; l < LOOPS; l++)
            means[c * LOOPS + l] = level * (1 + cv * noise(seed));
    }
}

static inline det_watch *classic(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    return det_watch_new(&chain, &policy);
}

/* Suspicions are measured again. */
static inline det_watch *remeasuring(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.remeasure = 1;
    return det_watch_new(&chain, &policy);
}

/* Of nights whose values nobody can measure again, one a night. */
static inline det_watch *imported(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.minimum_loops = 1;
    return det_watch_new(&chain, &policy);
}

/* Of unrelated benchmarks, say: no portion is the method's own time. */
static inline det_watch *uncontrolled(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    chain.control = -1;
    return det_watch_new(&chain, &policy);
}

/* The whole state, to be freed. */
static inline unsigned char *saved(const det_watch *watch, size_t *size) {
    *size = det_watch_save(watch, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(det_watch_save(watch, bytes, *size), *size);
    return bytes;
}

static inline void add(det_watch *watch, int64_t id, const double *portions, double cv,
                       uint64_t *seed, det_verdict *out) {
    double means[PORTIONS * LOOPS];
    night_of(means, portions, cv, seed);
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    assert_int_equal(det_watch_add(watch, &night, out), DET_OK);
}
