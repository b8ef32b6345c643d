#include "detector/statistics/stats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define MEMBER(name, ...) {#name "_ns", __VA_ARGS__, offsetof(det_summary, name)},
const det_summary_member det_summary_members[DET_SUMMARY_MEMBERS] = {DET_SUMMARY_ROWS(MEMBER)};
/* clang-format on */

const det_summary_member *det_summary_find(const char *key) {
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++)
        if (strcmp(det_summary_members[i].key, key) == 0)
            return &det_summary_members[i];
    return NULL;
}

det_summary det_summary_unknown(void) {
    det_summary summary = {0};
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++)
        det_summary_set(&summary, &det_summary_members[i], NAN);
    return summary;
}

double det_summary_get(const det_summary *summary, const det_summary_member *member) {
    double value;
    memcpy(&value, (const char *)summary + member->offset, sizeof value);
    return value;
}

void det_summary_set(det_summary *summary, const det_summary_member *member, double value) {
    memcpy((char *)summary + member->offset, &value, sizeof value);
}

bool det_summary_knows(const det_summary_member *member, size_t n) {
    return n == 0 || n >= member->least;
}

/* Fills in the quantiles of a summary that so many values know.
 * quantile  the quantile of this probability, from data */
static void summary_quantiles(det_summary *summary,
                              double (*quantile)(const void *data, double probability),
                              const void *data) {
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const det_summary_member *one = &det_summary_members[i];
        if (!isnan(one->probability))
            det_summary_set(summary, one,
                            det_summary_knows(one, summary->n) ? quantile(data, one->probability)
                                                               : NAN);
    }
}

/* Neumaier's sum: the rounding error of each addition is carried along. */
typedef struct {
    double sum, carry;
} compensated;

static void compensated_add(compensated *c, double value) {
    const double next = c->sum + value;
    c->carry += fabs(c->sum) >= fabs(value) ? (c->sum - next) + value : (value - next) + c->sum;
    c->sum = next;
}

det_status det_mean_of(double *mean, double *sd, const double *x, size_t n) {
    if (n < 1)
        return DET_ESHORT;
    compensated total = {0};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return DET_ENUMERIC;
        compensated_add(&total, x[i]);
    }
    const double count = (double)n;
    double center = (total.sum + total.carry) / count;
    if (!isfinite(center))
        return DET_ENUMERIC;
    compensated rest = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) {
        const double deviation = x[i] - center;
        compensated_add(&rest, deviation);
        compensated_add(&squares, deviation * deviation);
    }
    const double residual = rest.sum + rest.carry;
    const double sum = squares.sum + squares.carry - residual * residual / count;
    if (!isfinite(sum))
        return DET_ENUMERIC;
    if (mean)
        *mean = center + residual / count;
    if (sd)
        *sd = n > 1 ? sqrt(fmax(sum, 0) / (count - 1)) : NAN;
    return DET_OK;
}

double det_quantile_sorted(const double *x, size_t n, double p) {
    const double position = (double)(n - 1) * p;
    const size_t below = (size_t)position;
    if (below + 1 >= n)
        return x[n - 1];
    const double part = position - (double)below;
    return part > 0 ? x[below] + part * (x[below + 1] - x[below]) : x[below];
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define SORT_SMALL 32u

/* A night has ten loops or so: each is put where it belongs by counting the smaller ones, without
   a branch or a call. */
void det_sort(double *x, size_t n) {
    if (n > SORT_SMALL) {
        qsort(x, n, sizeof *x, ascending);
        return;
    }
    if (n == 0) /* x may be NULL */
        return;
    double unsorted[SORT_SMALL];
    memcpy(unsorted, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        size_t place = 0;
        for (size_t j = 0; j < i; j++)
            place += unsorted[j] <= unsorted[i];
        for (size_t j = i + 1; j < n; j++)
            place += unsorted[j] < unsorted[i];
        x[place] = unsorted[i];
    }
}

double det_median(double *x, size_t n) {
    det_sort(x, n);
    return det_quantile_sorted(x, n, 0.5);
}

#define DIGIT_BITS 11u
#define DIGITS 6u /* of a double's 64 bits */
#define BUCKETS ((size_t)1 << DIGIT_BITS)

/* A whole number that is as large as the double among others: negative ones have all bits turned.
 */
static uint64_t key_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static size_t digit_of(double x, unsigned digit) {
    return key_of(x) >> digit * DIGIT_BITS & (BUCKETS - 1);
}

/* How many numbers have each digit, to where the first of them goes. Whether there is more than
 * one. */
static bool places_of(size_t *count, size_t n) {
    size_t place = 0, most = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        const size_t here = count[i];
        most = here > most ? here : most;
        count[i] = place;
        place += here;
    }
    return most < n;
}

