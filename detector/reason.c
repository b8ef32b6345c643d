/* reason - the verdict as one sentence for people. Numbers do not depend on the locale. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/text__.h"
#include "detector/watch__.h"

/* "+281 %", or "x 12.3" where a percentage is hard to read. */
static void percent(char *out, size_t size, const det_verdict *v) {
    char text[DET__TEXT];
    if (!(v->reference.mean > 0)) {
        (void)snprintf(out, size, "from nothing");
        return;
    }
    const double change = (v->ratio - 1) * 100;
    det__number(text, change);
    (void)snprintf(out, size, "%s%.20s %%", change < 0 ? "" : "+", text);
}

static void nights(char *out, size_t size, const det_watch *watch, const det_verdict *v) {
    const char *from = "?", *to = "?";
    const uint64_t oldest = watch->nights >= DET__DEPTH ? watch->nights - DET__DEPTH + 1 : 0;
    for (uint64_t s = oldest; s < watch->nights; s++) {
        const det__stamp *stamp = det__stamp_at(watch, s);
        if (stamp->id == v->reference_from)
            from = stamp->label;
        if (stamp->id == v->reference_to)
            to = stamp->label;
    }
    if (v->reference_nights == 1)
        (void)snprintf(out, size, "1 night, %s", to);
    else
        (void)snprintf(out, size, "%u nights, %s to %s", v->reference_nights, from, to);
}

/* "95", "99.9": a level in percent without zeros that say nothing. */
static void level_of(char *out, size_t size, double confidence) {
    const unsigned hundredths = (unsigned)(confidence * 10000 + 0.5);
    const unsigned whole = hundredths / 100 % 1000, part = hundredths % 100;
    if (part % 10)
        (void)snprintf(out, size, "%u.%02u", whole, part);
    else if (part)
        (void)snprintf(out, size, "%u.%u", whole, part / 10);
    else
        (void)snprintf(out, size, "%u", whole);
}

static const char *verb_of(const det_verdict *v) {
    if (v->rule == DET_RULE_SLOW)
        return v->difference.mean < 0 ? "crept down" : "crept up";
    return v->difference.mean < 0 ? "fell" : "rose";
}

static void explain_change(const det_watch *watch, const char *name, det_verdict *v) {
    char before[DET__TEXT], after[DET__TEXT], change[DET__TEXT], low[DET__TEXT], high[DET__TEXT],
        share[DET__TEXT], from[128], factor[DET__TEXT], level[DET__TEXT];
    const char *slow = v->rule == DET_RULE_SLOW ? "; a slow shift" : "", *tail = "";
    det__duration(before, v->reference.mean);
    det__duration(after, v->night.mean);
    det__signed_duration(change, v->difference.mean);
    det__signed_duration(low, v->difference.low);
    det__signed_duration(high, v->difference.high);
    percent(share, sizeof share, v);
    det__number(factor, v->score);
    nights(from, sizeof from, watch, v);
    level_of(level, sizeof level, watch->policy[0].confidence);
    if (v->kind == DET_VERDICT_SUSPECT)
        tail = "; to be measured again";
    else if (v->rule == DET_RULE_PENDING)
        tail = "; not enough to say so";
    else if (v->rule == DET_RULE_COMMON_SCALE)
        tail = "; everything moved by the same factor, so the machine changed, not the code";
    else if (v->rule == DET_RULE_DIRECTION)
        tail = "; the policy does not ask for this direction";
    else if (v->rule == DET_RULE_CONTROL_MOVED)
        tail = "; the control moved as well, so the machine changed, not the code";
    (void)snprintf(v->reason, sizeof v->reason,
                   "%s %s from %s to %s (%s, %s; %s %% interval %s to %s) against %s: %s times "
                   "the threshold%s%s",
                   name, verb_of(v), before, after, change, share, level, low, high, from, factor,
                   slow, tail);
}

