#pragma once
/*
 * real - detectors on a real nightly history (data/README.md): against labels read off plots, and
 * against steps planted into its stretches without a labelled change, whose noise is real.
 */
#include <stdint.h>
#include <stdio.h>

#include "tests/bench/detector/score.h"

#define REAL_SIZES 5
#define REAL_EFFECT 0.003 /* minimum effect: real changes of half a percent are labelled */

/* A series of one value a night; all pointers are borrowed. */
typedef struct {
    const char *name;
    const double *value, *error; /* [n] NaN: no such night; error: standard error, 0: unknown */
    size_t n;
} real_series;

/** A detector of plain series; alarms get portion 0. */
typedef size_t (*real_detector)(const real_series *s, alarm_at *out, size_t capacity);

typedef struct {
    double hits, alarms, changes; /* against the labels, within 14 nights */
} real_labels;

typedef struct {
    double planted[REAL_SIZES], found[REAL_SIZES]; /* by size; found within 14 nights */
    double wrong, nights;       /* alarms that no planted step explains, in so many nights */
    double quiet, quiet_nights; /* alarms in the same stretches with nothing planted */
} real_planted;

typedef struct real real;

/** real_new - read labels.json and the series it names. NULL with a message on stderr. */
real *real_new(const char *directory);
void real_free(real *r);

/** real_label_score - precision is hits / alarms, recall hits / changes. */
real_labels real_label_score(const real *r, real_detector detect);

/** real_plant_score - `repeats` steps of each size and stretch, at nights and with signs from
 * seed. */
real_planted real_plant_score(const real *r, real_detector detect, uint64_t seed, int repeats);

/**
 * real_plant_limit - power of a test that is told date and direction of the step and each stretch's
 * noise (robust, taken as white): fifteen nights against thirty. limit [REAL_SIZES].
 */
void real_plant_limit(const real *r, double z, double *limit);

extern const double real_sizes[REAL_SIZES]; /* share of the value */

/** real_ours - the shipped detector as for any imported history. real_t - Perfherder's rule. */
size_t real_ours(const real_series *s, alarm_at *out, size_t capacity);
size_t real_t(const real_series *s, alarm_at *out, size_t capacity);
