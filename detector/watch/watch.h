#pragma once
/*
 * watch - night after night: which portion changed, which way, and why we think so.
 *
 * One watch a series (project, branch, benchmark, environment). Feed it the nights in order; it
 * answers at once for every portion. The same nights give the same verdicts, whether fed in one go
 * or with det_watch_save/restore between any two of them. Memory is fixed by the policy, time a
 * night does not grow with the history. No I/O, no clock, no global state; one thread per watch.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/portion.h"
#include "detector/statistics/status.h"

#define DET_LABEL_MAX 32u
#define DET_REASON_MAX 640u
#define DET_BASELINE_MAX 60u /* nights a reference can hold */
#define DET_ANEW_MAX 15u     /* nights that det_watch_anew can ask for once more */

/* Which loops of a night count. */
typedef enum {
    DET_TRIM_ENDS, /* all but a tenth at each end, and one of each at least */
    DET_TRIM_SLOW  /* all but the fastest fifth (two always count): where others slow many */
} det_trim;

/* det_trim_read - of "ends", "slow": DET_OK | DET_EINVAL, another word. */
det_status det_trim_read(const char *text, det_trim *trim);

/* What is to be noticed. det_policy_init gives defaults that need no touching. */
typedef struct {
    double confidence;      /* level of the intervals that are shown, 0.5 … 0.9999; 0.95 */
    double effect_relative; /* share of the portion's reference below which nothing is said; 0.01 */
    double effect_absolute; /* in the unit of the means; both floors must be passed; 0 */
    unsigned baseline_nights; /* reference: at most so many nights since the last change; 30 */
    unsigned minimum_loops;   /* fewer in a configuration: harness suspect; 2 */
    det_trim trim;            /* for the whole series; DET_TRIM_ENDS */
    int direction;            /* +1 only increases are told, -1 only decreases, 0 both; 0 */
    unsigned patience; /* nights that must agree before an anomaly is told, 1 … 4. 1 where a
                          suspicious night can be measured again, 2 for a history; 1 */
    int remeasure;     /* not 0: suspicions are told (DET_VERDICT_SUSPECT) and nothing is believed
                          before det_watch_resolve was told the outcome; 0 */
    int ask; /* not 0: an anomaly is told as a suspicion, on the evidence of an anomaly, and
                believed only when det_watch_resolve was told so: a person may know
                better; 0 */
    const char *unit; /* of the means, for reasons; "": not known; NULL: ns a call; NULL */
    double zero; /* what a mean of 0 is taken for, above 0: 0 is a value then, and no step from one
                    value to another is too large for a change; 0: a mean of 0 is none */
    double caution; /* evidence that an anomaly or suspicion takes, in units of what is shipped;
                       more: fewer false alarms and less found; 0.1 … 10; 1 */
} det_policy;

/* One measured night. All pointers are borrowed for the call. */
typedef struct {
    int64_t id;          /* the caller's, e.g. the experiment's number; given back in verdicts */
    const char *label;   /* for people, e.g. "2013-04-17"; NULL: "night <id>" */
    size_t loops;        /* rounds, 1 … DET_LOOPS_MAX */
    const double *means; /* [count * loops], configuration by configuration, in ns; NaN: missing */
    int new_environment; /* not 0: node, kernel, JVM or parameters changed: start anew */
} det_night;

typedef enum {
    DET_VERDICT_OK,          /* as before */
    DET_VERDICT_FIRST,       /* nothing to compare with yet */
    DET_VERDICT_ANOMALY,     /* the portion changed */
    DET_VERDICT_ENVIRONMENT, /* the machine is the likely cause; alarms are held */
    DET_VERDICT_HARNESS,     /* the measurement itself is suspect; the night is not used */
    DET_VERDICT_SUSPECT      /* worth measuring again; only where policy.remeasure asks for it */
} det_verdict_name;

