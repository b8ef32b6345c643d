#include "detector/statistics/groups.h"

#include <math.h>

static double within_of(double sum, double squares, double n) {
    return squares - sum * sum / n;
}

det_status det_groups_of(det_groups *out, const double *sorted, size_t n, size_t least) {
    double sum = 0, squares = 0, low_sum = 0, low_squares = 0, best = INFINITY;
    if (!out || !sorted || !least)
        return DET_EINVAL;
    if (n < 2 || n / 2 < least)
        return DET_ESHORT;
    const double middle = sorted[n / 2]; /* squares are taken around it: no cancellation */
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i] - middle;
        squares += (sorted[i] - middle) * (sorted[i] - middle);
    }
    *out = (det_groups){0};
    for (size_t i = 1; i <= n - least; i++) {
        const double x = sorted[i - 1] - middle, left = (double)i, right = (double)(n - i);
        low_sum += x;
        low_squares += x * x;
        if (i < least)
            continue;
        const double within = within_of(low_sum, low_squares, left) +
                              within_of(sum - low_sum, squares - low_squares, right);
        if (!(within < best))
            continue;
        best = within;
        out->low_n = i;
        out->low = middle + low_sum / left;
        out->high = middle + (sum - low_sum) / right;
    }
    out->high_n = n - out->low_n;
    const double between = within_of(sum, squares, (double)n) - best;
    out->ratio = between > 0 ? between / fmax(best, 0) : 0;
    return DET_OK;
}

int det_groups_clear(const det_groups *groups) {
    /* Simulated: log(1 + ratio) that one normal sample in a thousand exceeds, by its size. */
    static const struct {
        size_t n;
        double most;
    } chance[] = {{8, 3.51},  {10, 2.94}, {12, 2.64}, {16, 2.25},
                  {20, 2.04}, {30, 1.77}, {50, 1.56}};
    const size_t n = groups->low_n + groups->high_n;
    size_t i = sizeof chance / sizeof *chance;
    while (i > 0 && chance[i - 1].n > n)
        i--;
    return i > 0 && 4 * groups->low_n >= n && 4 * groups->high_n >= n &&
           groups->ratio > chance[i - 1].most && /* as its logarithm is less */
           log1p(groups->ratio) > chance[i - 1].most;
}
