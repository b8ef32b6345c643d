/* Which configurations get more loops; and that intervals still cover what they say. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/statistics/interval.h"
#include "detector/statistics/plan.h"
#include "detector/statistics/stats.h"
#include "tests/unit/detector/luck.h"

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))
#define CONFIGURATIONS 4

/* Portions 10 and 20: weights 1/100, 1/100 + 1/400, 1/400 */
static void shares_are_neymans_for_differences(void **state) {
    (void)state;
    static const det_allocate_leg leg[] = {{-1, 100, 4, 1}, {0, 110, 4, 1}, {1, 130, 16, 4}};
    double share[3];
    assert_int_equal(det_allocate_shares(leg, 3, share), DET_OK);
    const double a = sqrt(.04), b = sqrt(.05), c = sqrt(.01), sum = a + b + c;
    assert_near(share[0], a / sum, 1e-12);
    assert_near(share[1], b / sum, 1e-12);
    assert_near(share[2], c / sum, 1e-12);
}

/* Twice the spread: twice the processes; four times the cost: half of them. */
static void spread_and_cost_count(void **state) {
    (void)state;
    static const det_allocate_leg leg[] = {
        {-1, 100, 0, 1}, {0, 110, 4, 1}, {0, 110, 16, 1}, {0, 110, 16, 4}};
    double share[4];
    assert_int_equal(det_allocate_shares(leg, 4, share), DET_OK);
    assert_near(share[1], 0.25, 1e-12);
    assert_near(share[2], 0.5, 1e-12);
    assert_near(share[3], 0.25, 1e-12);
}

static double sum_of(const det_allocate_leg *leg, const double *share) {
    double weight[3], sum = 0, time = 0;
    det_allocate_weights(leg, 3, weight);
    for (int i = 0; i < 3; i++) {
        sum += weight[i] * leg[i].variance / share[i];
        time += share[i] * leg[i].cost_s;
    }
    return sum * time; /* the same time for all */
}

static void no_other_shares_are_better(void **state) {
    (void)state;
    static const det_allocate_leg leg[] = {{-1, 100, 1, 1}, {0, 110, 9, 2}, {1, 130, 30, 5}};
    double share[3];
    assert_int_equal(det_allocate_shares(leg, 3, share), DET_OK);
    const double least = sum_of(leg, share);
    for (int i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double other[3] = {share[0], share[1], share[2]};
            other[i] *= 1 + 0.1 * sign;
            assert_true(sum_of(leg, other) > least);
        }
}

/* A portion near 0 counts as a hundredth of the largest one. */
static void a_portion_near_nothing_does_not_take_all(void **state) {
    (void)state;
    static const det_allocate_leg leg[] = {{-1, 100, 1, 1}, {0, 100.001, 1, 1}, {1, 120.001, 1, 1}};
    double share[3];
    assert_int_equal(det_allocate_shares(leg, 3, share), DET_OK);
    assert_near(share[0] / share[2], sqrt(1 / (.01 * .01)), 1e-2);
    assert_near(share[1] / share[0], sqrt(1 + .01 * .01), 1e-6);
}

static void the_control_counts_where_it_is_alone(void **state) {
    (void)state;
    static const det_allocate_leg one = {-1, 100, 4, 1};
    static const det_allocate_leg two[] = {{-1, 100, 0, 1}, {0, 110, 4, 1}};
    double share[2];
    assert_int_equal(det_allocate_shares(&one, 1, share), DET_OK);
    assert_near(share[0], 1, 0);
    assert_int_equal(det_allocate_shares(two, 2, share), DET_OK);
    assert_near(share[1], 1, 0); /* the other does not vary */
}

