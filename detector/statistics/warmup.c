#include "detector/statistics/warmup.h"

#include "detector/statistics/steady.h"

const double det_warmup_share[DET_WARMUP_SHARES] = {.01, .02, .05, .1, .15, .2, .3, .4, .5, .7};

size_t det_warmup_calls(size_t share, size_t n) {
    return (size_t)(det_warmup_share[share] * (double)n);
}

det_status det_warmup_add(det_warmup *to, const double *x, size_t n) {
    det_warmup sum = *to;
    for (size_t i = 0; i < DET_WARMUP_SHARES; i++) {
        const size_t dropped = det_warmup_calls(i, n);
        det_steady steady;
        const det_status status = det_steady_of(&steady, x + dropped, n - dropped);
        if (status != DET_OK)
            return status;
        sum.settled[i] += steady.settled != 0;
    }
    sum.processes++;
    *to = sum;
    return DET_OK;
}

size_t det_warmup_choose(const det_warmup *of) {
    size_t i = of->processes >= DET_WARMUP_PROCESSES_MIN ? 0 : DET_WARMUP_SHARES;
    while (i < DET_WARMUP_SHARES && of->settled[i] < of->processes)
        i++;
    return i;
}
