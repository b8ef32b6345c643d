/* reason - the verdict as one sentence for people. Numbers do not depend on the locale. */

#include "detector/words/text__.h"

#include "detector/watch/watch__.h"
#include <math.h>
#include <string.h>

/* The last night with this id that is still known. */
static const char *label_of(const det_watch *watch, int64_t id) {
    for (size_t p = 0; p < watch->chain.count; p++)
        if (*watch->small[p].before.label && watch->small[p].before.id == id)
            return watch->small[p].before.label;
    for (uint64_t age = 1; age < DET__DEPTH && age <= watch->nights; age++)
        if (det__stamp_at(watch, watch->nights - age)->id == id)
            return det__stamp_at(watch, watch->nights - age)->label;
    return "?";
}

static void put_nights(det__line *line, const det_watch *watch, const det_verdict *v) {
    if (v->steps) {
        det__put(line, "the level of ");
    } else if (v->reference_nights == 1) {
        det__put(line, "1 night, ");
    } else {
        det__put_count(line, v->reference_nights);
        det__put(line, " nights, ");
        det__put(line, label_of(watch, v->reference_from));
        det__put(line, " to ");
    }
    det__put(line, label_of(watch, v->reference_to));
}

/* Is it at its level again, and was it not the night before, when the machine changed? */
static bool is_back(const det_watch *watch, uint64_t serial, size_t portion, const det_verdict *v) {
    const double half = (v->difference.high - v->difference.low) / 2;
    return v->direction == 0 && serial > 0 && v->to == det__stamp_at(watch, serial - 1)->id &&
           fabs(det__tonight(watch, serial - 1, portion) - v->reference.mean) > half;
}

#define ALONG "; the former value is where the control's factor puts it"

/* Is a portion in question against where the machine took nights from before its level began? */
static bool is_along(const det_watch *watch, size_t portion, const det_verdict *v) {
    const int control = watch->chain.control;
    const uint64_t since = watch->start[portion];
    if (v->rule != DET_RULE_PENDING || control < 0 || watch->start[control] != since)
        return false;
    for (uint64_t s = since; s > watch->home[portion] && watch->nights - s < DET__DEPTH; s--)
        if (det__stamp_at(watch, s - 1)->id == v->reference_to)
            return true;
    return false;
}

/* What follows a suspicion is for the caller to say: det_verdict_add. */
static const char *tail_of(const det_verdict *v, bool control, bool back) {
    if (v->verdict == DET_VERDICT_SUSPECT || v->verdict == DET_VERDICT_ANOMALY)
        return det__is_beside(v->rule) ? ALONG : "";
    if (v->rule == DET_RULE_PENDING)
        return "; not enough to say so";
    if (v->rule == DET_RULE_COMMON_SCALE)
        return "; one factor for all portions explains it";
    if (v->rule == DET_RULE_UNCLEAR)
        return back      ? "; back from what looked like another machine: not judged"
               : control ? "; the control, and it did not move as one change of the machine would "
                           "move it: not judged"
                         : "; as if the machine had changed, but the control did not move to match "
                           "it: not judged";
    if (v->rule == DET_RULE_NOT_SCALED)
        return back ? "; the control moved, and this one is back, so it is not judged"
                    : "; the control moved, and this one otherwise, so it is not judged";
    if (v->rule == DET_RULE_DIRECTION)
        return "; the policy does not ask for this direction";
    if (v->rule == DET_RULE_CONTROL_MOVED)
        return control ? "; it is the control" : "; the control moved";
    return "";
}

/* Times of calls that move with the control are likely the machine's; a control that moves alone
 * may do so by itself. What else moves so, as a start does, may be what all configurations have in
 * common. */
