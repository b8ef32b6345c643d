/* guard - nights whose measurement is suspect are told as such and never start an alarm. */
#include <math.h>

#include "detector/watch/watch__.h"

#define UNIT_FACTOR 1000.0
#define UNIT_TOLERANCE 0.25   /* a unit mix-up may come with a real change beside it */
#define DOUBLE_TOLERANCE 0.01 /* exactly twice, or exactly half, of everything, the control too */
#define BROKEN_FACTOR 20.0    /* no commit makes one configuration so much dearer or cheaper */
#define BROKEN_ALL_FACTOR 3.0 /* nor most of them by this much together with the control */
#define BROKEN_NIGHTS 7u      /* after so many in a row it is the new truth */
#define BIMODAL_NIGHTS 10.0   /* from so many on it is known how widely loops usually spread */
#define BIMODAL_HELD 3u       /* after so many nights in a row it is how it is now */
#define BIMODAL_VARIANCE 4.0  /* and two groups spread them so many times as widely */

static void suspect(det_verdict *verdict, det_rule rule) {
    if (verdict->kind == DET_VERDICT_HARNESS)
        return;
    verdict->kind = DET_VERDICT_HARNESS;
    verdict->rule = rule;
}

/* The configuration's own portion and those of its children are not to be judged. */
static void suspect_configuration(det_watch *watch, uint64_t serial, size_t c, det_rule rule,
                                  det_verdict *out) {
    for (size_t p = 0; p < watch->chain.count; p++)
        if (p == c || watch->chain.parent[p] == (int)c)
            suspect(&out[p], rule);
    det__cells_at(watch, serial)[c].mean = NAN;
}

static det_rule cell_rule(const det_watch *watch, const det__cell *cell) {
    if (isnan(cell->mean) || cell->mean <= 0)
        return DET_RULE_MISSING;
    if (cell->loops < watch->policy[0].minimum_loops)
        return DET_RULE_FEW_LOOPS;
    if (cell->variance * cell->loops > cell->mean * cell->mean)
        return DET_RULE_SPREAD;
    return DET_RULE_NONE;
}

static bool near(double ratio, double factor, double tolerance) {
    return fabs(ratio / factor - 1) <= tolerance;
}

static det_rule ratio_rule(double ratio) {
    if (near(ratio, UNIT_FACTOR, UNIT_TOLERANCE) || near(ratio, 1 / UNIT_FACTOR, UNIT_TOLERANCE))
        return DET_RULE_UNIT;
    if (ratio > BROKEN_FACTOR || ratio < 1 / BROKEN_FACTOR)
        return DET_RULE_BROKEN;
    return DET_RULE_NONE;
}

/* What all configurations did together, the control among them. */
static det_rule common_rule(const double *ratio, size_t n) {
    size_t doubled = 0, halved = 0, up = 0, down = 0, known = 0;
    for (size_t c = 0; c < n; c++) {
        if (isnan(ratio[c]))
            continue;
        known++;
        doubled += near(ratio[c], 2, DOUBLE_TOLERANCE);
        halved += near(ratio[c], 0.5, DOUBLE_TOLERANCE);
        up += ratio[c] > BROKEN_ALL_FACTOR;
        down += ratio[c] < 1 / BROKEN_ALL_FACTOR;
    }
    if (n < 2 || known < n)
        return DET_RULE_NONE;
    if (doubled == n || halved == n)
        return DET_RULE_UNIT;
    return up == n || down == n ? DET_RULE_BROKEN : DET_RULE_NONE;
}

static bool guard_levels(det_watch *watch, uint64_t serial, det_verdict *out) {
    const size_t n = watch->chain.count;
    double ratio[DET_CONFIGURATIONS_MAX];
    bool found = false;
    for (size_t c = 0; c < n; c++)
        ratio[c] = det__cells_at(watch, serial)[c].mean / watch->base[c];
    const det_rule common = common_rule(ratio, n);
    for (size_t c = 0; c < n; c++) {
        const det_rule rule = common != DET_RULE_NONE ? common : ratio_rule(ratio[c]);
        if (rule == DET_RULE_NONE)
            continue;
        found = true;
        if (watch->broken < BROKEN_NIGHTS)
            suspect_configuration(watch, serial, c, rule, out);
    }
    return found;
}

/* Two groups where there was one: half of the loops ran into something. A configuration that has
   always had two modes, or has them for some nights now, is judged on its trimmed mean as any
   other. */
static bool guard_bimodal(det_watch *watch, const det__cell *cell, size_t c) {
    const det__spread *usual = &watch->spread[c];
    const double variance = cell->variance / (cell->mean * cell->mean);
    if (!det_groups_clear(&watch->groups[c]) || usual->weight < BIMODAL_NIGHTS ||
        !(variance > BIMODAL_VARIANCE * usual->loops)) {
        watch->bimodal[c] = 0;
        return false;
    }
    return ++watch->bimodal[c] <= BIMODAL_HELD;
}

bool det__guard(det_watch *watch, uint64_t serial, det_verdict *out) {
    for (size_t c = 0; c < watch->chain.count; c++) {
        const det__cell *cell = &det__cells_at(watch, serial)[c];
        det_rule rule = cell_rule(watch, cell);
        if (rule == DET_RULE_NONE && guard_bimodal(watch, cell, c))
            rule = DET_RULE_BIMODAL;
        if (rule != DET_RULE_NONE)
            suspect_configuration(watch, serial, c, rule, out);
    }
    if (serial == 0 || !guard_levels(watch, serial, out)) {
        watch->broken = 0;
        return false;
    }
    return ++watch->broken > BROKEN_NIGHTS;
}
