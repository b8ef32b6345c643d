#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/reader/counts__.h"

det_status reader__counts_init(reader__counts *counts) {
    memset(counts, 0, sizeof *counts);
    counts->dense = calloc(COUNTS_DENSE, sizeof *counts->dense);
    return counts->dense ? DET_OK : DET_ENOMEM;
}

void reader__counts_clear(reader__counts *counts) {
    free(counts->dense);
    free(counts->large);
    memset(counts, 0, sizeof *counts);
}

void reader__counts_reset(reader__counts *counts) {
    memset(counts->dense, 0, counts->top * sizeof *counts->dense);
    counts->top = 0;
    counts->calls = counts->large_count = 0;
    counts->failed = 0;
}

void reader__counts_add_large(reader__counts *counts, uint64_t value) {
    if (counts->large_count == counts->large_capacity) {
        const size_t larger = counts->large_capacity ? counts->large_capacity * 2 : 1024;
        uint64_t *large = larger > SIZE_MAX / sizeof *large
                              ? NULL
                              : realloc(counts->large, larger * sizeof *large);
        if (!large) {
            counts->failed = 1;
            return;
        }
        counts->large = large;
        counts->large_capacity = larger;
    }
    counts->large[counts->large_count++] = value;
}

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

#define STRIDE 64 /* divides COUNTS_DENSE */

static int any_of(const uint32_t seen[STRIDE]) {
    uint32_t any = 0;
    for (int i = 0; i < STRIDE; i++)
        any |= seen[i];
    return any != 0;
}

/* The lowest value from v on that occurs, else top. Most do not: they are passed many at a time. */
static uint32_t next_seen(const reader__counts *counts, uint32_t v) {
    while (v < counts->top && !counts->dense[v])
        v += v % STRIDE || any_of(counts->dense + v) ? 1 : STRIDE;
    return v < counts->top ? v : counts->top;
}

/* Mean and standard deviation: the sum is exact, the squares are taken around the mean. */
static void moments(const reader__counts *counts, det_summary *s) {
    const long double n = (long double)counts->calls;
    long double sum = 0, squares = 0, rest = 0;
    for (uint32_t v = next_seen(counts, 0); v < counts->top; v = next_seen(counts, v + 1))
        sum += (long double)counts->dense[v] * v;
    for (size_t i = 0; i < counts->large_count; i++)
        sum += (long double)counts->large[i];
    const long double mean = sum / n;
    for (uint32_t v = next_seen(counts, 0); v < counts->top; v = next_seen(counts, v + 1)) {
        const long double deviation = (long double)v - mean, count = (long double)counts->dense[v];
        rest += count * deviation;
        squares += count * deviation * deviation;
    }
    for (size_t i = 0; i < counts->large_count; i++) {
        const long double deviation = (long double)counts->large[i] - mean;
        rest += deviation;
        squares += deviation * deviation;
    }
    s->mean = (double)(mean + rest / n);
    s->sd = counts->calls > 1 ? (double)sqrtl(fmaxl(squares - rest * rest / n, 0) / (n - 1)) : 0;
}

/* The values at ascending ranks (from 0), in one walk. */
static void ranked(const reader__counts *counts, const size_t *ranks, double *values, size_t n) {
    size_t seen = 0, k = 0;
    for (uint32_t v = next_seen(counts, 0); v < counts->top && k < n;
         v = next_seen(counts, v + 1)) {
        seen += counts->dense[v];
        while (k < n && ranks[k] < seen)
            values[k++] = v;
    }
    for (; k < n; k++)
        values[k] = (double)counts->large[ranks[k] - seen];
}

/* All quantiles of the summary (type 7), in two walks. */
static void quantiles(const reader__counts *counts, det_summary *s) {
    size_t below[DET_SUMMARY_MEMBERS], above[DET_SUMMARY_MEMBERS], n = 0;
    double low[DET_SUMMARY_MEMBERS], high[DET_SUMMARY_MEMBERS], part[DET_SUMMARY_MEMBERS];
    const det_summary_member *members[DET_SUMMARY_MEMBERS];
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double position = (double)(counts->calls - 1) * det_summary_members[i].probability;
        if (isnan(position))
            continue;
        members[n] = &det_summary_members[i];
        below[n] = (size_t)position;
        above[n] = below[n] + 1 < counts->calls ? below[n] + 1 : below[n];
        part[n] = position - (double)below[n];
        n++;
    }
    ranked(counts, below, low, n);
    ranked(counts, above, high, n);
    for (size_t i = 0; i < n; i++)
        det_summary_set(s, members[i], low[i] + part[i] * (high[i] - low[i]));
}

det_status reader__counts_summary(reader__counts *counts, det_summary *out) {
    det_summary s = {.n = counts->calls};
    if (counts->failed)
        return DET_ENOMEM;
    if (!counts->calls)
        return DET_ESHORT;
    if (counts->large_count)
        qsort(counts->large, counts->large_count, sizeof *counts->large, ascending);
    quantiles(counts, &s);
    moments(counts, &s);
    *out = s;
    return DET_OK;
}