/* Digit by digit, the lowest first: O(n), and of calls, which are whole numbers, only two or three
 * digits differ. other [n], counts [DIGITS * BUCKETS] zeros. Returns which of the two has them in
 * order. */
static const double *sort(double *x, double *other, size_t n, size_t *counts) {
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < DIGITS; d++)
            counts[d * BUCKETS + digit_of(x[i], d)]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        size_t *place = counts + d * BUCKETS;
        if (!places_of(place, n))
            continue;
        for (size_t i = 0; i < n; i++)
            other[place[digit_of(x[i], d)]++] = x[i];
        double *const before = x;
        x = other;
        other = before;
    }
    return x;
}

typedef struct {
    const double *x; /* ascending */
    size_t n;
} sample;

static double quantile_of(const void *data, double probability) {
    const sample *sorted = data;
    return det_quantile_sorted(sorted->x, sorted->n, probability);
}

det_status det_summary_of(det_summary *out, const double *x, size_t n) {
    det_summary s = {.n = n};
    const det_status status = det_mean_of(&s.mean, &s.sd, x, n);
    if (status != DET_OK)
        return status;
    size_t *counts = calloc(DIGITS * BUCKETS, sizeof *counts);
    double *copy = n <= SIZE_MAX / 2 / sizeof *copy ? malloc(2 * n * sizeof *copy) : NULL;
    if (copy && counts) {
        memcpy(copy, x, n * sizeof *copy);
        const sample sorted = {sort(copy, copy + n, n, counts), n};
        summary_quantiles(&s, quantile_of, &sorted);
        *out = s;
    }
    const bool good = copy && counts;
    free(counts);
    free(copy);
    return good ? DET_OK : DET_ENOMEM;
}

det_status det_throughput_bins(uint64_t *bins, size_t capacity, size_t *count, const double *ns,
                               size_t n, double bin_ns) {
    if (!(bin_ns > 0) || !count)
        return DET_EINVAL;
    compensated now = {0};
    for (size_t i = 0; i < capacity; i++)
        bins[i] = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(ns[i]) || ns[i] < 0)
            return DET_ENUMERIC;
        compensated_add(&now, ns[i]);
        const double bin = floor((now.sum + now.carry) / bin_ns);
        if (bin < (double)capacity)
            bins[(size_t)bin]++;
    }
    const double full = floor((now.sum + now.carry) / bin_ns);
    if (full >= (double)SIZE_MAX)
        return DET_ENUMERIC;
    *count = (size_t)full;
    if (*count < capacity)
        bins[*count] = 0;
    return DET_OK;
}

const char *det_status_text(det_status status) {
    switch (status) {
    case DET_OK:
        return "done";
    case DET_EINVAL:
        return "an argument is out of its range";
    case DET_ESHORT:
        return "too few values for this statistic";
    case DET_ENUMERIC:
        return "a value is not a finite number in the allowed range";
    case DET_ENOMEM:
        return "out of memory, or above the stated bound";
    case DET_ESYNTAX:
        return "the data are not in the expected format";
    }
    return "unknown status";
}
