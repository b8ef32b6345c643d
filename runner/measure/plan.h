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
#include "runner/loop/loop.h"
#include "runner/protocol.h"

#include <stdbool.h>
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
