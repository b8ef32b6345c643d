/* slow - changes that came with no single night. */
#include <math.h>

#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#define SLOW_NIGHTS 6u   /* a change that took so many nights to show is a slow shift, */
#define CREEP_NIGHTS 14u /* as is one so soon after another in the same direction, */
#define CLIMB_NIGHTS 4u  /* and one of so many nights that go on in its direction, */
#define CLIMB_ALPHA 0.05 /* as those of one level do by chance no more often; */
#define JUMP_ALPHA 0.002 /* none that the nights around it show at once, as ramps so seldom do */

/* Did the level of every portion begin with this one's, or since? Then the machine, another
 * environment or somebody by hand moved it, and not the code. */
static bool is_common(const det_watch *watch, size_t portion) {
    bool common = watch->chain.count > 1;
    for (size_t p = 0; p < watch->chain.count; p++)
        common = common && watch->start[p] >= watch->start[portion];
    return common;
}

/* Was the portion's last change, not long before this one, in the same direction? What moved
 * everything is none: the nights before it count instead, moved as the control was, where they went
 * half as far. */
static bool creeps(const det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                   double change) {
    const uint64_t last = watch->start[portion];
    const bool common = is_common(watch, portion);
    const int control = common ? watch->chain.control : -1;
    const uint64_t from = !common ? last : start > CREEP_NIGHTS ? start - CREEP_NIGHTS : 0;
    if (from == 0 || start - last > CREEP_NIGHTS || serial - from >= DET__BELIEFS)
        return false;
    const double *before = det__before_at(watch, from);
    const double *after = det__before_at(watch, common ? last : start);
    const double factor = control < 0 ? 1 : after[control] / before[control];
    const double level = det__difference(&watch->chain, after, portion);
    const double step = level - factor * det__difference(&watch->chain, before, portion);
    const double least = common ? DET__SAME_CHANGE * fabs(change)
                                : watch->policy[portion].effect_relative * fabs(level);
    return copysign(1, change) * step >= least;
}

/* Nights and a portion's values: how many, their means, sums of squares and of products. */
typedef struct {
    double count, x, y, xx, xy, yy;
} points;

static points points_of(const det_watch *watch, size_t portion, det__range nights) {
    points of = {0};
    for (uint64_t n = nights.first; n < nights.end; n++) {
        const double y = det__tonight(watch, n, portion);
        const double dx = (double)n - of.x, dy = y - of.y, share = of.count / (of.count + 1);
        if (isnan(y))
            continue;
        of.xx += share * dx * dx;
        of.xy += share * dx * dy;
        of.yy += share * dy * dy;
        of.x += dx / ++of.count;
        of.y += dy / of.count;
    }
    return of;
}

/* Do the nights since it began lie on a line that goes on in its direction, by as much as matters?
 * Then none of them is where it came. */
static bool climbs(const det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                   double change) {
    const det__range nights = {start, serial + 1};
    if (serial - start >= DET__DEPTH || det__dates(watch, portion, nights) < CLIMB_NIGHTS)
        return false;
    const points of = points_of(watch, portion, nights);
    const double slope = copysign(1, change) * of.xy / of.xx;
    const double error = sqrt(fmax(of.yy - slope * slope * of.xx, 0) / (of.count - 2) / of.xx);
    return slope * (double)(serial - start) >=
               watch->policy[portion].effect_relative * fabs(of.y) &&
           slope > det_t_critical(CLIMB_ALPHA, of.count - 2) * error;
}

/* Does most of it stand clear of the line that the nights since the portion's last step, at most
 * two weeks of them, and those since this one, go on along? Then it came at once, however soon
 * after that, and however long it took to show. Learning from it how widely nights scatter would
 * hide it: what was known before counts. */
static bool jumps(det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                  double change) {
    const uint64_t last = det__reference(watch, portion, start).end - 1;
    const det__comparison was = {.watch = watch, .serial = last, .portion = portion};
    const det__comparison now = {.watch = watch, .serial = serial, .portion = portion};
    const uint64_t begun = watch->start[portion];
    const uint64_t from = start > begun + CREEP_NIGHTS ? start - CREEP_NIGHTS : begun;
    const points a = points_of(watch, portion, (det__range){from, start});
    const points b = points_of(watch, portion, (det__range){start, serial + 1});
    const double xx = a.xx + b.xx, apart = b.x - a.x;
    const double step = b.y - a.y - (a.xy + b.xy) / xx * apart;
    det__spread *learnt = watch->spread;
    watch->spread = det__spread_before(watch, start, 0);
    const double error = sqrt(det__night_variance(&was) * (1 / a.count + apart * apart / xx) +
                              det__night_variance(&now) / b.count);
    const double least = det_t_critical(JUMP_ALPHA, det__night_df(&now)) * error;
    watch->spread = learnt;
    return step / change >= DET__SAME_CHANGE && fabs(step) > least;
}

bool det__is_slow(det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                  double change) {
    /* Of few nights before, a change takes as many after it to show, however it came. */
    const bool known =
        det__dates(watch, portion, det__reference(watch, portion, start)) > SLOW_NIGHTS;
    const bool late =
        known && det__dates(watch, portion, (det__range){start, serial + 1}) > SLOW_NIGHTS;
    return ((late || creeps(watch, serial, portion, start, change)) &&
            !jumps(watch, serial, portion, start, change)) ||
           climbs(watch, serial, portion, start, change);
}
