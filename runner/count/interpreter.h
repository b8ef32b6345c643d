#pragma once
/*
 * interpreter - what the harness in Python counted of its interpreter's allocator.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * run_interpreter_allocations - of all threads' calls that were counted.
 * text    [size] lines "calls;allocations;bytes", a line a thread
 * calls   that the process made; at most so many were counted
 * values  [2] out, a call: allocations, bytes; below 0 when a counter went backwards
 * Returns false with RUN_ERROR_JOB: a line is not of that form, or other calls than those counted.
 */
bool run_interpreter_allocations(const char *text, size_t size, double calls, double *values,
                                 GError **error);