static void without_spread_or_cost(void **state) {
    (void)state;
    static const det_allocate_leg still[] = {{-1, 0, 0, 1}, {0, 0, 0, 3}};
    static const det_allocate_leg free_of[] = {{-1, 1, 1, 0}, {0, 3, 1, 0}};
    double share[2];
    assert_int_equal(det_allocate_shares(still, 2, share), DET_OK);
    assert_near(share[0], 0.5, 0);
    assert_int_equal(det_allocate_shares(free_of, 2, share), DET_OK);
    assert_near(share[0] + share[1], 1, 1e-12);
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        det_allocate_leg leg;
        det_status status;
    } cases[] = {{{0, 1, 1, 1}, DET_EINVAL},      {{-2, 1, 1, 1}, DET_EINVAL},
                 {{-1, 1, -1, 1}, DET_EINVAL},    {{-1, 1, 1, -1}, DET_EINVAL},
                 {{-1, NAN, 1, 1}, DET_ENUMERIC}, {{-1, 1, INFINITY, 1}, DET_ENUMERIC},
                 {{-1, 1, 1, NAN}, DET_ENUMERIC}};
    double share;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(det_allocate_shares(&cases[i].leg, 1, &share), cases[i].status);
    assert_int_equal(det_allocate_shares(NULL, 0, &share), DET_EINVAL);
}

static void a_block_has_one_of_each(void **state) {
    (void)state;
    static const det_allocate_leg leg[] = {{-1, 1, 1, 1}, {0, 1, 1, 2}, {1, 1, 1, 3}};
    static const double share[] = {.01, .3, .69};
    static const struct {
        double left_s;
        unsigned runs[3];
    } cases[] = {{1e9, {1, 5, 12}}, /* 47 s */
                 {90, {1, 3, 7}},   /* a third: 28 of 30 s; with 8 it would be 31 */
                 {30, {1, 1, 3}},   /* two rounds: 12 of 12 s, more than a third */
                 {11, {1, 1, 1}}};  /* no less than one of each */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned runs[3];
        det_allocate_block(leg, share, 3, cases[i].left_s, runs);
        for (int c = 0; c < 3; c++)
            assert_int_equal(runs[c], cases[i].runs[c]);
    }
}

/* A night: so many rounds, then blocks, until the time is spent. */
typedef struct {
    double x[CONFIGURATIONS][4000];
    size_t n[CONFIGURATIONS];
} night;

typedef struct {
    double mean[CONFIGURATIONS], cost_s[CONFIGURATIONS], seconds;
} project;

static const project usual = {{100, 150, 250, 1250}, {1, 1, 1, 1}, 200};
/* Kieker's on a noisy host, with as many calls as MooBench has: I is a hundredth of W, and a
 * process that writes takes most of a round. */
static const project kieker = {{80, 360, 1560, 27560}, {.5, 1.5, 2.4, 12}, 180};

/* Heavy: log-normal, as skewed as loops of a process with pauses in it. */
static double value_of(uint64_t *seed, double mean, double sd, int heavy) {
    const double z = luck_normal(seed);
    const double unit = heavy ? (exp(.8 * z) - exp(.32)) / sqrt((exp(.64) - 1) * exp(.64)) : z;
    return mean + sd * unit;
}

static void next_block(const night *so_far, const project *of, double left_s, unsigned *runs) {
    det_allocate_leg leg[CONFIGURATIONS];
    double share[CONFIGURATIONS];
    for (int c = 0; c < CONFIGURATIONS; c++) {
        double spread;
        leg[c] = (det_allocate_leg){.parent = c - 1, .cost_s = of->cost_s[c]};
        (void)det_mean_of(&leg[c].mean, &spread, so_far->x[c], so_far->n[c]);
        leg[c].variance = spread * spread;
    }
    assert_int_equal(det_allocate_shares(leg, CONFIGURATIONS, share), DET_OK);
    det_allocate_block(leg, share, CONFIGURATIONS, left_s, runs);
}

static void measure(night *to, const project *of, const double *sd, int heavy, int adaptive,
                    uint64_t *seed) {
    unsigned runs[CONFIGURATIONS] = {1, 1, 1, 1};
    double spent_s = 0;
    memset(to->n, 0, sizeof to->n);
    for (unsigned round = 0; spent_s < of->seconds; round++) {
        if (adaptive && round >= 5)
            next_block(to, of, of->seconds - spent_s, runs);
        for (int c = 0; c < CONFIGURATIONS; c++)
            for (unsigned i = 0; i < runs[c]; i++) {
                to->x[c][to->n[c]++] = value_of(seed, of->mean[c], sd[c], heavy);
                spent_s += of->cost_s[c];
            }
    }
}

