#pragma once
/* clock - the monotonic clock in nanoseconds, for what GLib's microseconds are too coarse for. */
#include <stdint.h>
#include <time.h>

static inline uint64_t run_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}