static void explain_quiet(const det_watch *watch, const char *name, det_verdict *v) {
    char before[DET__TEXT], after[DET__TEXT], share[DET__TEXT], from[128];
    det__duration(before, v->reference.mean);
    det__duration(after, v->night.mean);
    percent(share, sizeof share, v);
    nights(from, sizeof from, watch, v);
    (void)snprintf(v->reason, sizeof v->reason, "%s is %s, %s against %s (%s): %s", name, after,
                   share, before, from,
                   v->rule == DET_RULE_BELOW_EFFECT ? "clear of the noise, but too small to matter"
                                                    : "within the noise");
}

static const char *harness_text(det_rule rule) {
    switch (rule) {
    case DET_RULE_MISSING:
        return "a configuration has no result";
    case DET_RULE_FEW_LOOPS:
        return "too few loops succeeded";
    case DET_RULE_UNIT:
        return "values are off by exactly 2 or by 1000, as from a wrong unit or counter";
    case DET_RULE_SPREAD:
        return "loops of one night differ by as much as their mean";
    case DET_RULE_BIMODAL:
        return "loops fall into two groups";
    case DET_RULE_BROKEN:
        return "values are far out of everything seen before";
    default:
        return "the measurement is suspect";
    }
}

/* What speaks for it: how many loops lie where. */
static void explain_groups(const det_watch *watch, uint64_t serial, const char *name,
                           size_t portion, det_verdict *v) {
    const int parent = watch->chain.parent[portion];
    const det_groups *own = &watch->groups[portion];
    const det_groups *g =
        parent >= 0 && watch->groups[parent].ratio > own->ratio ? &watch->groups[parent] : own;
    char low[DET__TEXT], high[DET__TEXT];
    det__duration(low, g->low);
    det__duration(high, g->high);
    (void)snprintf(v->reason, sizeof v->reason,
                   "%s is not judged on %s: %s, %u of them around %s and %u around %s", name,
                   det__stamp_at(watch, serial)->label, harness_text(v->rule), (unsigned)g->low_n,
                   low, (unsigned)g->high_n, high);
}

void det__explain(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    const char *name = watch->chain.name[portion];
    char value[DET__TEXT];
    det__duration(value, v->night.mean);
    if (v->rule == DET_RULE_BIMODAL)
        explain_groups(watch, serial, name, portion, v);
    else if (v->kind == DET_VERDICT_HARNESS)
        (void)snprintf(v->reason, sizeof v->reason, "%s is not judged on %s: %s", name,
                       det__stamp_at(watch, serial)->label, harness_text(v->rule));
    else if (v->kind == DET_VERDICT_FIRST)
        (void)snprintf(v->reason, sizeof v->reason, "%s is %s, the first night to compare with",
                       name, value);
    else if (v->rule == DET_RULE_NEW_ENVIRONMENT)
        (void)snprintf(v->reason, sizeof v->reason,
                       "%s is %s, the first night in a new environment", name, value);
    else if (v->rule == DET_RULE_WITHIN || v->rule == DET_RULE_BELOW_EFFECT)
        explain_quiet(watch, name, v);
    else
        explain_change(watch, name, v);
}

const char *det_verdict_text(det_verdict_kind kind) {
    static const char *const texts[] = {"ok",          "first",   "anomaly",
                                        "environment", "harness", "suspect"};
    return (unsigned)kind < sizeof texts / sizeof *texts ? texts[kind] : "unknown";
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
        [DET_RULE_NEW_ENVIRONMENT] = "new-environment",
        [DET_RULE_MISSING] = "configuration-missing",
        [DET_RULE_FEW_LOOPS] = "few-loops",
        [DET_RULE_UNIT] = "unit",
        [DET_RULE_SPREAD] = "spread",
        [DET_RULE_BIMODAL] = "bimodal",
        [DET_RULE_BROKEN] = "broken-night",
        [DET_RULE_SLOW] = "slow-shift",
    };
    return (unsigned)rule < sizeof texts / sizeof *texts ? texts[rule] : "unknown";
}
