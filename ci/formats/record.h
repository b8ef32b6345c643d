#pragma once
/* record - experiment.json of our own `run`: what was measured, by the benchmark that was asked
 * for. */
#include "config/config.h"

/**
 * ci_record_project - chain, labels and warm-up of results that a run of ours has left.
 * folder  with experiment.json
 * Returns a project of which only the benchmark is known; NULL: there is none, or one of an older
 * version, which does not say it.
 */
cfg_project *ci_record_project(const char *folder);