static void put_tail(det__line *line, const det_watch *watch, uint64_t serial, size_t portion,
                     const det_verdict *v) {
    const bool control = (int)portion == watch->chain.control;
    const bool moved = v->rule == DET_RULE_CONTROL_MOVED;
    if (is_along(watch, portion, v))
        det__put(line, ALONG);
    det__put(line, tail_of(v, control, is_back(watch, serial, portion, v)));
    if (v->verdict == DET_VERDICT_ENVIRONMENT && (v->rule == DET_RULE_COMMON_SCALE || moved))
        det__put(line, watch->policy[portion].unit ? ", as if the machine had changed: not judged"
                       : moved && (control || v->direction == 0)
                           ? DET__CONTROL_ALONE
                           : ", so the machine is the likely cause");
}

/* Charts show the mean of all. */
static const char *loops_of(const det_policy *policy) {
    return policy->trim == DET_TRIM_SLOW ? ", judged by the fastest loops" : "";
}

/* "0.99 times the threshold": never rounded up to 1. Of a night that is far off by itself, where no
 * evidence of a change is, "0.00 times" would say that it is not. */
static void put_score(det__line *line, double score) {
    const double told = score < 1 ? floor(100 * score) / 100 : score;
    if (told == 0) {
        det__put(line, "far off by itself");
        return;
    }
    det__put_number(line, told);
    det__put(line, " times the threshold");
}

static det_known known_of(const det_verdict *v) {
    return v->verdict == DET_VERDICT_SUSPECT || v->rule == DET_RULE_PENDING ? DET_KNOWN_ASKED
           : v->verdict == DET_VERDICT_ANOMALY                              ? DET_KNOWN_JUDGED
                                                                            : DET_KNOWN_MEASURED;
}

/* Are not all loops of a night in its value? Pages show the mean of all. */
static bool is_cut(const det_watch *watch, uint64_t serial, size_t portion) {
    const det__cell *cells = det__cells_at(watch, serial);
    const int parent = watch->chain.parent[portion];
    return watch->policy[0].trim == DET_TRIM_ENDS &&
           fmax(cells[portion].loops, parent < 0 ? 0 : cells[parent].loops) > 2;
}

/* What is judged may be the level of several nights, or what one factor for all makes of it: where
 * the night's own value is another one, or its own difference is not in the told interval, that is
 * told. */
static void put_tonight(det__line *line, const det_watch *watch, uint64_t serial, size_t portion,
                        const det_verdict *v) {
    const double raw = det__tonight(watch, serial, portion),
                 tonight = fabs(raw) <= watch->policy[portion].zero ? 0 : raw;
    const double own = tonight - v->reference.mean;
    const bool near = fabs(tonight - v->night.mean) <= fabs(v->difference.mean) / 2;
    const bool inside = tonight >= v->night.low && tonight <= v->night.high &&
                        !(own < v->difference.low || own > v->difference.high);
    if (isnan(tonight) || (near && inside) || det__same_in_print(tonight, v->night.mean))
        return;
    det__put(line, "; this night alone is at ");
    det__put_amount(line, tonight, watch->policy[portion].unit);
    det__put(line, is_cut(watch, serial, portion) ? " without its outermost loops" : "");
    if (v->verdict == DET_VERDICT_ENVIRONMENT)
        det__put(line, ", the other value is what one change of all portions makes of it");
}

/* What an interval rests on where nights gave no measure of it. */
static void put_ground(det__line *line, const det_verdict *v) {
    static const char *const grounds[] = {[DET_ASSUMED_NOT] = NULL,
                                          [DET_ASSUMED_PARTLY] = "partly assumed: those before "
                                                                 "are few",
                                          [DET_ASSUMED_EQUAL] = "assumed: those before were equal",
                                          [DET_ASSUMED_UNSEEN] = "assumed: those before do not "
                                                                 "show it"};
    if (!grounds[v->assumed])
        return;
    det__put(line, "; how far nights lie apart is ");
    det__put(line, grounds[v->assumed]);
}

#define FAR 3.29         /* times what nights scatter by: so far is one quiet night of a thousand */
#define FAR_SHARE 2      /* from one in so many on it is told that they are */
#define LEVEL_EQUAL 1e-9 /* share of a level: it is the nights' mean, in which all count */

/* Of a configuration's nights: a share of the largest of its levels, the one before, tonight's, and
 * what is believed now. */
