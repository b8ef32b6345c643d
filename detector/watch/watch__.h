#pragma once
/*
 * watch__ - what the files behind watch.h share. Not installed.
 *
 * The state of a series is a Gaussian belief about the level of every configuration (filter__.h),
 * held by one filter that assumes no change ("base") and by a bank of others, each assuming one
 * change: a portion's, that of one configuration alone or a common factor, since one of the last
 * nights. Evidence is the logarithm of how much better a change predicts the nights since than no
 * change does.
 * A ring of the last nights allows to start again from the night of a change.
 */
#include "detector/statistics/status.h"
#include "detector/watch/filter__.h"
#include "detector/watch/watch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the oldest change looked for and the reference before it */
#define DET__DEPTH 128u   /* nights kept */
#define DET__BELIEFS 64u  /* nights whose belief beforehand is kept: changes to be looked for */
#define DET__BANK 192u    /* changes under suspicion at one time; whole blocks of lanes */
#define DET__T_KEPT 6u    /* critical values of Student's t */
#define DET__SCALE 255u   /* in place of a portion: everything moved by one factor */
#define DET__ALONE 128u   /* + a configuration: it by itself, and none that is measured on top */
#define DET__SEVERAL 254u /* several portions at once, but not the control: never in the bank */

/* Of changes under suspicion: each portion, each configuration alone, everything. */
#define DET__KINDS_MAX (2 * DET_CONFIGURATIONS_MAX + 1)

/*
 * groups - do the loops of one night fall into two groups?
 *
 * The best cut of a sorted sample into two, each with at least so many values: a single slow
 * process is no group. How good a cut one normal group would show by chance is known from
 * simulation (groups_clear; tests/unit/detector/watch/test_groups.c repeats it).
 */

typedef struct {
    double low, high;     /* mean of each group */
    size_t low_n, high_n; /* values in each */
    double ratio;         /* sum of squares between the groups, divided by that within */
} det__groups;

/**
 * det__groups_of - the cut that leaves least variance within.
 * sorted  [n] ascending and finite
 * least   values in each group, 1 or more
 * Returns DET_OK | DET_ESHORT (n < 2 least) | DET_EINVAL. Thread-safe, O(n), no allocation. All
 * values equal: ratio 0. Source: Engelman and Hartigan 1969, Percentage points of a test for
 * clusters, J. Am. Stat. Assoc. 64, 1647-1648.
 */
det_status det__groups_of(det__groups *out, const double *sorted, size_t n, size_t least);

typedef struct {
    int64_t id;
    char label[DET_LABEL_MAX];
} det__stamp;

/* One configuration in one night. */
typedef struct {
    double mean;     /* trimmed over loops; NaN: missing, or not to be used */
    double variance; /* of that mean, from the loops */
    double loops;
} det__cell;

/* How widely a configuration's nights spread around what was expected, as a share of its level. */
typedef struct {
    double sum, weight;       /* squared relative innovations, forgetting slowly */
    double loops;             /* the same of the loops' own variance; share of the level, squared */
    double number;            /* of how many loops that is */
    double usual;             /* what follows: the spread of an ordinary night */
    double score[DET__PACES]; /* how well each pace of wandering predicted (filter__.h) */
    double wander;            /* what follows: spreads that the level moves in a night */
} det__spread;

typedef struct {
    uint64_t start;   /* serial of the first night after the supposed change */
    uint64_t portion; /* or DET__SCALE, or DET__ALONE + a configuration */
    double evidence;  /* log-likelihood ratio against no change */
    double width;     /* prior standard deviation of the change */
} det__change;

/* Steps below the minimum effect that were taken into a portion's level since it was last told. */
typedef struct {
    double sum, variance; /* of the portion's level, in the unit of the means */
    uint64_t steps;
    uint64_t nights; /* of the level that was told, at most the policy's, the first of them, */
    int64_t from;    /* and the last: */
    det__stamp before;
} det__small;

/* What is known of an incident between nights; incident.c. */
typedef struct {
    uint64_t kind, begins, lasts, moved, seen;
    uint64_t who; /* a bit a configuration that is missing, or moved otherwise than everything, or
                     than the control */
    double factor, low, high;
    det__stamp since, before;
} det__incident;

