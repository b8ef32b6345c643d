#pragma once
/*
 * output - what a program printed, bounded: its head and its tail, with the size of the gap.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct run_output run_output;

/* run_output_new - keeps at most limit_bytes: a quarter from the start, the rest from the end. */
run_output *run_output_new(uint64_t limit_bytes);
void run_output_free(run_output *output);

/* run_output_add - the next bytes of the program; any bytes, any number. */
void run_output_add(run_output *output, const void *bytes, size_t length);

/* run_output_add_file - the same from the start of an open file, reading only what is kept. */
void run_output_add_file(run_output *output, int fd);

/* run_output_text - valid UTF-8 without NUL, the gap named in words. Returns a string to g_free. */
char *run_output_text(const run_output *output);

/* run_output_bytes - all that was added, kept or not. */
uint64_t run_output_bytes(const run_output *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_output, run_output_free)

/*
 * printed - the end of what the program that runs prints, or of what the last one did.
 *
 * A program that writes into a file (quiet) is left alone while it runs.
 */

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