static double scatter_of(const det_watch *watch, uint64_t serial, int c, double before) {
    double floor;
    if (c < 0)
        return 0;
    const double now = fmax(det__spread_scale(watch, serial, (size_t)c), watch->base[c]);
    const double spread =
        det__spread_noise_of(watch, serial, (size_t)c, &floor) * fmax(now, before);
    return fmax(spread * spread, floor);
}

/* What lies far from a level that was not measured in turn hardly counts in it. */
static void put_far(det__line *line, const det_policy *policy, double level, unsigned far,
                    unsigned count) {
    if (policy->remeasure || far == 0 || FAR_SHARE * far < count)
        return;
    det__put(line, "; far from ");
    det__put_amount(line, level, policy->unit);
    det__put(line, ", and hardly counted in it: ");
    det__put_count(line, far);
    det__put(line, " of their ");
    det__put_count(line, count);
    det__put(line, count == 1 ? " result" : " results");
}

/* A level that was measured in turn, or is believed of the nights that it is told of, may lie
 * outside of all of them, or far from many: then that is told. */
static void put_shown(det__line *line, const det_watch *watch, uint64_t serial, size_t portion,
                      const det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    const int parent = watch->chain.parent[portion];
    const double level = v->reference.mean, below = parent < 0 ? 0 : watch->base[parent];
    const double reach = FAR * sqrt(scatter_of(watch, serial, (int)portion, below + level) +
                                    scatter_of(watch, serial, parent, below));
    double low = INFINITY, high = -INFINITY, sum = 0;
    unsigned count = 0, far = 0;
    bool among = false;
    if ((v->verdict != DET_VERDICT_ENVIRONMENT && v->rule == DET_RULE_NOT_SCALED) ||
        is_along(watch, portion, v))
        return; /* the tail says where that level is from */
    for (uint64_t age = 1; !v->steps && age < DET__DEPTH && age <= watch->nights; age++) {
        const double raw = det__tonight(watch, watch->nights - age, portion);
        const int64_t id = det__stamp_at(watch, watch->nights - age)->id;
        among = among || id == v->reference_to;
        if (among && !isnan(raw)) {
            const double x = fabs(raw) <= policy->zero ? 0 : raw;
            low = fmin(low, x);
            high = fmax(high, x);
            sum += x;
            far += fabs(x - level) > reach;
            count++;
        }
        if (among && id == v->reference_from)
            break;
    }
    const double nearest = level < low ? low : high;
    if (low > high || (level >= low && level <= high) || det__same_in_print(level, nearest)) {
        const bool mean = fabs(level - sum / count) <= LEVEL_EQUAL * fabs(level);
        put_far(line, policy, level, mean ? 0 : far, count);
        return;
    }
    det__put(line, v->reference_nights == 1 ? "; that night by itself is at "
                                            : "; those nights by themselves are at ");
    det__put_amount(line, low, policy->unit);
    if (det__same_in_print(low, high))
        return;
    det__put(line, " to ");
    det__put_amount(line, high, policy->unit);
}

static void explain_change(const det_watch *watch, uint64_t serial, size_t portion,
                           det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    det_change change = det_change_of(watch->chain.name[portion], &v->reference, &v->night,
                                      &v->difference, watch->policy[0].confidence);
    change.unit = policy->unit;
    change.known = known_of(v);
    det__line line = det__line_of(v->reason, sizeof v->reason);
    det__put_change(&line, &change, v->rule == DET_RULE_SLOW);
    det__put(&line, " against ");
    put_nights(&line, watch, v);
    det__put(&line, ": ");
    put_score(&line, v->score);
    det__put(&line, v->rule == DET_RULE_SLOW ? "; a slow shift" : "");
    if (v->steps) {
        det__put(&line, " in ");
        det__put_count(&line, v->steps + 1);
        det__put(&line, " small steps");
    }
    if (v->night.n > 1 && !det__is_beside(v->rule)) {
        det__put(&line, ", judged over ");
        det__put_count(&line, v->night.n);
        det__put(&line, " nights");
    }
    det__put(&line, loops_of(policy));
    put_ground(&line, v);
    put_shown(&line, watch, serial, portion, v);
    put_tonight(&line, watch, serial, portion, v);
    put_tail(&line, watch, serial, portion, v);
}

