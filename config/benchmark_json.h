#pragma once
/*
 * benchmark_json - a project's benchmark as JSON, as a job carries it (docs/protocol.md).
 */
#include "config/config.h"

#include <jansson.h>

/* cfg_benchmark_json - owned by the caller. */
json_t *cfg_benchmark_json(const cfg_project *project) G_GNUC_WARN_UNUSED_RESULT;

/**
 * cfg_benchmark_sweep_json - the same at one value of the project's sweep; owned by the caller.
 * point  below benchmark.sweep.count
 */
json_t *cfg_benchmark_sweep_json(const cfg_project *project, unsigned point);
