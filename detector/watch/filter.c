#include "detector/watch/filter__.h"

#include <math.h>

/* As seen in the history that outlier__.h names. */
#define COMMON_SHARE 0.01     /* of nights on which everything is off by one factor */
#define COMMON_SCALE 0.04     /* that factor's standard deviation */
#define COMMON_ORDINARY 0.002 /* and on all other nights */
#define COMMON_LOOK 5.0       /* squared deviation from which the second is worth computing */

#define CLASSIC 4     /* configurations of nearly every series: loops of known length */
#define FLUSH_EVERY 4 /* products of so many densities cannot leave doubles */
#define ROWS_MAX                                                                                   \
    (DET_CONFIGURATIONS_MAX + DET_CONFIGURATIONS_MAX * (DET_CONFIGURATIONS_MAX + 1) / 2)

/* A night as every belief sees it. */
typedef struct {
    const double *x;
    const det__noise *noise;
    double unit[DET_CONFIGURATIONS_MAX]; /* of variances in densities; cancels between beliefs */
    bool seen[DET_CONFIGURATIONS_MAX];   /* tonight; known: at all */
    bool known[DET_CONFIGURATIONS_MAX];
} night;

/* The beliefs of a block with the night's common factor as one more unknown. */
typedef struct {
    det__lanes row[ROWS_MAX]; /* as in the block */
    det__lanes common, common_variance;
    det__lanes common_with[DET_CONFIGURATIONS_MAX]; /* covariance of the factor with each level */
    /* Product of densities: of the innovations' shapes (a fraction) and of their variances. */
    det__lanes shape, shape_below, size;
    det__lanes evidence;  /* logarithm of what was taken out of the products */
    det__lane_bits worst; /* where a squared standardized innovation is worth a second look */
} belief;

DET__INLINE void belief_load(belief *b, const det__lanes *block, size_t n, const night *of,
                             double common) {
    const det__lanes zero = {0};
    b->evidence = b->common = zero;
    b->shape = b->shape_below = b->size = zero + 1;
    b->common_variance = zero + common * common;
    b->worst = (det__lane_bits)zero;
    DET__UNROLL
    for (size_t r = 0; r < det__block_rows(n); r++)
        b->row[r] = block[r];
    DET__UNROLL
    for (size_t i = 0; i < n; i++) {
        const det__lanes step = of->noise->wander[i] * of->noise->spread[i] * block[i];
        if (of->known[i])
            b->row[det__block_row(n, i, i)] += step * step;
        b->common_with[i] = zero;
    }
}

/* The densities' logarithm costs more than all else: it is taken once a night, not once a value. */
DET__INLINE void belief_flush(belief *b) {
    const det__lanes zero = {0};
    const det__lanes square = b->shape * b->shape / (b->shape_below * b->shape_below * b->size);
    det__lanes log;
    det__lanes_log(&log, &square);
    b->evidence += 0.5 * log;
    b->shape = b->shape_below = b->size = zero + 1;
}

/* What is expected of configuration c: covariances with every level. */
DET__INLINE void belief_cross(const belief *b, size_t n, size_t c, const det__lanes *level,
                              det__lanes *cross) {
    DET__UNROLL
    for (size_t i = 0; i < n; i++) {
        const size_t row = i > c ? det__block_row(n, i, c) : det__block_row(n, c, i);
        cross[i] = b->row[row] + *level * b->common_with[i];
    }
}

DET__INLINE void belief_observe(belief *b, size_t n, size_t c, const det__lanes *level, double x,
                                const det__lanes *noise, double unit) {
    det__lanes cross[DET_CONFIGURATIONS_MAX], plain, both, under;
    belief_cross(b, n, c, level, cross);
    const det__lanes cross_common = b->common_with[c] + *level * b->common_variance;
    const det__lanes innovation = x - b->row[c] - *level * b->common;
    const det__lanes total = cross[c] + *level * cross_common + *noise;
    const det__lanes precision = 1 / total;
    const det__lanes square = innovation * innovation * precision;
    det__mixture_of(&plain, &both, &under, &square);
    const det__lanes gain = plain * precision / both;
    b->shape *= both;
    b->shape_below *= under;
    b->size *= total * unit;
    b->worst |= square >= COMMON_LOOK;
    b->common += gain * cross_common * innovation;
    b->common_variance -= gain * cross_common * cross_common;
    DET__UNROLL
    for (size_t i = 0; i < n; i++) {
        const det__lanes weight = gain * cross[i];
        b->row[i] += weight * innovation;
        b->common_with[i] -= weight * cross_common;
        DET__UNROLL
        for (size_t k = 0; k <= i; k++)
            b->row[det__block_row(n, i, k)] -= weight * cross[k];
    }
}

