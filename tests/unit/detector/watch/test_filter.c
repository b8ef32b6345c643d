/*
 * Beliefs side by side against one belief computed a value at a time, and the same bits whatever
 * stands beside it and however wide the registers are.
 */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/detector/luck.h"

/* The same source without wide registers. */
#define LANES_PLAIN
#define det__filter_night plain_filter_night
#define det__filter_open plain_filter_open
#define det__lane_put plain_lane_put
#define det__lane_get plain_lane_get
#define det__lane_copy plain_lane_copy
#include "detector/watch/filter.c" /* NOLINT(bugprone-suspicious-include) */
#undef det__filter_night
#undef det__filter_open
#undef det__lane_put
#undef det__lane_get
#undef det__lane_copy
void det__filter_night(double *blocks, size_t count, size_t n, const double *x,
                       const det__noise *noise, double *density);
void det__lane_put(double *blocks, size_t n, size_t i, const double *filter);
void det__lane_get(double *blocks, size_t n, size_t i, double *filter);

#define MOST 6 /* configurations */
#define BELIEFS 21

/* Textbook: covariance as a whole, common factor as the last unknown, libm's exp and log. */
static double reference_pass(double *filter, size_t n, const double *x, const det__noise *noise,
                             double common, double *worst) {
    const size_t m = n + 1;
    double mean[MOST + 1] = {0}, p[MOST + 1][MOST + 1] = {{0}}, evidence = 0, level[MOST];
    *worst = 0;
    for (size_t i = 0; i < n; i++) {
        mean[i] = level[i] = filter[i];
        for (size_t j = 0; j < n; j++)
            p[i][j] = filter[n + i * n + j];
        p[i][i] += pow(noise->wander[i] * noise->spread[i] * level[i], 2);
    }
    p[n][n] = common * common;
    for (size_t c = 0; c < n; c++) {
        if (isnan(x[c]))
            continue;
        double cross[MOST + 1];
        for (size_t i = 0; i < m; i++)
            cross[i] = p[i][c] + level[c] * p[i][n];
        const double innovation = x[c] - mean[c] - level[c] * mean[n];
        const double total = cross[c] + level[c] * cross[n] +
                             fmax(pow(noise->spread[c] * level[c], 2), noise->floor[c]);
        const double square = innovation * innovation / total;
        const double plain = 0.994 * exp(-square / 2);
        const double both = plain + 0.006 * sqrt(2 / acos(-1)) * 5 / (25 + square);
        *worst = fmax(*worst, square);
        evidence += log(both) - 0.5 * log(total);
        for (size_t i = 0; i < m; i++)
            mean[i] += plain / both * cross[i] / total * innovation;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++)
                p[i][j] -= plain / both * cross[i] * cross[j] / total;
    }
    for (size_t i = 0; i < n; i++) {
        filter[i] = mean[i];
        for (size_t j = 0; j < n; j++)
            filter[n + i * n + j] = p[i][j];
    }
    return evidence;
}

static double reference_night(double *filter, size_t n, const double *x, const det__noise *noise) {
    double other[DET__FILTER_MAX], worst, ignored;
    memcpy(other, filter, det__filter_size(n) * sizeof *filter);
    const double a = reference_pass(filter, n, x, noise, n > 1 ? 0.002 : 0, &worst);
    if (n == 1 || worst < 5)
        return a;
    const double b = reference_pass(other, n, x, noise, 0.04, &ignored);
    if (b + log(0.01) > a + log(0.99))
        memcpy(filter, other, det__filter_size(n) * sizeof *filter);
    return log(0.99 * exp(a - fmax(a, b)) + 0.01 * exp(b - fmax(a, b))) + fmax(a, b);
}

typedef struct {
    double filter[BELIEFS][DET__FILTER_MAX], x[MOST];
    det__noise noise;
} scene;

/* Beliefs of different certainty about levels of different size, and a night near or far off. */
static void scene_draw(scene *s, size_t n, uint64_t *seed) {
    double level[MOST];
    memset(s, 0, sizeof *s);
    const double off = luck_uniform(seed) < 0.3 ? 10 : 1;
    for (size_t c = 0; c < n; c++) {
        level[c] = 50 * (double)(c + 1) * (1 + luck_uniform(seed));
        s->noise.spread[c] = 0.002 + 0.02 * luck_uniform(seed);
        s->noise.wander[c] = 0.3 * luck_uniform(seed);
        s->noise.floor[c] = luck_uniform(seed) < 0.2 ? pow(0.03 * level[c], 2) : 0;
        s->x[c] = level[c] * (1 + off * s->noise.spread[c] * (luck_uniform(seed) - 0.5) * 4);
    }
    for (size_t i = 0; i < BELIEFS; i++) {
        double direction[MOST];
        for (size_t c = 0; c < n; c++) {
            s->filter[i][c] = level[c] * (1 + 0.05 * (luck_uniform(seed) - 0.5));
            s->filter[i][n + c * n + c] = pow(0.01 * level[c], 2);
            direction[c] = luck_uniform(seed) < 0.5;
        }
        plain_filter_open(s->filter[i], n, direction, pow(0.08 * level[0], 2) * luck_uniform(seed));
    }
}

