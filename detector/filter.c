#include <math.h>
#include <string.h>

#include "detector/filter__.h"

#define AUGMENTED (DET_CONFIGURATIONS_MAX + 1)

/* Shares and sizes seen in a public nightly history over a year (docs/detection.md). */
#define OUTLIER_SHARE 0.006   /* of nights with an outlier in one configuration */
#define OUTLIER_SCALE 5.0     /* of their Cauchy tail, in spreads */
#define COMMON_SHARE 0.01     /* of nights on which everything is off by one factor */
#define COMMON_SCALE 0.04     /* that factor's standard deviation */
#define COMMON_ORDINARY 0.002 /* and on all other nights */
#define COMMON_LOOK 5.0       /* squared deviation from which the second is worth computing */

/* The belief with the night's common factor as one more unknown. */
typedef struct {
    size_t n;
    double mean[AUGMENTED];
    double covariance[AUGMENTED][AUGMENTED];
    double evidence;
    double worst; /* largest squared standardized innovation */
} belief;

static void belief_load(belief *b, const double *filter, size_t n, const det__noise *noise,
                        double common) {
    b->n = n;
    b->evidence = b->worst = 0;
    for (size_t i = 0; i < n; i++) {
        b->mean[i] = filter[i];
        for (size_t j = 0; j < n; j++)
            b->covariance[i][j] = filter[n + i * n + j];
        const double step = noise->wander * noise->spread[i] * filter[i];
        b->covariance[i][i] += isnan(step) ? 0 : step * step;
        b->covariance[i][n] = b->covariance[n][i] = 0;
    }
    b->mean[n] = 0;
    b->covariance[n][n] = common * common;
}

static void belief_observe(belief *b, size_t c, double level, double x, double noise) {
    const size_t size = b->n + 1, common = b->n;
    double cross[AUGMENTED];
    for (size_t i = 0; i < size; i++)
        cross[i] = b->covariance[i][c] + level * b->covariance[i][common];
    const double innovation = x - b->mean[c] - level * b->mean[common];
    const double total = cross[c] + level * cross[common] + noise;
    const double square = innovation * innovation / total;
    const double plain = log(1 - OUTLIER_SHARE) - 0.5 * (log(total) + square);
    const double width = OUTLIER_SCALE * sqrt(total), far = innovation / width;
    /* sqrt(2/pi) brings the Cauchy density to the constant that `plain` left out. */
    const double outlier = log(OUTLIER_SHARE * 0.7978845608028654 / width) - log1p(far * far);
    const double top = fmax(plain, outlier);
    const double both = top + log(exp(plain - top) + exp(outlier - top));
    const double gain = exp(plain - both) / total;
    b->evidence += both;
    b->worst = fmax(b->worst, square);
    for (size_t i = 0; i < size; i++) {
        b->mean[i] += gain * cross[i] * innovation;
        for (size_t j = 0; j < size; j++)
            b->covariance[i][j] -= gain * cross[i] * cross[j];
    }
}

static void belief_night(belief *b, const double *filter, const double *x,
                         const det__noise *noise) {
    for (size_t c = 0; c < b->n; c++) {
        if (isnan(x[c]) || isnan(filter[c]))
            continue;
        const double spread = noise->spread[c] * filter[c];
        belief_observe(b, c, filter[c], x[c], fmax(spread * spread, noise->floor[c]));
    }
}

static void belief_store(const belief *b, double *filter) {
    for (size_t i = 0; i < b->n; i++) {
        filter[i] = b->mean[i];
        for (size_t j = 0; j < b->n; j++)
            filter[b->n + i * b->n + j] = b->covariance[i][j];
    }
}

double det__filter_night(double *filter, size_t n, const double *x, const det__noise *noise) {
    belief ordinary, common;
    belief_load(&ordinary, filter, n, noise, n > 1 ? COMMON_ORDINARY : 0);
    belief_night(&ordinary, filter, x, noise);
    if (n == 1 || ordinary.worst < COMMON_LOOK) {
        belief_store(&ordinary, filter);
        return ordinary.evidence;
    }
    belief_load(&common, filter, n, noise, COMMON_SCALE);
    belief_night(&common, filter, x, noise);
    const double a = ordinary.evidence + log(1 - COMMON_SHARE),
                 b = common.evidence + log(COMMON_SHARE), top = fmax(a, b);
    belief_store(a >= b ? &ordinary : &common, filter);
    return top + log(exp(a - top) + exp(b - top));
}

void det__filter_open(double *filter, size_t n, const double *direction, double variance) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            filter[n + i * n + j] += variance * direction[i] * direction[j];
}
