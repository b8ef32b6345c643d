#include "tests/bench/detector/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x) {
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void bench_random_init(bench_random *r, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix(&seed);
}

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static uint64_t next(bench_random *r) {
    uint64_t *s = r->state;
    const uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double bench_uniform(bench_random *r) {
    return (double)(next(r) >> 11) / 9007199254740992.0;
}

double bench_between(bench_random *r, double low, double high) {
    return low + (high - low) * bench_uniform(r);
}

double bench_normal(bench_random *r) {
    const double u = 1 - bench_uniform(r), v = bench_uniform(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

double bench_t(bench_random *r, int df) {
    double squares = 0;
    for (int i = 0; i < df; i++) {
        const double z = bench_normal(r);
        squares += z * z;
    }
    return bench_normal(r) / sqrt(squares / df);
}

unsigned bench_below(bench_random *r, unsigned n) {
    return (unsigned)(bench_uniform(r) * n);
}
