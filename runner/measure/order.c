#include "runner/measure/order.h"

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in 0 … bound-1, bound ≥ 1; values of the incomplete last block are drawn again. */
static uint64_t below(uint64_t *state, uint64_t bound) {
    uint64_t skip = (UINT64_MAX - bound + 1) % bound;
    uint64_t value;
    do {
        value = next(state);
    } while (value < skip);
    return value % bound;
}

void run_order_shuffle(uint64_t seed, unsigned round, size_t n, unsigned *order) {
    uint64_t state = seed;
    state = next(&state) ^ round;
    for (size_t i = 0; i < n; i++)
        order[i] = (unsigned)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)below(&state, i);
        unsigned moved = order[i - 1];
        order[i - 1] = order[j];
        order[j] = moved;
    }
}
