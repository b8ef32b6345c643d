#include "runner/moobench/c/monitored.h"

__attribute__((noinline)) int64_t moobench_monitored_method(int64_t method_time_ns, int depth) {
    if (depth > 1)
        return moobench_monitored_method(method_time_ns, depth - 1);
    int64_t exit_ns = moobench_clock_ns() + method_time_ns;
    int64_t now_ns;
    do {
        now_ns = moobench_clock_ns();
    } while (now_ns < exit_ns);
    return now_ns;
}
