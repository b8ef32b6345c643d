#include "web/chart/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/stats.h"

enum { BINS = WEB_CALLS_BINS_PER_DECADE * WEB_CALLS_DECADES };

static size_t bin_of(double ns) {
    if (!(ns > 1))
        return 0;
    double bin = log10(ns) * WEB_CALLS_BINS_PER_DECADE;
    return bin < BINS - 1 ? (size_t)bin : BINS - 1;
}

static double edge_of(size_t bin) {
    return pow(10, (double)bin / WEB_CALLS_BINS_PER_DECADE);
}

/* Four digits are finer than any screen and keep the answer small. */
static json_t *rounded(double ns) {
    if (!(fabs(ns) > 0) || !isfinite(ns))
        return json_integer(0);
    double unit = pow(10, floor(log10(fabs(ns))) - 3);
    return json_real(round(ns / unit) * unit);
}

static json_t *spread_of(const double *ns, size_t n) {
    json_int_t counts[BINS] = {0};
    size_t first = BINS, last = 0;
    for (size_t i = 0; i < n; i++) {
        size_t bin = bin_of(ns[i]);
        counts[bin]++;
        first = MIN(first, bin);
        last = MAX(last, bin);
    }
    json_t *edges = json_array(), *heights = json_array();
    for (size_t bin = first; bin <= last && first < BINS; bin++) {
        json_array_append_new(edges, rounded(edge_of(bin)));
        json_array_append_new(heights, json_integer(counts[bin]));
    }
    if (first < BINS)
        json_array_append_new(edges, rounded(edge_of(last + 1)));
    return json_pack("{s:o, s:o}", "edges_ns", edges, "counts", heights);
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static json_t *course_of(const double *ns, size_t n, size_t warmup) {
    size_t size = MAX((n + WEB_CALLS_BUCKETS - 1) / WEB_CALLS_BUCKETS, 1);
    g_autofree double *bucket = g_new(double, size);
    json_t *low = json_array(), *median = json_array(), *high = json_array();
    for (size_t from = 0; from < n; from += size) {
        size_t count = MIN(size, n - from);
        memcpy(bucket, ns + from, count * sizeof *bucket);
        qsort(bucket, count, sizeof *bucket, compare);
        json_array_append_new(low, rounded(det_quantile_sorted(bucket, count, 0.1)));
        json_array_append_new(median, rounded(det_quantile_sorted(bucket, count, 0.5)));
        json_array_append_new(high, rounded(det_quantile_sorted(bucket, count, 0.9)));
    }
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "calls", (json_int_t)n, "warmup_calls",
                     (json_int_t)warmup, "bucket_calls", (json_int_t)size, "low_ns", low,
                     "median_ns", median, "high_ns", high);
}

json_t *web_calls_digest(const double *ns, size_t n, size_t warmup) {
    warmup = MIN(warmup, n);
    return json_pack("{s:o, s:o}", "histogram", spread_of(ns + warmup, n - warmup), "course",
                     course_of(ns, n, warmup));
}
