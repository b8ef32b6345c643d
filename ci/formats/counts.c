#include "ci/formats/moobench.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct ci_counts {
    uint64_t dense[CI_COUNTS_DENSE];
    GArray *sparse; /* uint64_t, sorted before it is read */
    uint64_t n;
    wide sum; /* 2^53 a value, 2^64 values: fits */
};

ci_counts *ci_counts_new(void) {
    ci_counts *counts = g_new0(ci_counts, 1);
    counts->sparse = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return counts;
}

void ci_counts_free(ci_counts *counts) {
    if (!counts)
        return;
    g_array_unref(counts->sparse);
    g_free(counts);
}

void ci_counts_add(ci_counts *counts, const double *ns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t value = (uint64_t)ns[i];
        counts->sum += value;
        if (value < CI_COUNTS_DENSE)
            counts->dense[value]++;
        else
            g_array_append_val(counts->sparse, value);
    }
    counts->n += n;
}

void ci_counts_merge(ci_counts *counts, const ci_counts *more) {
    for (size_t i = 0; i < CI_COUNTS_DENSE; i++)
        counts->dense[i] += more->dense[i];
    g_array_append_vals(counts->sparse, more->sparse->data, more->sparse->len);
    counts->n += more->n;
    counts->sum += more->sum;
}

static gint ascending(gconstpointer a, gconstpointer b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The value at each of the given ranks (ascending, from 0). */
static void at_ranks(const ci_counts *counts, const uint64_t *ranks, double *values, size_t n) {
    uint64_t before = 0;
    size_t next = 0;
    for (size_t v = 0; v < CI_COUNTS_DENSE && next < n; v++) {
        before += counts->dense[v];
        while (next < n && ranks[next] < before)
            values[next++] = (double)v;
    }
    for (; next < n; next++)
        values[next] = (double)g_array_index(counts->sparse, uint64_t, ranks[next] - before);
}

static double spread(const ci_counts *counts, long double mean) {
    if (counts->n < 2)
        return 0;
    long double squares = 0;
    for (size_t v = 0; v < CI_COUNTS_DENSE; v++) {
        const long double deviation = (long double)v - mean;
        if (counts->dense[v])
            squares += (long double)counts->dense[v] * deviation * deviation;
    }
    for (guint i = 0; i < counts->sparse->len; i++) {
        const long double deviation =
            (long double)g_array_index(counts->sparse, uint64_t, i) - mean;
        squares += deviation * deviation;
    }
    return (double)sqrtl(squares / (long double)(counts->n - 1));
}

/* All quantiles of the summary (type 7), in two walks. */
static void quantiles(const ci_counts *counts, det_summary *out) {
    uint64_t below[DET_SUMMARY_MEMBERS], above[DET_SUMMARY_MEMBERS];
    double low[DET_SUMMARY_MEMBERS], high[DET_SUMMARY_MEMBERS], part[DET_SUMMARY_MEMBERS];
    const det_summary_member *members[DET_SUMMARY_MEMBERS];
    const uint64_t last = counts->n - 1;
    size_t n = 0;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double position = (double)last * det_summary_members[i].probability;
        if (isnan(position))
            continue;
        members[n] = &det_summary_members[i];
        below[n] = (uint64_t)position;
        above[n] = MIN(below[n] + 1, last);
        part[n] = position - (double)below[n];
        n++;
    }
    at_ranks(counts, below, low, n);
    at_ranks(counts, above, high, n);
    for (size_t i = 0; i < n; i++)
        det_summary_set(out, members[i], low[i] + part[i] * (high[i] - low[i]));
}

det_status ci_counts_summary(ci_counts *counts, det_summary *out) {
    if (!counts->n)
        return DET_ESHORT;
    g_array_sort(counts->sparse, ascending);
    const long double mean = (long double)counts->sum / (long double)counts->n;
    *out = (det_summary){.n = counts->n, .mean = (double)mean, .sd = spread(counts, mean)};
    quantiles(counts, out);
    return DET_OK;
}
