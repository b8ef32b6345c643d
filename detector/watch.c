#include "detector/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/dist.h"
#include "detector/watch__.h"

/* Error rate of one portion in one night on one side and the other; three portions over a year of
   nights then raise one alarm by noise alone. Short histories are guarded by Student's t. */
#define NIGHT_ALPHA 0.001

/* A control that moved by this factor explains a portion that moved by as much and half again. */
#define ENVIRONMENT_REACH 1.5
#define ENVIRONMENT_NIGHTS 2 /* so many in a row and the new machine is the reference */

void det_policy_init(det_policy *policy) {
    *policy = (det_policy){.confidence = 0.95,
                           .effect_relative = 0.05,
                           .baseline_nights = 30,
                           .minimum_loops = 2,
                           .patience = 1};
}

det_status det_policy_check(const det_policy *p) {
    const bool fine = p->confidence >= 0.5 && p->confidence <= 0.9999 && p->effect_relative >= 0 &&
                      isfinite(p->effect_relative) && p->effect_absolute >= 0 &&
                      isfinite(p->effect_absolute) && p->baseline_nights >= 1 &&
                      p->baseline_nights <= DET_BASELINE_MAX && p->minimum_loops >= 1 &&
                      p->minimum_loops <= DET_LOOPS_MAX && p->direction >= -1 &&
                      p->direction <= 1 && p->patience >= 1 && p->patience <= 4;
    return fine ? DET_OK : DET_EINVAL;
}

det_watch *det_watch_new(const det_chain *chain, const det_policy *policy) {
    if (det_chain_check(chain) != DET_OK || det_policy_check(policy) != DET_OK)
        return NULL;
    det_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->chain = *chain;
    for (size_t p = 0; p < chain->count; p++)
        watch->policy[p] = *policy;
    watch->stamps = calloc(DET__DEPTH, sizeof *watch->stamps);
    watch->cells = calloc(DET__DEPTH * chain->count, sizeof *watch->cells);
    watch->used = calloc(DET__DEPTH * chain->count, sizeof *watch->used);
    if (!watch->stamps || !watch->cells || !watch->used) {
        det_watch_free(watch);
        return NULL;
    }
    return watch;
}

void det_watch_free(det_watch *watch) {
    if (!watch)
        return;
    free(watch->stamps);
    free(watch->cells);
    free(watch->used);
    free(watch);
}

det_status det_watch_set_policy(det_watch *watch, size_t portion, const det_policy *policy) {
    if (portion >= watch->chain.count || det_policy_check(policy) != DET_OK)
        return DET_EINVAL;
    const det_policy series = watch->policy[0];
    watch->policy[portion] = *policy;
    watch->policy[portion].baseline_nights = series.baseline_nights;
    watch->policy[portion].minimum_loops = series.minimum_loops;
    return DET_OK;
}

/* A night is refused whole before anything is remembered. */
static det_status night_check(const det_watch *watch, const det_night *night) {
    if (!night->means || night->loops < 1 || night->loops > DET_LOOPS_MAX)
        return DET_EINVAL;
    for (size_t i = 0; i < night->loops * watch->chain.count; i++)
        if (isinf(night->means[i]) || night->means[i] < 0)
            return DET_ENUMERIC;
    return DET_OK;
}

static void remember(det_watch *watch, uint64_t serial, const det_night *night) {
    double loop[DET_LOOPS_MAX];
    det__stamp *stamp = det__stamp_at(watch, serial);
    stamp->id = night->id;
    if (night->label)
        (void)snprintf(stamp->label, sizeof stamp->label, "%s", night->label);
    else
        (void)snprintf(stamp->label, sizeof stamp->label, "night %lld", (long long)night->id);
    for (size_t c = 0; c < watch->chain.count; c++) {
        size_t n = 0;
        for (size_t l = 0; l < night->loops; l++)
            if (!isnan(night->means[c * night->loops + l]))
                loop[n++] = night->means[c * night->loops + l];
        *det__cell_at(watch, serial, c) = det__condense(loop, n);
        *det__used_at(watch, serial, c) = 0;
    }
}

