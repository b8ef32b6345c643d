#include "runner/measure/budget.h"

#include "detector/statistics/allocate.h"
#include "detector/statistics/stats.h"
#include "detector/statistics/stray.h"
#include "runner/loop/done.h"

#include <math.h>

#define WINSORIZED_LEAST 4u
#define MINUTE_S 60.0

bool run_budget_applies(const run_job *job) {
    return job->budget_minutes > 0 && run_job_commits(job) == 1;
}

static double cost_of(const run_job *job, const run_loop *loop) {
    return loop->seconds + job->rest_s;
}

/* A configuration in its first loops, those up to a number. */
typedef struct {
    GArray *means; /* double: good, and by no reading disturbed */
    double cost_s; /* of all attempts */
    unsigned tries;
} sample;

static void take(sample *to, const run_job *job, const run_loop *loop) {
    to->cost_s += cost_of(job, loop);
    to->tries++;
    /* A stray is marked when all is measured: what was planned before must not hang on it. */
    if (!loop->failed && (!loop->disturbed || loop->stray))
        g_array_append_val(to->means, loop->summary.mean);
}

static int by_value(gconstpointer a, gconstpointer b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Without those that stand alone; where there are too few loops to tell, the first and the last
 * count as their neighbours. */
static void calm(GArray *means, double distance) {
    det_strays usual;
    double *x = (double *)(gpointer)means->data;
    if (distance > 0 && det_strays_of(&usual, x, means->len, distance) == DET_OK) {
        for (guint i = means->len; i-- > 0;)
            if (det_stray_distance(&usual, x[i], distance) > 0)
                g_array_remove_index_fast(means, i);
    } else if (means->len >= WINSORIZED_LEAST) {
        g_array_sort(means, by_value);
        x[0] = x[1];
        x[means->len - 1] = x[means->len - 2];
    }
}

static det_allocate_leg leg_of(sample *from, int parent, double distance) {
    det_allocate_leg leg = {.parent = parent,
                            .cost_s = from->tries ? from->cost_s / from->tries : 0};
    double sd = 0;
    calm(from->means, distance);
    if (from->means->len > 0)
        (void)det_mean_of(&leg.mean, from->means->len > 1 ? &sd : NULL,
                          (double *)(gpointer)from->means->data, from->means->len);
    leg.variance = sd * sd;
    return leg;
}

/* What all configurations showed up to these loops; returns the seconds that went into them. */
static double legs_of(const run_job *job, const GPtrArray *loops, const unsigned *upto,
                      double distance, det_allocate_leg *leg) {
    double spent_s = 0;
    for (unsigned c = 0; c < job->configurations_count; c++) {
        sample own = {.means = g_array_new(FALSE, FALSE, sizeof(double))};
        for (guint i = 0; i < loops->len; i++) {
            const run_loop *loop = run_loops_at(loops, i);
            if (loop->number <= upto[c] && run_job_find(job, loop->configuration) == (int)c)
                take(&own, job, loop);
        }
        leg[c] = leg_of(&own, job->configurations[c].parent, distance);
        spent_s += own.cost_s;
        g_array_unref(own.means);
    }
    return spent_s;
}

/* The block after these loops, which are added to; false: there is none. */
static bool block_next(const run_job *job, const GPtrArray *loops, double distance, unsigned *upto,
                       run_plan_block *block) {
    det_allocate_leg leg[RUN_CONFIGURATIONS_MAX];
    double share[RUN_CONFIGURATIONS_MAX];
    const unsigned count = job->configurations_count;
    unsigned runs = 0;
    const double left_s = MINUTE_S * job->budget_minutes - legs_of(job, loops, upto, distance, leg);
    *block = (run_plan_block){{0}};
    if (!(left_s > 0) || det_allocate_shares(leg, count, share) != DET_OK)
        return false;
    det_allocate_block(leg, share, count, DET_ALLOCATE_MOST, left_s / DET_ALLOCATE_BLOCKS,
                       block->runs);
    for (unsigned c = 0; c < count; c++) {
        block->runs[c] =
            MIN(block->runs[c], RUN_BUDGET_LOOPS_MAX - MIN(upto[c], RUN_BUDGET_LOOPS_MAX));
        upto[c] += block->runs[c];
        runs += block->runs[c];
    }
    return runs > 0;
}

/* Of one more process, as those of its configuration so far; with none yet, nothing. */
static double expected_s(const run_job *job, const GPtrArray *loops, unsigned configuration) {
    double cost_s = 0;
    unsigned tries = 0;
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        if (run_job_find(job, loop->configuration) != (int)configuration)
            continue;
        cost_s += cost_of(job, loop);
        tries++;
    }
    return tries ? cost_s / tries : 0;
}

