#pragma once
/*
 * stacks - the calls of one or several profiles as one tree of frames, with a cost in each.
 *
 * Reads and writes collapsed stacks: a line a stack, frames from the outermost to the innermost
 * with ';' between them, a space, a number that is not negative. A tree has one or more columns:
 * the same frame of several profiles is one frame with a cost in each. Memory: 48 bytes and a name
 * for a frame, 8 for each of its columns.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/status.h"

#define DET_STACKS_DEPTH_MAX 2000
#define DET_STACKS_NAME_MAX 10000    /* bytes of a frame's name */
#define DET_STACKS_FRAMES_MAX 200000 /* of a tree */
#define DET_STACKS_COLUMNS_MAX 256
#define DET_STACKS_VALUE_MAX 1e18
#define DET_STACKS_ROOT 0u /* the frame around all others: no name, its own parent */

typedef struct det_stacks det_stacks;

#define DET_STACKS_ERROR_MAX 160
typedef struct {
    size_t line;                     /* from 1 */
    char text[DET_STACKS_ERROR_MAX]; /* what is wrong, in English */
} det_stacks_error;

typedef struct {
    const char *name; /* [length], ends in a zero; borrowed */
    size_t length;
    uint32_t parent; /* always before its children */
    uint32_t depth;  /* of the root 0 */
    uint32_t label;  /* equal for frames of the same name, below det_stacks_labels */
} det_frame;

/** det_stacks_new - an empty tree; free it with det_stacks_free. NULL: no memory, or columns is
 * 0 or above DET_STACKS_COLUMNS_MAX. */
det_stacks *det_stacks_new(size_t columns);
void det_stacks_free(det_stacks *stacks);

/**
 * det_stacks_read - add the stacks of a text to one column; the same stack twice is added up.
 * text   [size] bytes; an empty line is skipped, a missing end of the last line is fine
 * error  filled when DET_OK is not returned; what came before the line stays in the tree
 * Returns DET_OK | DET_EINVAL (column) | DET_ESYNTAX (no number, an empty name, a control
 * character, too deep, too long) | DET_ENOMEM (also: more than DET_STACKS_FRAMES_MAX frames).
 */
det_status det_stacks_read(det_stacks *stacks, size_t column, const char *text, size_t size,
                           det_stacks_error *error);

/**
 * det_stacks_child - the frame of this name below another one, made when it is not there.
 * name  [length] bytes; ';' and control characters become '_', what is too long is cut
 * Returns DET_OK | DET_EINVAL (parent, no name) | DET_ESYNTAX (too deep) | DET_ENOMEM.
 */
det_status det_stacks_child(det_stacks *stacks, uint32_t parent, const char *name, size_t length,
                            uint32_t *frame);

/** det_stacks_add - a cost of the frame itself; what is not finite or negative adds nothing, and no
 * sum goes beyond DET_STACKS_VALUE_MAX. */
void det_stacks_add(det_stacks *stacks, uint32_t frame, size_t column, double value);

/** det_stacks_merge_small - what a frame costs itself becomes its caller's where it is less than
 * `least`; outermost frames keep theirs. The sum stays. */
void det_stacks_merge_small(det_stacks *stacks, size_t column, double least);

uint32_t det_stacks_count(const det_stacks *stacks);
uint32_t det_stacks_labels(const det_stacks *stacks);
size_t det_stacks_columns(const det_stacks *stacks);
/** det_stacks_frame - frame < det_stacks_count. */
det_frame det_stacks_frame(const det_stacks *stacks, uint32_t frame);
double det_stacks_self(const det_stacks *stacks, uint32_t frame, size_t column);

/** det_stacks_text - a column as collapsed stacks, costs as whole numbers, frames without cost left
 * out; ends in a zero, to be freed with free(). NULL: no memory, or more than `most` bytes without
 * the zero. */
char *det_stacks_text(const det_stacks *stacks, size_t column, size_t most);