/* Why; the machine-readable half of the reason. */
typedef enum {
    DET_RULE_NONE,
    DET_RULE_FIRST,           /* first night of the series or after a new environment */
    DET_RULE_WITHIN,          /* intervals overlap */
    DET_RULE_BELOW_EFFECT,    /* moved, below the minimum effect: the reference moves unreported;
                                 value, reference and to are those of the step */
    DET_RULE_NIGHT,           /* this night alone stands clear of its reference */
    DET_RULE_WINDOW,          /* the last nights together stand clear of the reference */
    DET_RULE_PENDING,         /* stands clear, but patience asks for more nights */
    DET_RULE_DIRECTION,       /* changed in a direction that the policy does not ask for */
    DET_RULE_CONTROL_MOVED,   /* T moved, and the portion's change is explained by it */
    DET_RULE_COMMON_SCALE,    /* every configuration moved by the same factor */
    DET_RULE_NOT_SCALED,      /* either of them moved, and this portion otherwise */
    DET_RULE_UNCLEAR,         /* as if the machine had changed, but the control did not match it */
    DET_RULE_NEW_ENVIRONMENT, /* the caller said so */
    DET_RULE_NEW_LEVEL,       /* values far from those before have lasted: nobody says why */
    DET_RULE_MISSING,         /* a configuration has no result */
    DET_RULE_FEW_LOOPS,       /* fewer loops than the policy's minimum */
    DET_RULE_UNIT,            /* values x1000 or x1e6, or exactly x2 everywhere; or less by that */
    DET_RULE_SPREAD,          /* the night scatters as widely as its mean */
    DET_RULE_BIMODAL,         /* loops fall into two groups, which they did not before */
    DET_RULE_BROKEN,          /* values far outside the level before */
    DET_RULE_SLOW,            /* as WINDOW, but a slow shift: it took a week to show,
                                 or is one of several steps the same way */
    DET_RULE_LITTLE,          /* as WITHIN, but the difference's own interval leaves out 0: that is
                                 too little evidence of a change */
    DET_RULE_BY_HAND          /* the caller's: it changed, and a person says that no level begins */
} det_rule;

/* Standard deviations between loops in two nights: of the portion's configuration and of its
   parent, tonight and in the night to measure against; 0: not known. */
typedef struct {
    double own, parent, own_before, parent_before;
} det_spreads;

/* What happened to the machine or the harness, not to the code. */
typedef enum {
    DET_INCIDENT_NONE,
    DET_INCIDENT_SCALE,       /* every configuration by one factor, the control too: a unit, a
                                 clock, another machine */
    DET_INCIDENT_CONTROL,     /* the control alone, or all by what it moved */
    DET_INCIDENT_BROKEN,      /* nights far outside the level before: not used */
    DET_INCIDENT_MISSING,     /* a configuration that was there has no result */
    DET_INCIDENT_ENVIRONMENT, /* the caller said so */
    DET_INCIDENT_NOISE /* loops scatter more widely than they used to, in all configurations */
} det_incident_kind;

#define DET_INCIDENT_KINDS ((int)DET_INCIDENT_NOISE + 1)

/* Opened by the second night that shows it (noise: the third). Where the machine is another one,
   the reference has begun anew by then and the incident is over in the night that opens it; broken
   nights, missing configurations and noise last until they end. */
typedef struct {
    det_incident_kind kind;
    int begins;               /* not 0: the last night opened it */
    int lasts;                /* not 0: the nights to come may still show it; 0: it is over */
    int64_t since, before;    /* ids of its first night and of the last one before it; 0: none */
    double factor, low, high; /* now / before, with a 95 % interval; NaN: none */
    size_t moved, seen;       /* configurations that moved, of so many */
    int stays;                /* not 0: a configuration that is missing still, taken as removed */
    char who[DET_REASON_MAX]; /* "file and tcp": the configurations that are missing, or the
                                 control's portion, that moved; "": of another kind */
    char reason[DET_REASON_MAX];
} det_incident;