/* The machine moved, and of this portion nothing can be told from no change. */
static bool is_unmoved(const det_verdict *v) {
    return v->verdict == DET_VERDICT_ENVIRONMENT && v->direction == 0;
}

/* Did the control's level begin anew in the night that the verdict's does? */
static bool is_with_control(const det_watch *watch, const det_verdict *v) {
    const int control = watch->chain.control;
    return control >= 0 && watch->nights - watch->start[control] < DET__DEPTH &&
           det__stamp_at(watch, watch->start[control])->id == v->to;
}

static const char *quiet_text(const det_watch *watch, size_t portion, const det_verdict *v) {
    if (v->rule == DET_RULE_BELOW_EFFECT)
        return (int)portion == watch->chain.control ? "): a small step of the control"
               : is_with_control(watch, v)          ? "): a small step with the control"
                                                    : "): below the minimum effect";
    return v->rule != DET_RULE_LITTLE ? "): within the noise"
           : det__matters(&watch->policy[portion], v)
               ? "): differs, too little evidence of a change"
               : "): differs, by less than is reported";
}

/* "+1.24 %"; of what is a percentage itself "+0.170 points". */
static void put_gap(det__line *line, const det_policy *policy, const det_verdict *v) {
    const double gap = v->night.mean - v->reference.mean;
    if (!det__is_percent(policy->unit)) {
        det__put_share(line, (v->ratio - 1) * 100);
        return;
    }
    det__put(line, gap < 0 ? "" : "+");
    det__put_amount(line, gap, "points");
}

/* Steps too small to tell may add up, since the level that was told. One of everything is the
 * control's. */
static void put_sum(det__line *line, const det_watch *watch, size_t portion, const det_verdict *v) {
    const det__small *small = &watch->small[portion];
    const double before = det__difference(&watch->chain, watch->base, portion) - small->sum;
    const bool own = (int)portion == watch->chain.control || !is_with_control(watch, v);
    if (!own || small->steps < 2 || !(before > 0) || det__is_percent(watch->policy[portion].unit))
        return;
    det__put(line, "; ");
    det__put_count(line, small->steps);
    det__put(line, " small steps after ");
    det__put(line, small->before.label);
    det__put(line, " are ");
    det__put_share(line, small->sum / before * 100);
}

/* "I is 203 ns, +1.24 % against 201 ns (5 nights, …): within the noise", or as before. Nor has it
 * risen where the project calls the step too small. */
static void explain_quiet(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    det__line line = det__line_of(v->reason, sizeof v->reason);
    const double before = v->reference.mean, now = v->night.mean;
    det__put(&line, watch->chain.name[portion]);
    det__put(&line, " is ");
    det__put_amount(&line, now, watch->policy[portion].unit);
    if (v->rule != DET_RULE_LITTLE && v->rule != DET_RULE_BELOW_EFFECT &&
        det__same_in_print(before, now)) {
        det__put(&line, " as before (");
    } else {
        if (before > 0 && !(v->reference.low <= 0)) { /* of next to nothing there is no share */
            det__put(&line, ", ");
            put_gap(&line, &watch->policy[portion], v);
        }
        det__put(&line, " against ");
        det__put_amount(&line, before, watch->policy[portion].unit);
        det__put(&line, " (");
    }
    put_nights(&line, watch, v);
    det__put(&line, quiet_text(watch, portion, v));
    det__put(&line, loops_of(&watch->policy[portion]));
    if (v->rule == DET_RULE_BELOW_EFFECT) {
        det__put(&line, ", so the reference is moved without an alert");
        put_sum(&line, watch, portion, v);
    }
    if (v->assumed != DET_ASSUMED_PARTLY) /* no interval is told */
        put_ground(&line, v);
    put_shown(&line, watch, serial, portion, v);
    if (is_unmoved(v) || v->rule == DET_RULE_BELOW_EFFECT)
        put_tonight(&line, watch, serial, portion, v);
    put_tail(&line, watch, serial, portion, v);
}

