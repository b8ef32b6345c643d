#pragma once
/* otava - Apache Otava, asked through its script. */
#include "tests/bench/detector/real.h"
#include "tests/bench/detector/score.h"

#define OTAVA_ALARMS 1024 /* of one history */

typedef struct {
    const char *python, *script; /* NULL: not there */
} otava_program;

/**
 * otava_histories - alarms of each history's portions, asked anew each night.
 * mode   "default" or "strict"
 * all    [count * OTAVA_ALARMS]; found [count]
 * Returns 0, or -1 when the script failed.
 */
int otava_histories(const otava_program *otava, const char *mode, const history *h, size_t count,
                    alarm_at *all, size_t *found);

/** otava_series - the same of one plain series, default settings. Returns 0 or -1. */
int otava_series(const otava_program *otava, const real_series *s, alarm_at *out, size_t capacity,
                 size_t *count);

/** otava_seconds - CPU time, mode "pass" or "nightly" over so many nights of one portion; or
 * NaN. */
double otava_seconds(const otava_program *otava, const char *mode, int nights);
