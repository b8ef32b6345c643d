#include "web/chart/compare.h"

#include <math.h>

#include "config/json_text.h"
#include "detector/statistics/interval.h"
#include "detector/words/change.h"
#include "detector/words/counted.h"
#include "web/chart/claim.h"
#include "web/chart/settings.h"
#include "web/words/words.h"

/* Values of one configuration or portion, by loop number; NaN where there is none. */
typedef struct {
    double ns[WEB_COMPARE_LOOPS_MAX];
    size_t loops;  /* highest loop number seen */
    bool imported; /* two loops may stand for an interval that the file had:
                      ci/formats/imported_lines.c */
    bool of_file;  /* loops of a tool's file, one benchmark's after the other */
    bool apart;    /* a portion that is not paired: that is its interval */
    det_interval own;
} sample;

/* Two portions, or totals, and how they differ. Its texts are the nights'. */
typedef struct {
    char *portion, *configuration_a, *configuration_b, *unit;
    det_interval a, b, difference;
    double percent, detectable_ns, detectable_percent;
    bool apart;
    char lost[DET_COUNTED_MAX]; /* it takes no more, and this says what it loses; "" */
    web_claim claim;            /* of what is apart */
    const char *claimed;        /* the same for who reads it; NULL: it is not told to have moved */
    bool otherwise;             /* than what moved between the two that is not the code */
    int alerted;                /* an alert between the two tells of it: 1 up, -1 down */
    const char *words;          /* that its difference is told in; static */
} compared;

static const model_member interval_members[] = {
    MODEL(det_interval, mean, "mean_ns", MODEL_NULL, NAN),
    MODEL(det_interval, low, "low_ns", MODEL_NULL, NAN),
    MODEL(det_interval, high, "high_ns", MODEL_NULL, NAN), MODEL(det_interval, n, "n")};
static const model_noun interval = MODEL_NOUN(det_interval, interval_members, "interval");

static const model_member compared_members[] = {
    MODEL(compared, portion, "portion", MODEL_LEFT_OUT),
    MODEL_NULLS(compared, configuration_a, configuration_b),
    MODEL(compared, unit, "unit", MODEL_LEFT_OUT),
    MODEL_A(compared, a, interval, MODEL_PART, "a"),
    MODEL_A(compared, b, interval, MODEL_PART, "b"),
    MODEL_A(compared, difference, interval, MODEL_PART, "difference"),
    MODEL(compared, percent, "percent", MODEL_NULL, NAN),
    MODELS(compared, apart, words),
    MODEL(compared, claimed, "claim", MODEL_LEFT_OUT),
    MODEL(compared, detectable_ns, "detectable_ns", MODEL_NULL, NAN),
    MODEL(compared, detectable_percent, "detectable_percent", MODEL_NULL, NAN)};
static const model_noun compared_noun = MODEL_NOUN(compared, compared_members, "comparison");

static const model_member side_members[] = {
    MODEL_NULLS(cfg_night, experiment, project, night),
    MODEL_A(cfg_night, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    MODEL_NULLS(cfg_night, environment, node)};
static const model_noun side = MODEL_NOUN(cfg_night, side_members, "side");

/* Means of the configuration's loops. */
static void read_loops(const cfg_night *night, const char *configuration, sample *out) {
    const cfg_measured *found = cfg_night_configuration(night, configuration);
    out->loops = 0;
    out->apart = false;
    out->of_file = json_object_get(night->environment_detail, "imported");
    for (size_t k = 0; k < WEB_COMPARE_LOOPS_MAX; k++)
        out->ns[k] = NAN;
    for (unsigned i = 0; found && i < found->loop_results_count; i++) {
        const cfg_loop *loop = &found->loop_results[i];
        const json_t *mean = json_object_get(loop->summary, "mean_ns");
        if (loop->loop < 1 || loop->loop > WEB_COMPARE_LOOPS_MAX || !loop->used || loop->failed ||
            !json_is_number(mean))
            continue;
        out->ns[loop->loop - 1] = json_number_value(mean);
        out->of_file = out->of_file && !json_object_get(loop->summary, "n");
        out->loops = MAX(out->loops, (size_t)loop->loop);
    }
    out->imported =
        out->of_file &&
        !cfg_json_has_word(cfg_json_at(night->environment_detail, "detail.loops"), configuration);
}

/* Round by round: the configuration minus its parent; rounds that lack one of them are left out. */
static void subtract(sample *from, const sample *parent) {
    for (size_t i = 0; i < from->loops; i++)
        from->ns[i] -= parent->ns[i];
}

/* The finite values, put together at the front. */
static size_t condense(sample *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->loops; i++)
        if (isfinite(s->ns[i]))
            s->ns[n++] = s->ns[i];
    s->loops = n;
    return n;
}

