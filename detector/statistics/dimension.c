#include "detector/statistics/dimension.h"

#include <math.h>
#include <string.h>

/* A change of exactly the minimum is one, whatever its subtraction was rounded to. */
#define ROUNDING 1e-9
#define MOST 1e15 /* no count of a call is more */

const det_dimension det_dimensions[DET_DIMENSIONS] = {
    {"instructions", "instructions", "call", 0.5, 5},
    {"allocations", "allocations", "call", 0.5, 0.01},
    {"bytes", "bytes", "call", 0.5, 1},
    {"cpu_ms", "ms of processor", "process", (double)NAN, 0},
    {"peak_mb", "MB at most", "process", (double)NAN, 0},
    {"switches", "context switches", "process", (double)NAN, 0},
    {"faults", "page faults", "process", (double)NAN, 0},
    {"collections", "garbage collections", "process", (double)NAN, 0},
};

const det_dimension *det_dimension_find(const char *name) {
    for (size_t i = 0; name && i < DET_DIMENSIONS; i++)
        if (strcmp(det_dimensions[i].name, name) == 0)
            return &det_dimensions[i];
    return NULL;
}

bool det_dimension_valid(double count) {
    return count >= 0 && count <= MOST;
}

bool det_dimension_counted(const det_dimension *dimension) {
    return !isnan(dimension->minimum_percent);
}

int det_dimension_moved(const det_dimension *dimension, const det_interval *before,
                        const det_interval *after) {
    const double gap = after->mean - before->mean;
    const double least =
        fmax(dimension->minimum, dimension->minimum_percent / 100 * fabs(before->mean));
    const double wavers = hypot((before->high - before->low) / 2, (after->high - after->low) / 2);
    if (!det_dimension_counted(dimension) || !isfinite(gap) || !isfinite(wavers) ||
        fabs(gap) < least * (1 - ROUNDING) || fabs(gap) <= wavers)
        return 0;
    return gap > 0 ? 1 : -1;
}
