#include "detector/watch/merge.h"

#include <math.h>

#include "detector/statistics/dist.h"
#include "detector/watch/robust__.h"
#include "detector/words/text__.h"

#define FEW 40 /* loops, of which one that a commit slows now and then may be missed */

static int question_fine(const det_merge_question *q) {
    return q->portions >= 1 && q->alpha > 0 && q->alpha < 0.5 && q->effect_relative >= 0 &&
           isfinite(q->effect_relative) && q->effect_absolute >= 0 && isfinite(q->effect_absolute);
}

static double half_of(const det_interval *interval) {
    return (interval->high - interval->low) / 2;
}

static int is_within(const det_interval *interval, double least) {
    return interval->low > -least && interval->high < least;
}

/* The difference at all looks at once, at the level that is shown: a portion's share of alpha is
   for "slower" and "faster" alone. Of few loops it is as wide as for these. */
static det_interval settled_of(const det_merge_result *r, const det_merge_question *q) {
    const double times = det__sequential_times(1 - q->level, r->loops, r->difference.df) /
                         det_t_critical(1 - q->level, r->difference.df);
    const double half = half_of(&r->difference) * times, mean = r->difference.mean;
    return r->loops < FEW ? r->sequential : (det_interval){.low = mean - half, .high = mean + half};
}

static det_merge_answer decide(const det_merge_result *r, const det_merge_question *q) {
    const det_interval settled = settled_of(r, q);
    if (r->sequential.low > 0 && r->difference.mean >= r->least_ns)
        return DET_MERGE_SLOWER;
    if (r->sequential.high < 0 && r->difference.mean <= -r->least_ns)
        return DET_MERGE_FASTER;
    if (is_within(q->last ? &r->difference : &settled, r->least_ns))
        return DET_MERGE_SAME;
    return q->last ? DET_MERGE_UNSURE : DET_MERGE_MORE;
}

/* Told when its estimate is beyond the least change and the sequential half width. The shown half
   width is for chance: how that moves the estimate, and the half width, whose spread is an estimate
   as well (Johnson and Welch 1940). */
static double seen_of(const det_merge_result *r, double level) {
    const double half = half_of(&r->sequential), chance = half_of(&r->difference);
    const double reach = half / chance * det_t_critical(1 - level, r->difference.df);
    return fmax(r->least_ns + chance,
                half + chance * sqrt(1 + reach * reach / (2 * r->difference.df)));
}

static void put_much(det__line *line, const det_merge_result *r, double ns) {
    det__put_amount(line, ns, NULL);
    if (r->before.mean > 0) {
        det__put(line, " (");
        det__put_number(line, 100 * ns / r->before.mean);
        det__put(line, " %)");
    }
}

static void explain(det_merge_result *r, const det_merge_question *q,
                    const det_confirm_result *measured, const det_confirm_sample *sample) {
    det__line line = det__line_of(r->sentence, sizeof r->sentence);
    det_change change = det_change_of(q->name, &r->before, &r->after, &r->difference, q->level);
    const int told = r->answer == DET_MERGE_SLOWER || r->answer == DET_MERGE_FASTER;
    change.known = DET_KNOWN_JUDGED;
    if (told) {
        det__put_change(&line, &change, 0);
    } else if (r->answer == DET_MERGE_SAME) { /* few loops rule out more than they would tell */
        det__put(&line, q->name);
        det__put(&line, r->difference.low > 0 || r->difference.high < 0
                            ? " differs, by less than "
                            : " is as before: it differs by less than ");
        put_much(&line, r, fmax(-r->difference.low, r->difference.high));
    } else {
        det__put(&line, q->name);
        det__put(&line, r->answer == DET_MERGE_MORE
                            ? " has no answer yet"
                            : " is unsure: what was measured is not enough");
        det__put(&line, "; a change of ");
        put_much(&line, r, r->seen_ns);
        det__put(&line, " or more would have been seen");
    }
    det__put_loops(&line, sample, measured->fastest);
}

det_status det_merge_judge(det_merge_result *out, const det_merge_question *q,
                           const det_confirm_sample *sample) {
    det_confirm_policy policy;
    det_confirm_result measured;
    if (!question_fine(q))
        return DET_EINVAL;
    det_confirm_policy_init(&policy);
    policy.alpha = q->alpha / (double)q->portions;
    /* Only its intervals are taken: which change it tests for changes nothing of them. */
    const det_confirm_question any = {.name = q->name, .expected = 1, .level = q->level};
    const det_status status = det_confirm_judge(&measured, &policy, &any, sample);
    if (status != DET_OK)
        return status;
    det_merge_result r = {.loops = measured.loops,
                          .before = measured.before,
                          .after = measured.after,
                          .difference = measured.difference,
                          .sequential = measured.sequential};
    r.least_ns = fmax(q->effect_absolute, q->effect_relative * fabs(r.before.mean));
    r.seen_ns = seen_of(&r, q->level);
    r.answer = decide(&r, q);
    explain(&r, q, &measured, sample);
    *out = r;
    return DET_OK;
}

const char *det_merge_text(det_merge_answer answer) {
    static const char *const texts[] = {"more", "slower", "faster", "same", "unsure"};
    return (unsigned)answer < sizeof texts / sizeof *texts ? texts[answer] : "unknown";
}
