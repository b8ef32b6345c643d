#pragma once
/*
 * unpack - a stored raw file, as its lines or as numbers: what pack.h wrote, and the single zstd
 * frame of lines in which earlier versions kept it.
 *
 * Takes bytes cut anywhere and stops at each block. Whatever the bytes are, it ends with the same
 * text or with a reason. Memory: 2 MiB; of an old file zstd's window, at most 8 MiB. A det_unpack
 * belongs to one thread.
 */
#include "detector/packed/calls.h"

typedef struct det_unpack det_unpack;

typedef enum {
    DET_UNPACK_MORE,  /* all taken; give the next bytes */
    DET_UNPACK_BLOCK, /* a block is there: look at it, and go on with the bytes that are left */
    DET_UNPACK_END,   /* all taken, and the file is whole */
    DET_UNPACK_BROKEN /* det_unpack_problem says why; stays so */
} det_unpack_step;

/** det_unpack_new - free with det_unpack_free. NULL: no memory. */
det_unpack *det_unpack_new(void);
void det_unpack_free(det_unpack *unpack);

/**
 * det_unpack_take - the next bytes [size] of the file; 0 of them after a block is fine.
 * used  out: how many of them were taken
 */
det_unpack_step det_unpack_take(det_unpack *unpack, const void *bytes, size_t size, size_t *used);

/** det_unpack_calls - the block's columns; NULL: it is text. Borrowed until the next take. */
const det_calls *det_unpack_calls(const det_unpack *unpack);

/** det_unpack_text - the block's bytes of the raw file; size: out. Borrowed until the next take. */
const char *det_unpack_text(det_unpack *unpack, size_t *size);

/** det_unpack_problem - one clause about the file, static: "it is cut off". */
const char *det_unpack_problem(const det_unpack *unpack);

/** det_unpack_is_lines - whether it is one of the earlier versions' files; known from the first
 * block on. */
int det_unpack_is_lines(const det_unpack *unpack);

/** det_unpack_taken - bytes of the raw file and its lines in all blocks so far. */
void det_unpack_taken(const det_unpack *unpack, uint64_t *bytes, uint64_t *lines);
