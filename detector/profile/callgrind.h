#pragma once
/*
 * callgrind - what valgrind's callgrind wrote, as stacks of frames.
 *
 * Callgrind counts instructions exactly, and says for each function what it costs itself and what
 * each of its calls costs with all that is called from there, but not for which stack. So a
 * function's cost is handed to its callers in proportion to what their calls of it cost: what a
 * function costs is exact, how that spreads over the stacks above it is an estimate where it has
 * several callers. A function that calls itself, also by way of others, is one frame.
 * Memory: 32 bytes for each line of costs, and the names.
 */
#include "detector/profile/stacks.h"

#define DET_CALLGRIND_ENTRIES_MAX 4000000 /* lines of costs */
#define DET_CALLGRIND_NAMES_MAX 500000    /* of functions and objects, and functions */

typedef struct det_callgrind det_callgrind;

/**
 * det_callgrind_read - a file that was written with --dump-instr=yes or without.
 * text   [size] bytes; cut off anywhere it is what came before
 * error  filled when DET_OK is not returned
 * Returns DET_OK | DET_ESYNTAX | DET_ENOMEM (also: more than DET_CALLGRIND_ENTRIES_MAX lines
 * or DET_CALLGRIND_NAMES_MAX names).
 */
det_status det_callgrind_read(det_callgrind **out, const char *text, size_t size,
                              det_stacks_error *error);
void det_callgrind_free(det_callgrind *callgrind);

/* A place in the code that costs something; 0 where the file has no addresses. */
typedef struct {
    const char *object; /* path of the program or library; borrowed */
    uint64_t address;   /* as in the object's own symbols */
} det_callgrind_place;

/** det_callgrind_places - how many; det_callgrind_place_at - one of them, by object and address. */
size_t det_callgrind_places(const det_callgrind *callgrind);
det_callgrind_place det_callgrind_place_at(const det_callgrind *callgrind, size_t place);

/** det_callgrind_inline - which functions the compiler has put into its function there: their
 * names from the outermost to the innermost with ';' between; copied. 0: no memory. */
int det_callgrind_inline(det_callgrind *callgrind, size_t place, const char *names);

/* What goes into the stacks. */
typedef struct {
    const char *root; /* stacks begin with this function, what is not below it is left out; NULL:
                         with those that nobody calls */
    const char *const *own; /* [own_count] folders; functions of objects elsewhere are named with
                               their object, as "calloc [libc.so.6]" */
    size_t own_count;
} det_callgrind_wanted;

/**
 * det_callgrind_stacks - add what was counted to one column.
 * Returns DET_OK | DET_ESHORT (there is no function of the root's name) | DET_EINVAL | DET_ENOMEM
 * (also: too many frames, or too many ways to the same ones).
 */
det_status det_callgrind_stacks(const det_callgrind *callgrind, const det_callgrind_wanted *wanted,
                                det_stacks *stacks, size_t column);
