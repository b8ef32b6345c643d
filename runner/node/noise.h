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

/*
 * speed - whether a processor works as fast as it can all of the time.
 *
 * Another virtual machine on the same physical core shares its units and caches: everything here
 * takes longer for a while, and no counter of this machine's kernel shows it. A small fixed piece
 * of work that keeps all units of a core busy, done over and over, does.
 */

#define RUN_SPEED_SLOW 1.1       /* times the shortest: a piece that was slowed */
#define RUN_SPEED_SHARE_MOST 0.1 /* slowed pieces, of all: more will be seen in the results */

typedef struct {
    size_t pieces;
    double slow_share; /* of the pieces that took RUN_SPEED_SLOW times the shortest, or longer */
    double times;      /* as long as the shortest, of the median one of these; 1: there is none */
} run_speed;

/* run_speed_measure - works for so many milliseconds on one processor; -1: wherever it is. */
run_speed run_speed_measure(int cpu, int64_t ms);

/* run_speed_of - the same from given durations, sorted in place. The shortest is the one that a
 * twentieth takes at most. */
run_speed run_speed_of(double *ns, size_t n);
