#include "runner/node/noise.h"

#include "runner/ground/clock.h"
#include "runner/ground/cpus.h"

static void add_step(run_noise *noise, uint64_t step_ns) {
    if (step_ns > RUN_NOISE_GAP_NS) {
        noise->gaps++;
        noise->lost_ppm += (double)step_ns; /* a sum until the end */
        noise->longest_ns = step_ns > noise->longest_ns ? step_ns : noise->longest_ns;
    }
}

static void finish(run_noise *noise, uint64_t total_ns) {
    noise->seconds = (double)total_ns / 1e9;
    noise->lost_ppm = total_ns > 0 ? noise->lost_ppm / (double)total_ns * 1e6 : 0;
}

run_noise run_noise_of(const uint64_t *ns, size_t n) {
    run_noise noise = {0};
    for (size_t i = 1; i < n; i++)
        add_step(&noise, ns[i] - ns[i - 1]);
    finish(&noise, n > 0 ? ns[n - 1] - ns[0] : 0);
    return noise;
}

run_noise run_noise_measure(int cpu, int64_t ms) {
    run_noise noise = {0};
    cpu_set_t before;
    run_cpus_pin(cpu, &before);
    uint64_t start = run_clock_ns(), last = start, end = start + (uint64_t)ms * 1000000U;
    while (last < end) {
        uint64_t now = run_clock_ns();
        add_step(&noise, now - last);
        last = now;
    }
    finish(&noise, last - start);
    sched_setaffinity(0, sizeof before, &before);
    return noise;
}

const char *run_noise_word(double lost_ppm) {
    if (lost_ppm < RUN_NOISE_SILENT_PPM)
        return "silent";
    if (lost_ppm < RUN_NOISE_QUIET_PPM)
        return "quiet";
    return lost_ppm < RUN_NOISE_FAIR_PPM ? "fair" : "noisy";
}
