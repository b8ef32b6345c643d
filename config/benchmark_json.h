#pragma once
/*
 * benchmark_json - a project's benchmark as JSON, as a job carries it (docs/protocol.md).
 */
#include "config/config.h"

#include <jansson.h>

/* cfg_benchmark_json - owned by the caller. */
json_t *cfg_benchmark_json(const cfg_project *project) G_GNUC_WARN_UNUSED_RESULT;
