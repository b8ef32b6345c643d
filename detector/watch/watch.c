#include "detector/watch/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/dist.h"
#include "detector/watch/watch__.h"
#include "detector/words/text__.h"

static const char *const trims[] = {[DET_TRIM_ENDS] = "ends", [DET_TRIM_SLOW] = "slow"};

det_status det_trim_read(const char *text, det_trim *trim) {
    for (size_t i = 0; i < sizeof trims / sizeof *trims; i++)
        if (strcmp(text, trims[i]) == 0) {
            *trim = (det_trim)i;
            return DET_OK;
        }
    return DET_EINVAL;
}

void det_policy_init(det_policy *policy) {
    *policy = (det_policy){.confidence = 0.95,
                           .effect_relative = 0.01,
                           .baseline_nights = 30,
                           .minimum_loops = 2,
                           .caution = 1,
                           .patience = 1};
}

det_status det_policy_check(const det_policy *p) {
    const bool fine =
        p->confidence >= 0.5 && p->confidence <= 0.9999 && p->effect_relative >= 0 &&
        isfinite(p->effect_relative) && p->effect_absolute >= 0 && isfinite(p->effect_absolute) &&
        p->baseline_nights >= 1 && p->baseline_nights <= DET_BASELINE_MAX &&
        p->minimum_loops >= 1 && p->minimum_loops <= DET_LOOPS_MAX &&
        (p->trim == DET_TRIM_ENDS || p->trim == DET_TRIM_SLOW) && p->direction >= -1 &&
        p->direction <= 1 && p->patience >= 1 && p->patience <= 4 && p->caution >= 0.1 &&
        p->caution <= 10 && p->zero >= 0 && isfinite(p->zero);
    return fine ? DET_OK : DET_EINVAL;
}

det_watch *det_watch_new(const det_chain *chain, const det_policy *policy) {
    if (det_chain_check(chain) != DET_OK || det_policy_check(policy) != DET_OK ||
        chain->count == 0) /* which the analyzer does not see in the check */
        return NULL;
    det_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->chain = *chain;
    for (size_t p = 0; p < chain->count; p++)
        watch->policy[p] = *policy;
    for (size_t p = 0; p < chain->count; p++)
        for (size_t c = 0; c < chain->count; c++)
            watch->under[p][c] = det__under(chain, c, p);
    const size_t n = chain->count, filter = det__filter_size(n);
    const size_t blocks = (DET__BANK / DET__LANES + 1) * det__block_rows(n) * sizeof(det__lanes);
    watch->base = calloc(filter, sizeof *watch->base);
    watch->spread = calloc(n, sizeof *watch->spread);
    watch->bank = calloc(DET__BANK, sizeof *watch->bank);
    watch->beliefs = aligned_alloc(sizeof(det__lanes), blocks);
    watch->stamps = calloc(DET__DEPTH, sizeof *watch->stamps);
    watch->cells = calloc(DET__DEPTH * n, sizeof *watch->cells);
    watch->before = calloc(DET__BELIEFS * filter, sizeof *watch->before);
    watch->spread_before = calloc(DET__BELIEFS * n, sizeof *watch->spread_before);
    if (!watch->base || !watch->spread || !watch->bank || !watch->beliefs || !watch->stamps ||
        !watch->cells || !watch->before || !watch->spread_before) {
        det_watch_free(watch);
        return NULL;
    }
    memset(watch->beliefs, 0, blocks);
    for (size_t c = 0; c < n; c++)
        watch->onset.level[c] = watch->onset.low[c] = watch->onset.high[c] = (double)NAN;
    det__spread_begin(watch);
    return watch;
}

void det_watch_free(det_watch *watch) {
    if (!watch)
        return;
    free(watch->base);
    free(watch->spread);
    free(watch->bank);
    free(watch->beliefs);
    free(watch->stamps);
    free(watch->cells);
    free(watch->before);
    free(watch->spread_before);
    free(watch);
}

