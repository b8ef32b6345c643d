#include "web/chart/claim.h"

#include <math.h>

/* Is its level in question that night, or was measuring it again against its difference? Then what
 * two nights show of it is no change for certain, unless a later night told of it. */
static bool is_asked(const cfg_portion *portion) {
    return cfg_is(cfg_portion_known(portion), "doubtful") ||
           (!portion->later && cfg_is(portion->verdict, "cleared"));
}

bool web_claim_is_asked(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (is_asked(&night->portions[i]))
            return true;
    return false;
}

/* Was it on a level of the machine's, which is none of those that another night was judged against?
 */
static bool is_elsewhere(const cfg_portion *portion) {
    return cfg_is(cfg_portion_known(portion), "incomparable") &&
           !cfg_is(portion->rule, "new-environment");
}

/* Did the machine move it this way? Beside a level of a night or two its own is too wide to say. */
static bool is_scaled(const cfg_portion *newer, bool up) {
    return cfg_is(newer->rule, "common-scale") && cfg_is(newer->direction, up ? "up" : "down");
}

/* Did its night tell the other way what is known of it by now? Then what it was judged by, and at,
 * is of the nights before. */
static bool is_retold(const cfg_portion *portion) {
    return portion->later && portion->direction && !cfg_is(portion->direction, portion->later);
}

/* Is the older night one of those that the newer one was judged against? */
static bool was_judged_by(const web_claim_side *newer, const web_claim_side *older) {
    const cfg_night *now = newer->night, *before = older->night;
    return g_strcmp0(now->project, before->project) == 0 &&
           g_strcmp0(now->environment, before->environment) == 0 &&
           g_strcmp0(now->night, before->night) >= 0 && before->experiment > 0 &&
           before->experiment >= newer->portion->reference_from &&
           before->experiment <= newer->portion->reference_to &&
           (!cfg_is(newer->portion->verdict, "environment") ||
            is_scaled(newer->portion, newer->mean > older->mean)) &&
           !is_elsewhere(older->portion) && !cfg_portion_is_denied(newer->portion) &&
           !is_retold(newer->portion);
}

/* What the newer night says of itself, by now; up: the newer one's value is the higher one. */
static web_claim verdict_of(const cfg_portion *newer, const cfg_portion *older, bool up) {
    const char *moved = newer->later && !older->later       ? newer->later
                        : cfg_is(newer->verdict, "anomaly") ? newer->direction
                                                            : NULL;
    const char *way = up ? "up" : "down";
    return cfg_is(moved, way) || is_scaled(newer, up)                     ? WEB_CLAIM_SHOWN
           : cfg_portion_is_small(newer) && cfg_is(newer->direction, way) ? WEB_CLAIM_SMALL
                                                                          : WEB_CLAIM_LITTLE;
}

static double half_of(const cfg_portion *portion) {
    return (portion->judged.high - portion->judged.low) / 2;
}

/* One or two nights do not show how far they lie apart: that is assumed of them. */
#define YOUNG_NIGHTS 2

/* Where its level lies: of a night that is as before that of the nights before, else as it was
 * judged. What was not judged is as sure as the other side; what begins with a night or two, too,
 * or the second would show less than the first. */
static det_interval level_of(const web_claim_side *side, const web_claim_side *other) {
    const cfg_portion *portion = side->portion;
    const det_interval *reference = &portion->reference;
    const bool as_before = cfg_is(portion->verdict, "ok") && !cfg_portion_is_denied(portion) &&
                           !portion->later && isfinite(reference->low);
    const bool young = portion->reference_nights <= YOUNG_NIGHTS;
    const double half = half_of(other->portion), mean = as_before ? reference->mean : side->mean;
    if (as_before && !(young && half < (reference->high - reference->low) / 2))
        return *reference;
    if (!as_before && !is_retold(portion) && isfinite(half_of(portion)))
        return portion->judged;
    return (det_interval){.mean = mean, .low = mean - half, .high = mean + half};
}

/* What its project takes for too small to be told, of this level. */
static double least_of(const web_claim_side *side, double level) {
    const cfg_night *night = side->night;
    return fmax(side->portion->unit ? 0 : night->minimum_effect_ns, /* fmax: not NaN */
                night->minimum_effect_percent / 100 * fabs(level));
}

static web_claim levels_claim(const web_claim_side *a, const web_claim_side *b) {
    const det_interval before = level_of(a, b), after = level_of(b, a);
    const bool known = isfinite(before.low) && isfinite(after.low);
    const bool apart = b->mean > a->mean ? after.low > before.high : after.high < before.low;
    const double gap = fabs(after.mean - before.mean);
    const bool small = gap < least_of(a, before.mean) || gap < least_of(b, before.mean);
    return !known   ? WEB_CLAIM_LOOPS
           : !apart ? WEB_CLAIM_LITTLE
           : small  ? WEB_CLAIM_SMALL
                    : WEB_CLAIM_SHOWN;
}

bool web_claim_otherwise(const web_claim_side *a, const web_claim_side *b, const web_moved *moved) {
    const det_interval before = level_of(a, b), after = level_of(b, a), *factor = &moved->factor;
    const double gap =
        fmax(after.mean - factor->high * before.mean, factor->low * before.mean - after.mean);
    const bool apart =
        after.low > factor->high * before.high || after.high < factor->low * before.low;
    return apart && !(gap < least_of(a, before.mean) || gap < least_of(b, before.mean));
}

web_claim web_claim_of(const web_claim_side *a, const web_claim_side *b) {
    if (is_asked(a->portion) || is_asked(b->portion))
        return WEB_CLAIM_ASKED;
    if (was_judged_by(b, a))
        return verdict_of(b->portion, a->portion, b->mean > a->mean);
    if (was_judged_by(a, b))
        return verdict_of(a->portion, b->portion, a->mean > b->mean);
    return levels_claim(a, b);
}

/* Why a side's own night claims less than its values. */
static const char *doubt_words(const cfg_night *night) {
    bool doubtful = false, elsewhere = false;
    for (unsigned i = 0; i < night->portions_count; i++) {
        const char *standing = cfg_portion_known(&night->portions[i]);
        doubtful = doubtful || cfg_is(standing, "doubtful");
        elsewhere = elsewhere || is_elsewhere(&night->portions[i]);
    }
    return doubtful                    ? "itself is in question"
           : web_claim_is_asked(night) ? "was suspected and cleared"
           : elsewhere                 ? "may differ by the machine"
                                       : NULL;
}

char *web_claim_doubt(const cfg_night *a, const cfg_night *b, const char *moved) {
    const cfg_night *const sides[] = {a, b};
    GString *words = g_string_new(NULL);
    for (unsigned k = 0; k < 2; k++) {
        const char *why = doubt_words(sides[k]);
        if (why)
            g_string_append_printf(words, "%s%s %s", words->len ? "; " : "", k == 0 ? "A" : "B",
                                   why);
    }
    if (moved)
        g_string_append_printf(words, "%sbetween them, and not by the monitoring: %s",
                               words->len ? "; " : "", moved);
    return g_string_free(words, words->len == 0);
}
