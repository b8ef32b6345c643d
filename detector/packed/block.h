#pragma once
/*
 * block - what is packed at once: up to DET_CALLS_MAX calls as columns, or text as it is.
 *
 * Text is what is not as calls.h says, so every file comes back byte for byte. Memory: that of the
 * caller. docs/raw-format.md has the bytes.
 */
#include <stddef.h>

#include "detector/packed/calls.h"
#include "detector/packed/numbers.h"
#include "detector/statistics/status.h"

#define DET_BLOCK_TEXT_MAX ((size_t)1 << 16)
#define DET_BLOCK_BYTES_MAX (4 + DET_CALLS_COLUMNS * DET_NUMBERS_BYTES(DET_CALLS_MAX))

/* What is not of one kind with its neighbours: begins and ends of symbols, ascending. */
typedef struct {
    unsigned count;
    size_t at[2 * DET_CALLS_COLUMNS];
} det_block_cuts;

/**
 * det_block_write - the next block of text.
 * text  [size], size > 0
 * calls room, overwritten; its count is 0 when the block is text
 * out   [DET_BLOCK_BYTES_MAX]
 * taken out: bytes of text that are in it, at least 1
 * Returns the bytes in out.
 */
size_t det_block_write(const char *text, size_t size, det_calls *calls, unsigned char *out,
                       size_t *taken, det_block_cuts *cuts);

/**
 * det_block_read - bytes [size], behind which BITS_SLACK more may be read.
 * calls  out: its count is 0 when the block is text
 * text   out: the text, borrowed from bytes, text_size bytes of it; NULL when it is calls
 * Returns DET_OK | DET_ESYNTAX.
 */
det_status det_block_read(const unsigned char *bytes, size_t size, det_calls *calls,
                          const char **text, size_t *text_size);