/* Nights in a row that are far out everywhere, or lack something. */
typedef struct {
    uint64_t count;
    double factor; /* of the last of them, when it is common to all configurations; else NaN */
    det__stamp first, before;
} det__odd;

/* The nights that a history begins with; guard.c. NaN: not known. */
typedef struct {
    uint64_t row;                       /* nights in a row far outside the level that agree, */
    double low[DET_CONFIGURATIONS_MAX]; /* the least of their values, and the most */
    double high[DET_CONFIGURATIONS_MAX];
    double level[DET_CONFIGURATIONS_MAX]; /* that the first nights are compared with: */
    uint64_t waiting; /* not 0: all nights so far were far outside it, none began the series */
    uint64_t since;   /* nights after which the first ones may be judged once more */
} det__onset;

struct det_watch {
    det_chain chain;
    det_policy policy[DET_CONFIGURATIONS_MAX];
    uint64_t nights;                        /* fed so far: the next night's serial */
    uint64_t start[DET_CONFIGURATIONS_MAX]; /* serial of the first night of the present level */
    uint64_t rest[DET_CONFIGURATIONS_MAX];  /* no suspicion before this serial */
    uint64_t away; /* serial of the first night of another machine, with which, and since, nothing
                      was told, and that may go back; 0: none */
    uint64_t home[DET_CONFIGURATIONS_MAX];    /* what `start` was before the last such, or the same:
                                                 what changed before it cannot be told any more */
    uint64_t broken;                          /* nights in a row far outside everything seen */
    uint64_t bimodal[DET_CONFIGURATIONS_MAX]; /* nights in a row whose loops fell into two groups */
    det__incident incident[DET_INCIDENT_KINDS];
    det__odd broken_since, missing_since, noise_since;
    det__onset onset;
    det__small small[DET_CONFIGURATIONS_MAX];
    uint64_t changes;                       /* entries of bank in use */
    double *base;                           /* filter of no change */
    det__spread *spread;                    /* [count] */
    det__pace pace[DET_CONFIGURATIONS_MAX]; /* what the learning of `wander` goes on from */
    det__change *bank;                      /* [DET__BANK] */
    double *beliefs;                        /* those of the bank, in blocks (filter__.h) */
    int best[DET__KINDS_MAX];               /* det__strongest of any age; no part of the state */
    /* Rings: slot = serial % DET__DEPTH for the nights, serial % DET__BELIEFS for what was
       believed before them. */
    det__stamp *stamps;
    det__cell *cells;           /* [DET__DEPTH * count] */
    double *before;             /* [DET__BELIEFS * filter size] */
    det__spread *spread_before; /* [DET__BELIEFS * count] */
    double under[DET_CONFIGURATIONS_MAX]
                [DET_CONFIGURATIONS_MAX]; /* [portion]: det__under, 1 or 0 */
    /* The last critical values of Student's t, which portions share; no part of the state. */
    struct {
        double alpha, df, critical;
    } t[DET__T_KEPT];
    size_t t_next;
    det__groups groups[DET_CONFIGURATIONS_MAX]; /* of the night under way; no part of the state */
};

static inline det__cell *det__cells_at(const det_watch *watch, uint64_t serial) {
    return &watch->cells[serial % DET__DEPTH * watch->chain.count];
}

static inline det__stamp *det__stamp_at(const det_watch *watch, uint64_t serial) {
    return &watch->stamps[serial % DET__DEPTH];
}

static inline double *det__before_at(const det_watch *watch, uint64_t serial) {
    return &watch->before[serial % DET__BELIEFS * det__filter_size(watch->chain.count)];
}

/** det__difference - value of a configuration minus that of its parent. values [count] */
double det__difference(const det_chain *chain, const double *values, size_t portion);

/** det__under - is configuration c the portion's own or one below it? */
bool det__under(const det_chain *chain, size_t c, size_t portion);

/** det__moves - does a change of configuration c alone move the portion? By as much either way: its
 * own, and those right on top of it the other way. */
