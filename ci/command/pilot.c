#include "ci/command/pilot.h"

#include "ci/formats/night.h"
#include "config/model/benchmark.h"
#include "detector/statistics/plan.h"
#include "detector/statistics/portion.h"
#include "detector/statistics/stats.h"

#include <math.h>

#define PROCESSES_MAX 1000u
#define POWER 0.8
/* A pilot says little of processes that are ten times as long, or as short. */
#define STRETCH 10.0
#define CALLS_LEAST 100.0
#define LOOPS_MOST 1000.0
#define ROUNDS_LEAST 12 /* longer processes than so many fit would be too few for an interval */
#define ROUNDS_FIRST 5u /* of a night with a budget */

typedef struct {
    double mean[PROCESSES_MAX], sd[PROCESSES_MAX];
    size_t count;
    double calls, warmup, seconds; /* of all processes, together */
} sample;

static void take(sample *s, const json_t *loop) {
    const json_t *summary = json_object_get(loop, "summary");
    const double mean = cfg_json_number(summary, "mean_ns"), sd = cfg_json_number(summary, "sd_ns");
    const double calls = cfg_json_number(summary, "n"),
                 warmup = cfg_json_number(loop, "warmup_calls");
    if (cfg_json_word(loop, "failed", NULL) || !isfinite(mean) || s->count == PROCESSES_MAX)
        return;
    s->mean[s->count] = mean;
    s->sd[s->count++] = isfinite(sd) ? sd : 0;
    s->calls += isfinite(calls) ? calls : 1;
    s->warmup += isfinite(warmup) ? warmup : 0;
    s->seconds += fmax(cfg_json_number(loop, "seconds"), 0);
}

/* Seconds from the end of a process of this configuration to the start of what ran next, without
 * the rest: what it left is read and kept. The median: no wait for an idle node is in it. */
static double handling_of(const json_t *loops, const char *name, double rest_s) {
    g_autoptr(GArray) gaps = g_array_new(FALSE, FALSE, sizeof(double));
    for (size_t i = 1; i < json_array_size(loops); i++) {
        const json_t *one = json_array_get(loops, i - 1), *next = json_array_get(loops, i);
        const double gap =
            (cfg_json_number(next, "started_ms") - cfg_json_number(one, "started_ms")) / 1000 -
            cfg_json_number(one, "seconds") - rest_s;
        if (g_str_equal(cfg_json_word(one, "configuration", ""), name) && isfinite(gap))
            g_array_append_val(gaps, gap);
    }
    det_sort((double *)(gpointer)gaps->data, gaps->len);
    return gaps->len > 0 ? fmax(g_array_index(gaps, double, gaps->len / 2), 0) : 0;
}

/* What a process costs beside its calls: of that, what each call costs, as recording it, reading it
 * and keeping it do. The slope over the configurations, where they have different numbers of calls;
 * then fewer calls save it, too. */
static void share_overhead(ci_pilot *pilot, const double *handling_s, double rest_s) {
    double overhead_s[CI_PILOT_CONFIGURATIONS], total[CI_PILOT_CONFIGURATIONS];
    double calls = 1, seconds = 0;
    det_line line;
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        total[i] = leg->warmup + leg->calls;
        overhead_s[i] = handling_s[i] + fmax(leg->start_s - rest_s - leg->warmup * leg->call_s, 0);
    }
    (void)det_mean_of(&calls, NULL, total, pilot->count);
    (void)det_mean_of(&seconds, NULL, overhead_s, pilot->count);
    if (det_line_fit(&line, total, overhead_s, NULL, pilot->count, 0.95) != DET_OK)
        line.slope.mean = 0; /* all have as many calls */
    const double slope = fmin(fmax(line.slope.mean, 0), seconds / calls);
    for (size_t i = 0; i < pilot->count; i++) {
        ci_pilot_leg *leg = &pilot->leg[i];
        const double of_call_s = fmin(slope, overhead_s[i] / total[i]);
        leg->start_s += handling_s[i] - leg->calls * of_call_s;
        leg->call_s += of_call_s;
    }
}

static bool leg_read(ci_pilot_leg *leg, const json_t *loops, double rest_s, GError **error) {
    g_autofree sample *s = g_new0(sample, 1);
    size_t i;
    const json_t *loop;
    json_array_foreach (loops, i, loop)
        if (g_str_equal(cfg_json_word(loop, "configuration", ""), leg->name))
            take(s, loop);
    const double n = (double)s->count;
    leg->calls = leg->planned = fmax(s->calls / n, 1);
    if (det_components_of(&leg->varies, s->mean, s->sd, s->count, leg->calls) != DET_OK)
        return ci_wrong(error,
                        "%s: %zu of its processes can be used and two are needed; see run.log",
                        leg->name, s->count);
    leg->warmup = leg->planned_warmup = s->warmup / n;
    leg->call_s = leg->varies.mean / 1e9;
    /* At least what the calls took that are dropped: less of them is then never less than nothing.
     */
    leg->start_s =
        fmax(s->seconds / n - leg->calls * leg->call_s, leg->warmup * leg->call_s) + rest_s;
    return true;
}

