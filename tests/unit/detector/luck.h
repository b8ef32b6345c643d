#pragma once
/* luck - seeded chance for tests: the same numbers in every run. Knuth's 64-bit generator, MMIX. */
#include <math.h>
#include <stdint.h>

static inline double luck_uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller 1958. */
static inline double luck_normal(uint64_t *seed) {
    const double radius = sqrt(-2 * log(luck_uniform(seed)));
    return radius * cos(6.283185307179586 * luck_uniform(seed));
}