typedef void (*night_fn)(double *, size_t, size_t, const double *, const det__noise *, double *);

/* Runs a night over beliefs from `first` on; density and filters come back by belief. */
static void run(night_fn take, const scene *s, size_t n, size_t first, double *density,
                double (*filter)[DET__FILTER_MAX]) {
    enum { BLOCKS = BELIEFS / DET__LANES + 1, ROWS = MOST + MOST * (MOST + 1) / 2 };
    static _Alignas(64) double blocks[BLOCKS * ROWS * DET__LANES], all[BLOCKS * DET__LANES];
    for (size_t i = first; i < BELIEFS; i++)
        det__lane_put(blocks, n, i - first, s->filter[i]);
    take(blocks, BELIEFS - first, n, s->x, &s->noise, all);
    for (size_t i = first; i < BELIEFS; i++) {
        det__lane_get(blocks, n, i - first, filter[i]);
        density[i] = all[i - first];
    }
}

static void beliefs_side_by_side_are_each_what_one_alone_is(void **state) {
    (void)state;
    static scene s;
    static double filter[BELIEFS][DET__FILTER_MAX];
    double density[BELIEFS];
    uint64_t seed = 1;
    for (int round = 0; round < 400; round++) {
        const size_t n = 1 + (size_t)round % MOST;
        scene_draw(&s, n, &seed);
        if (round % 7 == 3 && n > 1)
            s.x[n / 2] = NAN;
        run(det__filter_night, &s, n, 0, density, filter);
        const double none = reference_night(s.filter[0], n, s.x, &s.noise);
        for (size_t i = 0; i < BELIEFS; i++) {
            const double one = i ? reference_night(s.filter[i], n, s.x, &s.noise) : none;
            assert_true(fabs((density[i] - density[0]) - (one - none)) < 1e-9);
            for (size_t c = 0; c < n; c++) {
                assert_true(fabs(filter[i][c] / s.filter[i][c] - 1) < 1e-12);
                const double variance = s.filter[i][n + c * n + c];
                assert_true(fabs(filter[i][n + c * n + c] / variance - 1) < 1e-9);
            }
        }
    }
}

static void neighbours_and_registers_do_not_change_a_bit(void **state) {
    (void)state;
    static scene s;
    static double one[BELIEFS][DET__FILTER_MAX], other[BELIEFS][DET__FILTER_MAX];
    double density[BELIEFS], moved[BELIEFS];
    uint64_t seed = 2;
    for (int round = 0; round < 100; round++) {
        const size_t n = round % 2 ? 4 : 3;
        scene_draw(&s, n, &seed);
        run(det__filter_night, &s, n, 0, density, one);
        run(plain_filter_night, &s, n, 5, moved, other);
        for (size_t i = 5; i < BELIEFS; i++) {
            assert_memory_equal(&density[i], &moved[i], sizeof(double));
            assert_memory_equal(one[i], other[i], det__filter_size(n) * sizeof(double));
        }
    }
}

static void exp_and_log_are_those_of_libm(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 20000; round++) {
        det__lanes x, above, below, log_of, tiny;
        for (unsigned l = 0; l < DET__LANES; l++) {
            x[l] = -720 * pow(luck_uniform(&seed), 1 + l);
            tiny[l] = exp(600 * (luck_uniform(&seed) - 0.5)) * (l ? 1 : 1e-12);
        }
        tiny[1] = 1 + 1e-3 * (luck_uniform(&seed) - 0.5);
        det__lanes_exp(&above, &below, &x);
        det__lanes_log(&log_of, &tiny);
        for (unsigned l = 0; l < DET__LANES; l++) {
            assert_true(fabs(above[l] / below[l] / exp(fmax(x[l], -708)) - 1) < 1e-15);
            assert_true(fabs(log_of[l] - log(tiny[l])) <= 5e-16 * fabs(log(tiny[l])));
        }
    }
    const det__lanes odd = {0, INFINITY, -1, 5e-324, NAN, 1};
    det__lanes log_of;
    det__lanes_log(&log_of, &odd);
    assert_true(log_of[0] == -INFINITY && log_of[1] == INFINITY && isnan(log_of[2]));
    assert_true(log_of[3] == log(5e-324) && isnan(log_of[4]) && log_of[5] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_side_by_side_are_each_what_one_alone_is),
        cmocka_unit_test(neighbours_and_registers_do_not_change_a_bit),
        cmocka_unit_test(exp_and_log_are_those_of_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
