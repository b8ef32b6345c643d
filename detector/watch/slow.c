/* slow - changes that came with no single night. */
#include <math.h>

#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#define SLOW_NIGHTS 6u   /* a change that took so many nights to show is a slow shift, */
#define CREEP_NIGHTS 14u /* as is one so soon after another in the same direction, */
#define CLIMB_NIGHTS 4u  /* and one of so many nights that go on in its direction, */
#define CLIMB_ALPHA 0.05 /* as those of one level do by chance no more often */

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

/* Do the nights since it began lie on a line that goes on in its direction, by as much as matters?
 * Then none of them is where it came. */
static bool climbs(det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                   double change) {
    const double count = (double)(serial - start + 1), middle = (count - 1) / 2;
    double mean = 0, rise = 0, squares = 0;
    if (serial - start >= DET__DEPTH ||
        det__dates(watch, portion, (det__range){start, serial + 1}) < CLIMB_NIGHTS)
        return false;
    for (uint64_t n = start; n <= serial; n++)
        mean += det__tonight(watch, n, portion) / count;
    for (uint64_t n = start; n <= serial; n++) {
        const double gap = det__tonight(watch, n, portion) - mean;
        rise += ((double)(n - start) - middle) * gap;
        squares += gap * gap;
    }
    const double width = count * (count * count - 1) / 12; /* sum of squares of 0, 1, … */
    const double slope = copysign(1, change) * rise / width;
    const double error = sqrt(fmax(squares - rise * rise / width, 0) / (count - 2) / width);
    return slope * (count - 1) >= watch->policy[portion].effect_relative * fabs(mean) &&
           slope > det_t_critical(CLIMB_ALPHA, count - 2) * error;
}

bool det__is_slow(det_watch *watch, uint64_t serial, size_t portion, uint64_t start,
                  double change) {
    /* Of few nights before, a change takes as many after it to show, however it came. */
    const bool known =
        det__dates(watch, portion, det__reference(watch, portion, start)) > SLOW_NIGHTS;
    return (known && det__dates(watch, portion, (det__range){start, serial + 1}) > SLOW_NIGHTS) ||
           creeps(watch, serial, portion, start, change) ||
           climbs(watch, serial, portion, start, change);
}
