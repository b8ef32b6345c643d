#pragma once
/*
 * valgrind - what its tools wrote about a process, for a call of the monitored method.
 */
#include <glib.h>
#include <stdbool.h>

#define RUN_VALGRIND_ROOT "moobench_monitored_method"

/**
 * run_valgrind_instructions - the totals of a callgrind file that was collected below the method.
 * calls   that the process made; values: [1] out, a call
 * Returns false with RUN_ERROR_JOB: no totals, or none of the method: is the program stripped?
 */
bool run_valgrind_instructions(const char *text, size_t size, double calls, double *values,
                               GError **error);

/**
 * run_valgrind_allocations - blocks and bytes that DHAT saw allocated below the method.
 * values  [2] out, a call: allocations, bytes; 0 where nothing was
 * Returns false with RUN_ERROR_JOB: it is not DHAT's JSON, or a count in it is not a number.
 */
bool run_valgrind_allocations(const char *text, size_t size, double calls, double *values,
                              GError **error);
