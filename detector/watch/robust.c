#include "detector/watch/robust__.h"

#include <math.h>

#include "detector/statistics/dist.h"
#include "detector/statistics/interval.h"

#define END 10  /* one loop in so many is cut at an end */
#define FIFTH 5 /* likewise, below, of the fastest part where that counts */
/* In roots of both samples' loops: as far apart lie one in ten of the pairs that are alike. */
#define APART 0.8
/* Standard errors within which nothing lies apart: it is not known better where the parts lie, and
   a tenth of a nanosecond passes by all loops of a method that takes the same time in each. */
#define NEAR 3.0
#define SEQUENCE_LOOPS 10.0

det__robust det__robust_kept(const double *sorted, size_t n, size_t low, size_t high) {
    const det_trimmed t = det_trimmed_of(sorted, n, low, high);
    return (det__robust){
        .mean = t.mean, .variance = t.variance, .squares = t.variance * t.variance / t.df};
}

det__robust det__robust_of(const double *sorted, size_t n, det__cut cut) {
    const size_t parts = (size_t)cut;
    return cut == DET__CUT_EVENLY
               ? det__robust_kept(sorted, n, n / END, n - n / END)
               : det__robust_kept(sorted, n, n / (FIFTH * parts), n - n * (parts - 1) / parts);
}

/* By how many loops a is ahead of b, at most: so many more of a lie below some value, where b is
   seen `by` lower than it is. */
static size_t ahead(const double *a, const double *b, size_t n, double by) {
    size_t j = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        while (j < n && b[j] - by <= a[i])
            j++;
        most = i + 1 > j + most ? i + 1 - j : most;
    }
    return most;
}

int det__robust_alike(const double *a, const double *b, size_t n, det__cut cut) {
    const det__robust apart =
        det__robust_minus(det__robust_of(a, n, cut), det__robust_of(b, n, cut));
    const double near = NEAR * sqrt(apart.variance);
    const size_t below = ahead(a, b, n, near - apart.mean),
                 above = ahead(b, a, n, near + apart.mean);
    const double gap = (double)(below > above ? below : above);
    return gap <= fmax(APART * sqrt(2 * (double)n), (double)n / END);
}

det__robust det__robust_minus(det__robust a, det__robust b) {
    return (det__robust){.mean = a.mean - b.mean,
                         .variance = a.variance + b.variance,
                         .squares = a.squares + b.squares};
}

/* Robbins' normal mixture, narrowest around SEQUENCE_LOOPS, carried over to Student's t by its
 * tail. */
double det__sequential_times(double alpha, size_t n, double df) {
    const double ratio = ((double)n + SEQUENCE_LOOPS) / SEQUENCE_LOOPS;
    const double normal =
        sqrt(((double)n + SEQUENCE_LOOPS) / (double)n * log(ratio / (alpha * alpha)));
    return det_t_critical(2 * det_normal_cdf(-normal), df);
}

static const char *fastest_text(int fastest) {
    return fastest == 2   ? ", of which the fastest half counts"
           : fastest == 4 ? ", of which the fastest quarter counts"
                          : "";
}

void det__put_loops(det__line *line, const det_confirm_sample *sample, int fastest) {
    det__put(line, ", ");
    det__put_count(line, sample->loops);
    det__put(line, " loops of each commit ");
    det__put(line, sample->paired ? "at the same time" : "in turn");
    if (sample->before_parent && sample->parent_loops != sample->loops) {
        det__put(line, " (");
        det__put_count(line, sample->parent_loops);
        det__put(line, " of its parent)");
    }
    det__put(line, fastest_text(fastest));
}