/* Of one process. */
static double cost_of(const ci_pilot_leg *leg, bool after) {
    return leg->start_s + (after ? leg->planned_warmup - leg->warmup : 0) * leg->call_s +
           (after ? leg->planned : leg->calls) * leg->call_s;
}

/* A process without the calls that count, as planned. */
static double planned_start(const ci_pilot_leg *leg) {
    return leg->start_s + (leg->planned_warmup - leg->warmup) * leg->call_s;
}

/* A round: one process of each configuration. */
static double round_of(const ci_pilot *pilot, bool after) {
    double seconds = 0;
    for (size_t i = 0; i < pilot->count; i++)
        seconds += cost_of(&pilot->leg[i], after);
    return seconds;
}

/* The loops are numbered up to as many as there are. */
static void settle(ci_pilot_leg *leg, const cfg_benchmark *benchmark, const json_t *loops,
                   const char *folder) {
    const ci_warmup found = ci_warmup_of(folder, benchmark->recursion_depth, leg->name,
                                         (unsigned)json_array_size(loops), leg->warmup);
    leg->settled = found.settled;
    leg->seen = found.seen;
    if (found.warmup >= 0)
        leg->planned_warmup = found.warmup;
    if (found.known)
        leg->varies = found.varies;
}

bool ci_pilot_read(ci_pilot *out, const cfg_project *project, const json_t *experiment,
                   const char *folder, GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    const json_t *loops = json_object_get(experiment, "loops");
    double handling_s[CI_PILOT_CONFIGURATIONS];
    bool differs = false;
    *out = (ci_pilot){.count = MIN(benchmark->configurations_count, CI_PILOT_CONFIGURATIONS),
                      .budget = !benchmark->whole_rounds && !(benchmark->precision_percent > 0),
                      .least = MAX(project->detection.minimum_loops, 2),
                      .loops = benchmark->loops};
    for (size_t i = 0; i < out->count; i++) {
        const cfg_configuration *c = &benchmark->configurations[i];
        ci_pilot_leg *leg = &out->leg[i];
        *leg = (ci_pilot_leg){c->name, c->portion,
                              cfg_benchmark_find(benchmark, (unsigned)out->count, c->parent),
                              .share = 0};
        if (!leg_read(leg, loops, benchmark->rest_s, error))
            return false;
        handling_s[i] = handling_of(loops, leg->name, benchmark->rest_s);
        if (folder)
            settle(leg, benchmark, loops, folder);
        differs |= leg->varies.between > 0 || leg->varies.within > 0;
    }
    share_overhead(out, handling_s, benchmark->rest_s);
    out->seconds_now = out->loops * round_of(out, false);
    return differs || ci_wrong(error, "all processes gave the same value, so no number of "
                                      "loops can be planned; the clock may be too coarse");
}

/* Of the configuration's mean in a night; loops 0: of one process. */
static double mean_variance(const ci_pilot_leg *leg, bool after, double loops) {
    return det_plan_variance(&leg->varies, after ? leg->planned : leg->calls) / loops;
}

static double portion_variance(const ci_pilot *pilot, size_t leg, bool after) {
    const ci_pilot_leg *own = &pilot->leg[leg];
    const ci_pilot_leg *parent = own->parent >= 0 ? &pilot->leg[own->parent] : NULL;
    return mean_variance(own, after, after ? own->planned_loops : pilot->loops) +
           (parent ? mean_variance(parent, after, after ? parent->planned_loops : pilot->loops)
                   : 0);
}

double ci_pilot_detectable(const ci_pilot *pilot, size_t leg, double confidence, bool after) {
    return det_plan_detectable(portion_variance(pilot, leg, after), confidence, POWER);
}

static det_allocate_leg allocated(const ci_pilot_leg *leg) {
    return (det_allocate_leg){leg->parent, leg->varies.mean, mean_variance(leg, true, 1),
                              cost_of(leg, true)};
}

/* The portions' half widths are to shrink as shares of their values. */
static void weights_of(const ci_pilot *pilot, double *weight) {
    det_allocate_leg legs[CI_PILOT_CONFIGURATIONS];
    for (size_t i = 0; i < pilot->count; i++)
        legs[i] = allocated(&pilot->leg[i]);
    det_allocate_weights(legs, pilot->count, weight);
}

/* Within what a pilot can say, and what a process may take; as many as now may always be. */
static double calls_within(const ci_pilot_leg *leg, double calls, double process_s) {
    const double least = fmin(fmax(leg->calls / STRETCH, CALLS_LEAST), leg->calls);
    const double longest =
        leg->call_s > 0 ? (process_s - planned_start(leg)) / leg->call_s : INFINITY;
    const double most = fmin(leg->calls * STRETCH, fmax(longest, leg->calls));
    return round(fmin(fmax(calls, least), most));
}