static inline bool det__moves(const det_chain *chain, size_t c, size_t portion) {
    return portion == c || chain->parent[portion] == (int)c;
}

/** det__difference_variance - variance of the portion's level in a filter. */
double det__difference_variance(const det_chain *chain, const double *filter, size_t portion);

/** det__find_best - of every portion the change with the most evidence, for det__strongest. */
void det__find_best(det_watch *watch);

#define DET__ZERO_NEAR 1.5 /* a level so many times what is taken for 0 is 0: a belief wanders */

/** det__spread_before - what was known of configuration c before night `serial`. */
static inline det__spread *det__spread_before(const det_watch *watch, uint64_t serial, size_t c) {
    return &watch->spread_before[serial % DET__BELIEFS * watch->chain.count + c];
}

/** det__at_zero - is that level of configuration c 0, where a mean of 0 is a value? */
static inline bool det__at_zero(const det_watch *watch, size_t c, double level) {
    return watch->policy[c].zero > 0 && level <= DET__ZERO_NEAR * watch->policy[c].zero;
}

/** det__spread_begin - what is to be expected before the first night. */
void det__spread_begin(det_watch *watch);

/** det__condense - robust mean and variance of a night's loops; x [n] is sorted in place. */
det__cell det__condense(double *x, size_t n, det_trim trim);

/** det__spread_noise_of - spread of configuration c's nights, as a share of its level, and the
    variance that night `serial` has at least. */
double det__spread_noise_of(const det_watch *watch, uint64_t serial, size_t c, double *floor);

/* Variances of a night around a level near 0, and of that level; 0: it is not there. */
typedef struct {
    double night, level;
} det__near;

/**
 * det__spread_near_zero - of the nights of configuration c's level before `serial` some are at 0
 * and some are not: no share of a level says how far they lie apart, so they say it themselves.
 * What came once counts as the value next to it, since one night proves nothing.
 */
det__near det__spread_near_zero(const det_watch *watch, uint64_t serial, size_t c);

/** det__spread_scale - the value that the night's spread is a share of. One that is at 0 scatters
 * as its level did. */
double det__spread_scale(const det_watch *watch, uint64_t serial, size_t c);

/** det__spread_assumed - was it learnt from the nights before how far configuration c's lie apart?
 * equal: they were. */
det_assumed det__spread_assumed(const det_watch *watch, uint64_t serial, size_t c, bool equal);

/** det__spread_noise - the noise of a night, as det__filter_night wants it. */
void det__spread_noise(const det_watch *watch, uint64_t serial, det__noise *noise);

/** det__spread_learn - take the night's innovations in; open [count]: level unknown, learn not. */
void det__spread_learn(det_watch *watch, uint64_t serial, const bool *open);

/** det__absorb - take night `serial` into base and bank, remembering what was believed before. */
void det__absorb(det_watch *watch, uint64_t serial, const bool *open);

/** det__begin - (re)start the whole series with night `serial`. */
void det__begin(det_watch *watch, uint64_t serial);

/** det__forget - these configurations begin with the night that is absorbed next, by bits. */
void det__forget(det_watch *watch, uint64_t which);

/** det__change_width - a first guess of a change: what is usual, or what the night shows if
 * more. */
double det__change_width(const det_watch *watch, size_t portion, uint64_t serial);

/**
 * det__accept - believe in a change: start again from its night, replay to `serial`.
 * machine  another machine, by a change in the bank: the nights since say what the levels are
 */
void det__accept(det_watch *watch, const det__change *change, uint64_t serial, bool machine);

/**
 * det__accept_return - the machine is back since night `back`: the levels are those of before it
 * went, and the nights between say nothing of them; replay to `serial`.
 */
void det__accept_return(det_watch *watch, uint64_t back, uint64_t serial);

/**
 * det__accept_night - believe that night `start` changed portions, whichever they are; replay to
 * `serial`.
 * asked  [count] not those: whether they moved is not known yet
 */
void det__accept_night(det_watch *watch, uint64_t start, uint64_t serial, const bool *asked);

/* How far a portion moved, as measuring both commits in turn has shown. */
typedef struct {
    double size, variance;
} det__step;