DET__INLINE void belief_night(belief *b, size_t n, const det__lanes *block, const night *of) {
    unsigned observed = 0;
    DET__UNROLL
    for (size_t c = 0; c < n; c++) {
        if (!of->seen[c])
            continue;
        const det__lanes zero = {0}, floor = zero + of->noise->floor[c];
        const det__lanes spread = of->noise->spread[c] * block[c], own = spread * spread;
        const det__lane_bits wide = own > floor;
        det__lanes noise;
        det__choose(&noise, &wide, &own, &floor);
        belief_observe(b, n, c, &block[c], of->x[c], &noise, of->unit[c]);
        if (++observed % FLUSH_EVERY == 0)
            belief_flush(b);
    }
    if (observed % FLUSH_EVERY)
        belief_flush(b);
}

/* Where the beliefs are of two minds, the likelier one goes on, with the density of both. */
DET__INLINE void belief_decide(belief *ordinary, const belief *common, size_t n) {
    for (size_t l = 0; l < DET__LANES; l++) {
        if (!ordinary->worst[l])
            continue;
        const double a = ordinary->evidence[l] + log(1 - COMMON_SHARE);
        const double b = common->evidence[l] + log(COMMON_SHARE), top = a >= b ? a : b;
        ordinary->evidence[l] = top + log1p(exp((a >= b ? b : a) - top));
        for (size_t r = 0; r < det__block_rows(n) && b > a; r++)
            ordinary->row[r][l] = common->row[r][l];
    }
}

DET__INLINE void block_night(det__lanes *block, size_t n, const night *of, det__lanes *density) {
    belief ordinary, common;
    belief_load(&ordinary, block, n, of, n > 1 ? COMMON_ORDINARY : 0);
    belief_night(&ordinary, n, block, of);
    if (n > 1 && det__lanes_any(&ordinary.worst)) {
        belief_load(&common, block, n, of, COMMON_SCALE);
        belief_night(&common, n, block, of);
        belief_decide(&ordinary, &common, n);
    }
    DET__UNROLL
    for (size_t r = 0; r < det__block_rows(n); r++)
        block[r] = ordinary.row[r];
    *density = ordinary.evidence;
}

DET__WIDE static void classic_night(det__lanes *block, size_t blocks, const night *of,
                                    det__lanes *density) {
    for (size_t b = 0; b < blocks; b++)
        block_night(block + b * det__block_rows(CLASSIC), CLASSIC, of, &density[b]);
}

static void any_night(det__lanes *block, size_t blocks, size_t n, const night *of,
                      det__lanes *density) {
    for (size_t b = 0; b < blocks; b++)
        block_night(block + b * det__block_rows(n), n, of, &density[b]);
}

void det__filter_night(double *blocks, size_t count, size_t n, const double *x,
                       const det__noise *noise, double *density) {
    night of = {.x = x, .noise = noise};
    const size_t used = (count + DET__LANES - 1) / DET__LANES;
    for (size_t c = 0; c < n; c++) {
        const double own = noise->spread[c] * x[c];
        of.known[c] = !isnan(det__lane(blocks, n, 0)[c * DET__LANES]);
        of.seen[c] = of.known[c] && !isnan(x[c]);
        of.unit[c] = 1 / fmax(own * own, noise->floor[c]);
    }
    if (n == CLASSIC)
        classic_night((det__lanes *)blocks, used, &of, (det__lanes *)density);
    else
        any_night((det__lanes *)blocks, used, n, &of, (det__lanes *)density);
}

void det__filter_open(double *filter, size_t n, const double *direction, double variance) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            filter[n + i * n + j] += variance * direction[i] * direction[j];
}

void det__lane_put(double *blocks, size_t n, size_t i, const double *filter) {
    double *lane = det__lane(blocks, n, i);
    for (size_t k = 0; k < n; k++, lane += DET__LANES)
        *lane = filter[k];
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j <= k; j++, lane += DET__LANES)
            *lane = filter[n + k * n + j];
}

void det__lane_get(double *blocks, size_t n, size_t i, double *filter) {
    const double *lane = det__lane(blocks, n, i);
    for (size_t k = 0; k < n; k++, lane += DET__LANES)
        filter[k] = *lane;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j <= k; j++, lane += DET__LANES)
            filter[n + k * n + j] = filter[n + j * n + k] = *lane;
}

void det__lane_copy(double *blocks, size_t n, size_t to, size_t from) {
    double *into = det__lane(blocks, n, to);
    const double *out = det__lane(blocks, n, from);
    for (size_t r = 0; r < det__block_rows(n); r++)
        into[r * DET__LANES] = out[r * DET__LANES];
}
