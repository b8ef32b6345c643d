#pragma once
/*
 * doctor - what this node is like, what would make it quieter, and how noisy it is now.
 *
 * Changes nothing. Examining and telling are apart, so that the findings can be tested.
 */
#include "runner/node/node.h"

#include <stddef.h>
#include <stdint.h>

/*
 * noise - how much time a busy thread loses to everything else on a processor.
 *
 * A thread that does nothing but read the clock sees a gap whenever something else ran in its
 * place: interrupts, other threads, the hypervisor, the firmware. The sum of the gaps is what a
 * benchmark there would lose, and what no statistics gives back.
 */

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

typedef struct {
    const char *name; /* of the knob */
    const char *explain;
    char *state; /* "already set", "can be set", "needs root", "absent" */
} run_doctor_knob;

typedef struct {
    json_t *machine;  /* run_machine_add */
    GArray *knobs;    /* run_doctor_knob */
    run_noise *noise; /* [noise_count], one per benchmark processor */
    run_speed *speed; /* [noise_count] */
    int *noise_cpu;
    unsigned noise_count;
    double others_cpu_percent; /* while listening */
    double steal_percent;
    char *busiest; /* who the others are; NULL when they were quiet */
    char *server;  /* would it give this node a job? set by who can ask; NULL: none is configured */
    char *user, *processors; /* of code under test */
    char *cgroup;            /* what control groups could do for it */
    char *disk, *tmp;        /* who holds its disk limit, and whether /tmp is its own */
    char *network;           /* the same of `network: off` */
    char *sandbox;           /* what it may ask the kernel for */
    char *profiles;    /* what it can profile to explain a change; set by who knows (profile/) */
    char *counts;      /* what it can count after a night's loops; likewise (count/) */
    GPtrArray *unfit;  /* char *, why not to measure now; none: idle, every processor fair */
    GPtrArray *advice; /* char *, in order of weight */
} run_doctor;

/* run_doctor_examine - listens noise_ms to each benchmark processor, and works as long on each.
 * Clear with run_doctor_clear. */
void run_doctor_examine(run_doctor *doctor, const run_node *node, const char *root,
                        int64_t noise_ms);
void run_doctor_clear(run_doctor *doctor);

/* run_doctor_tell - all of it as text for people; g_free. */
char *run_doctor_tell(const run_doctor *doctor);
