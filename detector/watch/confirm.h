#pragma once
/*
 * confirm - a suspicion measured again: old and new commit in turn (A B B A) on one node.
 *
 * What the night does to one commit it does to the other, so only the loops' own spread is left,
 * which may differ between the commits: variances are added, never pooled (Welch 1947), of means
 * that are 10 % trimmed on both ends (Yuen 1974). Where the machine slows many loops of either
 * commit alike, the fastest half or quarter of each counts. Looked at after every few loops, by two
 * rules: Wald's sequential test of "the portion changed by what the watch saw" against "it did
 * not", and a sequential interval (Robbins 1970) that holds the true difference at all looks at
 * once. The change to test for is made anew at each look from the spreads that were measured.
 *
 * A portion is the difference of two configurations. Where nothing that it is measured on top of is
 * in doubt, its own configuration is measured alone at first: when that is as before, so is the
 * portion, and most suspicions end there, for half of the processes. When it moved, the parent is
 * measured with it, and tells whether the portion did.
 * Stateless: give it all loops so far. Error rates, simulated: docs/detection.md.
 */
#include <stddef.h>

#include "detector/statistics/dimension.h"
#include "detector/statistics/interval.h"
#include "detector/statistics/status.h"
#include "detector/watch/watch.h"

typedef struct {
    double alpha;         /* share of unchanged portions that get confirmed; 0.0012 */
    double beta;          /* share of changes of the expected size that get cleared; 0.1 */
    unsigned worth;       /* loops of each worth spending on clearing a suspicion; 45 */
    unsigned worth_alone; /* likewise, of the configuration alone; 43 */
    unsigned worth_moved; /* likewise, of both, once it moved alone; 400 */
    unsigned step;        /* loops of each commit and configuration between two looks; 5 */
    unsigned maximum;     /* loops of each at most, alone and with the parent; then it is undecided;
                             600 */
} det_confirm_policy;

/* What is measured of both commits. */
typedef enum {
    DET_STAGE_BOTH,  /* the portion's configuration and its parent */
    DET_STAGE_ALONE, /* the configuration */
    DET_STAGE_MOVED  /* it moved: both from now on; the loops from before stay in the sample */
} det_confirm_stage;

/* What counts of both commits say beside time: of the portion's instructions (of bytes where these
 * cannot be counted), which are the same in every run. */
typedef enum {
    DET_COUNTS_NONE,   /* nobody counted both */
    DET_COUNTS_SAME,   /* they did not change: layout or waiting, if it is there */
    DET_COUNTS_EQUAL,  /* likewise, and not by one a call: the same work */
    DET_COUNTS_WITH,   /* they moved as the suspicion says: the code does more, or less */
    DET_COUNTS_AGAINST /* they moved the other way */
} det_counts;

/* What is asked. */
typedef struct {
    const char *name; /* for the reason: the portion's, "W"; alone the sum's, "T + I + C + W" */
    const char *unit; /* likewise; NULL: ns a call */
    det_confirm_stage stage;
    double expected;        /* plan's: the signed change to test for, at most; not 0 */
    double effect_relative; /* minimum effect as in det_policy; both floors must be passed */
    double effect_absolute;
    double portion_ns; /* alone: the portion's own level, of which effect_relative is a share */
    double level;      /* of the intervals that are shown */
    int search;        /* 1: for the commit that brought a change: what is surely below the minimum
                          effect is another change */
    det_counts counts;
    const det_dimension *counted; /* that it is of, for the reason; NULL: instructions */
} det_confirm_question;

/* Loop means of both commits: of the portion's configuration, and of its parent (NULL: the root, or
 * not measured). */
typedef struct {
    const double *before, *after;               /* [loops] */
    const double *before_parent, *after_parent; /* [parent_loops] */
    size_t loops, parent_loops;
    int paired; /* 1: before[i] and after[i] ran at the same time, and the parents' as well */
} det_confirm_sample;

