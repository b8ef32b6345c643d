#include "runner/measure/precision.h"

#include "detector/statistics/interval.h"
#include "runner/loop/loop.h"

#include <math.h>

/* Means by configuration and round, of the loops that count; NAN where there is none. */
static double *means_of(const run_job *job, const GPtrArray *loops, unsigned rounds) {
    double *means = g_new0(double, (size_t)job->benchmark.configurations_count *rounds);
    for (size_t i = 0; i < (size_t)job->benchmark.configurations_count * rounds; i++)
        means[i] = (double)NAN;
    g_autoptr(GArray) done = run_loops_done(job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    for (guint i = 0; i < done->len; i++) {
        const run_loop_done *one = &g_array_index(done, run_loop_done, i);
        if (counts[i] && one->loop >= 1 && one->loop <= rounds)
            means[(size_t)one->configuration * rounds + one->loop - 1] =
                run_loops_at(loops, i)->summary.mean;
    }
    return means;
}

/* Half the width of a portion's interval as a share of its mean; INFINITY while it is unknown. */
static double uncertainty(const run_job *job, const double *means, unsigned configuration,
                          unsigned rounds) {
    const int above = run_job_parent(job, configuration);
    const double *own = means + (size_t)configuration * rounds;
    const double *parent = above >= 0 ? means + (size_t)above * rounds : NULL;
    g_autofree double *values = g_new(double, rounds);
    size_t n = 0;
    for (unsigned round = 0; round < rounds; round++) {
        double value = own[round] - (parent ? parent[round] : 0);
        if (isfinite(value))
            values[n++] = value;
    }
    det_interval interval;
    if (n < job->minimum_loops ||
        det_sequence_mean(&interval, values, n, job->benchmark.confidence) != DET_OK ||
        interval.mean == 0)
        return INFINITY;
    return (interval.high - interval.mean) / fabs(interval.mean);
}

char *run_precision_reached(const run_job *job, const GPtrArray *loops, unsigned rounds) {
    double worst = 0;
    if (!(job->benchmark.precision_percent > 0) || run_job_commits(job) > 1 ||
        rounds >= job->benchmark.loops)
        return NULL;
    g_autofree double *means = means_of(job, loops, rounds);
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++) {
        worst = fmax(worst, uncertainty(job, means, c, rounds));
        if (!(100 * worst <= job->benchmark.precision_percent))
            return NULL;
    }
    return g_strdup_printf("after %u of %u rounds every portion is known to %.2g %% "
                           "(precision_percent is %g)",
                           rounds, job->benchmark.loops, 100 * worst,
                           job->benchmark.precision_percent);
}
