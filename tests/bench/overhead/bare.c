/* bare CALLS - what a call of the monitored method costs by itself, in ns: many calls between two
 * looks at the clock, so that the harness's own share vanishes. The first half is warm-up. */
#include "runner/moobench/c/monitored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t calls_run(int64_t calls) {
    int64_t last_ns = 0;
    for (int64_t i = 0; i < calls; i++)
        last_ns = moobench_monitored_method(0, 1);
    return last_ns;
}

int main(int argc, char **argv) {
    int64_t half = (argc > 1 ? strtoll(argv[1], NULL, 10) : 2000000) / 2;
    if (half < 1)
        return 2;
    calls_run(half);
    int64_t start_ns = moobench_clock_ns();
    calls_run(half);
    printf("%.4f\n", (double)(moobench_clock_ns() - start_ns) / (double)half);
    return 0;
}