/* Where each configuration has as many processes as it needs, each has its own best length. */
static void calls_alone(ci_pilot *pilot, double process_s) {
    for (size_t i = 0; i < pilot->count; i++) {
        ci_pilot_leg *leg = &pilot->leg[i];
        const det_plan_leg own = {leg->varies, 1, planned_start(leg), leg->call_s};
        const double now = det_plan_variance(&leg->varies, leg->calls) *
                           (planned_start(leg) + leg->calls * leg->call_s);
        double calls;
        det_plan_calls(&own, 1, &calls);
        leg->planned = calls_within(leg, calls, process_s);
        if (mean_variance(leg, true, 1) * cost_of(leg, true) >= now)
            leg->planned = leg->calls;
    }
}

/* Of all portions together, for a second of measuring. */
static double variance_second(const ci_pilot *pilot, const double *weight) {
    double sum = 0;
    for (size_t i = 0; i < pilot->count; i++)
        sum += weight[i] * mean_variance(&pilot->leg[i], true, 1);
    return sum * round_of(pilot, true);
}

/* Rounds have as many processes of each: their lengths are planned together. */
static void calls_together(ci_pilot *pilot, double process_s) {
    double weight[CI_PILOT_CONFIGURATIONS], calls[CI_PILOT_CONFIGURATIONS];
    det_plan_leg legs[CI_PILOT_CONFIGURATIONS];
    weights_of(pilot, weight);
    for (size_t i = 0; i < pilot->count; i++) {
        ci_pilot_leg *leg = &pilot->leg[i];
        leg->planned = leg->calls;
        legs[i] = (det_plan_leg){leg->varies, weight[i], planned_start(leg), leg->call_s};
    }
    const double now = variance_second(pilot, weight);
    det_plan_calls(legs, pilot->count, calls);
    for (size_t i = 0; i < pilot->count; i++)
        pilot->leg[i].planned = calls_within(&pilot->leg[i], calls[i], process_s);
    if (variance_second(pilot, weight) >= now)
        for (size_t i = 0; i < pilot->count; i++)
            pilot->leg[i].planned = pilot->leg[i].calls;
}

/* What the runner will do with what is left after the first rounds, as far as the pilot can say. */
static bool spend(ci_pilot *pilot, double left_s, GError **error) {
    det_allocate_leg legs[CI_PILOT_CONFIGURATIONS];
    double share[CI_PILOT_CONFIGURATIONS], block_s = 0;
    unsigned runs[CI_PILOT_CONFIGURATIONS];
    for (size_t i = 0; i < pilot->count; i++)
        legs[i] = allocated(&pilot->leg[i]);
    if (det_allocate_shares(legs, pilot->count, share) != DET_OK)
        return ci_wrong(error, "the pilot's times are not valid numbers, so there is no plan");
    det_allocate_block(legs, share, pilot->count, left_s, runs);
    for (size_t i = 0; i < pilot->count; i++)
        block_s += runs[i] * legs[i].cost_s;
    for (size_t i = 0; i < pilot->count; i++)
        pilot->leg[i].planned_loops += runs[i] * left_s / fmax(block_s, 1e-9);
    return true;
}

static void shares_of(ci_pilot *pilot) {
    pilot->seconds_after = 0;
    for (size_t i = 0; i < pilot->count; i++) {
        ci_pilot_leg *leg = &pilot->leg[i];
        leg->planned_loops = fmin(leg->planned_loops, LOOPS_MOST);
        pilot->seconds_after += leg->share = leg->planned_loops * cost_of(leg, true);
    }
    for (size_t i = 0; i < pilot->count; i++)
        pilot->leg[i].share /= fmax(pilot->seconds_after, 1e-9);
}

bool ci_pilot_plan(ci_pilot *pilot, double minutes, GError **error) {
    const double process_s = 60 * minutes / ROUNDS_LEAST / (double)MAX(pilot->count, 1);
    if (pilot->budget)
        calls_alone(pilot, process_s);
    else
        calls_together(pilot, process_s);
    const double round_s = round_of(pilot, true), loops = floor(60 * minutes / round_s);
    const unsigned least = MAX(pilot->least, 2);
    if (!(loops >= least))
        return ci_wrong(error,
                        "%u rounds of all configurations take %.2g minutes, more than %.2g; "
                        "allow as many with --minutes, or measure fewer calls or configurations",
                        least, least * round_s / 60, minutes);
    pilot->planned_loops = pilot->budget
                               ? MIN(MAX(ROUNDS_FIRST, least), (unsigned)fmin(loops, LOOPS_MOST))
                               : (unsigned)fmin(loops, LOOPS_MOST);
    for (size_t i = 0; i < pilot->count; i++)
        pilot->leg[i].planned_loops = pilot->planned_loops;
    if (pilot->budget && !spend(pilot, 60 * minutes - pilot->planned_loops * round_s, error))
        return false;
    shares_of(pilot);
    return true;
}