/** det__accept_measured - as det__accept of a portion's change, of which the size is known. */
void det__accept_measured(det_watch *watch, const det__change *change, const det__step *step,
                          uint64_t serial);

/** det__clear - the portion did not change, or that is not known (not absent): forget its
    suspicions, and rest. */
void det__clear(det_watch *watch, size_t portion, uint64_t serial, bool absent);

/** det__cleared_since - was a suspicion of the portion answered so, of that night or a later one?
 */
bool det__cleared_since(const det_watch *watch, size_t portion, uint64_t serial);

/** det__belief - the belief that goes with change i, into filter [filter size]. */
void det__belief(const det_watch *watch, size_t i, double *filter);

/** det__strongest - the change of a portion with the most evidence that starts after `after` and
    not after `last`; -1: none. */
int det__strongest(const det_watch *watch, uint64_t portion, uint64_t after, uint64_t last);

/**
 * det__guard - set verdict and rule of each portion whose measurement is suspect, and blank it.
 * Returns the configurations, by bits, whose suspect level has lasted so long that it is to be
 * believed.
 */
uint64_t det__guard(det_watch *watch, uint64_t serial, det_verdict *out);

/* Results, by serial: from `first` up to `end`, which is none of them. */
typedef struct {
    uint64_t first, end;
} det__range;

/** det__reference - the last results before that of serial `end` that have the portion, of its
    present level and at most the policy's: first and last have it, of others between some may not.
    Where its level has none yet, the last one before it. */
det__range det__reference(const det_watch *watch, size_t portion, uint64_t end);

/** det__dates - of how many nights the results are that have the portion: one that was measured
    again is told once. */
unsigned det__dates(const det_watch *watch, size_t portion, det__range of);

/** det__incident_night - before a night is judged: nothing begins yet, what is over is gone. */
void det__incident_night(det_watch *watch);

#define DET__CONTROL_ALONE ": the machine, the harness or the method itself, not the monitoring"
#define DET__MACHINE_SIZE 0.03 /* smaller steps of the control are nobody's concern */
#define DET__CONTROL_REACH 1.5 /* its factor explains as much of a portion's and half again */

/** det__incident_machine - a change of machine that the reference follows, where that moved by as
 * much as anybody minds. before: the belief. apart: by bits, portions that moved otherwise: of the
 * factor no configuration says anything that holds one of them, but for the control. */
void det__incident_machine(det_watch *watch, const det__change *change, const double *before,
                           uint64_t apart);

/** Count a night in or out of a row of its kind, which opens its incident. missing: a bit for each
 * configuration that was there before. */
void det__incident_broken(det_watch *watch, uint64_t serial, bool broken, double factor);
/** As a history's first night shows it: it is one by itself, of so many configurations. */
void det__incident_onset(det_watch *watch, uint64_t serial, size_t moved, size_t seen);
void det__incident_missing(det_watch *watch, uint64_t serial, uint64_t missing);
void det__incident_noise(det_watch *watch, uint64_t serial);

/** det__incident_common - the reference begins anew by this factor, seen since `since`. */
void det__incident_begin(det_watch *watch, det_incident_kind kind, const det__odd *since,
                         double factor);

/** det__small_begin - what the portion's level is now is what was told. */
void det__small_begin(det_watch *watch, size_t portion);

/** det__small_step - a change too small to tell is the level from now on of the portions from
 * `first` up to `end`, which is none of them. */
void det__small_step(det_watch *watch, uint64_t serial, const det__change *change, size_t first,
                     size_t end);

/**
 * det__control_twice - were the last two nights of the control off by DET__MACHINE_SIZE of its
 * level at least, the same way, and clear of the noise that was known before them? Evidence takes
 * longer to see that on a noisy node: it learns from these very nights that the node is noisier.
 */
bool det__control_twice(const det_watch *watch, uint64_t serial);

/**
 * det__is_slow - did the portion's change since night `start` come slowly, so that no single night
 * brought it? change: how far it went, with its sign
 */
bool det__is_slow(det_watch *watch, uint64_t serial, size_t portion, uint64_t start, double change);

/**
 * det__date - of what is told, and not measured again: v->from becomes the last night before all
 * those that the change may be dated to.
 */
