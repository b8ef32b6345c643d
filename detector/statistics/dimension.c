#include "detector/statistics/dimension.h"

#include <math.h>
#include <string.h>

/* A change of exactly the minimum is one, whatever its subtraction was rounded to. */
#define ROUNDING 1e-9
#define MOST 1e15 /* no count of a call is more */

#define COUNTED DET_DIMENSION_COUNTED
#define SCATTERS DET_DIMENSION_SCATTERS
#define SHOWN DET_DIMENSION_SHOWN

const det_dimension det_dimensions[DET_DIMENSIONS] = {
    {"instructions", "instructions", "call", COUNTED, 0.5, .minimum = 5},
    {"allocations", "allocations", "call", COUNTED, 0.5, .minimum = 0.01},
    {"bytes", "bytes", "call", COUNTED, 0.5, .minimum = 1},
    {"cpu_ms", "ms of processor", "process", SCATTERS, 2, 5, "processor time of a process", "ms",
     .from = "harness.cpu_ms|process.cpu_ms", .follows = true, .grows = true,
     .profile = DET_PROFILE_PROCESS},
    {"start_ms", "ms until ready", "process", SCATTERS, 3, 1, "start", "ms",
     .from = "harness.start_ms", .fastest = true, .profile = DET_PROFILE_START},
    {"first_ms", "ms of the first call", "process", SHOWN, .from = "first_ms"},
    {"peak_mb", "MB at most", "process", SCATTERS, 1, 1, "peak memory", "MB",
     .from = "harness.peak_mb|process.peak_mb", .profile = DET_PROFILE_MEMORY},
    {"live_mb", "MB live at the end", "process", SCATTERS, 1, 0.5, "live memory", "MB",
     .from = "harness.live_mb", .profile = DET_PROFILE_MEMORY},
    {"growth_mb", "MB grown in the second half", "process", SHOWN, .from = "course.growth_mb",
     .grows = true},
    {"p99_ns", "ns, 99th percentile", "call", SCATTERS, 5, 20, .noun = "99th percentile",
     .follows = true, .grows = true},
    {"p99_9_ns", "ns, 99.9th percentile", "call", SHOWN, .noun = "99.9th percentile",
     .grows = true},
    {"lost_percent", "% of records lost", "process", DET_DIMENSION_SHARE, 0, .minimum = 0.05,
     .whole = true},
    {"written_mb", "MB written", "process", SHOWN, .from = "harness.written_mb", .grows = true},
    {"switches", "context switches", "process", SHOWN,
     .from = "process.voluntary_switches+process.involuntary_switches", .grows = true},
    {"faults", "page faults", "process", SHOWN, .from = "process.major_faults+process.minor_faults",
     .grows = true},
    {"collections", "garbage collections", "process", SHOWN, .from = "collections", .grows = true},
    {"pauses_ms", "ms of pauses", "process", SHOWN, .from = "harness.pauses_ms", .grows = true},
    {"size_mb", "MB of files", "process", SHOWN, .from = "size_mb"},
};

const det_dimension *det_dimension_find(const char *name) {
    for (size_t i = 0; name && i < DET_DIMENSIONS; i++)
        if (strcmp(det_dimensions[i].name, name) == 0)
            return &det_dimensions[i];
    return NULL;
}

double det_dimension_series(void) {
    double series = 1;
    for (size_t i = 0; i < DET_DIMENSIONS; i++)
        series += det_dimensions[i].kind == DET_DIMENSION_SCATTERS;
    return series;
}

bool det_dimension_valid(double count) {
    return count >= 0 && count <= MOST;
}

bool det_dimension_counted(const det_dimension *dimension) {
    return dimension->kind == DET_DIMENSION_COUNTED || dimension->kind == DET_DIMENSION_SHARE;
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
