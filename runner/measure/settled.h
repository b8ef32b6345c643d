#pragma once
/*
 * settled - what the warm-up of a night rested on, and how many loops had settled after it: in the
 * result, so that nobody need count marks (detector/statistics/warmup.h).
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"

/**
 * run_settled_report - {"evidence", "configurations": {name: {"calls", "settled", "loops"}}};
 * calls: dropped; loops: those that could be looked at, of all commits. evidence is left out when
 * the project says none. NULL when there is nothing to say; json_decref.
 */
json_t *run_settled_report(const run_job *job, const GPtrArray *loops);