/* How far nights lie apart is part of an interval. Where it is not learnt, it is assumed. */
typedef enum {
    DET_ASSUMED_NOT,
    DET_ASSUMED_PARTLY, /* the nights before are two */
    DET_ASSUMED_EQUAL,  /* they were equal */
    DET_ASSUMED_UNSEEN  /* they do not show it: there was one, or what they show is a share of 0 */
} det_assumed;

typedef struct {
    det_verdict_name verdict;
    det_rule rule;
    int direction;      /* +1 up, -1 down, 0 neither */
    det_interval night; /* this night as it was judged: robust mean, night-to-night variance in */
    det_interval reference; /* the nights before, likewise; n counts nights; NaN when there is none.
                               The two intervals touch exactly where the rule begins to fire. */
    det_interval difference; /* night minus reference with its interval at policy.confidence; NaN
                                ends: pending, and nothing but what is assumed hides it */
    det_assumed assumed;     /* of the intervals */
    double ratio;            /* night / reference; NaN when there is none */
    double score;            /* |difference| in units of its threshold; >= 1: clear of it */
    unsigned reference_nights;
    int64_t reference_from, reference_to; /* ids of the first and last night of the reference */
    int64_t to;          /* anomaly: id of the first night of the new level; else the night's id */
    int64_t from;        /* anomaly: id of the last night of the old level, where nothing is
                            measured again the last one that surely is; else reference_to */
    int64_t trial_from;  /* suspicion: id of the night whose commit to measure against, some nights
                            earlier, because the date of a small change is uncertain */
    int trial_alone;     /* suspicion, 1: nothing that the portion is measured on top of is in doubt
                            or has changed since trial_from: where its configuration is as before,
                            so is the portion */
    int stands;          /* suspicion, 1: clear by itself, were it not measured again */
    det_spreads spreads; /* for confirm.h */
    unsigned steps;  /* not 0: the change is a sum, of so many steps below the minimum effect that
                        were taken into the level in silence, and this one */
    double evidence; /* log of how much better the change predicts the nights than none does */
    char reason[DET_REASON_MAX]; /* one sentence for people */
} det_verdict;

/* What measuring a suspicion again has shown (confirm.h). */
typedef enum {
    DET_CLEARED,   /* it is not there: the nights stay in the reference */
    DET_CONFIRMED, /* a new level since then */
    DET_UNDECIDED  /* neither: asked again when later nights agree */
} det_outcome;

typedef struct det_watch det_watch;

/** det_policy_init - the defaults named above. det_policy_check - DET_OK | DET_EINVAL. */
void det_policy_init(det_policy *policy);
det_status det_policy_check(const det_policy *policy);

/**
 * det_watch_new - an empty series.
 * policy     one for all portions
 * Returns a watch to be freed with det_watch_free, or NULL: chain or policy invalid, no memory.
 * det_watch_set_policy - other limits for one portion (index of its configuration); its
 * baseline_nights, minimum_loops and trim are the series' and stay. DET_OK | DET_EINVAL.
 */
det_watch *det_watch_new(const det_chain *chain, const det_policy *policy);
det_status det_watch_set_policy(det_watch *watch, size_t portion, const det_policy *policy);
void det_watch_free(det_watch *watch);

/**
 * det_watch_add - judge the next night, and remember it.
 * out  [chain.count] one verdict per portion; written only on DET_OK
 * Returns DET_OK | DET_EINVAL (loops out of range, NULL) | DET_ENUMERIC (infinite or negative
 * mean); after an error the watch is as before. A missing or broken night is not an error: it gets
 * the verdict DET_VERDICT_HARNESS.
 */
det_status det_watch_add(det_watch *watch, const det_night *night, det_verdict *out);

/**
 * det_watch_incident - what the last night showed of machine and harness; at most one of a kind.
 * Returns DET_OK | DET_ESHORT (nothing; *out is not written) | DET_EINVAL (no such kind). An
 * incident that lasts is given every night, with `begins` in the first alone, and once more, with
 * `lasts` 0, when it is over.
 */