/* What is known before measuring, and what follows from it. */
typedef struct {
    det_confirm_stage
        stage;       /* to begin with: ALONE where the verdict says that this can clear it */
    double expected; /* the signed change to test for, at most */
    double loops; /* that clearing is expected to take; above policy.maximum measuring again would
                     not tell: wait for further nights instead */
    int due;      /* 1: the suspicion is strong enough for what clearing it costs */
} det_confirm_plan;

typedef enum {
    DET_CONFIRM_MORE,  /* loops are needed */
    DET_CONFIRM_YES,   /* in the direction of `difference` */
    DET_CONFIRM_NO,    /* not there, or too small to matter; of a search, or the other way */
    DET_CONFIRM_MOVED, /* of a configuration alone, what is YES of a portion: on with its parent */
    DET_CONFIRM_UNDECIDED /* policy.maximum loops told neither: ask again when later nights agree */
} det_confirm_state;

typedef struct {
    det_confirm_state state;
    size_t loops;    /* of each commit; of the parent's, once the configuration moved alone */
    double evidence; /* log-likelihood ratio of Wald's test */
    det_interval before, after, difference; /* of what question.name says, at the given level */
    det_interval sequential; /* of the difference, at 1 - alpha, at all looks at once */
    int fastest; /* 0: all loops count; 2, 4: the fastest half or quarter of them, on both sides */
    char reason[DET_REASON_MAX];
} det_confirm_result;

/** det_confirm_policy_init - the defaults named above; _check: DET_OK | DET_EINVAL. */
void det_confirm_policy_init(det_confirm_policy *policy);

/**
 * det_confirm_plan_of - how to measure a suspicion again.
 * The change to test for is what the watch saw, and smaller where `worth` loops can tell a smaller
 * one from none: a change seen too large, or dated too late, is then found as well. It is never
 * below the policy's minimum effect. The spreads between loops are those of both commits' nights,
 * from the verdict.
 */
det_confirm_plan det_confirm_plan_of(const det_confirm_policy *confirm, const det_policy *policy,
                                     const det_verdict *verdict);

/**
 * det_counts_say - what counts before and after say of a suspicion in a direction (+1 or -1); NONE
 * where one of them was not counted, or bytes did not move: time can, without allocating. Moved:
 * det_dimension_moved; equal: apart by less than half an instruction a call, ends included.
 */
det_counts det_counts_say(const det_dimension *counted, const det_interval *before,
                          const det_interval *after, int direction);

/**
 * det_confirm_judge - where the test stands after so many loops.
 * Confirmed: the sequential interval excludes zero and the minimum effect, whatever was expected,
 * or Wald's test accepts, and the difference is the minimum effect at least; both only in the
 * expected direction. In the other one, a search's apart, where a sequential interval at a tenth of
 * alpha excludes both: `difference` says which. Where all loops decided nothing, counts that moved
 * with it decide: confirmed when an interval of 99.9 % excludes zero and the difference is the
 * minimum effect at least. Counts that did not move clear nothing: caches and locks cost time
 * without instructions.
 * Cleared: Wald's test rejects, and the shown interval holds zero or the difference is below the
 * minimum effect (where it shows the other direction, more loops, up to what clearing is worth, and
 * then undecided); or it is there, below the minimum effect, and at most a quarter above it for
 * sure. Of equal work it need reject no more than the change that was expected, which may be larger
 * than the smallest that `worth` loops tell: the same interval, in fewer loops. Returns DET_OK |
 * DET_EINVAL (policy, expected = 0, effects, level) | DET_ESHORT (loops < 3 of either) |
 * DET_ENUMERIC (not finite) | DET_ENOMEM.
 */
det_status det_confirm_judge(det_confirm_result *out, const det_confirm_policy *policy,
                             const det_confirm_question *question,
                             const det_confirm_sample *sample);

/**
 * det_confirm_ends - how many loops in all it will take if difference and spreads stay as they are:
 * a multiple of policy.step after sample.loops, policy.maximum at most; sample.loops when the
 * answer is there. Returns as det_confirm_judge.
 */
det_status det_confirm_ends(size_t *loops, const det_confirm_policy *policy,
                            const det_confirm_question *question, const det_confirm_sample *sample);
