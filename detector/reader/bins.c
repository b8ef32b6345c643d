/* bins - how many calls a scan kept in each stretch of time. */
#include "detector/reader/scan__.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int scan_bin_touch(scan *s, size_t index) {
    if (index >= SCAN_BINS_MAX)
        return 0;
    if (index >= s->bins_capacity) {
        size_t larger = s->bins_capacity ? s->bins_capacity : 64;
        while (larger <= index)
            larger *= 2;
        uint64_t *bins =
            larger > SIZE_MAX / 2 / sizeof *bins ? NULL : realloc(s->bins, larger * sizeof *bins);
        if (!bins) {
            s->failed = 1;
            return 0;
        }
        memset(bins + s->bins_capacity, 0, (larger - s->bins_capacity) * sizeof *bins);
        s->bins = bins;
        s->bins_capacity = larger;
    }
    if (index >= s->bins_count)
        s->bins_count = index + 1;
    return 1;
}

/* The running sum left one bin or more behind. */
static void bins_end(scan *s) {
    while (s->threads[0].now >= s->bin_end) {
        const size_t bin = s->bins_count;
        if (!scan_bin_touch(s, bin)) {
            s->bin_end = INFINITY;
            return;
        }
        s->bins[bin] = s->in_bin;
        s->in_bin = 0;
        s->bin_end += s->bin_ns;
    }
}

void scan_bin_call(scan *s, uint64_t ns) {
    s->threads[0].now += (double)ns;
    if (s->threads[0].now >= s->bin_end)
        bins_end(s);
    s->in_bin++;
}

size_t scan_full_bins(scan *s) {
    double longest = 0;
    for (unsigned t = 0;
         t < DET_RAW_THREADS_MAX && t < (s->mode == SCAN_ONE ? 1 : s->threads_count); t++)
        longest = fmax(longest, s->threads[t].now);
    const double full = s->bin_ns > 0 ? floor(longest / s->bin_ns) : 0;
    const size_t bins = full < SCAN_BINS_MAX ? (size_t)full : SCAN_BINS_MAX;
    return bins && !scan_bin_touch(s, bins - 1) ? 0 : bins;
}
