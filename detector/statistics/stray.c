#include "detector/statistics/stray.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/stats.h"

#define MAD_TO_SD 1.4826 /* of normal values; R's mad() takes the same digits */

static double distance_of(const det_strays *strays, double x) {
    const double off = fabs(x - strays->center);
    return off > 0 ? off / strays->spread : 0;
}

det_status det_strays_of(det_strays *out, const double *x, size_t n, double distance) {
    if (!(distance > 0))
        return DET_EINVAL;
    if (n < DET_STRAY_LOOPS_MIN)
        return DET_ESHORT;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return DET_ENUMERIC;
    double *copy = malloc(n * sizeof *copy);
    if (!copy)
        return DET_ENOMEM;
    memcpy(copy, x, n * sizeof *copy);
    det_strays found = {.center = det_median(copy, n), .most = n >= 10 ? n / 10 : n / 5};
    for (size_t i = 0; i < n; i++)
        copy[i] = fabs(x[i] - found.center);
    found.spread =
        fmax(MAD_TO_SD * det_median(copy, n), DET_STRAY_SPREAD_LEAST * fabs(found.center));
    free(copy);
    for (size_t i = 0; i < n; i++)
        found.apart += distance_of(&found, x[i]) > distance;
    *out = found;
    return DET_OK;
}

double det_stray_distance(const det_strays *strays, double x, double distance) {
    const double off = distance_of(strays, x);
    return off > distance && strays->apart <= strays->most ? off : 0;
}
