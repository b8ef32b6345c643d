#pragma once
/*
 * counts - what a runner counted in loops of their own: {configuration: {dimension: [a value a call
 * for each loop]}} as docs/protocol.md has it. Nothing in it is an error: what is no count is left
 * out.
 */
#include "detector/statistics/dimension.h"
#include "server/result/result.h"

/* srv__reading_of - what a measured loop's readings (NULL: none) say of a dimension that is not
 * counted, p99_ns of its calls included; NaN: nothing. */
double srv__reading_of(const det_dimension *dimension, const json_t *readings, double p99_ns);

/* srv__records_expected - how many records of a loop should have arrived, or been written; NaN:
 * that is not known. */
double srv__records_expected(const json_t *readings);

/**
 * srv__counts_read - of one dimension.
 * configurations  the object; NULL: nothing was counted
 * loops           out, of the configuration that has the most; 0: nobody counted it
 * Returns [tree's configurations * loops], NaN where there is none; to g_free.
 */
double *srv__counts_read(const json_t *configurations, const srv__tree *tree, const char *dimension,
                         size_t *loops);
