#include "detector/watch/robust__.h"

#include <math.h>

#define END 10 /* one loop in so many is cut at an end */
#define HALF 2 /* likewise, above, where the faster half counts */
/* Smirnov 1948: of two samples of one distribution, one pair in four lies further apart. */
#define APART 1.0

det__robust det__robust_kept(const double *sorted, size_t n, size_t low, size_t high) {
    const size_t kept = high - low;
    double mean = 0, squares = 0;
    for (size_t i = low; i < high; i++)
        mean += sorted[i];
    mean /= (double)kept;
    const double ends = (double)low * sorted[low] + (double)(n - high) * sorted[high - 1];
    const double center = (mean * (double)kept + ends) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t w = i < low ? low : i >= high ? high - 1 : i;
        squares += (sorted[w] - center) * (sorted[w] - center);
    }
    const double df = (double)kept - 1, variance = kept > 1 ? squares / ((double)kept * df) : NAN;
    return (det__robust){.mean = mean, .variance = variance, .squares = variance * variance / df};
}

det__robust det__robust_of(const double *sorted, size_t n, det__cut cut) {
    return det__robust_kept(sorted, n, n / END, n - n / (cut == DET__CUT_SLOWER ? HALF : END));
}

/* The largest difference of their distributions, in loops, each seen from its own faster half. */
static size_t gap_of(const double *a, const double *b, size_t n) {
    const double shift =
        det__robust_of(a, n, DET__CUT_SLOWER).mean - det__robust_of(b, n, DET__CUT_SLOWER).mean;
    size_t i = 0, j = 0, gap = 0;
    while (i < n && j < n) {
        if (a[i] - shift <= b[j])
            i++;
        else
            j++;
        const size_t now = i > j ? i - j : j - i;
        gap = now > gap ? now : gap;
    }
    return gap;
}

int det__robust_alike(const double *a, const double *b, size_t n) {
    return (double)gap_of(a, b, n) <= fmax(APART * sqrt(2 * (double)n), (double)n / END);
}

det__robust det__robust_minus(det__robust a, det__robust b) {
    return (det__robust){.mean = a.mean - b.mean,
                         .variance = a.variance + b.variance,
                         .squares = a.squares + b.squares};
}
