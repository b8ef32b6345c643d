#include "runner/measure/precision.h"

#include "detector/statistics/sequence.h"

#include <math.h>

/* Mean of a configuration in a round, of the last undisturbed attempt, else the last; or NAN. */
static double mean_of(const run_job *job, json_t *loops, unsigned configuration, unsigned round) {
    double mean = NAN;
    bool disturbed = true;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        const char *name = json_string_value(json_object_get(loop, "configuration"));
        bool marked = json_is_true(json_object_get(loop, "disturbed"));
        if (json_integer_value(json_object_get(loop, "loop")) == (json_int_t)round &&
            !json_is_string(json_object_get(loop, "failed")) && (disturbed || !marked) &&
            run_job_find(job, name) == (int)configuration) {
            mean = json_number_value(json_object_get(json_object_get(loop, "summary"), "mean_ns"));
            disturbed = marked;
        }
    }
    return mean;
}

/* Half the width of a portion's interval as a share of its mean; INFINITY while it is unknown. */
static double uncertainty(const run_job *job, json_t *loops, unsigned configuration,
                          unsigned rounds) {
    const run_configuration *one = &job->configurations[configuration];
    g_autofree double *values = g_new(double, rounds);
    size_t n = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        double value = mean_of(job, loops, configuration, round);
        if (one->parent >= 0)
            value -= mean_of(job, loops, (unsigned)one->parent, round);
        if (isfinite(value))
            values[n++] = value;
    }
    det_interval interval;
    if (n < job->minimum_loops ||
        det_sequence_mean(&interval, values, n, job->confidence) != DET_OK || interval.mean == 0)
        return INFINITY;
    return (interval.high - interval.mean) / fabs(interval.mean);
}

char *run_precision_reached(const run_job *job, json_t *loops, unsigned rounds) {
    double worst = 0;
    if (!(job->precision_percent > 0) || run_job_sides(job) > 1 || rounds >= job->loops)
        return NULL;
    for (unsigned c = 0; c < job->configurations_count; c++) {
        worst = fmax(worst, uncertainty(job, loops, c, rounds));
        if (!(100 * worst <= job->precision_percent))
            return NULL;
    }
    return g_strdup_printf("after %u of %u rounds every portion is known to %.2g %% "
                           "(precision_percent is %g)",
                           rounds, job->loops, 100 * worst, job->precision_percent);
}
