#include "detector/watch/confirm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/dist.h"
#include "detector/words/change__.h"

#define SELECTION 0.75  /* a suspicion is raised when noise helped: its size is overestimated */
#define SHARE_LEAST 0.2 /* the parent is measured at least so often: its change matters too */
/* Evidence that makes it worth to measure again, where clearing takes `worth` loops, and how much
   more it must be for a longer measurement. */
#define DUE_EVIDENCE 1.0
#define DUE_COST 1.0
#define TRIM 10 /* one loop in so many is cut at each end */

void det_confirm_policy_init(det_confirm_policy *policy) {
    *policy =
        (det_confirm_policy){.alpha = 0.002, .beta = 0.05, .worth = 60, .step = 10, .maximum = 300};
}

det_status det_confirm_policy_check(const det_confirm_policy *p) {
    const int fine = p->alpha > 0 && p->alpha < 0.5 && p->beta > 0 && p->beta < 0.5 &&
                     p->worth >= 1 && p->step >= 1 && p->maximum >= p->step && p->maximum <= 10000;
    return fine ? DET_OK : DET_EINVAL;
}

det_confirm_plan det_confirm_plan_of(const det_confirm_policy *confirm, const det_policy *policy,
                                     const det_verdict *verdict, double own, double parent) {
    det_confirm_plan plan = {.parent_share = 1};
    if (own > 0)
        plan.parent_share = fmin(fmax(parent / own, SHARE_LEAST), 1);
    /* Under no change the evidence falls by expected^2 / (4 spread^2) a loop, on average. */
    const double spread = hypot(own, parent / sqrt(plan.parent_share));
    const double fall = -log(confirm->beta / (1 - confirm->alpha));
    const double least =
        fmax(policy->effect_absolute, policy->effect_relative * fabs(verdict->reference.mean));
    /* What fewer loops can tell is asked where fewer are allowed. */
    const double worth = fmin(confirm->worth, confirm->maximum);
    const double told = spread * sqrt(4 * fall / worth);
    const double size = fmax(fmin(SELECTION * fabs(verdict->difference.mean), told), least);
    plan.expected = verdict->difference.mean < 0 ? -size : size;
    plan.loops = size > 0 ? 4 * fall * spread * spread / (size * size) : INFINITY;
    if (size >= told && size > 0)
        plan.loops = fmin(plan.loops, worth); /* rounding must not make it one too many */
    plan.due = verdict->evidence >= DUE_EVIDENCE + DUE_COST * log(plan.loops / confirm->worth);
    return plan;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct {
    double mean, variance; /* of the mean */
} robust;

static det_status robust_of(robust *out, const double *x, size_t n) {
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return DET_ENOMEM;
    memcpy(sorted, x, n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) {
            free(sorted);
            return DET_ENUMERIC;
        }
    qsort(sorted, n, sizeof *sorted, ascending);
    const size_t cut = n / TRIM, kept = n - 2 * cut;
    double mean = 0, center = 0, squares = 0;
    for (size_t i = cut; i < n - cut; i++)
        mean += sorted[i] / (double)kept;
    center = (mean * (double)kept + (double)cut * (sorted[cut] + sorted[n - 1 - cut])) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t w = i < cut ? cut : i >= n - cut ? n - 1 - cut : i;
        squares += (sorted[w] - center) * (sorted[w] - center);
    }
    free(sorted);
    *out = (robust){.mean = mean, .variance = squares / ((double)kept * (double)(kept - 1))};
    return DET_OK;
}

/* Mean and variance of one commit's portion. */
static det_status portion_of(robust *out, const double *own, size_t n, const double *parent,
                             size_t parent_n) {
    robust above = {0};
    det_status status = robust_of(out, own, n);
    if (status == DET_OK && parent)
        status = robust_of(&above, parent, parent_n);
    out->mean -= above.mean;
    out->variance += above.variance;
    return status;
}

static det_interval around(robust r, double df, size_t n, double level) {
    const double half = det_t_critical(1 - level, df) * sqrt(r.variance);
    return (det_interval){
        .mean = r.mean, .low = r.mean - half, .high = r.mean + half, .n = n, .df = df};
}

static void explain(det_confirm_result *r, const char *name, double level) {
    static const char *const ends[] = {"more loops are needed", "confirmed", "not confirmed"};
    det__line line = det__line_of(r->reason, sizeof r->reason);
    const det_change change = det_change_of(name, &r->before, &r->after, &r->difference, level);
    det__put(&line, "Measured again, ");
    det__put_change(&line, &change, 0);
    det__put(&line, ", ");
    det__put_count(&line, r->loops);
    det__put(&line, " loops of each commit and configuration in turn: ");
    det__put(&line, ends[r->state]);
}

det_status det_confirm_judge(det_confirm_result *out, const det_confirm_policy *policy,
                             const char *name, double expected, const det_confirm_sample *s,
                             double level) {
    robust before, after;
    if (det_confirm_policy_check(policy) != DET_OK || !isfinite(expected) || expected == 0 ||
        !(level > 0 && level < 1))
        return DET_EINVAL;
    if (s->loops < 3 || (s->before_parent && s->parent_loops < 3))
        return DET_ESHORT;
    det_status status = portion_of(&before, s->before, s->loops, s->before_parent, s->parent_loops);
    if (status == DET_OK)
        status = portion_of(&after, s->after, s->loops, s->after_parent, s->parent_loops);
    if (status != DET_OK)
        return status;
    const double df = 2 * (double)s->loops - 2;
    const robust difference = {.mean = after.mean - before.mean,
                               .variance = before.variance + after.variance};
    det_confirm_result r = {.loops = s->loops, .state = DET_CONFIRM_MORE};
    r.before = around(before, df / 2, s->loops, level);
    r.after = around(after, df / 2, s->loops, level);
    r.difference = around(difference, df, s->loops, level);
    /* The variance is an estimate: its uncertainty widens it as it does Student's t. */
    const double variance = fmax(difference.variance, 1e-300) * (df + 2) / df;
    r.evidence = (difference.mean * expected - expected * expected / 2) / variance;
    if (r.evidence >= log((1 - policy->beta) / policy->alpha))
        r.state = DET_CONFIRM_YES;
    else if (r.evidence <= log(policy->beta / (1 - policy->alpha)) || s->loops >= policy->maximum)
        r.state = DET_CONFIRM_NO;
    explain(&r, name, level);
    *out = r;
    return DET_OK;
}