det_status det_watch_set_policy(det_watch *watch, size_t portion, const det_policy *policy) {
    if (portion >= watch->chain.count || det_policy_check(policy) != DET_OK)
        return DET_EINVAL;
    const det_policy series = watch->policy[0];
    watch->policy[portion] = *policy;
    watch->policy[portion].baseline_nights = series.baseline_nights;
    watch->policy[portion].minimum_loops = series.minimum_loops;
    watch->policy[portion].trim = series.trim;
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

static void label(det__stamp *stamp, const char *text) {
    det__line line = det__line_of(stamp->label, sizeof stamp->label);
    det__put(&line, text ? text : stamp->id < 0 ? "night -" : "night ");
    if (!text)
        det__put_count(&line, stamp->id < 0 ? 0 - (uint64_t)stamp->id : (uint64_t)stamp->id);
}

static void remember(det_watch *watch, uint64_t serial, const det_night *night) {
    double loop[DET_LOOPS_MAX];
    det__stamp *stamp = det__stamp_at(watch, serial);
    stamp->id = night->id;
    label(stamp, night->label);
    for (size_t c = 0; c < watch->chain.count; c++) {
        size_t n = 0;
        for (size_t l = 0; l < night->loops; l++) {
            const double mean = night->means[c * night->loops + l];
            if (!isnan(mean))
                loop[n++] = mean > 0 ? mean : watch->policy[c].zero;
        }
        det__cells_at(watch, serial)[c] = det__condense(loop, n, watch->policy[0].trim);
        watch->groups[c] = (det__groups){0};
        (void)det__groups_of(&watch->groups[c], loop, n, (n + 3) / 4); /* too few: no groups */
    }
}

static void verdict_clear(const det_watch *watch, uint64_t serial, size_t portion, det_verdict *v) {
    const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    const det__cell *cells = det__cells_at(watch, serial);
    const int64_t id = det__stamp_at(watch, serial)->id;
    double x[DET_CONFIGURATIONS_MAX];
    for (size_t c = 0; c < watch->chain.count; c++)
        x[c] = cells[c].mean;
    memset(v, 0, offsetof(det_verdict, reason) + 1);
    v->night = v->reference = v->difference = none;
    v->night.mean = det__difference(&watch->chain, x, portion);
    v->night.n = (size_t)cells[portion].loops;
    v->ratio = NAN;
    v->reference_from = v->reference_to = v->to = v->from = v->trial_from = id;
}

/* which: the configurations that begin, by bits. */
static void tell_begin(const det_watch *watch, det_rule why, uint64_t which, det_verdict *out) {
    for (size_t p = 0; p < watch->chain.count; p++) {
        const int parent = watch->chain.parent[p];
        const bool begins = which >> p & 1 || (parent >= 0 && which >> parent & 1);
        if (out[p].verdict == DET_VERDICT_HARNESS || !begins)
            continue;
        out[p].verdict = why == DET_RULE_FIRST ? DET_VERDICT_FIRST : DET_VERDICT_ENVIRONMENT;
        out[p].rule = why;
    }
}

static void environment_incident(det_watch *watch, uint64_t serial) {
    const det__odd since = {.first = *det__stamp_at(watch, serial),
                            .before = *det__stamp_at(watch, serial - 1)};
    det__incident_begin(watch, DET_INCIDENT_ENVIRONMENT, &since, (double)NAN);
}

/* why: FIRST of the series, unless it is set aside whole */
static void begin(det_watch *watch, uint64_t serial, det_rule why, det_verdict *out) {
    if (watch->onset.waiting)
        return;
    det__begin(watch, serial);
    tell_begin(watch, why, UINT64_MAX, out);
}

/* Have all begun that have a value in this night? */
static bool is_all(const det_watch *watch, uint64_t serial, uint64_t which) {
    bool all = true;
    for (size_t c = 0; c < watch->chain.count; c++)
        all = all && (which >> c & 1 || isnan(det__cells_at(watch, serial)[c].mean));
    return all;
}

static void move_to(double mean, det_interval *interval) {
    interval->low += mean - interval->mean;
    interval->high += mean - interval->mean;
    interval->mean = mean;
}

static void zero_of(double zero, det_interval *interval) {
    if (fabs(interval->mean) <= DET__ZERO_NEAR * zero)
        move_to(0, interval);
}

/* What was taken for 0 is told as 0. */
static void zero_tell(double zero, det_verdict *v) {
    if (zero == 0)
        return;
    zero_of(zero, &v->night);
    zero_of(zero, &v->reference);
    move_to(v->night.mean - v->reference.mean, &v->difference);
    v->ratio = v->reference.mean > 0 ? v->night.mean / v->reference.mean : (double)NAN;
}

det_status det_watch_add(det_watch *watch, const det_night *night, det_verdict *out) {
    static const bool known[DET_CONFIGURATIONS_MAX] = {false};
    const det_status status = night_check(watch, night);
    if (status != DET_OK)
        return status;
    const uint64_t serial = watch->nights;
    remember(watch, serial, night);
    for (size_t p = 0; p < watch->chain.count; p++)
        verdict_clear(watch, serial, p, &out[p]);
    const bool first = serial == 0 || watch->onset.waiting;
    const bool another = !first && night->new_environment;
    det__incident_night(watch);
    const uint64_t believed = det__guard(watch, serial, out);
    if (another)
        environment_incident(watch, serial);
    if (another)
        watch->onset.since = UINT64_MAX / 2; /* its own first nights are not the history's */
    if (first || another || (believed && is_all(watch, serial, believed))) {
        begin(watch, serial,
              first     ? DET_RULE_FIRST
              : another ? DET_RULE_NEW_ENVIRONMENT
                        : DET_RULE_NEW_LEVEL,
              out);
    } else {
        if (believed)
            det__forget(watch, believed);
        det__absorb(watch, serial, known);
        det__judge(watch, serial, out);
        tell_begin(watch, DET_RULE_NEW_LEVEL, believed, out);
    }
    for (size_t p = 0; p < watch->chain.count; p++) {
        zero_tell(watch->policy[p].zero, &out[p]);
        det__explain(watch, serial, p, &out[p]);
    }
    watch->nights++;
    return DET_OK;
}

/* The night with this id among those that a change may be dated to; serial + 1: none. */
static uint64_t find(const det_watch *watch, int64_t id, uint64_t serial) {
    for (uint64_t age = 0; age < DET__BELIEFS && age <= serial; age++)
        if (det__stamp_at(watch, serial - age)->id == id)
            return serial - age;
    return serial + 1;
}

/* The supposed change of the last night; DET_EINVAL: there is none such. */
static det_status change_find(const det_watch *watch, size_t portion, int64_t to,
                              det__change *change) {
    const uint64_t serial = watch->nights - 1;
    if (portion >= watch->chain.count || watch->nights == 0)
        return DET_EINVAL;
    *change = (det__change){.start = find(watch, to, serial), .portion = portion};
    return change->start > serial || change->start == 0 ? DET_EINVAL : DET_OK;
}

static void change_confirm(det_watch *watch, det__change *change, const det__step *step) {
    const size_t portion = (size_t)change->portion;
    if (change->start < watch->start[portion]) { /* the nights since that began say its level */
        det__tell_across(watch, portion);
        det__small_begin(watch, portion);
        return;
    }
    /* What was believed before an earlier accepted change is no longer what counts. */
    for (size_t p = 0; p < watch->chain.count; p++)
        change->start = watch->start[p] > change->start ? watch->start[p] : change->start;
    change->width = det__change_width(watch, portion, change->start);
    if (step)
        det__accept_measured(watch, change, step, watch->nights - 1);
    else
        det__accept(watch, change, watch->nights - 1, false);
    det__small_begin(watch, portion);
}

det_status det_watch_resolve(det_watch *watch, size_t portion, int64_t to, det_outcome outcome) {
    det__change change;
    const det_status status = change_find(watch, portion, to, &change);
    if (status != DET_OK)
        return status;
    if (outcome == DET_CONFIRMED) {
        change_confirm(watch, &change, NULL);
        return DET_OK;
    }
    if (outcome == DET_CLEARED) {
        det__follow_together(watch, watch->nights - 1);
        det__follow_cleared(watch, portion, watch->nights - 1);
    }
    det__clear(watch, portion, watch->nights - 1, outcome == DET_CLEARED);
    if (outcome == DET_CLEARED)
        det__small_begin(watch, portion); /* so many small steps do not add up */
    return DET_OK;
}

/* A test that stops when it has seen enough stops where chance helped: its difference is trusted
 * with twice its error. */
#define STOPPED_EARLY 2.0

det_status det_watch_confirm(det_watch *watch, size_t portion, int64_t to,
                             const det_interval *before, const det_interval *difference) {
    det__change change;
    const det_status status = change_find(watch, portion, to, &change);
    if (status != DET_OK)
        return status;
    const double confidence = watch->policy[portion].confidence;
    const double level =
        det__difference(&watch->chain, det__before_at(watch, change.start), portion);
    const bool elsewhere =
        before && level > 0 && before->low > 0 && (before->low > level || before->high < level);
    const double share = elsewhere ? level / before->mean : 1;
    const double error = share * STOPPED_EARLY * (difference->high - difference->low) / 2 /
                         -det_normal_quantile((1 - confidence) / 2);
    const det__step step = {share * difference->mean, error * error};
    if (!isfinite(step.size) || !isfinite(step.variance))
        return DET_ENUMERIC;
    change_confirm(watch, &change, &step);
    return DET_OK;
}
