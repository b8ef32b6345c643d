#include "detector/statistics/portion.h"

#include "detector/statistics/dist.h"
#include "detector/statistics/stats.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void det_chain_init(det_chain *chain) {
    memset(chain, 0, sizeof *chain);
    chain->control = -1;
}

/* Behind the first byte of a letter of UTF-8. */
static bool is_within(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

void det_name_copy(char to[DET_NAME_MAX], const char *name) {
    static const char more[] = "\xe2\x80\xa6"; /* … */
    const size_t all = strlen(name);
    size_t head = all < DET_NAME_MAX ? all : DET_NAME_MAX / 3, gap = 0, end = all;
    if (head < all) {
        gap = sizeof more - 1;
        end = all - (DET_NAME_MAX - 1 - head - gap);
        while (head > 0 && is_within(name[head]))
            head--;
        while (is_within(name[end]))
            end++;
    }
    memcpy(to, name, head);
    memcpy(to + head, more, gap);
    memcpy(to + head + gap, name + end, all - end + 1);
}

/* The only root that others stand on; -1: none, or several. What stands alone is no part of a
 * chain. */
static int root_of(const det_chain *chain) {
    int root = -1;
    for (size_t i = 0; i < chain->count; i++) {
        const int parent = chain->parent[i];
        if (parent < 0 || chain->parent[parent] >= 0 || parent == root)
            continue;
        if (root >= 0)
            return -1;
        root = parent;
    }
    return root;
}

det_status det_chain_add(det_chain *chain, const char *name, int parent) {
    const size_t i = chain->count;
    if (i >= DET_CONFIGURATIONS_MAX || parent < -1 || parent >= (int)i)
        return DET_EINVAL;
    chain->parent[i] = parent;
    det_name_copy(chain->name[i], name);
    det_name_copy(chain->called[i], name);
    chain->count++;
    chain->control = i == 0 && strcmp(name, "T") == 0 ? 0 : root_of(chain);
    return DET_OK;
}

det_status det_chain_check(const det_chain *chain) {
    if (chain->count < 1 || chain->count > DET_CONFIGURATIONS_MAX || chain->control < -1 ||
        chain->control >= (int)chain->count)
        return DET_EINVAL;
    for (size_t i = 0; i < chain->count; i++)
        if (chain->parent[i] < -1 || chain->parent[i] >= (int)i)
            return DET_EINVAL;
    return chain->control < 0 || chain->count == 1 || chain->control == root_of(chain) ? DET_OK
                                                                                       : DET_EINVAL;
}

/* Packs the loops that are there into out; SIZE_MAX when one is infinite. */
static size_t present(double *out, const double *row, size_t loops) {
    size_t n = 0;
    for (size_t l = 0; l < loops; l++) {
        if (isinf(row[l]))
            return SIZE_MAX;
        if (!isnan(row[l]))
            out[n++] = row[l];
    }
    return n;
}

/* The mean alone, where an interval is not to be had. */
static det_interval bare(double mean, size_t n) {
    return (det_interval){.mean = mean, .low = NAN, .high = NAN, .n = n};
}

static det_status configuration_of(det_interval *out, const double *x, size_t n, double level) {
    const det_status status = det_interval_mean(out, x, n, level);
    if (status == DET_ESHORT)
        *out = bare(n ? x[0] : NAN, n);
    return status == DET_ESHORT ? DET_OK : status;
}

/* The loops of a configuration that are there. */
typedef struct {
    double x[DET_LOOPS_MAX];
    size_t n;
} sample;

/* Of a configuration over its parent, of so many rounds. */
static det_status difference_of(det_interval *out, det_method *method, const sample *parent,
                                const sample *own, size_t rounds, double level) {
    double mean_parent = NAN, mean_own = NAN;
    *method = parent->n == rounds && own->n == rounds ? DET_METHOD_PAIRED : DET_METHOD_WELCH;
    const det_status status =
        *method == DET_METHOD_PAIRED
            ? det_interval_paired(out, parent->x, own->x, rounds, level)
            : det_interval_welch(out, parent->x, parent->n, own->x, own->n, level);
    if (status != DET_ESHORT)
        return status;
    (void)det_mean_of(&mean_parent, NULL, parent->x, parent->n);
    (void)det_mean_of(&mean_own, NULL, own->x, own->n);
    *out = bare(mean_own - mean_parent, parent->n < own->n ? parent->n : own->n);
    return DET_OK;
}

det_status det_portions_of(det_portions *out, const det_chain *chain, const double *means,
                           size_t loops, double level) {
    sample own, parent;
    det_portions result;
    if (det_chain_check(chain) != DET_OK || loops > DET_LOOPS_MAX || !(level > 0 && level < 1))
        return DET_EINVAL;
    if (loops < 1)
        return DET_ESHORT;
    for (size_t i = 0; i < chain->count; i++) {
        own.n = present(own.x, means + i * loops, loops);
        if (own.n == SIZE_MAX)
            return DET_ENUMERIC;
        det_status status = configuration_of(&result.configuration[i], own.x, own.n, level);
        result.portion[i] = result.configuration[i];
        result.method[i] = DET_METHOD_STUDENT;
        if (status == DET_OK && chain->parent[i] >= 0) {
            parent.n = present(parent.x, means + (size_t)chain->parent[i] * loops, loops);
            status =
                difference_of(&result.portion[i], &result.method[i], &parent, &own, loops, level);
        }
        if (status != DET_OK)
            return status;
    }
    *out = result;
    return DET_OK;
}

const char *det_method_text(det_method method) {
    switch (method) {
    case DET_METHOD_STUDENT:
        return "Student t";
    case DET_METHOD_PAIRED:
        return "paired t";
    case DET_METHOD_WELCH:
        return "Welch t";
    }
    return "unknown";
}

/* Weighted sums around the weighted middle of the points. */
typedef struct {
    double weight, x, y, xx, xy, yy;
} sums;

static double weight_of(const double *weight, size_t i) {
    return weight ? weight[i] : 1;
}

static det_status check(const double *x, const double *y, const double *weight, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || !isfinite(weight_of(weight, i)) ||
            weight_of(weight, i) <= 0)
            return DET_ENUMERIC;
    return DET_OK;
}