static det_interval interval(double mean, double half, size_t n, double df) {
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half, .n = n, .df = df};
}

/* The numbers of the verdict. The two shown intervals are scaled so that they touch exactly where
   the difference reaches its threshold (Goldstein and Healy 1995). */
static void compare(const det_watch *watch, uint64_t serial, size_t portion,
                    const det__reference *r, det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    const double value = det__portion_value(watch, serial, portion), difference = value - r->mean;
    const double a = sqrt(r->night_variance), b = sqrt(r->variance), error = hypot(a, b);
    const double threshold = det_t_critical(NIGHT_ALPHA, r->df) * error;
    const double share = a + b > 0 ? threshold / (a + b) : 0;
    v->night =
        interval(value, share * a, (size_t)det__cell_at(watch, serial, portion)->loops, r->df);
    v->reference = interval(r->mean, share * b, r->nights, r->df);
    v->difference = interval(difference, det_t_critical(1 - policy->confidence, r->df) * error,
                             r->nights, r->df);
    v->ratio = value / r->mean;
    if (threshold > 0)
        v->score = fabs(difference) / threshold;
    else
        v->score = difference != 0 ? INFINITY : 0;
    v->reference_nights = r->nights;
    v->reference_from = det__stamp_at(watch, r->first)->id;
    v->reference_to = v->before = det__stamp_at(watch, r->last)->id;
    v->direction = (difference > 0) - (difference < 0);
}

static bool matters(const det_policy *policy, const det_verdict *v) {
    const double change = fabs(v->difference.mean);
    return change >= policy->effect_absolute &&
           change >= policy->effect_relative * fabs(v->reference.mean);
}

/* Is the portion's change one that a machine slower by the control's ratio would show? */
static bool explained(const det_verdict *control, const det_verdict *v) {
    if (!(v->ratio > 0) || !(control->ratio > 0) || v->direction != control->direction)
        return false;
    return fabs(log(v->ratio)) <= ENVIRONMENT_REACH * fabs(log(control->ratio));
}

static void decide(const det_watch *watch, size_t portion, const det_verdict *control,
                   det_verdict *v) {
    const det_policy *policy = &watch->policy[portion];
    v->kind = DET_VERDICT_OK;
    v->rule = DET_RULE_WITHIN;
    if (v->score < 1) {
        v->direction = 0;
        return;
    }
    v->rule = DET_RULE_BELOW_EFFECT;
    if (!matters(policy, v)) {
        v->direction = 0;
        return;
    }
    v->kind = DET_VERDICT_ANOMALY;
    v->rule = DET_RULE_NIGHT;
    if (control == v ||
        (control && control->kind == DET_VERDICT_ENVIRONMENT && explained(control, v))) {
        v->kind = DET_VERDICT_ENVIRONMENT;
        v->rule = DET_RULE_CONTROL_MOVED;
    }
}

static void verdict_clear(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    const int64_t id = det__stamp_at(watch, serial)->id;
    memset(v, 0, sizeof *v);
    v->night = v->reference = v->difference = none;
    v->night.mean = det__portion_value(watch, serial, portion);
    v->night.n = (size_t)det__cell_at(watch, serial, portion)->loops;
    v->ratio = NAN;
    v->reference_from = v->reference_to = v->since = v->before = id;
}

static void restart(det_watch *watch, size_t portion, uint64_t serial) {
    watch->track[portion].start = serial;
    watch->track[portion].pending = 0;
}

/* An anomaly waits until `patience` nights in a row stood clear on the same side. */
static void wait_for_more(det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    det__track *track = &watch->track[portion];
    if (v->kind != DET_VERDICT_ANOMALY) {
        track->pending = 0;
        return;
    }
    track->pending = v->direction == track->pending_direction ? track->pending + 1 : 1;
    track->pending_direction = v->direction;
    if (track->pending < watch->policy[portion].patience) {
        v->kind = DET_VERDICT_OK;
        v->rule = DET_RULE_PENDING;
        return;
    }
    const uint64_t first = serial + 1 - track->pending;
    v->since = det__stamp_at(watch, first)->id;
    if (watch->policy[portion].direction == -v->direction) {
        v->kind = DET_VERDICT_OK;
        v->rule = DET_RULE_DIRECTION;
    }
    restart(watch, portion, first);
    for (uint64_t s = first; s <= serial; s++)
        *det__used_at(watch, s, portion) = 1;
}

