/* beside - what is told of nights in which the machine changed, too, where nothing is measured
   again: by what it moved otherwise than the machine, whose share is not the code's. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>

/* Mean of the nights that have the portion; NaN: none has it. */
static double mean_of(const det_watch *watch, det__range nights, size_t portion, unsigned *count) {
    double sum = 0;
    *count = 0;
    for (uint64_t s = nights.first; s < nights.end; s++) {
        const double x = det__tonight(watch, s, portion);
        sum += isnan(x) ? 0 : x;
        *count += isnan(x) ? 0 : 1;
    }
    return sum / *count;
}

/* The nights since a change, and those before. */
typedef struct {
    det__range before, since;
} sides;

/* By which factor the portion moved, and `variance` of its mean in nights, of that of one. */
static double factor_of(const det_watch *watch, const sides *of, size_t portion, double *level,
                        double *variance) {
    unsigned since, before;
    const double now = mean_of(watch, of->since, portion, &since);
    *level = mean_of(watch, of->before, portion, &before);
    *variance = 1.0 / since + 1.0 / before;
    return now / *level;
}

/* Half of the other portions, one at least, are nearer to that factor than to where they were. */
static bool others_moved(const det_watch *watch, const sides *of, size_t portion, double factor) {
    int nearer = 0, some = 0;
    for (size_t p = 0; p < watch->chain.count; p++) {
        double level, variance;
        const double moved = log(factor_of(watch, of, p, &level, &variance));
        if (p == portion || (int)p == watch->chain.control || isnan(moved))
            continue;
        some++;
        nearer += fabs(moved - log(factor)) < fabs(moved);
    }
    return nearer > 0 && 2 * nearer >= some;
}

double det__machine_factor(det_watch *watch, det__range before, det__range since, size_t portion,
                           double *error) {
    const sides of = {before, since};
    double level, variance;
    const det__comparison c = {
        .watch = watch, .serial = watch->nights, .portion = (size_t)watch->chain.control};
    const double factor = factor_of(watch, &of, c.portion, &level, &variance);
    *error = sqrt(det__night_variance(&c) * variance) / level;
    const bool clear = fabs(factor - 1) >= fmax(DET__MACHINE_SIZE, DET__NIGHT_Z * *error);
    return clear && others_moved(watch, &of, portion, factor) ? factor : 1;
}

/* Is the reference where the machine took it? */
static bool is_along(const det_watch *watch, const sides *of, size_t portion, double factor,
                     const det_verdict *v) {
    double level, variance;
    (void)factor_of(watch, of, portion, &level, &variance);
    const double along = v->reference.mean / level;
    return fabs(along - factor) < fabs(along - 1);
}

bool det__beside(det_watch *watch, size_t portion, uint64_t start, det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    const int control = watch->chain.control;
    det_verdict own = *v;
    double error;
    if (control < 0 || (int)portion == control || det__asks(policy) || v->steps > 0 ||
        v->rule == DET_RULE_NOT_SCALED)
        return true;
    const sides of = {det__reference(watch, portion, start), {start, watch->nights + 1}};
    const double factor = det__machine_factor(watch, of.before, of.since, portion, &error);
    if (factor == 1 || is_along(watch, &of, portion, factor, v))
        return true;
    const double t = det_t_critical(1 - policy->confidence, v->difference.df);
    const double half =
        hypot(v->difference.high - v->difference.mean, t * error * v->reference.mean);
    own.reference.mean *= factor;
    own.reference.low *= factor;
    own.reference.high *= factor;
    own.difference.mean = own.night.mean - own.reference.mean;
    own.difference.low = own.difference.mean - half;
    own.difference.high = own.difference.mean + half;
    own.direction = own.difference.mean > 0 ? 1 : -1;
    own.ratio = own.night.mean / own.reference.mean;
    own.evidence = fmin(v->evidence, pow(t * own.difference.mean / half, 2) / 2);
    own.score *= sqrt(own.evidence / v->evidence);
    own.rule = DET_RULE_NOT_SCALED;
    v->rule = DET_RULE_COMMON_SCALE;
    if (own.score < 1 || !det__matters(policy, &own))
        return false;
    *v = own;
    return true;
}
