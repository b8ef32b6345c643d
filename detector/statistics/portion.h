#pragma once
/*
 * portion - from loop means of a tree of configurations to the portions of monitoring overhead.
 *
 * A portion is the mean of a configuration minus that of its parent; a root's portion is its own
 * mean (T). Benchmarks that have nothing to do with each other are roots, each by itself. No
 * allocation, O(configurations x loops).
 */
#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"

#include <stddef.h>

#define DET_CONFIGURATIONS_MAX                                                                     \
    64u                     /* a chain has 4; suites of unrelated benchmarks have 26 to 70         \
                             */
#define DET_NAME_MAX 128u   /* a portion's name with its final 0; longer ones are cut */
#define DET_LOOPS_MAX 1000u /* fresh processes of one configuration in one night */

typedef struct {
    size_t count;                       /* configurations, 1 … DET_CONFIGURATIONS_MAX */
    int parent[DET_CONFIGURATIONS_MAX]; /* index of the parent, smaller than the own; a root: -1 */
    int control;                        /* configuration that must not move (its root); -1: none */
    char name[DET_CONFIGURATIONS_MAX][DET_NAME_MAX];   /* portion names: "T", "I", … */
    char called[DET_CONFIGURATIONS_MAX][DET_NAME_MAX]; /* configurations; as their portion, until
                                                          somebody says otherwise */
} det_chain;

typedef enum { DET_METHOD_STUDENT, DET_METHOD_PAIRED, DET_METHOD_WELCH } det_method;

typedef struct {
    det_interval configuration[DET_CONFIGURATIONS_MAX];
    det_interval portion[DET_CONFIGURATIONS_MAX]; /* of configuration i minus its parent */
    det_method method[DET_CONFIGURATIONS_MAX];    /* how the portion's interval was made */
} det_portions;

/**
 * det_chain_init - an empty chain, to be filled with det_chain_add.
 * det_chain_add - append a configuration; the first has parent -1. The control is the
 * only root that others stand on, or a T by itself: any other benchmark alone is what is watched,
 * beside a chain, too, and one of several unrelated ones says nothing of the others.
 * det_chain_check - DET_OK, or DET_EINVAL when a parent does not come before its child, there are
 * too many configurations, or control is another one than that.
 */
void det_chain_init(det_chain *chain);
det_status det_chain_add(det_chain *chain, const char *name, int parent);
det_status det_chain_check(const det_chain *chain);

/** det_name_copy - a portion's name; of one that is too long the middle is "…", between letters. */
void det_name_copy(char to[DET_NAME_MAX], const char *name);

/**
 * det_portions_of - intervals of every configuration and portion.
 * means  [count * loops], means[c * loops + l] is loop l+1 of configuration c in ns (any unit);
 *        NaN: that loop is missing or failed. Medians or quartiles of loops serve as well.
 * level  0 < level < 1
 * Paired by round when every round is there on both sides, else Welch over what is there.
 * With one loop on a side the mean stands and low and high are NaN; with none, mean is NaN, n = 0.
 * Returns DET_OK | DET_EINVAL | DET_ENUMERIC (infinite value) | DET_ESHORT (loops = 0).
 * loops <= DET_LOOPS_MAX.
 */
det_status det_portions_of(det_portions *out, const det_chain *chain, const double *means,
                           size_t loops, double level);

/** det_method_text - "Student t", "paired t", "Welch t"; static. */
const char *det_method_text(det_method method);

/*
 * line - a straight line through points that may be known with different precision, such as a
 * portion over recursion depth.
 *
 * Weighted least squares, as R's lm(y ~ x, weights = w): a weight says how much surer a point is
 * than the others, and the scatter around the line says how sure the line is. No allocation, O(n).
 */

typedef struct {
    det_interval slope; /* in units of y per unit of x; low and high are NaN with two points */
    det_interval start; /* y at x = 0, likewise */
    double r_squared;   /* weighted share of y's scatter that the line explains, 0 … 1; NaN: y has
                           none */
} det_line;

/**
 * det_line_fit - the line through n points.
 * x, y    [n] finite, not modified; x has at least two different values
 * weight  [n] above 0 and finite, such as 1 / variance; NULL: all alike
 * level   0 < level < 1: of the intervals, Student's t with n - 2 degrees of freedom
 * Returns DET_OK | DET_ESHORT (n < 2, or all at one x) | DET_EINVAL (level) | DET_ENUMERIC (not
 * finite, or a weight that is not positive and finite). out is written only on DET_OK.
 */
det_status det_line_fit(det_line *out, const double *x, const double *y, const double *weight,
                        size_t n, double level);
