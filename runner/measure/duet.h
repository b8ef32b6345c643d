#pragma once
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
#include "runner/job/job.h"
#include "runner/node/node.h"

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