void det__date(det_watch *watch, const det__change *change, size_t portion, det_verdict *v);

#define DET__EVIDENCE_MACHINE 6.0 /* for another machine, which costs no trust */
#define DET__YOUNG_NIGHTS 10.0    /* a series' first ones: noise and drift are not known yet */
#define DET__NIGHT_ALPHA 0.001    /* error rate of Student's test of one night, */
#define DET__NIGHT_Z 3.29         /* and what it asks for at the very least: the normal one */

/** det__needed_alone - evidence that a change of so many nights' age takes where nothing can be
 * measured again. least: what it takes by itself */
double det__needed_alone(const det_watch *watch, size_t portion, uint64_t age, double least);

/** det__quiet - what is said of a portion until something is told of it: first, as before, or in
 * question. needed: evidence that a change takes */
void det__quiet(det_watch *watch, uint64_t serial, size_t portion, double needed, det_verdict *v);

/**
 * det__young - a change among a series' first nights that these by themselves show: pending, or,
 * where they leave no doubt of it, or it is measured again, an anomaly. needed: evidence that this
 * is worth.
 * Returns whether it is to be settled: the change, in *change.
 */
bool det__young(det_watch *watch, uint64_t serial, size_t portion, double needed, det_verdict *v,
                det__change *change);

/** det__tell_across - a change of the portion before the machine's last one was told: the level
 * that began there has it. */
static inline void det__tell_across(det_watch *watch, size_t portion) {
    watch->home[portion] = watch->start[portion];
    watch->away = 0; /* a way back would tell it again */
}

/** det__judge - verdicts of a night that has been absorbed. */
void det__judge(det_watch *watch, uint64_t serial, det_verdict *out);

/** det__matters - is the difference as large as what is told of a portion? */
bool det__matters(const det_policy *policy, const det_verdict *v);

/** det__asks - is a change believed only when the caller says so? */
static inline bool det__asks(const det_policy *policy) {
    return policy->remeasure || policy->ask;
}

/** det__mind_direction - nobody wants to be told of a change in this direction. */
void det__mind_direction(const det_policy *policy, det_verdict *v);

/** det__likelier - that of two changes in the bank which explains the nights better; -1 is none. */
int det__likelier(const det_watch *watch, int a, int b);

/**
 * det__claim - the verdict that change i would give its portion; false when the policy does not
 * care. A change that is proven but too small to tell gets the rule BELOW_EFFECT.
 */
bool det__claim(det_watch *watch, uint64_t serial, size_t i, size_t portion, det_verdict *v);

/**
 * Without a control (together.c):
 * det__suspect_together - each portion that is where the common factor puts it is measured again,
 * which tells whether that was the machine; where nothing is, it stays in question, or is followed
 * where it is too small to tell.
 * det__is_behind - nights that one factor explains look like outliers of all portions, until so
 * many scatter that one of these is told, of the last of them (change i, v). Does the factor
 * explain more of them?
 * det__tell_together - then each portion that is where the factor puts it is told, of its first
 * night; also where a change (i, own) came after it: the factor is the level before. False: no
 * factor is, or nothing has it.
 * det__follow_together - a portion was cleared. Where everything moved by one factor for two nights
 * at least, it was the machine: its level is followed.
 */
void det__suspect_together(det_watch *watch, uint64_t serial, bool *settled, det_verdict *out);
bool det__is_behind(const det_watch *watch, size_t i, const det_verdict *v);
bool det__tell_together(det_watch *watch, uint64_t serial, size_t i, const det_verdict *own,
                        bool *settled, det_verdict *out);
void det__follow_together(det_watch *watch, uint64_t serial);

/** det__follow_cleared - a portion was cleared. Where that is so once more, by a size that trials
 * hardly miss, and its nights since are clear of those before, they are its level (cleared.c). */
void det__follow_cleared(det_watch *watch, size_t portion, uint64_t serial);

/** det__beside - a change since night `start` of what is not measured again, by what it moved
 * otherwise than the machine, where that changed, too. False: nothing is left of it, and v has the
 * rule DET_RULE_COMMON_SCALE. */
