#include "runner/measure/eta.h"

double run_eta_s(const run_job *job, const GPtrArray *loops) {
    g_autofree double *seconds = g_new0(double, job->benchmark.configurations_count);
    g_autofree unsigned *count = g_new0(unsigned, job->benchmark.configurations_count);
    double all_seconds = 0, eta = 0;
    unsigned all_count = 0;
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        int index = run_job_find(job, loop->configuration);
        if (index >= 0) {
            seconds[index] += loop->seconds;
            count[index]++;
            all_seconds += loop->seconds;
            all_count++;
        }
    }
    for (unsigned c = 0; all_count > 0 && c < job->benchmark.configurations_count; c++) {
        double mean = count[c] > 0 ? seconds[c] / count[c] : all_seconds / all_count;
        unsigned planned = job->benchmark.loops * run_job_commits(job);
        unsigned left = planned > count[c] ? planned - count[c] : 0;
        eta += left * (mean + job->benchmark.rest_s);
    }
    return all_count > 0 ? eta : -1;
}