/* The interval of one side; with a single value just that value. */
static det_interval interval_of(const sample *s, size_t n, double level) {
    det_interval out = {NAN, NAN, NAN, n, 0};
    if (s->apart)
        return s->own;
    if (det_interval_mean(&out, s->ns, n, level) != DET_OK && n == 1)
        out.mean = s->ns[0];
    return out;
}

/* Loops are a sample, but for two that stand for an interval: of those it counts. */
static bool is_stated(const sample *s, size_t n) {
    return s->apart ? s->own.df <= 0 : s->imported && n == 2;
}

static det_interval difference_of(const sample *a, size_t na, const det_interval *ia,
                                  const sample *b, size_t nb, const det_interval *ib,
                                  double level) {
    det_interval out = {ib->mean - ia->mean, NAN, NAN, MIN(na, nb), 0}, known;
    const det_status status =
        is_stated(a, na) || is_stated(b, nb) ? det_interval_difference(&known, ia, ib)
        : a->apart || b->apart               ? det_interval_between(&known, ia, ib, level)
                               : det_interval_welch(&known, a->ns, na, b->ns, nb, level);
    return status == DET_OK ? known : out;
}

/* Without an interval nothing can be said of a difference, but what was judged of it. */
static bool is_sure(const compared *one) {
    return isfinite(one->difference.low) && isfinite(one->difference.high);
}

/* Does it differ, by its interval or, where it has none, for who judged it? */
static bool differs(const compared *one) {
    return one->apart || (!is_sure(one) && one->claim != WEB_CLAIM_LOOPS);
}

/* Of the two nights, by bits: whose loops of it have all failed. */
#define OF_A 1u
#define OF_B 2u

static unsigned missing_of(const compared *one) {
    return (isnan(one->a.mean) ? OF_A : 0u) | (isnan(one->b.mean) ? OF_B : 0u);
}

/* Is it told that it moved, or may have? */
static bool is_told(const compared *one) {
    return differs(one) && one->difference.mean != 0 && one->claim != WEB_CLAIM_LITTLE &&
           one->claim != WEB_CLAIM_SMALL;
}

/* Does an alert alone tell of it? What both nights differ by may hide that: a slower machine. */
static bool is_alerted(const compared *one) {
    return one->alerted != 0 && !is_told(one) && !missing_of(one);
}

static const char *words_of(const compared *one) {
    static const char *const missing[] = {NULL, "A has no result", "B has no result",
                                          "neither has a result"};
    const int direction = (one->difference.mean > 0) - (one->difference.mean < 0);
    if (missing_of(one))
        return missing[missing_of(one)];
    if (is_alerted(one))
        return one->alerted > 0 ? "rose according to its alert" : "fell according to its alert";
    if (!differs(one))
        return is_sure(one) ? "no difference seen" : "no interval: nothing can be said";
    return one->claim == WEB_CLAIM_LITTLE  ? "not shown to have changed"
           : one->claim == WEB_CLAIM_SMALL ? "differs little"
           : one->claim == WEB_CLAIM_ASKED ? det_change_maybe(direction)
                                           : det_change_verb(direction);
}

static bool is_small(const compared *one) {
    return differs(one) && one->claim == WEB_CLAIM_SMALL;
}

static void say(compared *one) {
    one->words = words_of(one);
    one->claimed = !is_told(one) ? NULL : one->claim == WEB_CLAIM_ASKED ? "asked" : "shown";
}

