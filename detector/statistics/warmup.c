#include "detector/statistics/warmup.h"

#include "detector/statistics/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_LEAST 10 /* calls */

static size_t batch_start(size_t n, size_t batches, size_t i) {
    return n / batches * i + n % batches * i / batches;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - x[0]) / (double)n;
    return x[0] + sum;
}

/*
 * Squares of what is left of the partial sums of y[0 … n) once the straight line to their end is
 * taken away; step -1 goes backwards from the last one, so that both sides are the same sum.
 */
static double bridge(const double *y, size_t n, int backwards) {
    double end = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        end += y[i];
    for (size_t i = 0; i < n; i++) {
        sum += y[backwards ? n - 1 - i : i];
        const double off = sum - end * (double)(i + 1) / (double)n;
        squares += off * off;
    }
    return squares;
}

/* sup over k of T(k)^2 / V(k); y has mean 0. k: where it is. */
static double shift_of(const double *y, size_t n, size_t *k) {
    double best = 0, sum = 0;
    *k = 1;
    for (size_t i = 1; i < n; i++) {
        sum += y[i - 1];
        const double v = (bridge(y, i, 0) + bridge(y + i, n - i, 1)) / (double)n;
        const double g = v > 0 ? sum * sum / v : sum * sum > 0 ? INFINITY : 0;
        if (g > best) {
            best = g;
            *k = i;
        }
    }
    return best;
}

/* Slope of the line through y (mean 0) at 0 … n-1, and how far it stands out of its residuals. */
static double trend_of(const double *y, size_t n, double *slope) {
    const double middle = (double)(n - 1) / 2;
    double product = 0, spread = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double t = (double)i - middle;
        product += t * y[i];
        spread += t * t;
    }
    *slope = product / spread;
    for (size_t i = 0; i < n; i++) {
        sum += y[i] - *slope * ((double)i - middle);
        squares += sum * sum;
    }
    const double t = product * product / (double)n;
    return squares > 0 ? t / squares : t > 0 ? INFINITY : 0;
}

static det_status batches_of(double *y, size_t batches, const double *x, size_t n) {
    for (size_t i = 0; i < batches; i++) {
        const size_t from = batch_start(n, batches, i);
        y[i] = mean_of(x + from, batch_start(n, batches, i + 1) - from);
        if (!isfinite(y[i]))
            return DET_ENUMERIC;
    }
    const double center = mean_of(y, batches);
    for (size_t i = 0; i < batches; i++)
        y[i] -= center;
    return DET_OK;
}

det_status det_steady_of(det_steady *out, const double *x, size_t n) {
    double y[DET_STEADY_BATCHES_MAX] = {0};
    if (!out || !x)
        return DET_EINVAL;
    if (n < DET_STEADY_CALLS_MIN)
        return DET_ESHORT;
    const size_t fit = n / BATCH_LEAST;
    const size_t batches = fit < DET_STEADY_BATCHES_MAX ? fit : DET_STEADY_BATCHES_MAX;
    if (batches_of(y, batches, x, n) != DET_OK)
        return DET_ENUMERIC;
    size_t k;
    double slope;
    det_steady found = {.shift = shift_of(y, batches, &k), .trend = trend_of(y, batches, &slope)};
    const double shift = found.shift / DET_STEADY_SHIFT_CRITICAL;
    const double trend = found.trend / DET_STEADY_TREND_CRITICAL;
    const double mean = mean_of(x, n);
    found.at = batch_start(n, batches, k);
    found.is_trend = trend > shift;
    const double moved = found.is_trend
                             ? slope * (double)(batches - 1)
                             : mean_of(x + found.at, n - found.at) - mean_of(x, found.at);
    found.change = mean != 0 ? moved / fabs(mean) : 0;
    found.settled = !(fmax(shift, trend) > 1 && fabs(found.change) >= DET_STEADY_CHANGE_LEAST);
    *out = found;
    return DET_OK;
}

