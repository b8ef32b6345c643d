#pragma once
/*
 * numbers - one column of calls as bytes that zstd makes small.
 *
 * Three encodings, of which the smallest is taken (docs/raw-format.md): RUNS for what seldom
 * changes, VALUES for times, DELTAS for what moves from where it was. The last two give each
 * number a byte that says roughly how large it is, which entropy coding makes small, and the bits
 * that are noise. Lossless for every uint64_t below 2^61. No allocation.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/status.h"

#define DET_NUMBERS_BIT_MAX 61
/* Room that det_numbers_write needs for n numbers. */
#define DET_NUMBERS_BYTES(n) (32 + (n)*11)

/* Where a column's symbols lie in what was written: statistics of their own. size 0: none. */
typedef struct {
    size_t begin, size;
} det_numbers_symbols;

/**
 * det_numbers_write - x [n], 0 < n <= DET_CALLS_MAX, each below 2^61, to out
 * [DET_NUMBERS_BYTES(n)].
 * Returns the bytes written.
 */
size_t det_numbers_write(const uint64_t *x, size_t n, unsigned char *out,
                         det_numbers_symbols *symbols);

/**
 * det_numbers_read - n numbers from bytes [size], behind which BITS_SLACK more may be read.
 * used  out: bytes that they took
 * Returns DET_OK | DET_ESYNTAX.
 */
det_status det_numbers_read(const unsigned char *bytes, size_t size, uint64_t *x, size_t n,
                            size_t *used);
