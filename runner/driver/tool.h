#pragma once
/*
 * tool - the values in what a benchmark tool wrote (config/formats/), for the driver command.
 */
#include "config/config.h"
#include "runner/driver/values.h"

/**
 * run_tool_read - every value of every benchmark, by its name; where the tool tells a mean alone,
 * that mean. What a call allocated goes with them.
 * wanted  the configuration's own; NULL: there must be one. What the file has of it and what cannot
 * be used (it failed, it was skipped, it is no time) is an error; of another it is passed over.
 * Returns false with RUN_ERROR_JOB: not that tool's, not whole, several runs, as above.
 */
bool run_tool_read(const cfg_read *read, const char *wanted, const char *text, run_values *values,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
