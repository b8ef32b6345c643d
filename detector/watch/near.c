/* near - what nights near 0 show by themselves. No share of such a level says how far they lie
   apart, and a belief takes those that do for outliers: a count of 0, 2, 0, 2 would have risen. */
#include "detector/statistics/stats.h"
#include "detector/watch/watch__.h"

#include <math.h>

#define FAR 2.0 /* times as far out as all others lies one that is not believed: it came once */

/* Ascending values of the portion. */
typedef struct {
    double x[DET__DEPTH];
    size_t n;
} row;

static row row_of(const det__comparison *c, det__range nights) {
    row of = {.n = 0};
    for (uint64_t s = nights.first; s < nights.end; s++) {
        const double x = det__tonight(c->watch, s, c->portion);
        if (!isnan(x))
            of.x[of.n++] = x;
    }
    det_sort(of.x, of.n);
    return of;
}

/* Is more than one in so many at 0? */
static bool is_near_zero(const det__comparison *c, const row *of) {
    return of->n > 0 && det__at_zero(c->watch, c->portion, of->x[of->n / DET__ZERO_SHARE]);
}

/* What came once before, far out of all others, counts as the value next to it. Returns whether
 * nothing did. */
static bool tame(row *before, const row *since) {
    const size_t n = before->n;
    if (n < 2)
        return true;
    const double low = fmin(before->x[1], since->x[0]);
    const double high = fmax(before->x[n - 2], since->x[since->n - 1]);
    const bool below = before->x[0]<low / FAR, above = before->x[n - 1]> FAR * high;
    before->x[0] = below ? low : before->x[0];
    before->x[n - 1] = above ? high : before->x[n - 1];
    return !below && !above;
}

/* Sum of squares around the mean, which is written. */
static double squares(const row *of, double *mean) {
    double sum = 0, off = 0;
    for (size_t i = 0; i < of->n; i++)
        sum += of->x[i];
    *mean = sum / (double)of->n;
    for (size_t i = 0; i < of->n; i++)
        off += pow(of->x[i] - *mean, 2);
    return off;
}

det__between det__near_zero(const det__comparison *c, uint64_t start) {
    if (c->watch->policy[c->portion].zero == 0 || c->watch->chain.parent[c->portion] >= 0)
        return (det__between){0};
    row a = row_of(c, det__reference(c->watch, c->portion, start));
    const row b = row_of(c, (det__range){start, c->serial + 1});
    if (a.n == 0 || b.n == 0 || !(is_near_zero(c, &a) || is_near_zero(c, &b)))
        return (det__between){0};
    double before, level;
    const bool agree = tame(&a, &b);
    const double df = (double)(a.n + b.n) - 2;
    const double variance = (squares(&a, &before) + squares(&b, &level)) / fmax(df, 1);
    const bool left = b.x[0] > a.x[a.n - 1];
    return (det__between){.nights = (unsigned)(a.n < b.n ? a.n : b.n),
                          .agree = agree,
                          .level = level,
                          .difference = level - before,
                          .error =
                              sqrt(variance * ((left ? 0 : 1 / (double)a.n) + 1 / (double)b.n)),
                          .df = df};
}

double det__near_zero_worth(const det__between *of, double error) {
    const double df = fmax(of->df, 1);
    return of->nights == 0 ? INFINITY : (df + 2) / 2 * log(1 + pow(of->difference / error, 2) / df);
}
