#include "runner/measure/budget.h"

#include "detector/statistics/interval.h"
#include "detector/statistics/plan.h"
#include "detector/statistics/stats.h"
#include "detector/statistics/stray.h"
#include "runner/loop/loop.h"

#include <math.h>

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

#define WINSORIZED_LEAST 4u
#define MINUTE_S 60.0

bool run_budget_applies(const run_job *job) {
    return job->benchmark.budget_minutes > 0 && run_job_commits(job) == 1;
}

/* A configuration in its first loops, those up to a number. */
typedef struct {
    GArray *means;  /* double: good, and by no reading disturbed */
    GArray *gaps_s; /* double: to the start of what ran next, without the rest */
    double seconds; /* of all attempts */
    unsigned tries;
} sample;

typedef struct {
    const run_job *job;
    sample *of; /* [configurations] */
} samples;

static void take(sample *to, const run_loop *loop) {
    to->seconds += loop->seconds;
    to->tries++;
    /* A stray is marked when all is measured: what was planned before must not hang on it. */
    if (!loop->failed && (!loop->disturbed || loop->stray))
        g_array_append_val(to->means, loop->summary.mean);
}

/* Between two turns other nights are measured. */
static void take_gap(sample *to, const run_job *job, const run_loop *loop, const run_loop *next) {
    if (loop->turn != next->turn)
        return;
    const double gap_s = (double)(next->started_ms - loop->started_ms) / 1000 - loop->seconds -
                         job->benchmark.rest_s;
    g_array_append_val(to->gaps_s, gap_s);
}

/* Of the loops up to these numbers; until NULL: all. What they say is the same whatever comes after
 * them. */
static samples samples_of(const run_job *job, const GPtrArray *loops, const unsigned *until) {
    const samples out = {job, g_new0(sample, job->benchmark.configurations_count)};
    const run_loop *before = NULL;
    int of_before = -1;
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++)
        out.of[c] = (sample){.means = g_array_new(FALSE, FALSE, sizeof(double)),
                             .gaps_s = g_array_new(FALSE, FALSE, sizeof(double))};
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        const int c = run_job_find(job, loop->configuration);
        if (c < 0 || (until && loop->number > until[c]))
            continue;
        take(&out.of[c], loop);
        if (before)
            take_gap(&out.of[of_before], job, before, loop);
        before = loop;
        of_before = c;
    }
    return out;
}

