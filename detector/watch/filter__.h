#pragma once
/*
 * filter__ - Gaussian beliefs about the levels of n configurations, updated night by night.
 *
 * A local-level model: levels wander a little, a night shows them with noise of its own, with a
 * small factor common to all, and now and then with an outlier: in one configuration, or common to
 * all. Outliers are part of the likelihood (a mixture with a Cauchy tail), so no single night can
 * prove a change that a second night does not bear out, however far it lies.
 *
 * Many beliefs take in the same night, so they lie side by side, in blocks of DET__LANES: row by
 * row (the means, then the covariance's lower triangle) one number of each belief.
 */
#include "detector/statistics/portion.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * lanes__ - the same arithmetic on several numbers at once. Not installed.
 *
 * GCC's and Clang's vectors of doubles: every lane is computed as if it stood alone, by additions,
 * multiplications and divisions in one order, so the results are the same bits on every processor,
 * with wide registers or without (the file that uses it is built without fused operations).
 * exp and log are within 4 units in the last place; no table, no branch.
 */

#define DET__LANES 8u

#define DET__VECTOR __attribute__((vector_size(8 * DET__LANES), aligned(8 * DET__LANES)))
typedef double det__lanes DET__VECTOR;
typedef int64_t det__lane_bits DET__VECTOR;   /* masks */
typedef uint64_t det__lane_words DET__VECTOR; /* what doubles are made of */

#define DET__INLINE static inline __attribute__((always_inline))

/* A function that is built for wide registers as well, chosen when the program starts. Unoptimized
   and sanitized builds have one for all. LANES_PLAIN: tests do so too. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) &&                      \
    !defined(__clang__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) &&      \
    !defined(LANES_PLAIN)
#define DET__WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DET__WIDE
#endif

/* Before a loop over configurations or rows: in a row where their number is known, so that the
   numbers stay in registers. */
#if defined(__clang__)
#define DET__UNROLL /* it knows */
#else
#define DET__UNROLL _Pragma("GCC unroll 14")
#endif

/* Adding it to a number below 2^51 leaves the number, rounded, in the lowest bits. */
#define DET__ROUND 0x1.8p52

/** det__choose - a where the mask's bits are set, b elsewhere. */
DET__INLINE void det__choose(det__lanes *out, const det__lane_bits *mask, const det__lanes *a,
                             const det__lanes *b) {
    *out = (det__lanes)((*mask & (det__lane_bits)*a) | (~*mask & (det__lane_bits)*b));
}

/** det__lanes_any - is the mask set anywhere? */
DET__INLINE bool det__lanes_any(const det__lane_bits *mask) {
    int64_t all = 0;
    for (unsigned l = 0; l < DET__LANES; l++)
        all |= (*mask)[l];
    return all != 0;
}

/**
 * det__lanes_exp - e^x as the fraction above / below; x <= 0, taken as -708 where it is less.
 * Source: Cody and Waite 1980; coefficients of Moshier's Cephes library.
 */
DET__INLINE void det__lanes_exp(det__lanes *above, det__lanes *below, const det__lanes *x) {
    const det__lanes zero = {0}, least = zero - 708.0;
    const det__lane_bits fine = *x > least;
    det__lanes y;
    det__choose(&y, &fine, x, &least);
    const det__lanes shifted = y * 1.4426950408889634 + DET__ROUND, whole = shifted - DET__ROUND;
    const det__lanes r = (y - whole * 0x1.62e4p-1) - whole * 1.42860682030941723212e-6;
    const det__lanes s = r * r;
    const det__lanes p = r * ((1.26177193074810590878e-4 * s + 3.02994407707441961300e-2) * s + 1);
    const det__lanes q = ((3.00198505138664455042e-6 * s + 2.52448340349684104192e-3) * s +
                          2.27265548208155028766e-1) *
                             s +
                         2;
    const det__lanes power = (det__lanes)(((det__lane_words)shifted + 1023) << 52);
    *above = (q + p) * power;
    *below = q - p;
}

/**
 * det__lanes_log - natural logarithm; where x is not normal and positive, libm's.
 * Source: fdlibm's log, Sun Microsystems 1993.
 */
