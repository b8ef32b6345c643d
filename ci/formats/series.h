#pragma once
/*
 * series - nights from a CSV file, read a line at a time.
 *
 * Two kinds, told apart by the first line: loop means, `night,c0_1,…,c0_10,c1_1,…` (configuration
 * and loop from 1, every configuration with the same loops; an empty cell is a missing loop), and a
 * plain series, `index,value` or `index,value,lo,hi` (lo and hi: 95 % interval, may be empty).
 */
#include "ci/command/command.h"
#include "detector/detector.h"

#include <stdio.h>

#define CI_SERIES_LINE_MAX 262144u /* 24 configurations of 1,000 loops do not exceed it */

typedef struct {
    char *path;
    FILE *file;
    guint64 line;
    guint configurations, loops;
    bool plain;    /* one value a night; loops is 2, spread like the interval */
    gint64 night;  /* of the night just read */
    double *means; /* [configurations * loops] */
    char *text;    /* [CI_SERIES_LINE_MAX] */
} ci_series;

/** ci_series_open - "-" is stdin. NULL with error (CI_ERROR_INPUT): FILE:LINE: what, what to do. */
ci_series *ci_series_open(const char *path, GError **error);
void ci_series_free(ci_series *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_series, ci_series_free)

/** ci_series_next - the next night. Returns false at the end, or with error. */
bool ci_series_next(ci_series *series, GError **error);
