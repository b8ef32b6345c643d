#pragma once
/*
 * Which values a chart from zero shows. One absurd night must not flatten all others: when few lie
 * far outside, the scale follows the many.
 *
 * Typical is what three quarters of the columns reach and zero. Values may stretch that by
 * WEB_RANGE_KEPT of its height. When they want more, what lies beyond WEB_RANGE_STRETCH is cut off,
 * which leaves room for marks: the typical keeps at least half. So a level that a quarter of the
 * nights hold is shown, however high. static/typical.js has the same rule and numbers.
 */
#include <stdbool.h>
#include <stddef.h>

#define WEB_RANGE_KEPT 0.6
#define WEB_RANGE_STRETCH 0.45
/* Of the typical height: what is cut off ends so far above the highest that is not. */
#define WEB_RANGE_MARGIN 0.15
/* Of fewer columns nobody can say which are typical. */
#define WEB_RANGE_COLUMNS_MIN 4

typedef struct {
    double low_ns, high_ns; /* low <= 0 <= high */
} web_range;

/** web_range_whole - from the lowest to the highest of n spans and zero. */
web_range web_range_whole(const web_range *spans, size_t n);

/**
 * web_range_typical - the range to show of n spans, within the whole one.
 * cores   [n] what says which are typical, each within its span: the spans themselves, or the
 *         medians of columns whose spans are ranges of many nights, of which one may be absurd
 */
web_range web_range_typical(const web_range *spans, const web_range *cores, size_t n);
