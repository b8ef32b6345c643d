#pragma once
/*
 * printed - the end of what the program that runs prints, or of what the last one did.
 *
 * A program that writes into a file (quiet) is left alone while it runs.
 */
#include "runner/process/output.h"

#include <stdbool.h>

/* All zero: nothing has run. Clear it with run_printed_clear. */
typedef struct {
    const run_output *now; /* of the program that runs; NULL: none */
    bool quiet;            /* nothing is known of it before its end */
    char *last;            /* of the last one; NULL: none */
} run_printed;

void run_printed_begin(run_printed *printed, const run_output *output, bool quiet);
void run_printed_end(run_printed *printed);
void run_printed_clear(run_printed *printed);

/* run_printed_tail - at most RUN_LOG_TAIL_BYTES, valid UTF-8; a string to g_free, or NULL when
 * nothing is known. */
char *run_printed_tail(const run_printed *printed);