/* Takes both samples apart. */
static void find_difference(compared *out, sample *a, sample *b, double level) {
    const size_t na = condense(a), nb = condense(b);
    out->a = interval_of(a, na, level);
    out->b = interval_of(b, nb, level);
    const det_interval d = out->difference = difference_of(a, na, &out->a, b, nb, &out->b, level);
    const double base = out->a.mean > 0 ? out->a.mean : NAN;
    out->percent = 100 * d.mean / base;
    out->apart = d.low > 0 || d.high < 0;
    out->detectable_ns =
        d.high > d.low ? (d.high - d.low) / 2 : NAN; /* of equal values nobody knows */
    out->detectable_percent = 100 * out->detectable_ns / base;
}

/* What is not paired: Welch's, as the night has it, or from what a file states. */
static det_interval unpaired(sample *own, sample *below, double level) {
    const size_t n = condense(own), m = condense(below);
    const det_interval of_own = interval_of(own, n, level), under = interval_of(below, m, level);
    det_interval out = {of_own.mean - under.mean, NAN, NAN, MIN(n, m), 0}, known;
    const det_status status = is_stated(own, n) || is_stated(below, m)
                                  ? det_interval_difference(&known, &under, &of_own)
                                  : det_interval_welch(&known, below->ns, m, own->ns, n, level);
    return status == DET_OK ? known : out;
}

static void read_portion(const cfg_night *night, const cfg_portion *portion, double level,
                         sample *out) {
    read_loops(night, portion->configuration, out);
    if (!portion->parent)
        return;
    g_autofree sample *below = g_new(sample, 1);
    read_loops(night, portion->parent, below);
    if (out->of_file || cfg_is(portion->method, "Welch t")) {
        out->own = unpaired(out, below, level);
        out->apart = true;
    } else
        subtract(out, below);
}

/* What a night lost of the records of a configuration. */
static det_interval loss_of(const cfg_night *night, const char *configuration) {
    for (unsigned d = 0; d < night->dimensions_count; d++) {
        const cfg_dimension *one = &night->dimensions[d];
        for (unsigned i = 0; cfg_is(one->dimension, "lost_percent") && i < one->portions_count; i++)
            if (cfg_is(one->portions[i].configuration, configuration))
                return one->portions[i].now;
    }
    return (det_interval){NAN, NAN, NAN, 0, 0};
}

/* Nobody reads of what got better without what it loses. */
static void lose(compared *out, const cfg_night *a, const cfg_night *b, const char *better) {
    const char *direction = out->difference.mean > 0 ? "up" : "down";
    const det_counted lost = {.dimension = det_dimension_find("lost_percent"),
                              .before = loss_of(a, out->configuration_a),
                              .after = loss_of(b, out->configuration_b)};
    if (!cfg_is_worse(direction, better))
        (void)det_counted_lost(out->lost, sizeof out->lost, out->portion, &lost);
}

/* The only portion of a name; NULL: there is none, or several. */
static const cfg_portion *only_of(const cfg_night *night, const char *name) {
    const cfg_portion *only = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < night->portions_count; i++)
        if (g_strcmp0(night->portions[i].portion, name) == 0 && ++n)
            only = &night->portions[i];
    return n == 1 ? only : NULL;
}

static const cfg_portion *partner(const cfg_night *a, const cfg_portion *portion,
                                  const cfg_night *b) {
    for (unsigned i = 0; i < b->portions_count; i++)
        if (g_strcmp0(b->portions[i].portion, portion->portion) == 0 &&
            g_strcmp0(b->portions[i].configuration, portion->configuration) == 0)
            return &b->portions[i];
    return portion->portion && only_of(a, portion->portion) ? only_of(b, portion->portion) : NULL;
}

/* One of two nights of a project has it. */
static void one_sided_add(GArray *out, const cfg_portion *of_a, const cfg_portion *of_b) {
    const cfg_portion *one = of_a ? of_a : of_b;
    const det_interval none = {NAN, NAN, NAN, 0, 0};
    compared item = {.portion = one->portion,
                     .configuration_a = of_a ? of_a->configuration : NULL,
                     .configuration_b = of_b ? of_b->configuration : NULL,
                     .unit = one->unit,
                     .a = of_a ? of_a->now : none,
                     .b = of_b ? of_b->now : none,
                     .difference = none,
                     .percent = NAN,
                     .detectable_ns = NAN,
                     .detectable_percent = NAN};
    say(&item);
    g_array_append_val(out, item);
}

