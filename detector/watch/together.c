/* together - what moved everything by one factor, where there is no control to say whether that was
   the machine: nobody can tell by the nights alone. */
#include "detector/watch/watch__.h"

#define EVIDENCE_FOLLOWED 12.0 /* to follow it when it was cleared without a control; */
#define ENOUGH_NIGHTS 3u       /* that have it, to follow it where nobody asks */

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

/* v: what the factor says of the portion, if anything */
static bool claims(det_watch *watch, uint64_t serial, size_t scale, size_t p, const bool *settled,
                   const det_verdict *out, det_verdict *v) {
    *v = out[p];
    return !settled[p] && det__claim(watch, serial, scale, p, v);
}

/* Is the portion where the factor puts it (v)? */
static bool is_with(det_watch *watch, uint64_t serial, size_t p, const det_verdict *v) {
    const det__comparison c = {.watch = watch, .serial = serial, .portion = p};
    return det__follows(&c, v);
}

static bool is_clear(const det_verdict *v) {
    return v->difference.low > 0 || v->difference.high < 0;
}

/* Nothing asks, and of most portions the factor is too small to tell: it is the level from now on,
 * as each portion's own small step is. Else their level lags behind all their nights. */
static void follow_small(det_watch *watch, uint64_t serial, size_t scale, const bool *settled,
                         det_verdict *out) {
    const det__change *factor = &watch->bank[scale];
    det_verdict of[DET_CONFIGURATIONS_MAX];
    int small = 0;
    for (size_t p = 0; p < watch->chain.count; p++) {
        if (det__asks(&watch->policy[p]))
            return;
        if (!claims(watch, serial, scale, p, settled, out, &of[p]))
            of[p] = out[p];
        else
            small += of[p].rule == DET_RULE_BELOW_EFFECT ? 1 : -1;
    }
    if (small <= 0 || factor->evidence < EVIDENCE_FOLLOWED ||
        serial + 1 - factor->start < ENOUGH_NIGHTS)
        return;
    for (size_t p = 0; p < watch->chain.count; p++)
        out[p] = of[p].rule == DET_RULE_BELOW_EFFECT && is_clear(&of[p]) ? of[p] : out[p];
    det__small_step(watch, serial, factor, 0, watch->chain.count);
}

void det__suspect_together(det_watch *watch, uint64_t serial, bool *settled, det_verdict *out) {
    const int scale = together(watch, serial);
    for (size_t p = 0; p < watch->chain.count && scale >= 0; p++) {
        const det_policy *policy = &watch->policy[p];
        det_verdict v;
        if ((det__asks(policy) && !policy->remeasure) ||
            !claims(watch, serial, (size_t)scale, p, settled, out, &v) ||
            !is_with(watch, serial, p, &v) ||
            (v.verdict != DET_VERDICT_ANOMALY && (policy->remeasure || !is_clear(&v))))
            continue;
        const bool told = v.verdict == DET_VERDICT_ANOMALY;
        out[p] = v;
        out[p].verdict = policy->remeasure ? DET_VERDICT_SUSPECT : DET_VERDICT_OK;
        out[p].rule = policy->remeasure ? v.rule : told ? DET_RULE_PENDING : DET_RULE_LITTLE;
        out[p].direction = told ? v.direction : 0;
        settled[p] = policy->remeasure;
    }
    if (scale >= 0)
        follow_small(watch, serial, (size_t)scale, settled, out);
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

/* later: the change (i, v) came after the factor, which nobody told yet, and is no part of it */
static int behind(const det_watch *watch, size_t i, const det_verdict *v, bool *later) {
    const det__change *change = &watch->bank[i];
    const size_t p = (size_t)change->portion;
    const int scale = watch->chain.control < 0
                          ? det__strongest(watch, DET__SCALE, watch->start[p], change->start)
                          : -1;
    *later = false;
    if (v->verdict != DET_VERDICT_ANOMALY || det__asks(&watch->policy[p]) || scale < 0)
        return -1;
    const det__change *factor = &watch->bank[scale];
    if (had_moved(watch, factor->start, watch->nights, p, v))
        return det__likelier(watch, (int)i, scale) == scale ? scale : -1;
    *later =
        factor->evidence >= EVIDENCE_FOLLOWED && change->start - factor->start >= ENOUGH_NIGHTS;
    return *later ? scale : -1;
}

bool det__is_behind(const det_watch *watch, size_t i, const det_verdict *v) {
    bool later;
    return behind(watch, i, v, &later) >= 0 && !later;
}

bool det__tell_together(det_watch *watch, uint64_t serial, size_t i, const det_verdict *own,
                        bool *settled, det_verdict *out) {
    bool later, moved = false, stays[DET_CONFIGURATIONS_MAX];
    const int scale = behind(watch, i, own, &later);
    if (scale < 0)
        return false;
    const uint64_t start = watch->bank[scale].start, portion = watch->bank[i].portion;
    for (size_t p = 0; p < watch->chain.count; p++) {
        det_verdict v;
        stays[p] = !claims(watch, serial, (size_t)scale, p, settled, out, &v) ||
                   !had_moved(watch, start, serial, p, &v);
        if (stays[p])
            continue;
        moved = true;
        watch->start[p] = start;
        if ((later && p == portion) || v.verdict != DET_VERDICT_ANOMALY ||
            !is_with(watch, serial, p, &v))
            continue;
        out[p] = v;
        settled[p] = true;
        det__mind_direction(&watch->policy[p], &out[p]);
        det__small_begin(watch, p);
    }
    if (moved)
        det__accept_night(watch, start, serial, stays);
    return moved;
}