static const char *harness_text(det_rule rule) {
    switch (rule) {
    case DET_RULE_MISSING:
        return "a configuration has no result";
    case DET_RULE_FEW_LOOPS:
        return "fewer loops can be used than detection.minimum_loops wants";
    case DET_RULE_UNIT:
        return "values are off by exactly 2, by 1000 or by a million, as from a wrong unit or "
               "counter";
    case DET_RULE_SPREAD:
        return "its values scatter by as much as their mean, or more";
    case DET_RULE_BIMODAL:
        return "loops fall into two groups";
    case DET_RULE_BROKEN:
        return "values are far outside the level before";
    default:
        return "the measurement is suspect";
    }
}

/* Of a history's first nights: the level that they are compared with came later. */
static bool before_its_level(const det_watch *watch, size_t portion) {
    const int parent = watch->chain.parent[portion];
    return isnan(watch->base[portion]) || (parent >= 0 && isnan(watch->base[parent]));
}

/* "Inactive has no result": which of a portion's two it is; by its label. */
static void put_missing(det__line *line, const det_watch *watch, uint64_t serial, size_t portion) {
    const int both[] = {watch->chain.parent[portion], (int)portion};
    size_t missing = 0;
    for (size_t i = 0; i < 2; i++)
        if (both[i] >= 0 && !(det__cells_at(watch, serial)[both[i]].loops > 0)) {
            det__put(line, missing++ > 0 ? " and " : "");
            det__put(line, watch->chain.called[both[i]]);
        }
    det__put(line, missing == 0   ? harness_text(DET_RULE_MISSING)
                   : missing == 1 ? " has no result"
                                  : " have no result");
}

static det__line unjudged(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    det__line line = det__line_of(v->reason, sizeof v->reason);
    det__put(&line, watch->chain.name[portion]);
    det__put(&line, " is not judged on ");
    det__put(&line, det__stamp_at(watch, serial)->label);
    det__put(&line, ": ");
    const bool early = v->rule == DET_RULE_BROKEN && before_its_level(watch, portion);
    if (v->rule == DET_RULE_MISSING)
        put_missing(&line, watch, serial, portion);
    else
        det__put(&line,
                 early ? "values are far outside everything seen later" : harness_text(v->rule));
    return line;
}

static void explain_first(const char *name, const char *unit, const char *where, det_verdict *v) {
    det__line line = det__line_of(v->reason, sizeof v->reason);
    det__put(&line, name);
    det__put(&line, " is judged at ");
    det__put_amount(&line, v->night.mean, unit);
    det__put(&line, ", the first night ");
    det__put(&line, where);
}

/* What speaks for it: how many loops lie where. */
static void explain_groups(const det_watch *watch, uint64_t serial, size_t portion,
                           det_verdict *v) {
    const int parent = watch->chain.parent[portion];
    const det__groups *own = &watch->groups[portion];
    const det__groups *g =
        parent >= 0 && watch->groups[parent].ratio > own->ratio ? &watch->groups[parent] : own;
    det__line line = unjudged(watch, serial, portion, v);
    det__put(&line, ", ");
    det__put_count(&line, g->low_n);
    det__put(&line, " of them around ");
    det__put_amount(&line, g->low, watch->policy[portion].unit);
    det__put(&line, " and ");
    det__put_count(&line, g->high_n);
    det__put(&line, " around ");
    det__put_amount(&line, g->high, watch->policy[portion].unit);
}

