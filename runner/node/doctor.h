#pragma once
/*
 * doctor - what this node is like, what would make it quieter, and how noisy it is now.
 *
 * Changes nothing. Examining and telling are apart, so that the findings can be tested.
 */
#include "runner/node/node.h"
#include "runner/node/noise.h"

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
    char *busiest;           /* who the others are; NULL when they were quiet */
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
