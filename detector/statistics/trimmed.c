#include "detector/statistics/trimmed.h"

#include <math.h>

det_trimmed det_trimmed_of(const double *sorted, size_t n, size_t low, size_t high) {
    const size_t kept = high - low;
    double mean = 0, squares = 0;
    for (size_t i = low; i < high; i++)
        mean += sorted[i];
    mean /= (double)kept;
    const double ends = (double)low * sorted[low] + (double)(n - high) * sorted[high - 1];
    const double center = (mean * (double)kept + ends) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t w = i < low ? low : i >= high ? high - 1 : i;
        squares += (sorted[w] - center) * (sorted[w] - center);
    }
    const double df = (double)kept - 1;
    return (det_trimmed){
        .mean = mean, .variance = kept > 1 ? squares / ((double)kept * df) : NAN, .df = df};
}
