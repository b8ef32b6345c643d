#pragma once
/*
 * precision - whether a night is measured well enough to stop before its last round.
 */
#include "runner/job/job.h"
#include "runner/loop/loop.h"

/**
 * run_precision_reached - looks at every portion after `rounds` complete rounds.
 * loops  the spool's
 * Returns why no more rounds are needed ("after 12 of 30 rounds …"), to g_free; NULL when they are:
 * a portion is less sure than the job's precision_percent of its mean, or the job asks for no
 * precision, or is a trial.
 * The intervals are confidence sequences (detector/statistics/interval.h): asking after every round
 * is fine.
 */
char *run_precision_reached(const run_job *job, const GPtrArray *loops, unsigned rounds);
