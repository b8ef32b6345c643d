#pragma once
/*
 * noise - how much time a busy thread loses to everything else on a processor.
 *
 * A thread that does nothing but read the clock sees a gap whenever something else ran in its
 * place: interrupts, other threads, the hypervisor, the firmware. The sum of the gaps is what a
 * benchmark there would lose, and what no statistics gives back.
 */
#include <stddef.h>
#include <stdint.h>

#define RUN_NOISE_GAP_NS                                                                           \
    2000 /* longer than any look at the clock, shorter than any interrupt's work */

typedef struct {
    double seconds;
    uint64_t gaps; /* longer than RUN_NOISE_GAP_NS */
    uint64_t longest_ns;
    double lost_ppm; /* the score: time lost, per million */
} run_noise;

#define RUN_NOISE_SILENT_PPM 100
#define RUN_NOISE_QUIET_PPM 1000
#define RUN_NOISE_FAIR_PPM 10000

/* run_noise_measure - spins for so many milliseconds on one processor; -1: wherever it is. */
run_noise run_noise_measure(int cpu, int64_t ms);

/* run_noise_of - the same from given clock values. ns: [n] ascending. */
run_noise run_noise_of(const uint64_t *ns, size_t n);

/* run_noise_word - "silent", "quiet", "fair" or "noisy": what the score means; static. */
const char *run_noise_word(double lost_ppm);
