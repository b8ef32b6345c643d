/* cleared - what was cleared once more is of no commit, and the portion's level is what its nights
   say. Else the level before stayed the reference for months, as each night since was suspected,
   cleared, and taken for an outlier, and how far it lay off for noise. */
#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"

#include <math.h>

#define AGE 20           /* nights since: what is older has long been believed */
#define LEAST 3u         /* of them, that are there */
#define SURE_SIZE 0.1    /* share of its level by which a portion moves that trials hardly miss */
#define CLEAR_ALPHA 0.01 /* of Student's test; trials and size have said most already */

/* The portion's nights since `start`, against those of its level before. */
static det__between nights_of(det_watch *watch, uint64_t serial, size_t p, uint64_t start) {
    const det__comparison c = {.watch = watch, .serial = serial, .portion = p};
    return det__apart(&c, start);
}

static bool is_far(det_watch *watch, uint64_t serial, size_t p, uint64_t start) {
    const det__between of = nights_of(watch, serial, p, start);
    return fabs(of.difference) >= SURE_SIZE * fabs(of.level - of.difference);
}

static bool is_there(const det_watch *watch, uint64_t serial, size_t p, const det__between *of) {
    const double beyond = det__tonight(watch, serial, p) - of->level;
    return beyond / of->difference >= DET__SAME_CHANGE - 1;
}

/* Tonight, and three of four nights since `start`. */
static bool lasts(const det_watch *watch, uint64_t serial, size_t p, uint64_t start,
                  const det__between *of) {
    unsigned there = 0, seen = 0;
    for (uint64_t s = start; s <= serial; s++) {
        seen += isnan(det__tonight(watch, s, p)) ? 0 : 1;
        there += is_there(watch, s, p, of);
    }
    return is_there(watch, serial, p, of) && there >= LEAST && 4 * there >= 3 * seen;
}

/* The first night of the change that the nights show most clearly; `serial`: none. */
static uint64_t clearest(det_watch *watch, uint64_t serial, size_t p) {
    double most = 1;
    uint64_t start = serial;
    for (uint64_t s = serial - 1; s > watch->start[p] && serial - s < AGE; s--) {
        const det__between of = nights_of(watch, serial, p, s);
        if (!of.agree || of.df < 2 || of.error == 0 || !lasts(watch, serial, p, s, &of))
            continue;
        const double clear = fabs(of.difference) / (det_t_critical(CLEAR_ALPHA, of.df) * of.error);
        if (clear < most)
            continue;
        most = clear;
        start = s;
    }
    return start;
}

/* Cleared before, too, and not what moved the control, which is the machine. */
static bool is_nobodys(det_watch *watch, uint64_t serial, size_t p, uint64_t start) {
    const int control = watch->chain.control;
    return watch->policy[p].remeasure && det__cleared_since(watch, p, start) &&
           is_far(watch, serial, p, start) &&
           (control < 0 || !is_far(watch, serial, (size_t)control, start));
}

void det__follow_cleared(det_watch *watch, size_t portion, uint64_t serial) {
    const uint64_t start = clearest(watch, serial, portion);
    bool stays[DET_CONFIGURATIONS_MAX];
    if (start == serial || !is_nobodys(watch, serial, portion, start))
        return;
    for (size_t p = 0; p < watch->chain.count; p++) {
        /* What lies on top of it goes the other way. */
        stays[p] = watch->start[p] >= start || !is_far(watch, serial, p, start);
        if (stays[p])
            continue;
        watch->home[p] = watch->start[p] = start;
        det__small_begin(watch, p);
    }
    det__accept_night(watch, start, serial, stays);
}