static sums sum(const double *x, const double *y, const double *weight, size_t n) {
    sums s = {0};
    for (size_t i = 0; i < n; i++) {
        s.weight += weight_of(weight, i);
        s.x += weight_of(weight, i) * x[i];
        s.y += weight_of(weight, i) * y[i];
    }
    s.x /= s.weight;
    s.y /= s.weight;
    for (size_t i = 0; i < n; i++) {
        const double w = weight_of(weight, i), dx = x[i] - s.x, dy = y[i] - s.y;
        s.xx += w * dx * dx;
        s.xy += w * dx * dy;
        s.yy += w * dy * dy;
    }
    return s;
}

static det_interval around(double value, double error, double t, size_t n) {
    return (det_interval){.mean = value,
                          .low = value - t * error,
                          .high = value + t * error,
                          .n = n,
                          .df = (double)n - 2};
}

det_status det_line_fit(det_line *out, const double *x, const double *y, const double *weight,
                        size_t n, double level) {
    if (!(level > 0 && level < 1))
        return DET_EINVAL;
    if (n < 2)
        return DET_ESHORT;
    const det_status good = check(x, y, weight, n);
    if (good != DET_OK)
        return good;
    const sums s = sum(x, y, weight, n);
    if (!(s.xx > 0))
        return DET_ESHORT;
    const double slope = s.xy / s.xx, start = s.y - slope * s.x;
    double left = 0; /* what the line does not explain; summed, since yy - slope * xy cancels */
    for (size_t i = 0; i < n; i++) {
        const double residual = y[i] - start - slope * x[i];
        left += weight_of(weight, i) * residual * residual;
    }
    const double df = (double)n - 2;
    const double t = n > 2 ? det_t_critical(1 - level, df) : (double)NAN;
    const double scatter = n > 2 ? left / df : (double)NAN;
    out->slope = around(slope, sqrt(scatter / s.xx), t, n);
    out->start = around(start, sqrt(scatter * (1 / s.weight + s.x * s.x / s.xx)), t, n);
    out->r_squared = s.yy > 0 ? fmax(0, 1 - left / s.yy) : (double)NAN;
    return DET_OK;
}