static void samples_clear(samples *all) {
    for (unsigned c = 0; c < all->job->benchmark.configurations_count; c++) {
        g_array_unref(all->of[c].means);
        g_array_unref(all->of[c].gaps_s);
    }
    g_free(all->of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(samples, samples_clear)

/* Reading, checking and keeping what a process left. The median: neither waiting for an idle node
 * nor a kill is in it. */
static double handling_s(const sample *from) {
    if (from->gaps_s->len == 0)
        return 0;
    det_sort((double *)(gpointer)from->gaps_s->data, from->gaps_s->len);
    return fmax(g_array_index(from->gaps_s, double, from->gaps_s->len / 2), 0);
}

/* Of all attempts of a configuration, with what is waited for them. */
static double cost_of(const samples *all, unsigned configuration) {
    const sample *own = &all->of[configuration];
    return own->seconds + own->tries * (all->job->benchmark.rest_s + handling_s(own));
}

static double cost_of_all(const samples *all) {
    double sum_s = 0;
    for (unsigned c = 0; c < all->job->benchmark.configurations_count; c++)
        sum_s += cost_of(all, c);
    return sum_s;
}

/* Of one more process; with none yet, nothing is known. */
static double cost_of_one(const samples *all, unsigned configuration) {
    const unsigned tries = all->of[configuration].tries;
    return tries ? cost_of(all, configuration) / tries : 0;
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
        det_sort((double *)(gpointer)means->data, means->len);
        x[0] = x[1];
        x[means->len - 1] = x[means->len - 2];
    }
}

static det_allocate_leg leg_of(const samples *all, unsigned configuration, double distance) {
    GArray *means = all->of[configuration].means;
    det_allocate_leg leg = {.parent = run_job_parent(all->job, configuration),
                            .cost_s = cost_of_one(all, configuration)};
    double sd = 0;
    calm(means, distance);
    if (means->len > 0)
        (void)det_mean_of(&leg.mean, means->len > 1 ? &sd : NULL, (double *)(gpointer)means->data,
                          means->len);
    leg.variance = sd * sd;
    return leg;
}

/* The block after these loops, which are added to; false: there is none. */
static bool block_next(const run_job *job, const GPtrArray *loops, double distance, unsigned *until,
                       run_plan_block *block) {
    det_allocate_leg leg[DET_CONFIGURATIONS_MAX];
    double share[DET_CONFIGURATIONS_MAX];
    const unsigned count = job->benchmark.configurations_count;
    unsigned runs = 0;
    g_auto(samples) all = samples_of(job, loops, until);
    const double left_s = MINUTE_S * job->benchmark.budget_minutes - cost_of_all(&all);
    *block = (run_plan_block){{0}};
    for (unsigned c = 0; c < count; c++)
        leg[c] = leg_of(&all, c, distance);
    if (!(left_s > 0) || det_allocate_shares(leg, count, share) != DET_OK)
        return false;
    det_allocate_block(leg, share, count, left_s, block->runs);
    for (unsigned c = 0; c < count; c++) {
        block->runs[c] =
            MIN(block->runs[c], RUN_BUDGET_LOOPS_MAX - MIN(until[c], RUN_BUDGET_LOOPS_MAX));
        until[c] += block->runs[c];
        runs += block->runs[c];
    }
    return runs > 0;
}

static bool fits(const run_job *job, const GPtrArray *loops, const run_plan_step *step) {
    g_auto(samples) all = samples_of(job, loops, NULL);
    return cost_of_all(&all) + cost_of_one(&all, step->configuration) <=
               MINUTE_S * job->benchmark.budget_minutes ||
           run_loops_least(job, loops) < job->minimum_loops;
}

run_plan_answer run_budget_next(const run_job *job, const run_plan *rounds, double distance,
                                const GPtrArray *loops, run_plan_step *step) {
    g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(run_plan_block));
    g_autoptr(GArray) done = run_loops_done(job, loops);
    unsigned until[DET_CONFIGURATIONS_MAX];
    run_plan_block block;
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++)
        until[c] = rounds->loops;
    /* Blocks follow from the loops before them, so each is found again, as long as it is whole. */
    for (;;) {
        run_plan plan = *rounds;
        plan.blocks = (const run_plan_block *)(gpointer)blocks->data;
        plan.blocks_count = blocks->len;
        const run_plan_answer answer =
            run_plan_next(&plan, (run_loop_done *)(gpointer)done->data, done->len, step);
        if (answer == RUN_PLAN_NEXT)
            return fits(job, loops, step) ? RUN_PLAN_NEXT : RUN_PLAN_COMPLETE;
        if (answer == RUN_PLAN_HOPELESS || !block_next(job, loops, distance, until, &block))
            return answer;
        g_array_append_val(blocks, block);
    }
}

double run_budget_left_s(const run_job *job, const GPtrArray *loops) {
    g_auto(samples) all = samples_of(job, loops, NULL);
    return fmax(MINUTE_S * job->benchmark.budget_minutes - cost_of_all(&all), 0);
}

char *run_budget_short(const run_job *job, const GPtrArray *loops) {
    const unsigned least = run_loops_least(job, loops);
    return least < job->benchmark.loops
               ? g_strdup_printf("budget_minutes (%g) ended after %u of %u rounds",
                                 job->benchmark.budget_minutes, least, job->benchmark.loops)
               : NULL;
}

static unsigned loops_that_count(const run_job *job, const GPtrArray *loops,
                                 unsigned configuration) {
    g_autoptr(GArray) done = run_loops_done(job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    unsigned used = 0;
    for (guint i = 0; i < done->len; i++)
        used += counts[i] && g_array_index(done, run_loop_done, i).configuration == configuration;
    return used;
}

json_t *run_budget_report(const run_job *job, const GPtrArray *loops) {
    g_auto(samples) all = samples_of(job, loops, NULL);
    const double all_s = cost_of_all(&all);
    json_t *configurations = json_object();
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++) {
        const double own_s = cost_of(&all, c);
        json_object_set_new(
            configurations, job->benchmark.configurations[c].name,
            json_pack("{s:I, s:f, s:f}", "loops", (json_int_t)loops_that_count(job, loops, c),
                      "minutes", own_s / MINUTE_S, "percent", all_s > 0 ? 100 * own_s / all_s : 0));
    }
    return json_pack("{s:f, s:f, s:I, s:o}", "minutes", job->benchmark.budget_minutes,
                     "spent_minutes", all_s / MINUTE_S, "rounds",
                     (json_int_t)MIN(run_loops_least(job, loops), job->benchmark.loops),
                     "configurations", configurations);
}
