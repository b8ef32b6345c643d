/* Any loop means as nights: verdicts stay within their kinds, and state survives each night. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"

#define CONFIGURATIONS 4
#define LOOPS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    det_chain chain;
    det_policy policy;
    double means[CONFIGURATIONS * LOOPS];
    det_verdict v[CONFIGURATIONS];
    if (size < 1)
        return 0;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 1 + (data[0] & 3);
    policy.remeasure = data[0] >> 2 & 1;
    policy.trim = data[0] >> 4 & 1 ? DET_TRIM_SLOW : DET_TRIM_ENDS;
    if (data[0] & 8)
        chain.control = -1;
    det_watch *watch = det_watch_new(&chain, &policy);
    if (!watch)
        return 0;
    int64_t id = 0;
    for (size_t at = 1; at + sizeof means / 4 <= size && id < 300; at += sizeof means / 4, id++) {
        for (int i = 0; i < CONFIGURATIONS * LOOPS; i++) {
            uint16_t x;
            memcpy(&x, data + at + 2 * i, sizeof x);
            means[i] = x == 65535 ? NAN : x == 65534 ? INFINITY : x < 64 ? x * 1e300 : x * 0.1;
        }
        const det_night night = {.id = id, .loops = LOOPS, .means = means};
        if (det_watch_add(watch, &night, v) != DET_OK)
            continue;
        for (size_t p = 0; p < CONFIGURATIONS; p++) {
            if (v[p].verdict > DET_VERDICT_SUSPECT || !memchr(v[p].reason, 0, DET_REASON_MAX))
                abort();
            if (v[p].verdict == DET_VERDICT_SUSPECT)
                (void)det_watch_resolve(watch, p, v[p].to, (det_outcome)(data[at] % 3));
        }
        det_watch *again = det_watch_anew(watch);
        if (!again)
            continue;
        det_watch_free(
            watch); /* goes on with later nights, as a caller without the first ones may */
        watch = again;
    }
    det_watch_free(watch);
    return 0;
}
