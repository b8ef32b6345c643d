#include "ci/formats/counts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define PASSED 64u /* values looked at together */

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

static bool none_of(const uint32_t dense[PASSED]) {
    uint32_t any = 0;
    for (unsigned i = 0; i < PASSED; i++)
        any |= dense[i];
    return !any;
}

void ci_counts_add_counted(ci_counts *counts, const uint32_t *dense, size_t dense_count,
                           const uint64_t *large, size_t large_count) {
    for (uint64_t v = 0; v < dense_count; v++) {
        if (v % PASSED == 0 && dense_count - v >= PASSED && none_of(dense + v)) {
            v += PASSED - 1;
            continue;
        }
        if (!dense[v])
            continue;
        counts->n += dense[v];
        counts->sum += (wide)v * dense[v];
        if (v < CI_COUNTS_DENSE)
            counts->dense[v] += dense[v];
        else
            for (uint32_t i = 0; i < dense[v]; i++)
                g_array_append_val(counts->sparse, v);
    }
    for (size_t i = 0; i < large_count; i++)
        counts->sum += large[i];
    g_array_append_vals(counts->sparse, large, (guint)large_count);
    counts->n += large_count;
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

det_status ci_counts_summary(ci_counts *counts, det_summary *out) {
    if (!counts->n)
        return DET_ESHORT;
    g_array_sort(counts->sparse, ascending);
    const uint64_t last = counts->n - 1;
    /* min, three quartiles with the value behind each, max */
    uint64_t ranks[8] = {0};
    double part[3], values[8];
    for (unsigned q = 0; q < 3; q++) {
        ranks[1 + 2 * q] = last / 4 * (q + 1) + last % 4 * (q + 1) / 4;
        part[q] = (double)(last % 4 * (q + 1) % 4) / 4;
        ranks[2 + 2 * q] = MIN(ranks[1 + 2 * q] + 1, last);
    }
    ranks[7] = last;
    /* neighbours of two quartiles may cross in tiny samples: look each up on its own then */
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++)
        if (i == 0 || ranks[i] < ranks[i - 1] || last < 16)
            at_ranks(counts, &ranks[i], &values[i], 1);
    if (last >= 16)
        at_ranks(counts, ranks, values, G_N_ELEMENTS(ranks));
    const long double mean = (long double)counts->sum / (long double)counts->n;
    *out = (det_summary){.n = counts->n,
                         .mean = (double)mean,
                         .sd = spread(counts, mean),
                         .min = values[0],
                         .q1 = values[1] + part[0] * (values[2] - values[1]),
                         .median = values[3] + part[1] * (values[4] - values[3]),
                         .q3 = values[5] + part[2] * (values[6] - values[5]),
                         .max = values[7]};
    return DET_OK;
}
