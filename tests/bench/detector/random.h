#pragma once
/* random - a seeded generator (xoshiro256**, Blackman and Vigna 2018) and what is drawn from it. */
#include <stdint.h>

typedef struct {
    uint64_t state[4];
} bench_random;

void bench_random_init(bench_random *r, uint64_t seed);
double bench_uniform(bench_random *r);                          /* [0, 1) */
double bench_between(bench_random *r, double low, double high); /* [low, high) */
double bench_normal(bench_random *r);
double bench_t(bench_random *r, int df); /* Student's t, small whole df */
unsigned bench_below(bench_random *r, unsigned n);
