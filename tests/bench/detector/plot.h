#pragma once
/* plot - a small line chart as SVG: enough for the figures of docs/detection.md. */
#include <stddef.h>

typedef struct {
    const char *name;
    const double *x, *y; /* [count] */
    size_t count;
    int points; /* 1: marks without a line */
} plot_line;

typedef struct {
    const char *title, *x_label, *y_label;
    double x_low, x_high, y_low, y_high;
    int x_log;
    const plot_line *lines;
    size_t count; /* at most 8 */
} plot;

/** plot_write - returns 0, or -1 when the file cannot be written. */
int plot_write(const plot *p, const char *path);
