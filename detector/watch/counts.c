#include "detector/watch/counts.h"

#include <math.h>

static double half_of(const det_interval *interval) {
    return (interval->high - interval->low) / 2;
}

static det_interval interval_of(const det_counts_level *level) {
    return (det_interval){.mean = level->mean,
                          .low = level->mean - level->half,
                          .high = level->mean + level->half,
                          .n = level->nights};
}

static det_counts_level begin(const det_counts_night *night) {
    return (det_counts_level){night->now.mean, half_of(&night->now), 1, night->id};
}

/* Does the loops' own wavering explain that the night lies elsewhere? */
static bool wavers(const det_interval *level, const det_counts_night *night) {
    return fabs(night->now.mean - level->mean) <= hypot(half_of(level), half_of(&night->now));
}

/* The night is one more of the level. */
static void settle(det_counts_level *level, const det_counts_night *night) {
    level->nights++;
    level->mean += (night->now.mean - level->mean) / level->nights;
    level->half = fmax(level->half, half_of(&night->now));
    level->to = night->id;
}

/* Would the step from the night before be told by itself? Nobody knows where that night had but
 * one loop. */
static bool is_step(const det_dimension *dimension, const det_counts_night *night, int direction) {
    return !isfinite(half_of(&night->last)) ||
           det_dimension_moved(dimension, &night->last, &night->now) == direction;
}

static void tell(det_counts_verdict *out, const det_dimension *dimension,
                 const det_counts_level *level, const det_counts_night *night) {
    const bool step = is_step(dimension, night, out->direction);
    out->verdict = DET_VERDICT_ANOMALY;
    out->rule = step ? DET_RULE_NIGHT : DET_RULE_SLOW;
    out->from = step ? night->last_id : level->to;
}

det_status det_counts_judge(det_counts_level *level, const det_dimension *dimension,
                            const det_counts_night *night, det_counts_verdict *out) {
    if (!dimension || !det_dimension_counted(dimension))
        return DET_EINVAL;
    if (!isfinite(night->now.mean))
        return DET_ENUMERIC;
    const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    det_counts_verdict v = {.verdict = DET_VERDICT_OK, .before = none, .from = night->id};
    if (level->nights > 0) {
        v.before = interval_of(level);
        v.from = level->to;
    }
    if (!isfinite(half_of(&night->now))) {
        v.verdict = DET_VERDICT_HARNESS;
        v.rule = DET_RULE_FEW_LOOPS;
    } else if (level->nights == 0) {
        v.verdict = DET_VERDICT_FIRST;
        v.rule = DET_RULE_FIRST;
        *level = begin(night);
    } else if ((v.direction = det_dimension_moved(dimension, &v.before, &night->now)) != 0) {
        tell(&v, dimension, level, night);
        *level = begin(night);
    } else if (wavers(&v.before, night)) {
        v.rule = DET_RULE_WITHIN;
        settle(level, night);
    } else {
        v.rule = DET_RULE_BELOW_EFFECT;
    }
    *out = v;
    return DET_OK;
}
