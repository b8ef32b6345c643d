#pragma once
/*
 * imported - results of other tools as nights of plain values.
 *
 * A night is {"format","suite","night":"YYYY-MM-DD" or null,"time_ms" or null,
 * "commit":{"sha","subject","author","time_ms" where it is known} or null,"values":[value…],
 * "left":[{"name","why"}…],"left_out": how many these are,"notes":[what was done with values]};
 * a value is {"name","mean_ns","low_ns","high_ns","n","loops_ns":[…]}: low, high are null where
 * the tool gives no 95 % interval, loops_ns (one mean a loop, n of them) is there where the tool
 * has it. Throughputs become times.
 */
#include "ci/command/command.h"

#define CI_IMPORT_BYTES_MAX ((gsize)256 * 1024 * 1024)

/**
 * ci_import - read a file; which format it is, its content says (config/formats/).
 * Returns an array of nights, oldest first, owned by the caller, or NULL with error
 * (CI_ERROR_INPUT) that names the file and what is wrong.
 */
json_t *ci_import(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