/* In which direction an alert tells of it; 0: none does. */
static int alerted_of(const json_t *alerts, const char *configuration) {
    size_t i;
    const json_t *alert;
    json_array_foreach (alerts, i, alert)
        if (cfg_is(cfg_json_word(alert, "configuration", NULL), configuration))
            return cfg_is(cfg_json_word(alert, "direction", NULL), "up") ? 1 : -1;
    return 0;
}

/* [compared] */
static GArray *compare_portions(const cfg_night *a, const cfg_night *b, const web_moved *moved,
                                const json_t *alerts, double level) {
    GArray *out = g_array_new(FALSE, FALSE, sizeof(compared));
    g_autofree sample *sample_a = g_new(sample, 1), *sample_b = g_new(sample, 1);
    const bool of_one = a->project && g_strcmp0(a->project, b->project) == 0;
    for (unsigned i = 0; i < a->portions_count; i++) {
        const cfg_portion *portion = &a->portions[i], *other = partner(a, portion, b);
        if (!other || g_strcmp0(other->unit, portion->unit) != 0) {
            if (!other && of_one)
                one_sided_add(out, portion, NULL);
            continue;
        }
        compared item = {.portion = portion->portion,
                         .configuration_a = portion->configuration,
                         .configuration_b = other->configuration,
                         .unit = portion->unit,
                         .alerted = alerted_of(alerts, other->configuration)};
        read_portion(a, portion, level, sample_a);
        read_portion(b, other, level, sample_b);
        find_difference(&item, sample_a, sample_b, level);
        const web_claim_side side_a = {a, portion, item.a.mean}, side_b = {b, other, item.b.mean};
        item.claim = web_claim_of(&side_a, &side_b);
        item.otherwise = moved && moved->words && web_claim_otherwise(&side_a, &side_b, moved);
        if (!is_sure(&item) &&
            (cfg_is(portion->verdict, "harness") || cfg_is(other->verdict, "harness")))
            item.claim = WEB_CLAIM_LOOPS; /* it was not judged */
        say(&item);
        lose(&item, a, b, other->better);
        g_array_append_val(out, item);
    }
    for (unsigned i = 0; of_one && i < b->portions_count; i++)
        if (!partner(b, &b->portions[i], a))
            one_sided_add(out, NULL, &b->portions[i]);
    return out;
}

/* The configuration at the end of the chain: everything on. NULL: not all portions are of one, as
 * those of benchmarks by themselves, or of several writers; a single one would be its own total. */
static char *end_of_chain(const cfg_night *night) {
    char *last = NULL;
    for (unsigned steps = night->portions_count; steps > 0; steps--) {
        char *next = NULL;
        for (unsigned i = 0; !next && i < night->portions_count; i++)
            if (g_strcmp0(night->portions[i].parent, last) == 0)
                next = night->portions[i].configuration;
        if (!next)
            return NULL;
        last = next;
    }
    return night->portions_count > 1 ? last : NULL;
}

/* Nobody judges a total: it is shown to have changed where its portions are, taken together, the
 * same way, and by its loops where it has not the same ones. difference: its own. */
static web_claim total_claim(const cfg_night *a, const cfg_night *b, const GArray *portions,
                             double difference) {
    web_claim claim = WEB_CLAIM_LITTLE;
    double moved = 0;
    if (web_claim_is_asked(a) || web_claim_is_asked(b))
        return WEB_CLAIM_ASKED;
    if (portions->len != a->portions_count || portions->len != b->portions_count)
        return WEB_CLAIM_LOOPS;
    for (guint i = 0; i < portions->len; i++) {
        const compared *one = &g_array_index(portions, compared, i);
        if (is_told(one))
            moved += one->difference.mean;
        if (is_small(one))
            claim = WEB_CLAIM_SMALL;
    }
    return moved == 0 ? claim : moved * difference > 0 ? WEB_CLAIM_SHOWN : WEB_CLAIM_LITTLE;
}

