/* A damaged state, its checksum put right: restored or refused, and what is restored can be
 * used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/unit/detector/chain.h"

#define CONFIGURATIONS 4
#define LOOPS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add(det_watch *watch, int64_t id) {
    double means[CONFIGURATIONS * LOOPS];
    det_verdict v[CONFIGURATIONS];
    for (int i = 0; i < CONFIGURATIONS * LOOPS; i++)
        means[i] = 100 * (1 + floor((double)i / LOOPS)) + (double)((id * 7 + i * 3) % 5);
    const det_night night = {.id = id, .loops = LOOPS, .means = means};
    (void)det_watch_add(watch, &night, v);
}

/* The state's own checksum (FNV-1a over words of 8 bytes, without the last; little-endian). */
static void checksum(unsigned char *bytes, size_t size) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i + 8 < size; i += 8) {
        uint64_t word = 0;
        for (unsigned b = 0; b < 8; b++)
            word |= (uint64_t)bytes[i + b] << (8 * b);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    for (unsigned i = 0; i < 8; i++)
        bytes[size - 8 + i] = (unsigned char)(hash >> (8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    det_watch *watch = det_watch_new(&chain, &policy);
    if (!watch)
        return 0;
    for (int n = 0; n < 20; n++)
        add(watch, n);
    const size_t all = det_watch_save(watch, NULL, 0);
    unsigned char *bytes = malloc(all);
    if (bytes && det_watch_save(watch, bytes, all) == all) {
        /* Four bytes of input: two of place, one of what to change, one of how. */
        for (size_t at = 0; at + 4 <= size; at += 4) {
            const size_t place = ((size_t)data[at] << 8 | data[at + 1]) * 8 % (all - 8);
            bytes[place + data[at + 2] % 8] ^= data[at + 3];
        }
        checksum(bytes, all);
        det_watch *again = det_watch_restore(&chain, &policy, bytes, all);
        for (int n = 20; again && n < 25; n++)
            add(again, n);
        det_watch_free(again);
    }
    free(bytes);
    det_watch_free(watch);
    return 0;
}
