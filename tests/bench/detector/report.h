#pragma once
/* report - tables for people, to the terminal and to a Markdown file, and figures for programs. */
#include <jansson.h>
#include <stdio.h>

#include "tests/bench/detector/score.h"

typedef struct {
    FILE *markdown; /* NULL: not asked for */
    json_t *figures;
} report;

__attribute__((format(printf, 2, 3))) void say(report *r, const char *format, ...);
void figure(report *r, const char *key, double value);

/** head, row - the table of detectors. */
void head(report *r);
void row(report *r, const char *name, const score *s);

/** report_aims - what was aimed at, measure by measure, and what the figures so far say. */
void report_aims(report *r);