void det__explain(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    const char *name = watch->chain.name[portion];
    if (v->rule == DET_RULE_BIMODAL)
        explain_groups(watch, serial, portion, v);
    else if (v->verdict == DET_VERDICT_HARNESS)
        (void)unjudged(watch, serial, portion, v);
    else if (v->verdict == DET_VERDICT_FIRST)
        explain_first(name, watch->policy[portion].unit, "to compare with", v);
    else if (v->rule == DET_RULE_NEW_ENVIRONMENT)
        explain_first(name, watch->policy[portion].unit, "in a new environment", v);
    else if (v->rule == DET_RULE_NEW_LEVEL)
        explain_first(name, watch->policy[portion].unit,
                      "of a new level: values far from those before have lasted", v);
    else if (v->rule == DET_RULE_WITHIN || v->rule == DET_RULE_LITTLE ||
             v->rule == DET_RULE_BELOW_EFFECT || is_unmoved(v))
        explain_quiet(watch, serial, portion, v);
    else
        explain_change(watch, serial, portion, v);
}

void det_verdict_add(det_verdict *v, const char *what) {
    const size_t length = strlen(v->reason);
    det__line line = det__line_of(v->reason + length, sizeof v->reason - length);
    det__put(&line, "; ");
    det__put(&line, what);
}

/* Where these words stand last: a portion's name, which comes first, may hold them as well. */
static char *last_of(char *text, const char *words) {
    char *last = NULL;
    for (char *at = text; (at = strstr(at, words)); at++)
        last = at;
    return last;
}

void det_verdict_believe(det_verdict *v) {
    v->verdict = DET_VERDICT_ANOMALY;
    char *up = last_of(v->reason, det_change_maybe(1));
    char *down = last_of(v->reason, det_change_maybe(-1));
    char *at = up && down ? (up > down ? up : down) : up ? up : down;
    if (!at)
        return;
    const char *verb = det_change_verb(at == up ? 1 : -1);
    const size_t said = strlen(det_change_maybe(at == up ? 1 : -1)), length = strlen(verb);
    memcpy(at, verb, length); /* NOLINT(bugprone-not-null-terminated-result): the rest follows */
    memmove(at + length, at + said, strlen(at + said) + 1);
}

void det_verdict_pend(det_verdict *v, const char *why) {
    det_verdict_add(v, why);
    v->verdict = DET_VERDICT_OK;
    v->rule = DET_RULE_PENDING;
}

const char *det_verdict_text(det_verdict_name verdict) {
    static const char *const texts[] = {"ok",          "first",   "anomaly",
                                        "environment", "harness", "suspect"};
    return (unsigned)verdict < sizeof texts / sizeof *texts ? texts[verdict] : "unknown";
}

const char *det_rule_text(det_rule rule) {
    static const char *const texts[] = {
        [DET_RULE_NONE] = "none",
        [DET_RULE_FIRST] = "first-night",
        [DET_RULE_WITHIN] = "within-noise",
        [DET_RULE_BELOW_EFFECT] = "below-minimum-effect",
        [DET_RULE_NIGHT] = "night-interval",
        [DET_RULE_WINDOW] = "window-interval",
        [DET_RULE_PENDING] = "pending",
        [DET_RULE_DIRECTION] = "direction-not-watched",
        [DET_RULE_CONTROL_MOVED] = "control-moved",
        [DET_RULE_COMMON_SCALE] = "common-scale",
        [DET_RULE_NOT_SCALED] = "not-scaled",
        [DET_RULE_UNCLEAR] = "machine-unclear",
        [DET_RULE_NEW_ENVIRONMENT] = "new-environment",
        [DET_RULE_NEW_LEVEL] = "new-level",
        [DET_RULE_MISSING] = "configuration-missing",
        [DET_RULE_FEW_LOOPS] = "few-loops",
        [DET_RULE_UNIT] = "unit",
        [DET_RULE_SPREAD] = "spread",
        [DET_RULE_BIMODAL] = "bimodal",
        [DET_RULE_BROKEN] = "broken-night",
        [DET_RULE_SLOW] = "slow-shift",
        [DET_RULE_LITTLE] = "little-evidence",
        [DET_RULE_BY_HAND] = "set-by-hand",
    };
    return (unsigned)rule < sizeof texts / sizeof *texts ? texts[rule] : "unknown";
}
