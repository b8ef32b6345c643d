#pragma once
/*
 * sampled - collapsed stacks as sampling profilers write them, made comparable: they begin at the
 * benchmark, a recursion is folded, and names are the same in every process.
 *
 * Folded: where a function is above itself, what lies between is left out, as if it were called
 * from its first frame. So a stack is as deep as it has different functions, whatever the
 * benchmark's recursion depth; what a function costs itself is not changed by that.
 * Memory: 350 kB while reading, beside the tree.
 */
#include "detector/profile/stacks.h"

/* How frames are named. JAVA: as async-profiler does with `ann`: "java/lang/String.valueOf_[j]";
 * what is neither Java nor marked is the virtual machine's: "malloc [native]". JFR: as
 * det_jfr_collapse does. Of both the addresses and numbers go that a JVM gives to hidden classes.
 * PYTHON: as py-spy does: "operation (/full/path.py)"; what is not below one of the project's
 * folders gets " [python]". ALLOCATED: as JAVA, but the last frame is the class that is allocated:
 * "java.lang.String_[i]" is "new java.lang.String". PLAIN: as they are. Where stacks have no root,
 * they may begin with a thread, as both profilers name them: "thread main", without numbers at its
 * end, as a pool's differ by these. */
typedef enum {
    DET_SAMPLED_PLAIN,
    DET_SAMPLED_JAVA,
    DET_SAMPLED_JFR,
    DET_SAMPLED_PYTHON,
    DET_SAMPLED_ALLOCATED
} det_sampled_names;

typedef struct {
    det_sampled_names names;
    const char *root;       /* as it is named here; stacks begin with it, those without it are left
                               out; NULL: where they begin */
    double scale;           /* cost of 1 in the text; above 0 */
    const char *const *own; /* [own_count] folders, PYTHON */
    size_t own_count;
} det_sampled_wanted;

/**
 * det_sampled_read - add the stacks of a text to one column.
 * text   [size] lines "frame;frame number", without frames: of nobody; deeper than
 *        DET_STACKS_DEPTH_MAX different functions: the rest counts as the deepest one's; a longer
 *        name is cut
 * error  filled unless DET_OK or DET_ESHORT is returned
 *
 * Returns DET_OK | DET_ESHORT (no stack has the root) | DET_EINVAL (column) | DET_ESYNTAX (a line
 * is no stack) | DET_ENOMEM (also: too many different frames).
 */
det_status det_sampled_read(det_stacks *stacks, size_t column, const char *text, size_t size,
                            const det_sampled_wanted *wanted, det_stacks_error *error);

/** det_sampled_sum - of the numbers of all lines, with the root or without; lines that are no
 * stacks are passed over. */
double det_sampled_sum(const char *text, size_t size);

/*
 * jfr - the samples that Java's own recorder took, as `jfr print` tells them, as collapsed stacks.
 */

/**
 * det_jfr_collapse - a line for each jdk.ExecutionSample, each "frame;frame 1", outermost first,
 * named as async-profiler names them: "java/lang/String.valueOf".
 * text     [size] of `jfr print --events jdk.ExecutionSample`; what is not understood is passed
 *          over, and so is a sample without a stack
 * samples  out
 * Returns a text to free(), which ends in a zero and is shorter than [size]; NULL: no memory.
 */
char *det_jfr_collapse(const char *text, size_t size, size_t *samples);
