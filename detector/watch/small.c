/* small - changes below the minimum effect: taken into the level in silence, and summed up. */
#include <math.h>
#include <string.h>

#include "detector/watch/watch__.h"

void det__small_begin(det_watch *watch, size_t portion) {
    const det__stamp before = watch->small[portion].before; /* the reason still names it */
    watch->small[portion] = (det__small){.before = before};
}

void det__small_step(det_watch *watch, uint64_t serial, const det__change *change) {
    const size_t p = (size_t)change->portion;
    const double *before = det__before_at(watch, change->start);
    const double was = det__difference(&watch->chain, before, p);
    const double was_variance = det__difference_variance(&watch->chain, before, p);
    det__small small = watch->small[p];
    if (!small.steps) {
        small.nights = det__reference_nights(watch, p, change->start);
        small.from = det__stamp_at(watch, change->start - small.nights)->id;
        small.before = *det__stamp_at(watch, change->start - 1);
        small.variance = fmax(was_variance, 0);
    }
    det__accept(watch, change, serial, false);
    small.sum += det__difference(&watch->chain, watch->base, p) - was;
    small.steps++;
    watch->small[p] = small;
}
