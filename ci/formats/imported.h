#pragma once
/*
 * imported - results of other tools as nights of plain values.
 *
 * A night is {"format","suite","night":"YYYY-MM-DD" or null,"time_ms" or null,
 * "commit":{"sha","subject","author"} or null,"values":[value…]};
 * a value is {"name","mean_ns","low_ns","high_ns","n","loops_ns":[…]}: low, high are null where
 * the tool gives no interval, loops_ns (one mean a fresh process) is there where the tool has it.
 * Throughputs become times. What has no unit of time is left out and counted in "left_out".
 */
#include "ci/command/command.h"

#define CI_IMPORT_BYTES_MAX ((gsize)256 * 1024 * 1024)

/**
 * ci_import - read a file; which format it is, its content says.
 * Returns an array of nights, oldest first, owned by the caller, or NULL with error
 * (CI_ERROR_INPUT) that names the file and what is wrong.
 */
json_t *ci_import(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
