#pragma once
/*
 * calls - up to DET_CALLS_MAX lines of a raw file as columns of numbers, and back to the same
 * bytes.
 *
 * A line is thread;ns or thread;ns;heap;collections, each number without sign and leading zeros,
 * at most DET_CALLS_DIGITS digits, ended by \n: what MooBench and the harnesses write. Memory: 256
 * KiB a det_calls. No allocation.
 */
#include <stddef.h>
#include <stdint.h>

#define DET_CALLS_MAX ((size_t)8192)
#define DET_CALLS_COLUMNS 4
#define DET_CALLS_DIGITS 18 /* what is read; written are up to 20 */
/* Room that det_calls_text needs: lines of the longest numbers, and what is copied too far. */
#define DET_CALLS_TEXT_MAX (DET_CALLS_MAX * (DET_CALLS_COLUMNS * 21) + 64)

typedef struct {
    size_t count;                                      /* calls */
    unsigned columns;                                  /* 2 or 4 */
    uint64_t number[DET_CALLS_COLUMNS][DET_CALLS_MAX]; /* thread, ns, heap bytes, collections */
} det_calls;

/**
 * det_calls_read - as many whole lines of text as there are, as are alike, and as fit.
 * text  [size] beginning with a line
 * out   its count is 0 when the first line is not as above
 * Returns the bytes of those lines: det_calls_text makes the same of out.
 */
size_t det_calls_read(const char *text, size_t size, det_calls *out);

/** det_calls_text - the lines into out, [DET_CALLS_TEXT_MAX]. Returns their bytes. */
size_t det_calls_text(const det_calls *calls, char *out);

/** det_calls_size - what det_calls_text would return. */
size_t det_calls_size(const det_calls *calls);
