#include "detector/statistics/sequence.h"

#include <math.h>

/* Variance of the prior on mean / sd: narrowest from about 5 to 20 values. Any is valid. */
#define PRIOR 2.0

det_status det_sequence_mean(det_interval *out, const double *x, size_t n, double level) {
    det_interval student;
    const det_status status = det_interval_mean(&student, x, n, level);
    if (status != DET_OK)
        return status;
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - student.mean) * (x[i] - student.mean);
    /*
     * The ratio for a supposed mean at t standard errors is
     *   (1 + n g)^(-1/2) ((1 + t^2/(n-1)) / (1 + t^2/((n-1)(1 + n g))))^(n/2);
     * by Ville's inequality those where it exceeds 1/(1-level) are out. Solved for t^2/(n-1).
     */
    const double count = (double)n, spread = 1 + count * PRIOR;
    const double bound = exp((log(spread) / 2 - log(1 - level)) * 2 / count);
    const double open = 1 - bound / spread;
    const double half =
        squares > 0 ? (open > 0 ? sqrt((bound - 1) / open * squares / count) : INFINITY) : 0;
    *out = student;
    out->low = student.mean - half;
    out->high = student.mean + half;
    return DET_OK;
}
