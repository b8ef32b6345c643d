#pragma once
/*
 * watch__ - what the files behind watch.h share. Not installed.
 *
 * A watch keeps the last `depth` nights in a ring, condensed to a robust mean and its variance per
 * configuration; portions are differences of these. Each portion has a track: where its present
 * level began and how widely its nights spread around their reference.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detector/watch.h"

#define DET__DEPTH (DET_BASELINE_MAX + 4u) /* the reference and the nights that may be pending */

typedef struct {
    int64_t id;
    char label[DET_LABEL_MAX];
} det__stamp;

/* One configuration in one night. */
typedef struct {
    double mean;     /* trimmed over loops; NaN: missing */
    double variance; /* of that mean, from the loops */
    double loops;
} det__cell;

typedef struct {
    uint64_t start;   /* serial of the first night of the present level */
    uint64_t pending; /* nights in a row that stood clear without being told yet */
    int pending_direction;
    double spread_sum; /* squared relative innovations, forgetting slowly, and their weight */
    double spread_weight;
} det__track;

struct det_watch {
    det_chain chain;
    det_policy policy[DET_CONFIGURATIONS_MAX];
    uint64_t nights;      /* fed so far: the next night's serial */
    uint64_t environment; /* nights in a row whose control stood clear */
    det__stamp *stamps;   /* [DET__DEPTH], slot = serial % DET__DEPTH */
    det__cell *cells;     /* [DET__DEPTH * count] */
    unsigned char *used;  /* [DET__DEPTH * count] 1: the portion's value may serve as reference */
    det__track track[DET_CONFIGURATIONS_MAX];
};

/* What a portion's reference says about its next value. */
typedef struct {
    unsigned nights;
    double mean, variance; /* of the reference's centre */
    double night_variance; /* of this one night's value */
    double df;
    uint64_t first, last; /* serials */
} det__reference;

static inline det__cell *det__cell_at(const det_watch *watch, uint64_t serial,
                                      size_t configuration) {
    return &watch->cells[serial % DET__DEPTH * watch->chain.count + configuration];
}

static inline unsigned char *det__used_at(const det_watch *watch, uint64_t serial, size_t portion) {
    return &watch->used[serial % DET__DEPTH * watch->chain.count + portion];
}

static inline det__stamp *det__stamp_at(const det_watch *watch, uint64_t serial) {
    return &watch->stamps[serial % DET__DEPTH];
}

/** det__portion_value - mean of the configuration minus its parent's, NaN when one is missing. */
double det__portion_value(const det_watch *watch, uint64_t serial, size_t portion);

/** det__portion_level - root of the two configurations' summed squares: what noise scales with. */
double det__portion_level(const det_watch *watch, uint64_t serial, size_t portion);

/** det__condense - robust mean and variance of a night's loops; x [n] is sorted in place. */
det__cell det__condense(double *x, size_t n);

/** det__reference_of - the reference of a portion for the night `serial`; false: there is none. */
bool det__reference_of(const det_watch *watch, uint64_t serial, size_t portion,
                       det__reference *out);

/** det__spread_learn - take the night's innovation into the portion's spread. */
void det__spread_learn(det_watch *watch, uint64_t serial, size_t portion,
                       const det__reference *reference);

/** det__guard - set kind and rule of each portion whose measurement is suspect. */
void det__guard(const det_watch *watch, uint64_t serial, det_verdict *out);

/** det__explain - write the sentence; everything else in the verdict is final. */
void det__explain(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *verdict);
