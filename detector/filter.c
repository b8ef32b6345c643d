#include <float.h>
#include <math.h>
#include <string.h>

#include "detector/filter__.h"

/* Shares and sizes seen in a public nightly history over a year (docs/detection.md). */
#define OUTLIER_SHARE 0.006   /* of nights with an outlier in one configuration */
#define OUTLIER_SCALE 5.0     /* of their Cauchy tail, in spreads */
#define COMMON_SHARE 0.01     /* of nights on which everything is off by one factor */
#define COMMON_SCALE 0.04     /* that factor's standard deviation */
#define COMMON_ORDINARY 0.002 /* and on all other nights */
#define COMMON_LOOK 5.0       /* squared deviation from which the second is worth computing */

#define CLASSIC 4         /* configurations of nearly every series: loops of known length */
#define FLUSH_ABOVE 1e140 /* products are taken to logarithms before they leave doubles */

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* The belief with the night's common factor as one more unknown. */
typedef struct {
    double mean[DET_CONFIGURATIONS_MAX];
    double covariance[DET_CONFIGURATIONS_MAX * DET_CONFIGURATIONS_MAX]; /* rows of n */
    double common, common_variance;
    double common_with[DET_CONFIGURATIONS_MAX]; /* covariance of the factor with each level */
    double shape, size; /* product of densities: of the innovations' shapes, of their variances */
    double evidence;    /* logarithm of what was taken out of the two products */
    double worst;       /* largest squared standardized innovation */
} belief;

INLINE void belief_load(belief *b, const double *filter, size_t n, const det__noise *noise,
                        double common) {
    b->evidence = b->worst = b->common = 0;
    b->shape = b->size = 1;
    b->common_variance = common * common;
    memcpy(b->mean, filter, n * sizeof *filter);
    memcpy(b->covariance, filter + n, n * n * sizeof *filter);
    for (size_t i = 0; i < n; i++) {
        const double step = noise->wander * noise->spread[i] * filter[i];
        b->covariance[i * n + i] += isnan(step) ? 0 : step * step;
        b->common_with[i] = 0;
    }
}

/* The densities' logarithm costs more than all else: it is taken once a night, not once a value. */
INLINE void belief_flush(belief *b) {
    b->evidence += log(b->shape) - 0.5 * log(b->size);
    b->shape = b->size = 1;
}

INLINE void belief_weigh(belief *b, double shape, double size) {
    if (b->shape < 1 / FLUSH_ABOVE || b->size > FLUSH_ABOVE || b->size < 1 / FLUSH_ABOVE)
        belief_flush(b);
    b->shape *= shape;
    b->size *= size;
}

INLINE void belief_observe(belief *b, size_t n, size_t c, double level, double x, double noise) {
    double cross[DET_CONFIGURATIONS_MAX];
    for (size_t i = 0; i < n; i++)
        cross[i] = b->covariance[i * n + c] + level * b->common_with[i];
    const double cross_common = b->common_with[c] + level * b->common_variance;
    const double innovation = x - b->mean[c] - level * b->common;
    const double total = cross[c] + level * cross_common + noise;
    const double square = innovation * innovation / total;
    const double plain = (1 - OUTLIER_SHARE) * exp(-0.5 * square);
    /* sqrt(2/pi) brings the Cauchy density to the constant that `plain` leaves out. */
    const double outlier =
        OUTLIER_SHARE * 0.7978845608028654 / (OUTLIER_SCALE + square / OUTLIER_SCALE);
    const double sum = plain + outlier, both = sum > DBL_MIN ? sum : DBL_MIN;
    const double gain = plain / (both * total);
    belief_weigh(b, both, total);
    b->worst = square > b->worst ? square : b->worst;
    b->common += gain * cross_common * innovation;
    b->common_variance -= gain * cross_common * cross_common;
    for (size_t i = 0; i < n; i++) {
        const double weight = gain * cross[i];
        b->mean[i] += weight * innovation;
        b->common_with[i] -= weight * cross_common;
        for (size_t j = 0; j < n; j++)
            b->covariance[i * n + j] -= weight * cross[j];
    }
}

INLINE void belief_night(belief *b, size_t n, const double *filter, const double *x,
                         const det__noise *noise) {
    for (size_t c = 0; c < n; c++) {
        if (isnan(x[c]) || isnan(filter[c]))
            continue;
        const double spread = noise->spread[c] * filter[c];
        const double own = spread * spread, floor = noise->floor[c];
        belief_observe(b, n, c, filter[c], x[c], own > floor ? own : floor);
    }
    belief_flush(b);
}

INLINE void belief_store(const belief *b, size_t n, double *filter) {
    memcpy(filter, b->mean, n * sizeof *filter);
    memcpy(filter + n, b->covariance, n * n * sizeof *filter);
}

INLINE double filter_night(double *filter, size_t n, const double *x, const det__noise *noise) {
    belief ordinary, common;
    belief_load(&ordinary, filter, n, noise, n > 1 ? COMMON_ORDINARY : 0);
    belief_night(&ordinary, n, filter, x, noise);
    if (n == 1 || ordinary.worst < COMMON_LOOK) {
        belief_store(&ordinary, n, filter);
        return ordinary.evidence;
    }
    belief_load(&common, filter, n, noise, COMMON_SCALE);
    belief_night(&common, n, filter, x, noise);
    const double a = ordinary.evidence + log(1 - COMMON_SHARE),
                 b = common.evidence + log(COMMON_SHARE), top = fmax(a, b);
    belief_store(a >= b ? &ordinary : &common, n, filter);
    return top + log1p(exp(fmin(a, b) - top));
}

double det__filter_night(double *filter, size_t n, const double *x, const det__noise *noise) {
    return n == CLASSIC ? filter_night(filter, CLASSIC, x, noise)
                        : filter_night(filter, n, x, noise);
}

void det__filter_open(double *filter, size_t n, const double *direction, double variance) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            filter[n + i * n + j] += variance * direction[i] * direction[j];
}