bool det__beside(det_watch *watch, size_t portion, uint64_t start, det_verdict *v);

/** det__machine_factor - by which the control, and with it everything but the portion, moved from
 * the nights before to those since; 1: it is not clear of noise. error: standard error of it */
double det__machine_factor(det_watch *watch, det__range before, det__range since, size_t portion,
                           double *error);

/** det__is_beside - was it judged by tonight's value, for it did not move as the machine did? */
static inline bool det__is_beside(det_rule rule) {
    return rule == DET_RULE_NOT_SCALED || rule == DET_RULE_UNCLEAR;
}

/** det__explain - write the sentence; everything else in the verdict is final. */
void det__explain(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *verdict);

/*
 * compare__ - the numbers of a verdict: two levels of a portion and their difference. Not
 * installed.
 */

#define DET__DOUBT 2.0 /* evidence from which on another portion may have changed as well */

typedef struct {
    det_watch *watch;
    uint64_t serial;
    size_t portion;
    const double *before;    /* filter: what was believed before the supposed change */
    const double *after;     /* filter of the change, or NULL: tonight's value is all there is */
    double evidence, needed; /* evidence NAN: for a change that is not the portion's own; what its
                                difference is worth by itself counts then */
    const det__small *small; /* steps that belong to the change as well, or NULL */
    double moved;            /* share by which the machine moved the reference since, */
    double unsure;           /* standard error of that share */
    uint64_t machine;        /* and its first night, where nights before it are asked as moved */
    bool counted;            /* whose reference is what its nights show, also where others were
                                measured in turn since: on another machine, perhaps */
    bool seen;               /* evidence is what the nights themselves show */
} det__comparison;

/**
 * det__outside - how far the portion's night lies outside all nights before it, in standard errors
 * of these nights alone: at most the policy's, whatever levels they had. 0: it does not; or they
 * scatter as widely as those of its configurations make expect; or the control's, tonight's too,
 * hardly scatter. What moves the control then moves what is measured on top of it as well, and
 * cancels in the portion.
 */
double det__outside(const det__comparison *c);

/* How far nights lie apart, as Student's test sees it, which knows no more than they show. */
typedef struct {
    unsigned nights; /* of each at least */
    bool agree;      /* each of the earlier ones is nearer to these than to the later ones */
    double level, difference; /* of the later ones, and minus the earlier ones */
    double error, df;         /* of the difference; 0: they are equal, or do not say it */
} det__between;

/** det__apart - the portion's nights since `start` against the reference before. */
det__between det__apart(const det__comparison *c, uint64_t start);

/** det__tonight - the portion's value in night `serial`. */
double det__tonight(const det_watch *watch, uint64_t serial, size_t portion);

/** det__night_variance - of that value. det__night_df - degrees of freedom of this estimate.
 * det__night_error - standard error of its difference from what was believed before. */
double det__night_variance(const det__comparison *c);
double det__night_error(const det__comparison *c);
double det__night_df(const det__comparison *c);

/** det__follows - is the portion where a change puts it (v), as far as a night can tell? */
bool det__follows(const det__comparison *c, const det_verdict *v);

/** det__keep_quiet - nothing is told of it. That is no claim that nothing is there. */
void det__keep_quiet(const det__comparison *c, det_verdict *v);

/**
 * det__compare - write what is compared, and intervals that touch where the rule begins to fire
 * (Goldstein and Healy 1995). Where nothing is measured again, a reference that is not between its
 * nights is their mean.
 * end  serial of the first night that is not reference
 */
void det__compare(const det__comparison *c, uint64_t end, det_verdict *v);

/* What the nights before had in question is the same change where it is so much of its size. */
#define DET__SAME_CHANGE 0.5

/**
 * det__compare_seen - likewise, of a change of the portion alone: where another one moved in the
 * same nights, the belief makes a level of it that none of them shows, or that is not between
 * several. Then it has their mean, and no more evidence than this is worth where none shows it.
 * after  [count] means of c->after, moved there
 * Returns false where that is another change than the one believed.
 */
bool det__compare_seen(const det__comparison *c, uint64_t end, double *after, det_verdict *v);