static json_t *compare_totals(const cfg_night *a, const cfg_night *b, const GArray *portions,
                              double level) {
    compared total = {.configuration_a = end_of_chain(a), .configuration_b = end_of_chain(b)};
    const bool times = a->portions_count > 0 && !a->portions[0].unit && b->portions_count > 0 &&
                       !b->portions[0].unit;
    if (!total.configuration_a || !total.configuration_b || !times)
        return json_null();
    g_autofree sample *sample_a = g_new(sample, 1), *sample_b = g_new(sample, 1);
    read_loops(a, total.configuration_a, sample_a);
    read_loops(b, total.configuration_b, sample_b);
    find_difference(&total, sample_a, sample_b, level);
    total.claim =
        is_sure(&total) ? total_claim(a, b, portions, total.difference.mean) : WEB_CLAIM_LOOPS;
    say(&total);
    return model_write(&compared_noun, &total);
}

/* The configuration of b, where another portion has the same letter. */
static const char *which_of(const compared *one, const GArray *portions) {
    for (guint i = 0; i < portions->len; i++) {
        const compared *other = &g_array_index(portions, compared, i);
        if (other != one && g_strcmp0(other->portion, one->portion) == 0)
            return one->configuration_b;
    }
    return NULL;
}

typedef void (*saying)(char *text, size_t size, const det_change *change);

/* What the portions that moved, or may have, say, one after the other. */
static char *told(const GArray *portions, double level, saying say_one, const char *between) {
    GString *words = g_string_new(NULL);
    for (guint i = 0; i < portions->len; i++) {
        const compared *one = &g_array_index(portions, compared, i);
        char text[DET_CHANGE_MAX];
        if (!is_told(one) && !is_alerted(one))
            continue;
        g_autofree char *name = web_portion_name(one->portion, which_of(one, portions));
        const det_change change = {.name = name,
                                   .unit = one->unit,
                                   .before = one->a.mean,
                                   .after = one->b.mean,
                                   .low = one->difference.low,
                                   .high = one->difference.high,
                                   .level = level,
                                   .known = one->claim == WEB_CLAIM_ASKED ? DET_KNOWN_ASKED
                                                                          : DET_KNOWN_MEASURED,
                                   .before_half = one->a.mean - one->a.low,
                                   .of_two = true};
        say_one(text, sizeof text, &change);
        g_string_append(words, words->len ? between : "");
        if (is_alerted(one))
            g_string_append_printf(words, "%s %s", name, one->words);
        else
            g_string_append_printf(words, "%s%s%s", text, *one->lost ? ", but " : "", one->lost);
    }
    return g_string_free(words, FALSE);
}

/* "no other portion differs measurably", and what else is known of those that are not told. alone:
 * none is told; common: the two have others as well, of which nothing is said. NULL: all are.
 * Owned. */
static char *rest_of(const GArray *portions, bool alone, bool common) {
    unsigned still = 0, little = 0, small = 0, unknown = 0;
    for (guint i = 0; i < portions->len; i++) {
        const compared *one = &g_array_index(portions, compared, i);
        if (missing_of(one) || is_alerted(one))
            continue;
        still += !one->apart && is_sure(one);
        unknown += !differs(one) && !is_sure(one);
        small += is_small(one);
        little += differs(one) && !is_told(one) && !is_small(one);
    }
    if (still + little + small == 0)
        return !unknown ? NULL
               : alone  ? g_strdup("Differences without an interval: nothing can be said")
                        : g_strdup("of the others nothing can be said without an interval");
    return g_strconcat(alone ? "No" : "no other", " portion", common ? " that both have" : "",
                       unknown ? " with an interval" : "",
                       little  ? " is shown to have changed"
                       : small ? " differs"
                               : " differs measurably",
                       small ? " by more than is ignored" : NULL, NULL);
}

/* "B has no result of Writing (W)", "W +2.50 % of records lost": after what is told of the others.
 */
