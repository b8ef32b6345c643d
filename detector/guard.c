/* guard - nights whose measurement is suspect are told as such and never start an alarm. */
#include <math.h>

#include "detector/watch__.h"

#define UNIT_FACTOR 1000.0
#define UNIT_TOLERANCE 0.25   /* a unit mix-up may come with a real change beside it */
#define DOUBLE_TOLERANCE 0.01 /* exactly twice, or exactly half, of everything, the control too */

static void suspect(det_verdict *verdict, det_rule rule) {
    if (verdict->kind == DET_VERDICT_HARNESS)
        return;
    verdict->kind = DET_VERDICT_HARNESS;
    verdict->rule = rule;
}

static det_rule cell_rule(const det_watch *watch, const det__cell *cell) {
    if (isnan(cell->mean))
        return DET_RULE_MISSING;
    if (cell->loops < watch->policy[0].minimum_loops)
        return DET_RULE_FEW_LOOPS;
    if (cell->mean > 0 && cell->variance * cell->loops > cell->mean * cell->mean)
        return DET_RULE_SPREAD;
    return DET_RULE_NONE;
}

/* Median over the portion's reference nights of one configuration's mean; NaN without. */
static double configuration_before(const det_watch *watch, uint64_t serial, size_t c) {
    const uint64_t oldest = serial >= DET__DEPTH ? serial - DET__DEPTH + 1 : 0;
    const uint64_t start = watch->track[c].start > oldest ? watch->track[c].start : oldest;
    for (uint64_t s = serial; s-- > start;)
        if (*det__used_at(watch, s, c))
            return det__cell_at(watch, s, c)->mean;
    return NAN;
}

static bool near(double ratio, double factor, double tolerance) {
    return fabs(ratio / factor - 1) <= tolerance;
}

static void guard_units(const det_watch *watch, uint64_t serial, det_verdict *out) {
    size_t doubled = 0, halved = 0, known = 0;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const double ratio =
            det__cell_at(watch, serial, c)->mean / configuration_before(watch, serial, c);
        if (isnan(ratio))
            continue;
        known++;
        doubled += near(ratio, 2, DOUBLE_TOLERANCE);
        halved += near(ratio, 0.5, DOUBLE_TOLERANCE);
        if (near(ratio, UNIT_FACTOR, UNIT_TOLERANCE) ||
            near(ratio, 1 / UNIT_FACTOR, UNIT_TOLERANCE))
            for (size_t p = 0; p < watch->chain.count; p++)
                if (p == c || watch->chain.parent[p] == (int)c)
                    suspect(&out[p], DET_RULE_UNIT);
    }
    if (known == watch->chain.count && known > 1 && (doubled == known || halved == known))
        for (size_t p = 0; p < known; p++)
            suspect(&out[p], DET_RULE_UNIT);
}

void det__guard(const det_watch *watch, uint64_t serial, det_verdict *out) {
    for (size_t p = 0; p < watch->chain.count; p++) {
        const int parent = watch->chain.parent[p];
        det_rule rule = cell_rule(watch, det__cell_at(watch, serial, p));
        if (rule == DET_RULE_NONE && parent >= 0)
            rule = cell_rule(watch, det__cell_at(watch, serial, (size_t)parent));
        if (rule != DET_RULE_NONE)
            suspect(&out[p], rule);
    }
    guard_units(watch, serial, out);
}
