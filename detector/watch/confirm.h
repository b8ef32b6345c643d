#pragma once
/*
 * confirm - a suspicion measured again: old and new commit in turn (A B B A) on one node.
 *
 * What the night does to one commit it does to the other, so only the loops' own spread is left.
 * Wald's sequential test of "the portion changed by what the watch saw" against "it did not",
 * looked at after every few loops; it stops early both ways. Stateless: give it all loops so far.
 */
#include <stddef.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"
#include "detector/watch/watch.h"

typedef struct {
    double alpha;     /* share of unchanged portions that get confirmed; 0.002 */
    double beta;      /* share of changes of the expected size that get cleared; 0.05 */
    unsigned worth;   /* loops of each worth spending on clearing a suspicion; 60 */
    unsigned step;    /* loops of each commit and configuration between two looks; 10 */
    unsigned maximum; /* loops of each at most; undecided then counts as cleared; 300 */
} det_confirm_policy;

/* Loop means of both commits: of the portion's configuration, and of its parent (NULL: the
 * root). */
typedef struct {
    const double *before, *after;               /* [loops] */
    const double *before_parent, *after_parent; /* [parent_loops] */
    size_t loops, parent_loops;
} det_confirm_sample;

/* What is known before measuring, and what follows from it. */
typedef struct {
    double parent_share; /* loops of the parent for each loop of the configuration, 0.2 … 1 */
    double expected;     /* the signed change to test for */
    double loops;        /* that clearing is expected to take; above policy.maximum measuring again
                            would not tell: wait for further nights instead */
    int due;             /* 1: the suspicion is strong enough for what clearing it costs */
} det_confirm_plan;

typedef enum { DET_CONFIRM_MORE, DET_CONFIRM_YES, DET_CONFIRM_NO } det_confirm_state;

typedef struct {
    det_confirm_state state;
    size_t loops;
    double evidence; /* log-likelihood ratio; confirmed above ln((1-beta)/alpha) */
    det_interval before, after, difference; /* of the portion, at the given level */
    char reason[DET_REASON_MAX];
} det_confirm_result;

/** det_confirm_policy_init - the defaults named above; _check: DET_OK | DET_EINVAL. */
void det_confirm_policy_init(det_confirm_policy *policy);
det_status det_confirm_policy_check(const det_confirm_policy *policy);

/**
 * det_confirm_plan_of - how to measure a suspicion again.
 * own, parent  standard deviation between loops of the configuration and of its parent (0: none)
 * The change to test for is what the watch saw, less what selection adds, and smaller where `worth`
 * loops can tell a smaller one from none: a change seen too large, or dated too late, is then found
 * as well. It is never below the policy's minimum effect.
 */
det_confirm_plan det_confirm_plan_of(const det_confirm_policy *confirm, const det_policy *policy,
                                     const det_verdict *verdict, double own, double parent);

/**
 * det_confirm_judge - where the test stands after so many loops.
 * name   of the portion, for the reason
 * Returns DET_OK | DET_EINVAL (policy, expected = 0, level) | DET_ESHORT (loops < 3 of either) |
 * DET_ENUMERIC (not finite) | DET_ENOMEM. Robust means: 10 % trimmed on both ends.
 */
det_status det_confirm_judge(det_confirm_result *out, const det_confirm_policy *policy,
                             const char *name, double expected, const det_confirm_sample *sample,
                             double level);