static void append_beside(GString *to, const GArray *portions) {
    for (unsigned of = OF_A; of <= OF_B; of++) {
        const char *begin = of == OF_A ? "A has no result of " : "B has no result of ";
        const char *between = to->len > 0 ? "; " : "";
        for (guint i = 0; i < portions->len; i++) {
            const compared *one = &g_array_index(portions, compared, i);
            if (!(missing_of(one) & of))
                continue;
            g_autofree char *name = web_portion_name(one->portion, which_of(one, portions));
            g_string_append_printf(to, "%s%s%s", between, begin, name);
            between = ", ";
            begin = "";
        }
    }
    for (guint i = 0; i < portions->len; i++) {
        const compared *one = &g_array_index(portions, compared, i);
        if (*one->lost && !is_told(one))
            g_string_append_printf(to, "; %s", one->lost);
    }
}

/* "From A to B: Collection (C) rose from …; no other portion differs measurably" */
static char *sentence_of(const GArray *portions, double level, bool common) {
    g_autofree char *words = told(portions, level, det_change_sentence, "; ");
    g_autofree char *rest = rest_of(portions, !*words, common);
    if (portions->len == 0)
        return g_strdup("The two have no portion in common");
    GString *to = g_string_new(NULL);
    g_string_append_printf(to, "%s%s%s%s", *words ? "From A to B: " : "", words,
                           *words && rest ? "; " : "", rest ? rest : "");
    append_beside(to, portions);
    return g_string_free(to, FALSE);
}

static char *headline_of(const GArray *portions, double level, const char *sentence) {
    g_autofree char *words = told(portions, level, det_change_headline, ", ");
    if (!*words)
        return g_strdup(sentence);
    GString *to = g_string_new(words);
    g_string_append(to, " from A to B");
    append_beside(to, portions);
    return g_string_free(to, FALSE);
}

/* Both sides' nights at the larger of their levels. */
static double level_of(const cfg_night *a, const cfg_night *b) {
    const double level = fmax(a->level, b->level);
    return level > 0 && level < 1 ? level : WEB_COMPARE_LEVEL;
}

/* "Everything × 1.08 since 2026-11-27; Writing (W) otherwise than that"; NULL: nothing. Owned. */
static char *moved_words(const web_moved *moved, const GArray *portions) {
    const char *between = "; ";
    if (!moved || !moved->words)
        return NULL;
    GString *words = g_string_new(moved->words);
    for (guint i = 0; i < portions->len; i++) {
        const compared *one = &g_array_index(portions, compared, i);
        if (!one->otherwise)
            continue;
        g_autofree char *name = web_portion_name(one->portion, which_of(one, portions));
        g_string_append_printf(words, "%s%s", between, name);
        between = ", ";
    }
    if (*between == ',')
        g_string_append(words, " otherwise than that");
    return g_string_free(words, FALSE);
}

json_t *web_compare(const cfg_night *a, const cfg_night *b, const web_moved *moved,
                    const json_t *alerts) {
    const double level = level_of(a, b);
    g_autoptr(GArray) portions = compare_portions(a, b, moved, alerts, level);
    const bool common = portions->len < MAX(a->portions_count, b->portions_count);
    g_autofree char *bare = sentence_of(portions, level, common);
    g_autofree char *between = moved_words(moved, portions);
    g_autofree char *doubt = web_claim_doubt(a, b, between);
    g_autofree char *sentence = g_strconcat(bare, doubt ? "; " : NULL, doubt, NULL);
    g_autofree char *headline = headline_of(portions, level, bare);
    json_t *list = json_array();
    for (guint i = 0; i < portions->len; i++)
        json_array_append_new(list,
                              model_write(&compared_noun, &g_array_index(portions, compared, i)));
    return json_pack("{s:o, s:o, s:f, s:s, s:s, s:s*, s:b, s:o, s:o, s:o, s:o}", "a",
                     model_write(&side, a), "b", model_write(&side, b), "level", level, "headline",
                     headline, "sentence", sentence, "doubt", doubt, "same_environment",
                     g_strcmp0(a->environment, b->environment) == 0, "portions", list, "total",
                     compare_totals(a, b, portions, level), "environment",
                     web_settings_differ(a->environment_detail, b->environment_detail), "benchmark",
                     web_settings_differ(a->benchmark, b->benchmark));
}
