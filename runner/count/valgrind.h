#pragma once
/*
 * valgrind - what its tools wrote about a process, as sums over all calls of the monitored method.
 */
#include <glib.h>
#include <stdbool.h>

#define RUN_VALGRIND_ROOT "moobench_monitored_method"

/**
 * run_valgrind_instructions - the totals of a callgrind file that was collected below the method.
 * values  [1] out
 * Returns false with RUN_ERROR_JOB: no totals, or none of the method: is the program stripped?
 */
bool run_valgrind_instructions(const char *text, size_t size, double *values, GError **error);

/**
 * run_valgrind_allocations - blocks and bytes that DHAT saw allocated below the method.
 * values  [2] out: allocations, bytes; 0 where nothing was
 * Returns false with RUN_ERROR_JOB: it is not DHAT's JSON, or a count in it is none.
 */
bool run_valgrind_allocations(const char *text, size_t size, double *values, GError **error);
