#include "tests/bench/detector/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS (HISTORY_CONFIGURATIONS * HISTORY_LOOPS)
#define SLOW_PROCESS_SHARE 0.005
#define DRIFT_MEMORY 0.97
#define FIRST_CHANGE 25
#define BUSY_MOST 0.8
#define BUSY_TIMES 1.5

const char *history_world_text(history_world world) {
    static const char *const texts[] = {"standard",
                                        "half noise",
                                        "double noise",
                                        "bimodal",
                                        "triple drift",
                                        "missing nights",
                                        "machine changes",
                                        "ramps",
                                        "busy host",
                                        "busy host, fastest loops",
                                        "standard, fastest loops"};
    return world < HISTORY_WORLDS ? texts[world] : "unknown";
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        (void)fprintf(stderr, "no memory for a history\n");
        abort();
    }
    return memory;
}

void history_clear(history *h) {
    free(h->means);
    free(h->level);
    free(h->machine);
    memset(h, 0, sizeof *h);
}

const double *history_night(const history *h, size_t n) {
    return h->means + n * CELLS;
}

/* One to five changes, 14 nights apart at least; half of the increases are taken back later. */
static void plan(history *h, bench_random *r) {
    static const double sizes[] = {0.02, 0.05, 0.10, 0.20, 0.50};
    double night = FIRST_CHANGE + (double)bench_below(r, 45);
    while (h->changes + 2 < HISTORY_CHANGES_MAX && night < (double)h->nights - 15) {
        const history_change up = {.night = (int)night,
                                   .portion = 1 + (int)bench_below(r, 3),
                                   .sign = 1,
                                   .size = sizes[bench_below(r, 5)]};
        h->change[h->changes++] = up;
        night += 14 + (double)bench_below(r, 40);
        if (bench_uniform(r) < 0.5 && night < (double)h->nights - 15) {
            history_change down = up;
            down.night = (int)night;
            down.sign = -1;
            h->change[h->changes++] = down;
            night += 14 + (double)bench_below(r, 40);
        }
        if (bench_uniform(r) < 0.2)
            break;
    }
}

/* Levels without noise, night by night; portions hold T, I, C, W in turn. */
static void levels(history *h, bench_random *r) {
    static const double middle[] = {90, 350, 1400, 1500}, width[] = {0.18, 0.42, 0.42, 0.45};
    double portion[HISTORY_CONFIGURATIONS], target[HISTORY_CONFIGURATIONS],
        step[HISTORY_CONFIGURATIONS] = {0};
    double machine = 1;
    const size_t steps = h->world == HISTORY_RAMP ? 10 : 1;
    for (int p = 0; p < HISTORY_CONFIGURATIONS; p++)
        target[p] = portion[p] = middle[p] * exp(width[p] * bench_normal(r));
    for (size_t n = 0, c = 0; n < h->nights; n++) {
        if (h->world == HISTORY_MACHINE && n > FIRST_CHANGE && bench_uniform(r) < 1.5 / 200)
            machine *= 1 + (bench_uniform(r) < 0.5 ? -1 : 1) * bench_between(r, 0.05, 0.4);
        for (; c < h->changes && h->change[c].night == (int)n; c++) {
            const int p = h->change[c].portion;
            target[p] *=
                h->change[c].sign > 0 ? 1 + h->change[c].size : 1 / (1 + h->change[c].size);
            step[p] = (target[p] - portion[p]) / (double)steps;
        }
        double level = 0;
        h->machine[n] = machine;
        for (int p = 0; p < HISTORY_CONFIGURATIONS; p++) {
            portion[p] += step[p];
            if (fabs(target[p] - portion[p]) <= 1e-9 * target[p] ||
                (target[p] - portion[p]) * step[p] <= 0) {
                portion[p] = target[p];
                step[p] = 0;
            }
            level += portion[p];
            h->level[n * HISTORY_CONFIGURATIONS + (size_t)p] = level;
        }
    }
}

det_trim history_trim(const history *h) {
    return h->world == HISTORY_BUSY_FASTER || h->world == HISTORY_FASTER ? DET_TRIM_SLOW
                                                                         : DET_TRIM_ENDS;
}

static int is_busy(const history *h) {
    return h->world == HISTORY_BUSY || h->world == HISTORY_BUSY_FASTER;
}

/* busy: the share of the loops that others slow now */
static double loop(const history *h, bench_random *r, int c, double level, double busy) {
    double value = level * (1 + h->cv[c] * bench_normal(r));
    if (busy > 0 && bench_uniform(r) < busy)
        value *= BUSY_TIMES;
    if (bench_uniform(r) < SLOW_PROCESS_SHARE)
        value *= bench_between(r, 1.1, 1.4);
    if (h->world == HISTORY_BIMODAL && c == 3 && bench_uniform(r) < 0.35)
        value *= 1.25;
    return value;
}

/* Factors of one night: common, per configuration, drift, and now and then an outlier. */
static void night_factors(const history *h, bench_random *r, double *drift, double drift_size,
                          double outliers, double *factor) {
    const double common = h->common * bench_normal(r);
    for (int c = 0; c < HISTORY_CONFIGURATIONS; c++) {
        drift[c] = DRIFT_MEMORY * drift[c] +
                   sqrt(1 - DRIFT_MEMORY * DRIFT_MEMORY) * drift_size * bench_normal(r);
        factor[c] = 1 + common + drift[c] + h->night_effect[c] * bench_normal(r);
    }
    if (bench_uniform(r) >= outliers)
        return;
    const double size = fmin(0.02 * fabs(bench_t(r, 3)), 0.5) * (bench_uniform(r) < 0.7 ? 1 : -1);
    if (bench_uniform(r) < 0.5)
        for (int c = 0; c < HISTORY_CONFIGURATIONS; c++)
            factor[c] += size;
    else
        factor[bench_below(r, HISTORY_CONFIGURATIONS)] += size;
}

