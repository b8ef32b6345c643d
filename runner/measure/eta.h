#pragma once
/*
 * eta - how long a job will take yet.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"

/**
 * run_eta_s - seconds that the rest of the plan will take, from what the loops took so far; -1
 * before the first one.
 */
double run_eta_s(const run_job *job, const GPtrArray *loops);
