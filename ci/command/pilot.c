#include "ci/command/pilot.h"

#include "ci/formats/night.h"

#include <math.h>

#define PROCESSES_MAX 1000u
#define POWER 0.8
/* A pilot says little of processes that are ten times as long, or as short. */
#define STRETCH 10.0
#define CALLS_LEAST 100.0
#define LOOPS_MOST 1000.0

typedef struct {
    double mean[PROCESSES_MAX], sd[PROCESSES_MAX];
    size_t count;
    double calls, warmup, seconds; /* of all processes, together */
} sample;

static void take(sample *s, const json_t *loop) {
    const json_t *summary = json_object_get(loop, "summary");
    const double mean = ci_json_real(summary, "mean_ns"), sd = ci_json_real(summary, "sd_ns");
    const double calls = ci_json_real(summary, "n"), warmup = ci_json_real(loop, "warmup_calls");
    if (ci_json_text(loop, "failed", NULL) || !isfinite(mean) || s->count == PROCESSES_MAX)
        return;
    s->mean[s->count] = mean;
    s->sd[s->count++] = isfinite(sd) ? sd : 0;
    s->calls += isfinite(calls) ? calls : 1;
    s->warmup += isfinite(warmup) ? warmup : 0;
    s->seconds += fmax(ci_json_real(loop, "seconds"), 0);
}

static bool leg_read(ci_pilot_leg *leg, const json_t *loops, double rest_s, GError **error) {
    g_autofree sample *s = g_new0(sample, 1);
    size_t i;
    const json_t *loop;
    json_array_foreach (loops, i, loop)
        if (g_str_equal(ci_json_text(loop, "configuration", ""), leg->name))
            take(s, loop);
    const double n = (double)s->count;
    leg->calls = leg->planned = fmax(s->calls / n, 1);
    if (det_components_of(&leg->varies, s->mean, s->sd, s->count, leg->calls) != DET_OK)
        return ci_wrong(error,
                        "%s: %zu of its processes can be used and two are needed; see run.log",
                        leg->name, s->count);
    leg->warmup = s->warmup / n;
    leg->call_s = leg->varies.mean / 1e9;
    leg->start_s = fmax(s->seconds / n - leg->calls * leg->call_s, 0) + rest_s;
    return true;
}

static int place_of(const cfg_benchmark *benchmark, const char *name) {
    for (unsigned i = 0; name && i < benchmark->configurations_count; i++)
        if (g_str_equal(benchmark->configurations[i].name, name))
            return (int)i;
    return -1;
}

static double cost_of(const ci_pilot_leg *leg, double calls) {
    return leg->start_s + calls * leg->call_s;
}

/* A round: one process of each configuration. */
static double round_of(const ci_pilot *pilot, bool after) {
    double seconds = 0;
    for (size_t i = 0; i < pilot->count; i++)
        seconds += cost_of(&pilot->leg[i], after ? pilot->leg[i].planned : pilot->leg[i].calls);
    return seconds;
}

bool ci_pilot_read(ci_pilot *out, const cfg_project *project, const json_t *experiment,
                   GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    const json_t *loops = json_object_get(experiment, "loops");
    bool differs = false;
    *out = (ci_pilot){.count = MIN(benchmark->configurations_count, CI_PILOT_CONFIGURATIONS),
                      .loops = benchmark->loops};
    for (size_t i = 0; i < out->count; i++) {
        const cfg_configuration *c = &benchmark->configurations[i];
        ci_pilot_leg *leg = &out->leg[i];
        *leg = (ci_pilot_leg){c->name, c->portion, place_of(benchmark, c->parent), .share = 0};
        if (!leg_read(leg, loops, benchmark->rest_s, error))
            return false;
        differs |= leg->varies.between > 0 || leg->varies.within > 0;
    }
    out->seconds_now = out->loops * round_of(out, false);
    return differs ||
           ci_wrong(error, "all processes gave the same value: there is nothing to plan; "
                           "does the clock tick fast enough?");
}

static double portion_variance(const ci_pilot *pilot, size_t leg, bool after, double loops) {
    const ci_pilot_leg *own = &pilot->leg[leg];
    double variance = det_plan_variance(&own->varies, after ? own->planned : own->calls);
    if (own->parent >= 0) {
        const ci_pilot_leg *parent = &pilot->leg[own->parent];
        variance += det_plan_variance(&parent->varies, after ? parent->planned : parent->calls);
    }
    return variance / loops;
}

double ci_pilot_detectable(const ci_pilot *pilot, size_t leg, double confidence, bool after) {
    const double loops = after ? pilot->planned_loops : pilot->loops;
    return det_plan_detectable(portion_variance(pilot, leg, after, loops), confidence, POWER);
}

/* Of all portions together, for a second of measuring. */
static double variance_second(const ci_pilot *pilot, bool after) {
    double sum = 0;
    for (size_t i = 0; i < pilot->count; i++)
        sum += portion_variance(pilot, i, after, 1);
    return sum * round_of(pilot, after);
}

static void weights_of(const ci_pilot *pilot, double *weight) {
    for (size_t i = 0; i < pilot->count; i++)
        weight[i] = 1;
    for (size_t i = 0; i < pilot->count; i++)
        if (pilot->leg[i].parent >= 0)
            weight[pilot->leg[i].parent]++;
}

static void shares_of(ci_pilot *pilot) {
    double weight[CI_PILOT_CONFIGURATIONS], variance[CI_PILOT_CONFIGURATIONS],
        cost[CI_PILOT_CONFIGURATIONS], share[CI_PILOT_CONFIGURATIONS];
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        variance[i] = det_plan_variance(&leg->varies, leg->planned);
        cost[i] = fmax(cost_of(leg, leg->planned), 1e-9);
    }
    weights_of(pilot, weight);
    det_plan_shares(pilot->count, weight, variance, cost, share);
    for (size_t i = 0; i < pilot->count; i++)
        pilot->leg[i].share = share[i];
}

static void calls_of(ci_pilot *pilot) {
    double weight[CI_PILOT_CONFIGURATIONS], calls[CI_PILOT_CONFIGURATIONS];
    det_plan_leg legs[CI_PILOT_CONFIGURATIONS];
    weights_of(pilot, weight);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        legs[i] = (det_plan_leg){leg->varies, weight[i], leg->start_s, leg->call_s};
    }
    det_plan_calls(legs, pilot->count, calls);
    for (size_t i = 0; i < pilot->count; i++) {
        ci_pilot_leg *leg = &pilot->leg[i];
        const double least = fmin(fmax(leg->calls / STRETCH, CALLS_LEAST), leg->calls);
        leg->planned = round(fmin(fmax(calls[i], least), leg->calls * STRETCH));
    }
}

bool ci_pilot_plan(ci_pilot *pilot, double minutes, GError **error) {
    calls_of(pilot);
    /* Within what a pilot can say, what is there may do as well. */
    const bool better = variance_second(pilot, true) < variance_second(pilot, false);
    for (size_t i = 0; i < pilot->count && !better; i++)
        pilot->leg[i].planned = pilot->leg[i].calls;
    const double loops = floor(60 * minutes / round_of(pilot, true));
    if (!(loops >= 2))
        return ci_wrong(error,
                        "two rounds of all configurations take %.2g minutes, more than %.2g; "
                        "allow as many with --minutes, or measure fewer calls or configurations",
                        2 * round_of(pilot, true) / 60, minutes);
    pilot->planned_loops = (unsigned)fmin(loops, LOOPS_MOST);
    pilot->seconds_after = pilot->planned_loops * round_of(pilot, true);
    shares_of(pilot);
    return true;
}
