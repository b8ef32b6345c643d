#include "tests/bench/detector/shapes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/bench/detector/random.h"

#define NIGHTS 40
#define NEAR 3     /* nights off its first one that a step may be dated */
#define TRUTH 4000 /* draws that a mean is known by */

/* A night's value; level: 1, or what the step made of it. */
typedef double drawn(bench_random *r, double level);

static double near(bench_random *r, double level) {
    return level * (1 + 0.01 * bench_normal(r));
}

static double some(bench_random *r, double level) {
    return level * exp(0.05 * bench_normal(r));
}

static double wide(bench_random *r, double level) {
    return level * exp(0.2 * bench_normal(r));
}

static double outliers(bench_random *r, double level) {
    return near(r, level) * (bench_uniform(r) < 0.05 ? 1.3 : 1);
}

static double modes(bench_random *r, double level) {
    return level * (1 + 0.005 * bench_normal(r)) * (bench_uniform(r) < 0.5 ? 1.03 : 1);
}

static double whole(bench_random *r, double level) {
    return fmax(1, round(4 * level * (1 + 0.15 * bench_normal(r))));
}

/* Poisson's. */
static double count(bench_random *r, double mean) {
    double all = bench_uniform(r), n = 0;
    while (all > exp(-mean)) {
        all *= bench_uniform(r);
        n++;
    }
    return n;
}

static double rare(bench_random *r, double level) {
    return count(r, 0.3 * level);
}

static double few(bench_random *r, double level) {
    return count(r, level);
}

static double counts(bench_random *r, double level) {
    return count(r, 3 * level);
}

static double many(bench_random *r, double level) {
    return count(r, 10 * level);
}

static double hundred(bench_random *r, double level) {
    return count(r, 100 * level);
}

static double share(bench_random *r, double level) {
    return fmax(0, 0.03 * level + 0.03 * bench_normal(r) - 0.05);
}

static const struct {
    const char *name;
    drawn *draw;
    bool zero; /* 0 is a value */
} shapes[] = {{"scatter 1 %", near, false},           {"scatter 5 %", some, false},
              {"scatter 20 %", wide, false},          {"1 %, one in 20 + 30 %", outliers, false},
              {"two modes, 3 % apart", modes, false}, {"whole numbers around 4", whole, false},
              {"counts, mean 0.3", rare, true},       {"counts, mean 1", few, true},
              {"counts, mean 3", counts, true},       {"counts, mean 10", many, true},
              {"counts, mean 100", hundred, true},    {"shares, mostly 0", share, true}};

typedef struct {
    int histories, told, near, held, pending; /* histories with any; alerts; nights */
} seen;

static double mean_of(drawn *draw, double level, uint64_t seed) {
    bench_random r;
    double sum = 0;
    bench_random_init(&r, seed);
    for (int i = 0; i < TRUTH; i++)
        sum += draw(&r, level) / TRUTH;
    return sum;
}

/* By imports' policy. at: night of the step, NIGHTS: none */
static void watch_one(size_t shape, uint64_t seed, int at, double level, double by, seen *s) {
    bench_random r;
    det_chain chain = {0};
    det_policy policy;
    bool any = false;
    det_policy_init(&policy);
    policy.patience = 2;
    policy.caution = 1.25;
    policy.minimum_loops = 1;
    policy.effect_relative = 0.05;
    policy.zero = shapes[shape].zero ? 1e-6 : 0;
    (void)det_chain_add(&chain, "value", -1);
    chain.control = -1;
    det_watch *watch = det_watch_new(&chain, &policy);
    bench_random_init(&r, seed);
    for (int n = 0; watch && n < NIGHTS; n++) {
        const double mean = shapes[shape].draw(&r, n < at ? 1 : level);
        det_verdict v;
        if (det_watch_add(watch, &(det_night){.id = n, .loops = 1, .means = &mean}, &v) != DET_OK)
            break;
        s->pending += v.rule == DET_RULE_PENDING;
        if (v.verdict != DET_VERDICT_ANOMALY)
            continue;
        const bool right = n >= at && v.to >= at - NEAR && v.to <= at + NEAR;
        s->told++;
        s->near += right;
        s->held += right && v.difference.low <= by && by <= v.difference.high;
        any |= at == NIGHTS || right;
    }
    s->histories += any;
    det_watch_free(watch);
}

static seen cell(size_t shape, uint64_t seed, int histories, int at, double level) {
    seen s = {0};
    drawn *of = shapes[shape].draw;
    const double by = mean_of(of, level, seed + 1) - mean_of(of, 1, seed + 2);
    for (int i = 0; i < histories; i++)
        watch_one(shape, seed + 3 + (uint64_t)i, at, level, by, &s);
    return s;
}

void shapes_table(report *r, uint64_t seed, int count) {
    static const struct {
        int at;
        double level;
    } steps[] = {{20, 1.3}, {20, 3}, {3, 3}};
    say(r, "\n| values | nothing there: false alarms / 1,000 nights | histories with one | in "
           "question / 1,000 nights | × 1.3 after 20 nights: told, its interval holds the truth | "
           "× 3 after 20 | × 3 after 3 |\n|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const seen none = cell(k, seed + 100000 * k, count, NIGHTS, 1);
        say(r, "| %s | %.2f | %.3f | %.0f |", shapes[k].name, 1000. * none.told / (count * NIGHTS),
            (double)none.histories / count, 1000. * none.pending / (count * NIGHTS));
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const seen s =
                cell(k, seed + 100000 * k + 10000 * (i + 1), count, steps[i].at, steps[i].level);
            say(r, " %.2f, %.2f |", (double)s.histories / count,
                s.near > 0 ? (double)s.held / s.near : 0);
        }
        say(r, "\n");
    }
    say(r,
        "\n%d histories a cell, each %d nights of single values of which nothing is measured again "
        "(patience 2, caution 1.25, minimum effect 5 %%).\n",
        count, NIGHTS);
}
