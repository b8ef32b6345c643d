#pragma once
/*
 * allocated - bytes that a call allocates, from the raw file of a harness that counts them.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * run_allocated_bytes - the second half of each thread's calls: then the compiler has settled.
 * text    [size] lines "thread;nanoseconds;bytes so far;collections so far"
 * calls   that the process made
 * values  [1] out, a call; below 0 when the counter went backwards
 * Returns false with RUN_ERROR_JOB: a line is not of that form, or there are other than so many.
 */
bool run_allocated_bytes(const char *text, size_t size, double calls, double *values,
                         GError **error);
