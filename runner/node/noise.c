#include "runner/node/doctor.h"

#include "detector/statistics/stats.h"
#include "runner/ground/procfs.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The monotonic clock: GLib's microseconds are too coarse. */
static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

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

/* This process runs on one processor from now on; -1: wherever it is. before: where it ran, to be
 * set again. */
static void pin(int cpu, cpu_set_t *before) {
    cpu_set_t one;
    run_cpus_allowed(before);
    if (cpu < 0)
        return;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

run_noise run_noise_measure(int cpu, int64_t ms) {
    run_noise noise = {0};
    cpu_set_t before;
    pin(cpu, &before);
    uint64_t start = clock_ns(), last = start, end = start + (uint64_t)ms * 1000000U;
    while (last < end) {
        uint64_t now = clock_ns();
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

#define WORDS 4096u  /* 32 KiB: the first cache is part of what is shared */
#define STEPS 20000u /* some 25 us */

/* Independent sums, loads and stores in every step: what waits for nothing is slowed by all that
 * another thread does on the core. */
static uint64_t work(uint64_t *words) {
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    for (uint64_t i = 0; i < STEPS; i++) {
        a += words[i % WORDS];
        b ^= a >> 3;
        c += i * 5;
        d ^= c + 3;
        e += d ^ 7;
        f += e + words[i * 7 % WORDS];
        words[i % WORDS] = c;
    }
    return a + b + c + d + e + f;
}

/* The same from given durations, sorted in place. The shortest is the one that a twentieth takes at
 * most. */
static run_speed speed_of(double *ns, size_t n) {
    run_speed speed = {.pieces = n, .times = 1};
    if (n == 0)
        return speed;
    det_sort(ns, n);
    const double shortest = ns[n / 20];
    size_t slow = 0;
    while (slow < n && ns[n - 1 - slow] >= RUN_SPEED_SLOW * shortest)
        slow++;
    speed.slow_share = (double)slow / (double)n;
    if (slow > 0 && shortest > 0)
        speed.times = ns[n - 1 - slow / 2] / shortest;
    return speed;
}

run_speed run_speed_measure(int cpu, int64_t ms) {
    g_autofree uint64_t *words = g_new0(uint64_t, WORDS);
    g_autoptr(GArray) ns = g_array_new(FALSE, FALSE, sizeof(double));
    cpu_set_t before;
    pin(cpu, &before);
    const uint64_t start = clock_ns(), end = start + (uint64_t)ms * 1000000U;
    for (uint64_t last = start; last < end;) {
        *(volatile uint64_t *)words = work(words);
        const uint64_t now = clock_ns();
        const double took = (double)(now - last);
        g_array_append_val(ns, took);
        last = now;
    }
    sched_setaffinity(0, sizeof before, &before);
    return speed_of((double *)(gpointer)ns->data, ns->len);
}
