#include "ci/formats/comparison.h"

#include "config/json_text.h"
#include "config/model/detection.h"
#include "detector/detector.h"
#include "web/words/words.h"

#include <math.h>

/* That of its configuration, or the only one of its name. */
static const json_t *portion_of(const json_t *night, const json_t *portion, const char *which) {
    const json_t *named = NULL;
    size_t i, names = 0;
    json_t *p;
    cfg_json_each (night, "portions", i, p) {
        if (!g_str_equal(cfg_json_word(p, "portion", ""), cfg_json_word(portion, "portion", "")))
            continue;
        if (g_str_equal(cfg_json_word(p, "configuration", ""),
                        cfg_json_word(portion, "configuration", "")))
            return p;
        named = p;
        names++;
    }
    return names == 1 && !which ? named : NULL;
}

/* Degrees of freedom: as written by analyze, else one less than the night's loops. */
static double freedom(const json_t *night, const json_t *portion) {
    const double df = cfg_json_number(portion, "df");
    return isfinite(df) ? df : cfg_json_number(night, "loops") - 1;
}

/* Its interval, of the level that both are compared at. */
static det_interval estimate_of(const json_t *night, const json_t *portion) {
    return (det_interval){.mean = cfg_json_number(portion, "mean_ns"),
                          .low = cfg_json_number(portion, "low_ns"),
                          .high = cfg_json_number(portion, "high_ns"),
                          .df = freedom(night, portion)};
}

static det_interval difference(const det_interval *a, const det_interval *b, double level) {
    det_interval out;
    return det_interval_between(&out, a, b, level) == DET_OK
               ? out
               : (det_interval){.mean = b->mean - a->mean, .low = NAN, .high = NAN};
}

/* Loops of a configuration, as the night has them; NULL: it has no such configuration. */
static const json_t *loops_of(const json_t *night, const char *configuration) {
    size_t i;
    const json_t *c;
    cfg_json_each (night, "configurations", i, c)
        if (g_str_equal(cfg_json_word(c, "name", ""), configuration))
            return json_object_get(c, "loop_results");
    return NULL;
}

/* NaN: the loop is missing. */
static double loop_mean(const json_t *loops, size_t i) {
    return cfg_json_number(json_object_get(json_array_get(loops, i), "summary"), "mean_ns");
}

/* What the portion is in each loop. [n], to g_free. */
static double *portion_loops(const json_t *night, const json_t *portion, size_t n) {
    const char *parent = cfg_json_word(portion, "parent", NULL);
    const json_t *own = loops_of(night, cfg_json_word(portion, "configuration", ""));
    const json_t *below = parent ? loops_of(night, parent) : NULL;
    double *out = g_new(double, n);
    for (size_t i = 0; i < n; i++)
        out[i] = loop_mean(own, i) - (parent ? loop_mean(below, i) : 0);
    return out;
}

/* Over the pairs of which nothing is missing. */
static det_interval paired_difference(const json_t *before, const json_t *old, const json_t *after,
                                      const json_t *now, double level) {
    const size_t n = MIN(json_array_size(loops_of(before, cfg_json_word(old, "configuration", ""))),
                         json_array_size(loops_of(after, cfg_json_word(now, "configuration", ""))));
    g_autofree double *a = portion_loops(before, old, n), *b = portion_loops(after, now, n);
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(b[i] - a[i]))
            continue;
        a[pairs] = a[i];
        b[pairs++] = b[i];
    }
    det_interval out;
    if (det_interval_paired(&out, a, b, pairs, level) != DET_OK)
        out = (det_interval){.mean = pairs == 1 ? b[0] - a[0] : NAN, .low = NAN, .high = NAN};
    return out;
}

/* What of the two decides, in words. */
typedef struct {
    const char *unknown, *same, *small, *changed;
} rule;

static const rule overlaps = {
    "one loop has no interval, so the two cannot be compared", "the intervals of the two overlap",
    "the intervals of the two do not overlap, but the change is below the minimum effect",
    "the intervals of the two do not overlap"};
static const rule pairs = {
    "fewer than two loops of both can be paired: too few to compare",
    "measured at the same time, the two show no difference",
    "measured at the same time, the two differ, but by less than the minimum effect",
    "measured at the same time, the two differ"};

/* The change's sentence, and what was made of it. */
static char *reason_text(const det_change *change, const char *why) {
    char text[DET_CHANGE_MAX];
    det_change_sentence(text, sizeof text, change);
    return g_strconcat(text, "; ", why, NULL);
}

/* Its configuration, if another of the array has the same letter; else NULL. Borrowed. */
static const char *which_of(const json_t *portion, const json_t *portions) {
    const char *letter = cfg_json_word(portion, "portion", NULL),
               *own = cfg_json_word(portion, "configuration", NULL);
    size_t i;
    const json_t *other;
    json_array_foreach (portions, i, other)
        if (g_strcmp0(cfg_json_word(other, "portion", NULL), letter) == 0 &&
            g_strcmp0(cfg_json_word(other, "configuration", NULL), own) != 0)
            return own;
    return NULL;
}

