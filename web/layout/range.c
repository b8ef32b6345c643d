#include "web/layout/range.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

web_range web_range_whole(const web_range *spans, size_t n) {
    web_range whole = {0, 0};
    for (size_t i = 0; i < n; i++) {
        whole.low_ns = fmin(whole.low_ns, spans[i].low_ns);
        whole.high_ns = fmax(whole.high_ns, spans[i].high_ns);
    }
    return whole;
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void sort_ends(const web_range *spans, size_t n, int sign, double *sorted) {
    for (size_t i = 0; i < n; i++)
        sorted[i] = fmax(sign > 0 ? spans[i].high_ns : -spans[i].low_ns, 0);
    qsort(sorted, n, sizeof *sorted, ascending);
}

/* How far three quarters of the spans reach away from zero; sign -1: below it. */
static double reach_of(const web_range *spans, size_t n, int sign, double *sorted) {
    sort_ends(spans, n, sign, sorted);
    return sorted[3 * (n - 1) / 4];
}

/* The end of a side that is cut: a margin above the highest that the fence lets in. */
static double cut_end(const double *sorted, size_t n, double reach, double fence, double margin) {
    double within = reach;
    for (size_t i = 0; i < n && sorted[i] <= fence; i++)
        within = fmax(within, sorted[i]);
    return fmin(fence, within + margin);
}

web_range web_range_typical(const web_range *spans, const web_range *cores, size_t n) {
    web_range whole = web_range_whole(spans, n);
    if (n < WEB_RANGE_COLUMNS_MIN)
        return whole;
    g_autofree double *sorted = g_new(double, n);
    double up = reach_of(cores, n, 1, sorted), down = reach_of(cores, n, -1, sorted);
    double typical = up + down, stretch = typical * WEB_RANGE_STRETCH;
    if (!(typical > 0) || whole.high_ns - whole.low_ns <= typical * (1 + WEB_RANGE_KEPT))
        return whole;
    double more_up = whole.high_ns - up, more_down = -whole.low_ns - down;
    double fence_up = up + fmin(more_up, stretch - fmin(more_down, stretch / 2));
    double fence_down = down + fmin(more_down, stretch - fmin(more_up, stretch / 2));
    double margin = typical * WEB_RANGE_MARGIN;
    web_range shown = whole;
    sort_ends(spans, n, 1, sorted);
    if (whole.high_ns > fence_up)
        shown.high_ns = cut_end(sorted, n, up, fence_up, margin);
    sort_ends(spans, n, -1, sorted);
    if (-whole.low_ns > fence_down)
        shown.low_ns = -cut_end(sorted, n, down, fence_down, margin);
    return shown;
}