static void portion(det_interval *out, const night *of, int c) {
    assert_int_equal(det_interval_welch(out, of->x[c - 1], of->n[c - 1], of->x[c], of->n[c], .95),
                     DET_OK);
}

typedef struct {
    double covered[CONFIGURATIONS], half[CONFIGURATIONS], off[CONFIGURATIONS];
} nights;

static nights many(const project *of, const double *sd, int heavy, int adaptive, unsigned count) {
    static night one;
    nights sum = {{0}, {0}, {0}};
    uint64_t seed = 1934;
    for (unsigned i = 0; i < count; i++) {
        measure(&one, of, sd, heavy, adaptive, &seed);
        for (int c = 1; c < CONFIGURATIONS; c++) {
            det_interval got;
            const double truth = of->mean[c] - of->mean[c - 1];
            portion(&got, &one, c);
            sum.covered[c] += (got.low <= truth && truth <= got.high) / (double)count;
            sum.half[c] += (got.high - got.low) / 2 / count;
            sum.off[c] += (got.mean - truth) / count;
        }
    }
    return sum;
}

/* The stored interval is Welch's. In 10,000 nights 94.5 to 95.2 % of 95 are covered; of very skewed
 * values up to four points fewer than by equal rounds (docs/statistics.md). */
static void intervals_cover_as_they_say(void **state) {
    (void)state;
    static const double spreads[][CONFIGURATIONS] = {
        {1, 1, 1, 1}, {1, 2, 4, 60}, {20, 1, 1, 1}, {5, 5, 40, 40}};
    const unsigned count = 2500; /* standard error .44 points */
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        for (int heavy = 0; heavy < 2; heavy++) {
            const nights own = many(&usual, spreads[i], heavy, 1, count);
            const nights equal = many(&usual, spreads[i], heavy, 0, count);
            for (int c = 1; c < CONFIGURATIONS; c++) {
                if (!heavy)
                    assert_true(own.covered[c] >= .935);
                assert_true(own.covered[c] >= equal.covered[c] - .045);
                /* no bias: within four standard errors of the mean of all nights */
                const double se = own.half[c] / 1.96 / sqrt(count);
                if (!heavy)
                    assert_true(fabs(own.off[c]) <= 4 * se);
            }
        }
}

/* The portion that is known worst, relative to its value, of what it is after equal rounds. */
static double worst_of_equal(const project *of, const double *sd) {
    const nights own = many(of, sd, 0, 1, 300), equal = many(of, sd, 0, 0, 300);
    double worst = 0, worst_equal = 0;
    for (int c = 1; c < CONFIGURATIONS; c++) {
        const double value = of->mean[c] - of->mean[c - 1];
        worst = fmax(worst, own.half[c] / value);
        worst_equal = fmax(worst_equal, equal.half[c] / value);
    }
    return worst / worst_equal;
}

static void the_worst_portion_gains(void **state) {
    (void)state;
    static const double sd[CONFIGURATIONS] = {1, 1, 40, 40},
                        noisy[CONFIGURATIONS] = {5, 110, 300, 4500};
    assert_true(worst_of_equal(&usual, sd) < .75);
    assert_true(worst_of_equal(&kieker, noisy) < .7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_neymans_for_differences),
        cmocka_unit_test(spread_and_cost_count),
        cmocka_unit_test(no_other_shares_are_better),
        cmocka_unit_test(a_portion_near_nothing_does_not_take_all),
        cmocka_unit_test(the_control_counts_where_it_is_alone),
        cmocka_unit_test(without_spread_or_cost),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_block_has_one_of_each),
        cmocka_unit_test(intervals_cover_as_they_say),
        cmocka_unit_test(the_worst_portion_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