double ci_comparison_least(const ci_comparison_options *options, const char *unit, double before) {
    return fmax(unit ? 0 : options->minimum_ns, options->minimum_percent / 100 * fabs(before));
}

/* As the server's nights have it: in question, too small to count, or not shown to have changed,
 * unless all that its interval holds is; NULL: that is as before. */
static const char *rule_of(bool known, bool same, const det_interval *d, double least) {
    return !known                                       ? "pending"
           : !same                                      ? "below-minimum-effect"
           : fmax(fabs(d->low), fabs(d->high)) <= least ? NULL
                                                        : "little-evidence";
}

static void compare_portion(const json_t *before, const json_t *after, const json_t *old,
                            json_t *now, const ci_comparison_options *o) {
    g_autofree char *name = web_portion_name(cfg_json_word(now, "portion", "?"),
                                             which_of(now, json_object_get(after, "portions")));
    const det_interval a = estimate_of(before, old), b = estimate_of(after, now),
                       d = o->paired ? paired_difference(before, old, after, now, o->confidence)
                                     : difference(&a, &b, o->confidence);
    const rule *words = o->paired ? &pairs : &overlaps;
    const double percent = 100 * d.mean / fabs(a.mean);
    const bool known = o->paired ? isfinite(d.low) : isfinite(a.low) && isfinite(b.low);
    const bool same = o->paired ? d.low <= 0 && d.high >= 0 : det_intervals_overlap(&a, &b);
    const char *unit = cfg_json_word(now, "unit", NULL);
    const double least = ci_comparison_least(o, unit, a.mean);
    const bool small = fabs(d.mean) < least;
    const bool changed = known && !same && !small;
    const char *asked = changed ? NULL : rule_of(known, same, &d, least);
    json_t *gap = model_write(&cfg_interval_ns_model, &d);
    json_object_set_new(gap, "percent", cfg_json_real(percent));
    det_change change = det_change_of(name, &a, &b, &d, o->confidence);
    change.unit = unit;
    if (!changed)
        change.known = DET_KNOWN_CLEARED;
    g_autofree char *reason = reason_text(&change, !known  ? words->unknown
                                                   : same  ? words->same
                                                   : small ? words->small
                                                           : words->changed);
    json_object_set_new(now, "reference", model_write(&cfg_interval_ns_model, &a));
    json_object_set_new(now, "difference", gap);
    json_object_set_new(now, "verdict", json_string(changed ? "anomaly" : "ok"));
    if (asked)
        json_object_set_new(now, "rule", json_string(asked));
    json_object_set_new(now, "direction",
                        changed ? json_string(d.mean > 0 ? "up" : "down") : json_null());
    json_object_set_new(now, "reason", json_string(reason));
}

/* The other result does not have it: nobody can tell. */
static void alone_put(json_t *portion, const char *other) {
    json_object_set_new(portion, "verdict", json_string("first"));
    json_object_set_new(portion, "reason",
                        json_sprintf("the %s result has no %s", other,
                                     cfg_json_word(portion, "portion", "such portion")));
}

/* What the earlier result alone has. */
static void gone_put(const json_t *before, json_t *after) {
    const json_t *portions = json_object_get(before, "portions");
    size_t i;
    json_t *old;
    cfg_json_each (before, "portions", i, old) {
        if (portion_of(after, old, which_of(old, portions)))
            continue;
        const det_interval was = estimate_of(before, old);
        json_t *gone = json_pack(
            "{s:O*, s:O*, s:O*, s:s, s:o}", "configuration", json_object_get(old, "configuration"),
            "portion", json_object_get(old, "portion"), "unit", json_object_get(old, "unit"),
            "rule", "missing", "reference", model_write(&cfg_interval_ns_model, &was));
        alone_put(gone, "later");
        json_array_append_new(json_object_get(after, "portions"), gone);
    }
}

bool ci_comparison(const json_t *before, json_t *after, const ci_comparison_options *options,
                   GError **error) {
    unsigned common = 0;
    size_t i;
    json_t *now;
    cfg_json_each (after, "portions", i, now) {
        const json_t *old =
            portion_of(before, now, which_of(now, json_object_get(after, "portions")));
        if (old) {
            compare_portion(before, after, old, now, options);
            common++;
        } else {
            alone_put(now, "earlier");
        }
    }
    if (options->paired)
        json_object_set_new(after, "paired", json_true());
    g_auto(cfg_night) night = cfg_night_of(after);
    g_autofree char *headline = web_night_headline(&night);
    json_object_set_new(after, "headline", json_string(headline));
    gone_put(before, after);
    if (!common)
        ci_wrong(error,
                 "the two results have no portion in common; give the portions the same names "
                 "with --chain");
    return common > 0;
}
