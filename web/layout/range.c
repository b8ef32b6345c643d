#include "web/layout/range.h"

#include <glib.h>
#include <math.h>

web_range web_range_whole(const web_range *spans, size_t n) {
    web_range whole = {0, 0};
    for (size_t i = 0; i < n; i++) {
        whole.low_ns = fmin(whole.low_ns, spans[i].low_ns);
        whole.high_ns = fmax(whole.high_ns, spans[i].high_ns);
    }
    return whole;
}

static double end_of(const web_range *span, int sign) {
    return fmax(sign > 0 ? span->high_ns : -span->low_ns, 0);
}

/* The value that would stand at this place were they sorted (Hoare 1961, FIND); reorders them. */
static double value_at(double *values, size_t n, ptrdiff_t place) {
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
    while (low < high) {
        const double middle = values[place];
        ptrdiff_t up = low, down = high;
        while (up <= down) {
            while (values[up] < middle)
                up++;
            while (middle < values[down])
                down--;
            if (up > down)
                break;
            const double taken = values[up];
            values[up++] = values[down];
            values[down--] = taken;
        }
        if (down < place)
            low = up;
        if (place < up)
            high = down;
    }
    return values[place];
}

/* How far three quarters of the spans reach away from zero; sign -1: below it. */
static double reach_of(const web_range *spans, size_t n, int sign, double *ends) {
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        ends[i] = end_of(&spans[i], sign);
        most = fmax(most, ends[i]);
    }
    return most > 0 ? value_at(ends, n, (ptrdiff_t)(3 * (n - 1) / 4)) : 0;
}

/* The end of a side that is cut: a margin above the highest that the fence lets in. */
static double cut_end(const web_range *spans, size_t n, int sign, double reach, double fence,
                      double margin) {
    double within = reach;
    for (size_t i = 0; i < n; i++) {
        const double end = end_of(&spans[i], sign);
        if (end <= fence)
            within = fmax(within, end);
    }
    return fmin(fence, within + margin);
}

web_range web_range_typical(const web_range *spans, const web_range *cores, size_t n) {
    web_range whole = web_range_whole(spans, n);
    if (n < WEB_RANGE_COLUMNS_MIN)
        return whole;
    g_autofree double *ends = g_new(double, n);
    double up = reach_of(cores, n, 1, ends), down = reach_of(cores, n, -1, ends);
    double typical = up + down, stretch = typical * WEB_RANGE_STRETCH;
    if (!(typical > 0) || whole.high_ns - whole.low_ns <= typical * (1 + WEB_RANGE_KEPT))
        return whole;
    double more_up = whole.high_ns - up, more_down = -whole.low_ns - down;
    double fence_up = up + fmin(more_up, stretch - fmin(more_down, stretch / 2));
    double fence_down = down + fmin(more_down, stretch - fmin(more_up, stretch / 2));
    double margin = typical * WEB_RANGE_MARGIN;
    web_range shown = whole;
    if (whole.high_ns > fence_up)
        shown.high_ns = cut_end(spans, n, 1, up, fence_up, margin);
    if (-whole.low_ns > fence_down)
        shown.low_ns = -cut_end(spans, n, -1, down, fence_down, margin);
    return shown;
}