DET__INLINE void det__lanes_log(det__lanes *out, const det__lanes *x) {
    /* The mantissa is brought to sqrt(1/2) ... sqrt(2): what is above that goes to the exponent. */
    const det__lane_words offset = (det__lane_words)*x - UINT64_C(0x3fe6a09e667f3bcd);
    const det__lane_words exponent = offset & ~UINT64_C(0xfffffffffffff);
    const det__lanes mantissa = (det__lanes)((det__lane_words)*x - exponent);
    /* 2^52 * 3/2 plus the exponent, as bits of a double. */
    const det__lane_words biased = (exponent + UINT64_C(0x4000000000000000)) >> 52;
    const det__lanes k = (det__lanes)(biased - 0x400 + UINT64_C(0x4338000000000000)) - DET__ROUND;
    const det__lanes f = mantissa - 1, s = f / (f + 2), z = s * s, w = z * z;
    const det__lanes even =
        w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
    const det__lanes odd = z * (6.666666666666735130e-1 +
                                w * (2.857142874366239149e-1 +
                                     w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
    const det__lanes half = 0.5 * f * f;
    *out = k * 6.93147180369123816490e-01 -
           ((half - (s * (half + (even + odd)) + k * 1.90821492927058770002e-10)) - f);
    const det__lane_bits odd_one = ~((*x >= DBL_MIN) & (*x <= DBL_MAX));
    for (unsigned l = 0; det__lanes_any(&odd_one) && l < DET__LANES; l++)
        if (odd_one[l])
            (*out)[l] = log((*x)[l]);
}

/*
 * outlier__ - how likely an innovation is when now and then a night is an outlier. Not installed.
 *
 * A mixture of the normal density and, with a small share, of a wide Cauchy tail: no single night
 * proves what a second does not bear out, however far it lies.
 */

/* Shares and sizes seen in a public nightly history over a year (docs/detection.md). */
#define DET__OUTLIER_SHARE 0.006 /* of nights with an outlier in one configuration */
#define DET__OUTLIER_SCALE 5.0   /* of their Cauchy tail, in spreads */

/* sqrt(2/pi): Cauchy's constant in the normal's units */
#define DET__ROOT_2_PI 0.7978845608028654

/**
 * det__mixture_of - both densities, (1 - share) above / below and weight / tail, on one fraction.
 * square   of the innovation, in its variances
 * plain    the normal density's part of `both`
 * both     density times `under`
 */
DET__INLINE void det__mixture_of(det__lanes *plain, det__lanes *both, det__lanes *under,
                                 const det__lanes *square) {
    det__lanes above, below;
    const det__lanes half = -0.5 * *square;
    const det__lanes tail = DET__OUTLIER_SCALE * DET__OUTLIER_SCALE + *square;
    det__lanes_exp(&above, &below, &half);
    *plain = (1 - DET__OUTLIER_SHARE) * above * tail;
    *both = *plain + DET__OUTLIER_SHARE * DET__ROOT_2_PI * DET__OUTLIER_SCALE * below;
    *under = below * tail;
}

#define DET__FILTER_MAX (DET_CONFIGURATIONS_MAX + DET_CONFIGURATIONS_MAX * DET_CONFIGURATIONS_MAX)

/* A belief by itself is so many doubles: mean [n], then covariance [n * n]. */
static inline size_t det__filter_size(size_t n) {
    return n + n * n;
}

/* Rows of a block. */
static inline size_t det__block_rows(size_t n) {
    return n + n * (n + 1) / 2;
}

/* Row of the covariance of i and k <= i. */
static inline size_t det__block_row(size_t n, size_t i, size_t k) {
    return n + i * (i + 1) / 2 + k;
}

/* Belief i in its block: row r lies r * DET__LANES further. */
static inline double *det__lane(double *blocks, size_t n, size_t i) {
    return blocks + i / DET__LANES * det__block_rows(n) * DET__LANES + i % DET__LANES;
}

typedef struct {
    double spread[DET_CONFIGURATIONS_MAX]; /* of a night, as a share of the level */
    double floor[DET_CONFIGURATIONS_MAX];  /* variance that this night has at least */
    double wander[DET_CONFIGURATIONS_MAX]; /* share of the spread that a level moves in a night */
} det__noise;

/**
 * det__filter_night - take a night into `count` beliefs.
 * blocks   aligned to a vector, whole blocks; lanes from count on may hold anything
 * x        [n] NaN: nothing known of this configuration. What was not seen before (mean NaN) is
 *          unknown to all beliefs.
 * density  [count rounded up to whole blocks, aligned] log of the predictive density, without
 *          constants that cancel between beliefs
 */
void det__filter_night(double *blocks, size_t count, size_t n, const double *x,
                       const det__noise *noise, double *density);

/** det__filter_open - forget along a direction: covariance += variance * direction direction'. */
void det__filter_open(double *filter, size_t n, const double *direction, double variance);

/** det__lane_put, _get - write a belief into a block's lane, read it. _copy: from lane to lane. */
void det__lane_put(double *blocks, size_t n, size_t i, const double *filter);
void det__lane_get(double *blocks, size_t n, size_t i, double *filter);
void det__lane_copy(double *blocks, size_t n, size_t to, size_t from);

/*
 * wander__ - how fast the levels of a series wander from night to night. Not installed.
 *
 * Some machines drift: a level that moves by half a night's spread each night is not a change of
 * code. Eight local-level filters a configuration, each assuming another pace, predict every night.
 * How well they did, forgetting slowly and summed over the configurations of the machine, weighs
 * them.
 */

#define DET__PACES DET__LANES

typedef struct {
    double mean[DET__PACES], variance[DET__PACES]; /* of the level, by pace; mean NaN: not begun */
} det__pace;

/** det__wander_begin - no level is known. */
void det__wander_begin(det__pace *pace);
