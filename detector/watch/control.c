/* control - has the control moved, by its last two nights alone? */
#include <math.h>

#include "detector/watch/watch__.h"

#define TWICE_NIGHTS 10.0 /* of a history, from which on the noise is known */
#define TWICE_Z 3.9       /* normal deviates that both nights together are off, */
#define TWICE_EACH 1.5    /* and spreads that each is */

/* Variance of a night's mean around the level: as usual before, or as its own loops say. */
static double variance_of(const det_watch *watch, const det__cell *cell, double usual) {
    double floor;
    (void)det__spread_noise_of(watch, cell, (size_t)watch->chain.control, &floor);
    return fmax(usual, floor);
}

bool det__control_twice(const det_watch *watch, uint64_t serial, double size) {
    if (watch->chain.control < 0 || serial < 2)
        return false;
    const size_t n = watch->chain.count, c = (size_t)watch->chain.control;
    const double *before = det__before_at(watch, serial - 1);
    const det__spread *spread = &watch->spread_before[(serial - 1) % DET__BELIEFS * n + c];
    const det__cell *first = &det__cells_at(watch, serial - 1)[c];
    const det__cell *second = &det__cells_at(watch, serial)[c];
    const double level = before[c], noise = spread->usual * level;
    const double a = first->mean - level, b = second->mean - level, mean = (a + b) / 2;
    const double variance =
        (variance_of(watch, first, noise * noise) + variance_of(watch, second, noise * noise)) / 4 +
        before[n + c * n + c];
    return spread->weight >= TWICE_NIGHTS && a * b > 0 &&
           fmin(fabs(a), fabs(b)) >= TWICE_EACH * noise && fabs(mean) >= size * level &&
           fabs(mean) >= TWICE_Z * sqrt(variance);
}
