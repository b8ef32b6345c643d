#pragma once
#include "detector/statistics/portion.h"

/* none, deactivated, collecting, writing: T, I, C, W; control T. */
static inline void chain_classic(det_chain *chain) {
    static const char *const names[] = {"T", "I", "C", "W"};
    det_chain_init(chain);
    for (int i = 0; i < 4; i++)
        (void)det_chain_add(chain, names[i], i - 1);
}
