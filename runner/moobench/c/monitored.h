#pragma once
/*
 * monitored - the method under observation, alone in its translation unit.
 *
 * moobench-instrumented has this one file compiled with -finstrument-functions: the compiler then
 * calls __cyg_profile_func_enter and _exit at each activation, and a preloaded monitoring library
 * gets them. Nothing else of the harness is instrumented.
 */
#include <stdint.h>
#include <time.h>

/**
 * moobench_monitored_method - recurse, then busy-wait on the monotonic clock.
 * method_time_ns  time the innermost activation waits, >= 0
 * depth           activations altogether, >= 1
 * Returns the clock's last value in ns, so that no compiler can leave the work out.
 */
int64_t moobench_monitored_method(int64_t method_time_ns, int depth);

/* clock - the monotonic clock, read inline so that no activation beside the monitored one shows. */

__attribute__((always_inline, no_instrument_function)) static inline int64_t
moobench_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}
