#pragma once
/*
 * contrast - which functions a portion's change is in: a difference of differences, per function.
 *
 * A portion is a configuration less its parent. Its profile is that of the configuration less that
 * of the parent; its change is that profile after less that profile before. What a function costs
 * is what it costs itself and what it calls outside of the project's own code: "history_add" has
 * the time of the calloc that it calls.
 */
#include "detector/profile/stacks.h"
#include "detector/statistics/interval.h"

/* The columns of the stacks: (which * 2 + of_parent) * loops + loop; which: 0 before, 1 after. */
typedef struct {
    size_t loops;        /* of each, at least 1 */
    int has_parent;      /* 0: the portion has none, its columns are not looked at */
    const double *calls; /* [4 * loops] calls of the benchmark that a column is of, above 0 */
    double level;        /* of the intervals */
} det_contrast_plan;

/** det_contrast_column - where a profile is read to. */
size_t det_contrast_column(const det_contrast_plan *plan, int after, int of_parent, size_t loop);

typedef struct {
    const char *name, *caller; /* borrowed from the stacks; caller NULL: no own function */
    double before, after;      /* the portion's cost a call in it, in the unit of the stacks */
    det_interval change;       /* a call; low and high are the mean where there is one loop */
    int is_new, is_gone;       /* it costs nothing in any profile before, after */
} det_contrast_function;

typedef struct {
    double before, after; /* the portion's whole cost a call */
    double level_cost;    /* of the configuration itself before: what a change is small beside */
    det_interval change;
    det_contrast_function *functions; /* [count], the largest change first; those that did not
                                         change are left out */
    size_t count;
    size_t loops; /* of each configuration and commit; 1: the intervals have no width */
} det_contrast;

/**
 * det_contrast_make - see above. Free with det_contrast_clear; it borrows names from the stacks.
 * Returns DET_OK | DET_EINVAL (plan and columns do not fit) | DET_ENOMEM.
 */
det_status det_contrast_make(det_contrast *out, const det_stacks *stacks,
                             const det_contrast_plan *plan);
void det_contrast_clear(det_contrast *contrast);

/** det_contrast_self - what the portion costs a call in one frame itself, mean of the loops;
 * after: 0 or 1. */
double det_contrast_self(const det_stacks *stacks, const det_contrast_plan *plan, uint32_t frame,
                         int after);