static void lose(const history *h, bench_random *r, double *night) {
    if (bench_uniform(r) < 0.1)
        for (int i = 0; i < CELLS; i++)
            night[i] = NAN;
    if (bench_uniform(r) < 0.08) {
        double *row = night + (size_t)bench_below(r, HISTORY_CONFIGURATIONS) * HISTORY_LOOPS;
        for (int l = 0; l < HISTORY_LOOPS; l++)
            row[l] = NAN;
    }
    (void)h;
}

/* Levels and loops, once the changes are planned. */
static void fill(history *h, bench_random *r, double drift_size, double outliers) {
    double drift[HISTORY_CONFIGURATIONS] = {0}, factor[HISTORY_CONFIGURATIONS];
    levels(h, r);
    for (size_t n = 0; n < h->nights; n++) {
        double *night = h->means + n * CELLS;
        night_factors(h, r, drift, drift_size, outliers, factor);
        const double busy = is_busy(h) ? BUSY_MOST * bench_uniform(r) : 0;
        for (int c = 0; c < HISTORY_CONFIGURATIONS; c++)
            for (int l = 0; l < HISTORY_LOOPS; l++)
                night[c * HISTORY_LOOPS + l] = loop(
                    h, r, c,
                    h->level[n * HISTORY_CONFIGURATIONS + (size_t)c] * h->machine[n] * factor[c],
                    busy);
        if (h->world == HISTORY_MISSING)
            lose(h, r, night);
    }
}

/* change: the only one; NULL: as planned, or none when quiet. */
static void generate(history *h, uint64_t seed, history_world world, size_t nights, int quiet,
                     const history_change *change) {
    bench_random r;
    memset(h, 0, sizeof *h);
    bench_random_init(&r, seed);
    h->nights = nights;
    h->world = world;
    h->means = allocate(nights * CELLS, sizeof(double));
    h->level = allocate(nights * HISTORY_CONFIGURATIONS, sizeof(double));
    h->machine = allocate(nights, sizeof(double));
    const double noise = world == HISTORY_HALF ? 0.5 : world == HISTORY_DOUBLE ? 2 : 1;
    for (int c = 0; c < HISTORY_CONFIGURATIONS; c++) {
        h->cv[c] = noise * bench_between(&r, 0.01, 0.05);
        h->night_effect[c] = bench_between(&r, 0.3, 1) * h->cv[c] / sqrt(HISTORY_LOOPS);
    }
    h->common = noise * bench_between(&r, 0.001, 0.005);
    const double drift_size =
        (world == HISTORY_DRIFT ? 3 : 1) * noise * bench_between(&r, 0.001, 0.005);
    const double outliers = bench_between(&r, 0.005, 0.03);
    if (change)
        h->change[h->changes++] = *change;
    else if (!quiet)
        plan(h, &r);
    fill(h, &r, drift_size, outliers);
}

void history_generate(history *h, uint64_t seed, history_world world, size_t nights, int quiet) {
    generate(h, seed, world, nights, quiet, NULL);
}

void history_generate_change(history *h, uint64_t seed, history_world world, size_t nights,
                             const history_change *change) {
    generate(h, seed, world, nights, 0, change);
}

double history_session(const history *h, bench_random *r, size_t n, int c, double common) {
    return h->machine[n] * (1 + h->common * common + h->night_effect[c] * bench_normal(r));
}

double history_again(const history *h, bench_random *r, size_t n, int c, double effect) {
    return loop(h, r, c, h->level[n * HISTORY_CONFIGURATIONS + (size_t)c] * effect,
                is_busy(h) ? BUSY_MOST / 2 : 0);
}

int history_read(history *h, const char *path) {
    char line[8192];
    FILE *file = fopen(path, "r");
    memset(h, 0, sizeof *h);
    if (!file) {
        (void)fprintf(stderr, "%s: cannot be opened\n", path);
        return -1;
    }
    h->means = allocate(HISTORY_NIGHTS_MAX * CELLS, sizeof(double));
    int bad = !fgets(line, sizeof line, file);
    while (!bad && h->nights < HISTORY_NIGHTS_MAX && fgets(line, sizeof line, file)) {
        char *at = line;
        (void)strtol(at, &at, 10);
        for (int i = 0; i < CELLS && !bad; i++) {
            if (*at++ != ',')
                bad = 1;
            else
                h->means[h->nights * CELLS + (size_t)i] =
                    *at == ',' || *at == '\n' ? NAN : strtod(at, &at);
        }
        h->nights++;
    }
    (void)fclose(file);
    if (bad)
        (void)fprintf(stderr, "%s: line %zu is not night,c0_1,...,c3_10\n", path, h->nights + 1);
    return bad ? -1 : 0;
}

int history_write(const history *h, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    (void)fprintf(file, "night");
    for (int i = 0; i < CELLS; i++)
        (void)fprintf(file, ",c%d_%d", i / HISTORY_LOOPS, i % HISTORY_LOOPS + 1);
    for (size_t n = 0; n < h->nights; n++) {
        (void)fprintf(file, "\n%zu", n);
        for (int i = 0; i < CELLS; i++)
            if (isnan(history_night(h, n)[i]))
                (void)fprintf(file, ",");
            else
                (void)fprintf(file, ",%.6g", history_night(h, n)[i]);
    }
    (void)fprintf(file, "\n");
    return fclose(file) == 0 ? 0 : -1;
}
