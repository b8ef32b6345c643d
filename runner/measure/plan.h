#pragma once
/*
 * plan - which process runs next, from what is already done.
 *
 * Round by round: loop 1 of every configuration in seeded order, repetitions of what failed or
 * was disturbed in it, then loop 2. A pure function of the loops in the spool: a runner that was
 * killed goes on where it was.
 *
 * With the two commits of a trial each configuration runs once with each in every round,
 * one right after the other, and the one that begins changes from round to round (A B, B A, …).
 * A failed or disturbed loop is repeated with its own commit, out of that commit's budget.
 *
 * After the rounds may come blocks, in which configurations have more than one loop each, in seeded
 * order. A configuration's loops are numbered on.
 */
#include "detector/statistics/portion.h"
#include "runner/job/job.h"
#include "runner/loop/loop.h"
#include "runner/node/node.h"
#include "runner/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_REPEATS_PER_CONFIGURATION                                                              \
    2 /* failed loops that are tried again: rare bad luck, not a cure */

typedef struct {
    unsigned runs[DET_CONFIGURATIONS_MAX]; /* loops of each configuration */
} run_plan_block;

typedef struct {
    uint64_t seed;
    unsigned configurations;
    unsigned loops;             /* rounds */
    unsigned disturbed_repeats; /* budget per configuration; 0: disturbed loops stay as they are */
    unsigned commits;           /* 2: a trial; 0 and 1: one commit */
    const run_plan_block *blocks; /* after the rounds, of one commit */
    unsigned blocks_count;
} run_plan;

typedef enum { RUN_PLAN_NEXT, RUN_PLAN_COMPLETE, RUN_PLAN_HOPELESS } run_plan_answer;

typedef struct {
    unsigned configuration;
    unsigned loop;
    unsigned place;   /* in the seeded order of the round or block, from 0 */
    unsigned attempt; /* from 1 */
    unsigned which;
} run_plan_step;

/**
 * run_plan_next - what to do after `done`.
 * step  RUN_PLAN_NEXT: the process to run; RUN_PLAN_HOPELESS: .configuration is the one that
 *       failed in every attempt of its first loop and has no repetition left
 */
run_plan_answer run_plan_next(const run_plan *plan, const run_loop_done *done, unsigned count,
                              run_plan_step *step);

/*
 * order - in which order the configurations of one round run: shuffled, repeatable by seed.
 */

/**
 * run_order_shuffle - order of round `round` (from 1) of a job.
 * order  [n] filled with a permutation of 0 … n-1
 * The same seed, round and n give the same order on every machine: a resumed job goes on as
 * planned. SplitMix64 (Steele, Lea, Flood 2014) feeds a Fisher-Yates shuffle without modulo bias.
 */
void run_order_shuffle(uint64_t seed, unsigned round, size_t n, unsigned *order);

/*
 * duet - a trial whose two commits run at the same time, each on its half of the processors.
 *
 * What others do to a node that is never idle they do to both processes alike, as long as it lasts
 * longer than these: it is gone from their difference, which is what a trial asks for (Bulej et al.
 * 2020, Duet benchmarking). What the processes do to each other, on a cache or memory that they
 * share, is in both of them, too, and their levels are not those of a night. Halves are swapped
 * from one attempt to the next, so that a processor that is slower than the other favours no
 * commit.
 */

/* run_duet_applies - trials, on a node that is to measure them so (trial_order); not where their
 * levels count (in_turn). */
bool run_duet_applies(const run_node *node, const run_job *job);

/* run_duet_half - where a commit runs in an attempt at a loop; with an odd number of processors one
 * of them is left over. */
cpu_set_t run_duet_half(const cpu_set_t *cpus, unsigned which, unsigned loop, unsigned attempt);

/**
 * run_duet_pairs - the processes of both commits as one for the plan (plan.h, of one commit):
 * failed when one of them failed, disturbed when one was. GArray of run_loop_done; g_array_unref.
 * done  as of run_loops_done: of each pair that of RUN_AFTER first. One whose other is missing, for
 *       the agent was killed between the two, is left out. O(n)
 */
GArray *run_duet_pairs(const GArray *done);
