#pragma once
/* clock - the monotonic clock, read inline so that no activation beside the monitored one shows. */
#include <stdint.h>
#include <time.h>

__attribute__((always_inline, no_instrument_function)) static inline int64_t
moobench_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}