static double spent_s(const run_job *job, const GPtrArray *loops) {
    double sum_s = 0;
    for (guint i = 0; i < loops->len; i++)
        sum_s += cost_of(job, run_loops_at(loops, i));
    return sum_s;
}

static bool fits(const run_job *job, const GPtrArray *loops, const run_plan_step *step) {
    return spent_s(job, loops) + expected_s(job, loops, step->configuration) <=
               MINUTE_S * job->budget_minutes ||
           run_loops_least(job, loops) < job->minimum_loops;
}

run_plan_answer run_budget_next(const run_job *job, const run_plan *rounds, double distance,
                                const GPtrArray *loops, run_plan_step *step) {
    g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(run_plan_block));
    g_autoptr(GArray) done = run_loops_done(job, loops);
    unsigned upto[RUN_CONFIGURATIONS_MAX];
    run_plan_block block;
    for (unsigned c = 0; c < job->configurations_count; c++)
        upto[c] = rounds->loops;
    /* Blocks follow from the loops before them, so each is found again, as long as it is whole. */
    for (;;) {
        run_plan plan = *rounds;
        plan.blocks = (const run_plan_block *)(gpointer)blocks->data;
        plan.blocks_count = blocks->len;
        const run_plan_answer answer =
            run_plan_next(&plan, (run_loop_done *)(gpointer)done->data, done->len, step);
        if (answer == RUN_PLAN_NEXT)
            return fits(job, loops, step) ? RUN_PLAN_NEXT : RUN_PLAN_COMPLETE;
        if (answer == RUN_PLAN_HOPELESS || !block_next(job, loops, distance, upto, &block))
            return answer;
        g_array_append_val(blocks, block);
    }
}

double run_budget_left_s(const run_job *job, const GPtrArray *loops) {
    return fmax(MINUTE_S * job->budget_minutes - spent_s(job, loops), 0);
}

char *run_budget_short(const run_job *job, const GPtrArray *loops) {
    const unsigned least = run_loops_least(job, loops);
    return least < job->loops ? g_strdup_printf("budget_minutes (%g) ended after %u of %u rounds",
                                                job->budget_minutes, least, job->loops)
                              : NULL;
}

/* Loops of a configuration that count, and what all its attempts took. */
static json_t *spent_json(const run_job *job, const GPtrArray *loops, unsigned configuration,
                          double all_s) {
    g_autoptr(GArray) done = run_loops_done(job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    unsigned used = 0;
    double own_s = 0;
    for (guint i = 0; i < done->len; i++) {
        if (g_array_index(done, run_loop_done, i).configuration != configuration)
            continue;
        used += counts[i];
        own_s += cost_of(job, run_loops_at(loops, i));
    }
    return json_pack("{s:I, s:f, s:f}", "loops", (json_int_t)used, "minutes", own_s / MINUTE_S,
                     "percent", all_s > 0 ? 100 * own_s / all_s : 0);
}

json_t *run_budget_report(const run_job *job, const GPtrArray *loops) {
    const double all_s = spent_s(job, loops);
    json_t *configurations = json_object();
    for (unsigned c = 0; c < job->configurations_count; c++)
        json_object_set_new(configurations, job->configurations[c].name,
                            spent_json(job, loops, c, all_s));
    return json_pack("{s:f, s:f, s:I, s:o}", "minutes", job->budget_minutes, "spent_minutes",
                     all_s / MINUTE_S, "rounds",
                     (json_int_t)MIN(run_loops_least(job, loops), job->loops), "configurations",
                     configurations);
}
