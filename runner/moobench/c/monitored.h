#pragma once
/*
 * monitored - the method under observation, alone in its translation unit.
 *
 * moobench-instrumented has this one file compiled with -finstrument-functions: the compiler then
 * calls __cyg_profile_func_enter and _exit at each activation, and a preloaded monitoring library
 * gets them. Nothing else of the harness is instrumented.
 */
#include <stdint.h>

/**
 * moobench_monitored_method - recurse, then busy-wait on the monotonic clock.
 * method_time_ns  time the innermost activation waits, >= 0
 * depth           activations altogether, >= 1
 * Returns the clock's last value in ns, so that no compiler can leave the work out.
 */
int64_t moobench_monitored_method(int64_t method_time_ns, int depth);
