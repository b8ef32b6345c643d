#pragma once
/*
 * series - nights from a CSV file, read a line at a time.
 *
 * Two kinds, told apart by the first line: loop means, `night,c0_1,…,c0_10,c1_1,…` (configuration
 * and loop from 1, every configuration with the same loops; an empty cell is a missing loop), and a
 * plain series, `index,value` or `index,value,lo,hi` (lo and hi: 95 % interval, may be empty). The
 * first column names the night: dates (2013-05-27) or numbers, one kind in a file.
 */
#include "ci/command/command.h"
#include "detector/detector.h"

#include <stdio.h>

#define CI_SERIES_LINE_MAX 2097152u /* 64 configurations of 1,000 loops do not exceed it */

typedef struct {
    char *path;
    FILE *file;
    guint64 line;
    guint configurations, loops;
    bool plain;    /* one value a night; loops is 2, spread like the interval */
    bool dates;    /* nights are dates */
    gint64 night;  /* the one just read: its number, or its day as GDate counts them */
    double *means; /* [configurations * loops] */
    char *text;    /* [CI_SERIES_LINE_MAX] */
} ci_series;

/** ci_series_open - "-" is stdin. NULL with error (CI_ERROR_INPUT): FILE:LINE: what, what to do. */
ci_series *ci_series_open(const char *path, GError **error);
void ci_series_free(ci_series *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_series, ci_series_free)

/** ci_series_name - what a night is called, "2013-05-27" or "41"; owned. */
char *ci_series_name(const ci_series *series, gint64 night);

/** ci_series_next - the next night. Returns false at the end, or with error. */
bool ci_series_next(ci_series *series, GError **error);

/* verdict_line - a verdict as a line of JSON, in the words of docs/api.md. */

/** A verdict of a series' night; all borrowed. */
typedef struct {
    const ci_series *series;
    const char *night;   /* what the night is called */
    const char *portion; /* whose verdict it is */
    double level;        /* of the intervals, as 0.95 */
    const det_verdict *verdict;
} ci_verdict_line;

/** ci_verdict_line_add - the line with its end. */
void ci_verdict_line_add(GString *to, const ci_verdict_line *line);
