/* together - what moved everything by one factor, where there is no control to say whether that was
   the machine: nobody can tell by the nights alone. */
#include "detector/watch/watch__.h"

#define EVIDENCE_FOLLOWED 12.0 /* to follow it when it was cleared without a control; */

/* What moved everything by one factor, where there is no control to say whether that was the
 * machine, and where it explains the nights better than any portion alone; -1: nothing. */
static int together(const det_watch *watch, uint64_t serial) {
    const int scale = watch->chain.control < 0 ? det__strongest(watch, DET__SCALE, 0, serial) : -1;
    if (scale < 0 || watch->bank[scale].evidence < DET__EVIDENCE_MACHINE)
        return -1;
    for (size_t p = 0; p < watch->chain.count; p++)
        if (det__likelier(watch, scale, det__strongest(watch, p, 0, serial)) != scale)
            return -1;
    return scale;
}

/* Is the portion where the factor puts it, and to be told? v: of that. */
static bool is_with(det_watch *watch, uint64_t serial, size_t scale, size_t p, const bool *settled,
                    const det_verdict *out, det_verdict *v) {
    const det__comparison c = {.watch = watch, .serial = serial, .portion = p};
    *v = out[p];
    return !settled[p] && det__claim(watch, serial, scale, p, v) &&
           v->verdict == DET_VERDICT_ANOMALY && det__follows(&c, v);
}

void det__suspect_together(det_watch *watch, uint64_t serial, bool *settled, det_verdict *out) {
    const int scale = together(watch, serial);
    for (size_t p = 0; p < watch->chain.count && scale >= 0; p++) {
        const det_policy *policy = &watch->policy[p];
        det_verdict v;
        if ((det__asks(policy) && !policy->remeasure) ||
            !is_with(watch, serial, (size_t)scale, p, settled, out, &v))
            continue;
        out[p] = v;
        out[p].verdict = policy->remeasure ? DET_VERDICT_SUSPECT : DET_VERDICT_OK;
        out[p].rule = policy->remeasure ? v.rule : DET_RULE_PENDING;
        settled[p] = policy->remeasure;
    }
}

void det__follow_together(det_watch *watch, uint64_t serial) {
    const int scale = together(watch, serial);
    if (scale >= 0 && watch->bank[scale].start < serial &&
        watch->bank[scale].evidence >= EVIDENCE_FOLLOWED)
        det__accept(watch, &watch->bank[scale], serial, false);
}

/* Had the portion moved by what v says, or half of it, in the earlier half of the nights since
 * `first`? */
static bool had_moved(const det_watch *watch, uint64_t first, uint64_t last, size_t p,
                      const det_verdict *v) {
    double more = 0;
    for (uint64_t s = first; s <= (first + last) / 2; s++) {
        const double moved = det__tonight(watch, s, p) - v->reference.mean;
        more += isnan(moved) ? 0 : moved / v->difference.mean - DET__SAME_CHANGE;
    }
    return more >= 0;
}

int det__behind(const det_watch *watch, size_t i, const det_verdict *v) {
    const size_t p = (size_t)watch->bank[i].portion;
    const int scale = watch->chain.control < 0
                          ? det__strongest(watch, DET__SCALE, watch->start[p], watch->bank[i].start)
                          : -1;
    return v->verdict == DET_VERDICT_ANOMALY && !det__asks(&watch->policy[p]) && scale >= 0 &&
                   det__likelier(watch, (int)i, scale) == scale &&
                   had_moved(watch, watch->bank[scale].start, watch->nights, p, v)
               ? scale
               : -1;
}

void det__tell_together(det_watch *watch, uint64_t serial, size_t scale, bool *settled,
                        det_verdict *out) {
    const uint64_t start = watch->bank[scale].start;
    bool stays[DET_CONFIGURATIONS_MAX];
    for (size_t p = 0; p < watch->chain.count; p++) {
        det_verdict v;
        stays[p] = !is_with(watch, serial, scale, p, settled, out, &v) ||
                   !had_moved(watch, start, serial, p, &v);
        if (stays[p])
            continue;
        out[p] = v;
        settled[p] = true;
        det__mind_direction(&watch->policy[p], &out[p]);
        watch->start[p] = start;
        det__small_begin(watch, p);
    }
    det__accept_night(watch, start, serial, stays);
}