static void settle(det_watch *watch, uint64_t serial, size_t portion, bool known,
                   const det__reference *reference, det_verdict *v) {
    if (v->kind == DET_VERDICT_HARNESS || v->kind == DET_VERDICT_ENVIRONMENT)
        return;
    if (!known) {
        restart(watch, portion, serial);
        *det__used_at(watch, serial, portion) = 1;
        return;
    }
    wait_for_more(watch, serial, portion, v);
    if (v->kind == DET_VERDICT_OK && v->rule != DET_RULE_PENDING && v->rule != DET_RULE_DIRECTION) {
        *det__used_at(watch, serial, portion) = 1;
        det__spread_learn(watch, serial, portion, reference);
    }
}

/* A control that stays away means another machine: from its first such night on, all is new. */
static void settle_environment(det_watch *watch, uint64_t serial, const det_verdict *out) {
    const int control = watch->chain.control;
    if (control < 0 || out[control].kind == DET_VERDICT_HARNESS)
        return;
    if (out[control].kind != DET_VERDICT_ENVIRONMENT ||
        out[control].rule == DET_RULE_NEW_ENVIRONMENT) {
        watch->environment = 0;
        return;
    }
    if (++watch->environment < ENVIRONMENT_NIGHTS)
        return;
    watch->environment = 0;
    for (size_t p = 0; p < watch->chain.count; p++) {
        if (out[p].kind == DET_VERDICT_HARNESS || out[p].kind == DET_VERDICT_ANOMALY)
            continue;
        restart(watch, p, serial);
        *det__used_at(watch, serial, p) = 1;
    }
}

static void judge(det_watch *watch, uint64_t serial, det_verdict *out) {
    det__reference reference[DET_CONFIGURATIONS_MAX];
    bool known[DET_CONFIGURATIONS_MAX] = {false};
    const size_t count = watch->chain.count;
    for (size_t p = 0; p < count; p++) {
        if (out[p].kind == DET_VERDICT_HARNESS)
            continue;
        known[p] = det__reference_of(watch, serial, p, &reference[p]);
        out[p].kind = DET_VERDICT_FIRST;
        out[p].rule = DET_RULE_FIRST;
        if (known[p])
            compare(watch, serial, p, &reference[p], &out[p]);
    }
    const det_verdict *control = watch->chain.control < 0 ? NULL : &out[watch->chain.control];
    if (control && known[watch->chain.control] && control->kind != DET_VERDICT_HARNESS)
        decide(watch, (size_t)watch->chain.control, control, &out[watch->chain.control]);
    for (size_t p = 0; p < count; p++)
        if (out[p].kind != DET_VERDICT_HARNESS && known[p] && &out[p] != control)
            decide(watch, p, control, &out[p]);
    for (size_t p = 0; p < count; p++)
        settle(watch, serial, p, out[p].kind != DET_VERDICT_HARNESS && known[p], &reference[p],
               &out[p]);
    settle_environment(watch, serial, out);
}

det_status det_watch_add(det_watch *watch, const det_night *night, det_verdict *out) {
    const det_status status = night_check(watch, night);
    if (status != DET_OK)
        return status;
    const uint64_t serial = watch->nights;
    remember(watch, serial, night);
    for (size_t p = 0; p < watch->chain.count; p++) {
        verdict_clear(watch, serial, p, &out[p]);
        if (night->new_environment)
            restart(watch, p, serial);
    }
    det__guard(watch, serial, out);
    judge(watch, serial, out);
    for (size_t p = 0; p < watch->chain.count; p++) {
        if (night->new_environment && serial && out[p].kind == DET_VERDICT_FIRST) {
            out[p].kind = DET_VERDICT_ENVIRONMENT;
            out[p].rule = DET_RULE_NEW_ENVIRONMENT;
        }
        det__explain(watch, serial, p, &out[p]);
    }
    watch->nights++;
    return DET_OK;
}