det_status det_watch_incident(const det_watch *watch, det_incident_kind kind, det_incident *out);

/**
 * det_watch_anew - an empty watch for the same series, when its first nights were broken.
 * They are, when few nights (at most seven) are followed by more that agree with one another and
 * lie far outside them. What the watch said of them is wrong then, and a caller that has the
 * nights feeds them to the new one from the first night on: it sets those aside that are far from
 * the level of the many, as an incident of kind BROKEN that has no night before it, and begins with
 * the first that is not. A caller that has not goes on as before. Asked after each night; the same
 * nights give the same answer at the same night, so judging them again ends.
 * Returns NULL when nothing of that kind was seen in the last night, or without memory; else a
 * watch to be freed with det_watch_free. The policies of single portions are taken over.
 */
det_watch *det_watch_anew(const det_watch *watch);

/** det_incident_text - "none", "scale", "control", "broken", "missing", "environment", "noise";
 * static. */
const char *det_incident_text(det_incident_kind kind);

/**
 * det_watch_resolve - what measuring a suspicion of the last night again has shown.
 * to         the verdict's: first night of the supposed new level. With DET_CONFIRMED the last
 *            night, whatever its verdict: a person says that a level of the portion begins there
 * A portion whose suspicion was not confirmed rests for three nights, and a clearance counts
 * against the suspicion later. What was cleared twice, and lasts, is the portion's level.
 * Returns DET_OK | DET_EINVAL (no such suspicion). Source of the outcome: confirm.h.
 */
det_status det_watch_resolve(det_watch *watch, size_t portion, int64_t to, det_outcome outcome);

/**
 * det_watch_confirm - as det_watch_resolve with DET_CONFIRMED, and by so much: the new reference is
 * the old one and what was measured in turn, not the few nights since, of which one may be noisy.
 * before  the earlier commit, where known (else NULL), at policy.confidence: where it was elsewhere
 *         than its nights, so was the machine, and the reference moves by as large a share
 * difference  the later commit minus the earlier one, likewise; without steps (det_verdict.steps)
 *             that were taken into the level before
 * Returns DET_OK | DET_EINVAL (no such suspicion) | DET_ENUMERIC (not finite).
 */
det_status det_watch_confirm(det_watch *watch, size_t portion, int64_t to,
                             const det_interval *before, const det_interval *difference);

/**
 * det_watch_save - the whole state as bytes, portable over machines of one release.
 * Writes when size is large enough; returns how many bytes are needed in any case.
 * det_watch_restore - the watch again. chain and policy are those given to _new (policies set for
 * single portions are set again by the caller). NULL: bytes damaged, of another version or another
 * trim, chain of another length, or no memory; start anew from the stored nights then.
 */
size_t det_watch_save(const det_watch *watch, void *bytes, size_t size);
det_watch *det_watch_restore(const det_chain *chain, const det_policy *policy, const void *bytes,
                             size_t size);

/**
 * det_verdict_add - appends "; " and `what` to the reason. The reason of a suspicion does not say
 * what is done about it; the caller knows ("to be measured again"), and adds it.
 */
void det_verdict_add(det_verdict *v, const char *what);

/**
 * det_verdict_believe - a suspicion that is believed after all: DET_VERDICT_ANOMALY, and its reason
 * says "rose" where it said "may have risen".
 */
void det_verdict_believe(det_verdict *v);

/**
 * det_verdict_pend - a suspicion that is not measured again stays in question: DET_VERDICT_OK,
 * DET_RULE_PENDING, and `why` ("not enough to say so") is added to its reason.
 */
void det_verdict_pend(det_verdict *v, const char *why);

/** det_verdict_text - "ok", "first", "anomaly", "environment", "harness", "suspect". */
const char *det_verdict_text(det_verdict_name verdict);

/** det_rule_text - a stable identifier such as "night-interval"; static. */
const char *det_rule_text(det_rule rule);
