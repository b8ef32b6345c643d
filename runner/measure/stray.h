#pragma once
/*
 * stray - loops that stand alone among those of their configuration are marked, as disturbed ones.
 *
 * What disturbs a process is not always in the kernel's counters: a virtual machine is not told
 * that its host stopped it. Such a loop shows only beside the others, when all have been measured.
 * It is kept, marked with the evidence, and measured again out of the budget of disturbed loops.
 * How far is too far, and why many together are not strays: detector/statistics/stray.h.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"

/**
 * run_stray_mark - judges all loops of each configuration and commit against each other.
 * distance  in robust standard deviations; 0: no loop is a stray
 * loops     the spool's. Strays get stray, disturbed, and the evidence as disturbed_by; those that
 * are no longer strays lose them. Failed loops and those disturbed otherwise are left out. Returns
 * whether a mark has changed. The same loops get the same marks: nothing need be kept.
 */
bool run_stray_mark(const run_job *job, double distance, GPtrArray *loops);

/**
 * run_stray_report - what people should know of the night: how many loops of which configuration
 * stood alone, or that more did than strays can be. NULL when there is nothing to say; json_decref.
 */
json_t *run_stray_report(const run_job *job, double distance, GPtrArray *loops);

/*
 * settled - what the warm-up of a night rested on, and how many loops had settled after it: in the
 * result, so that nobody need count marks (detector/statistics/warmup.h).
 */

/**
 * run_settled_report - {"evidence", "configurations": {name: {"calls", "settled", "loops"}}};
 * calls: dropped; loops: those that could be looked at, of all commits. evidence is left out when
 * the project says none. NULL when there is nothing to say; json_decref.
 */
json_t *run_settled_report(const run_job *job, const GPtrArray *loops);