#define WITHIN 0.01       /* of the level, in the median process */
#define WITHIN_MOST 0.03  /* however much chance does to it */
#define ERRORS 2.0        /* standard errors that are chance */
#define MEDIAN_ERROR 1.86 /* of a median, in MADs over the root of n: 1.4826 * 1.2533 */
#define COLD 1.6          /* a quarter of the calls so much longer is no host's doing */
#define HALF 8u           /* the share that is half of the calls */
#define LAST 0.85         /* what comes before it is the last stretch's, what follows its base */

const double det_warmup_share[DET_WARMUP_SHARES] = {.01, .02, .05, .1, .15, .2, .3, .4, .5, .7};

size_t det_warmup_calls(size_t share, size_t n) {
    return (size_t)(det_warmup_share[share] * (double)n);
}

/* Calls [from, to) of a process. */
typedef struct {
    size_t from, to;
} stretch;

static stretch stretch_of(size_t share, size_t n) {
    const size_t end =
        share + 1 < DET_WARMUP_SHARES ? det_warmup_calls(share + 1, n) : (size_t)(LAST * (double)n);
    return (stretch){det_warmup_calls(share, n), end};
}

/* What it is like: its mean, and the upper quartile of its calls, for it may be cold in part. */
typedef struct {
    double mean, slow;
} level;

static level level_of(const double *x, stretch s, double *memory) {
    const size_t n = s.to - s.from;
    level out = {0, 0};
    memcpy(memory, x + s.from, n * sizeof *memory);
    det_sort(memory, n);
    (void)det_mean_of(&out.mean, NULL, x + s.from, n);
    out.slow = det_quantile_sorted(memory, n, 0.75);
    return out;
}

static void look_at(det_warmup *to, const double *x, size_t n, double *memory) {
    const level of_half = level_of(x, (stretch){det_warmup_calls(HALF, n), n}, memory),
                of_last = level_of(x, (stretch){(size_t)(LAST * (double)n), n}, memory);
    for (size_t i = 0; i < DET_WARMUP_STRETCHES; i++) {
        const level here = level_of(x, stretch_of(i, n), memory),
                    later = i < HALF ? of_half : of_last;
        to->level[i][to->processes] = later.mean > 0 ? here.mean / later.mean : 1;
        if (later.slow > 0)
            to->slowest[i] = fmax(to->slowest[i], here.slow / later.slow);
    }
}

det_status det_warmup_add(det_warmup *to, const double *x, size_t n) {
    unsigned settled[DET_WARMUP_SHARES];
    if (to->processes == DET_WARMUP_PROCESSES_MAX)
        return DET_OK;
    for (size_t i = 0; i < DET_WARMUP_SHARES; i++) {
        const size_t dropped = det_warmup_calls(i, n);
        det_steady steady;
        const det_status status = det_steady_of(&steady, x + dropped, n - dropped);
        if (status != DET_OK)
            return status;
        settled[i] = to->settled[i] + (steady.settled != 0);
    }
    double *memory = malloc(n * sizeof *memory);
    if (!memory)
        return DET_ENOMEM;
    look_at(to, x, n, memory);
    free(memory);
    memcpy(to->settled, settled, sizeof settled);
    to->processes++;
    return DET_OK;
}

/* Is the level of this stretch that of what comes later? */
static int is_warm(const det_warmup *of, size_t at) {
    double values[DET_WARMUP_PROCESSES_MAX];
    const size_t n = of->processes;
    memcpy(values, of->level[at], n * sizeof *values);
    const double middle = det_median(values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - middle);
    const double error = MEDIAN_ERROR * det_median(values, n) / sqrt((double)n);
    const double within = fmin(fmax(WITHIN, ERRORS * error), WITHIN_MOST);
    return fabs(middle - 1) <= within && of->slowest[at] <= COLD;
}

size_t det_warmup_choose(const det_warmup *of) {
    size_t share = DET_WARMUP_SHARES;
    if (of->processes < DET_WARMUP_PROCESSES_MIN)
        return share;
    while (share > 0 && is_warm(of, share - 1))
        share--;
    return share;
}
