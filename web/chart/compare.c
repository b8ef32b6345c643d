#include "web/chart/compare.h"

#include <math.h>
#include <string.h>

#include "detector/statistics/interval.h"
#include "web/chart/chart.h"
#include "web/words/alert.h"
#include "web/words/portion.h"

/* Values of one configuration or portion, by loop number; NaN where there is none. */
typedef struct {
    double ns[WEB_COMPARE_LOOPS_MAX];
    size_t loops;  /* highest loop number seen */
    bool imported; /* two loops may stand for an interval that the file had: ci/formats/lines.h */
} sample;

static const char *get_string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const json_t *find(const json_t *array, const char *key, const char *value) {
    size_t i;
    const json_t *item;
    json_array_foreach (array, i, item)
        if (value && g_strcmp0(get_string(item, key), value) == 0)
            return item;
    return NULL;
}

static bool usable(const json_t *loop) {
    return !json_is_false(json_object_get(loop, "used")) &&
           !json_is_string(json_object_get(loop, "failed"));
}

/* Means of the configuration's loops. */
static void read_loops(const json_t *experiment, const char *configuration, sample *out) {
    const json_t *found =
        find(json_object_get(experiment, "configurations"), "name", configuration);
    size_t i;
    const json_t *loop;
    out->loops = 0;
    out->imported = json_object_get(json_object_get(experiment, "environment_detail"), "imported");
    for (size_t k = 0; k < WEB_COMPARE_LOOPS_MAX; k++)
        out->ns[k] = NAN;
    json_array_foreach (json_object_get(found, "loop_results"), i, loop) {
        json_int_t number = json_integer_value(json_object_get(loop, "loop"));
        const json_t *mean = json_object_get(json_object_get(loop, "summary"), "mean_ns");
        if (number < 1 || number > WEB_COMPARE_LOOPS_MAX || !usable(loop) || !json_is_number(mean))
            continue;
        out->ns[number - 1] = json_number_value(mean);
        out->loops = MAX(out->loops, (size_t)number);
    }
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
    return n;
}

static json_t *number_or_null(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_json(const det_interval *interval) {
    return json_pack("{s:o, s:o, s:o, s:i}", "mean_ns", number_or_null(interval->mean), "low_ns",
                     number_or_null(interval->low), "high_ns", number_or_null(interval->high), "n",
                     (int)interval->n);
}

/* The interval of one side; with a single value just that value. */
static det_interval interval_of(const sample *s, size_t n, double level) {
    det_interval out = {NAN, NAN, NAN, n, 0};
    if (det_interval_mean(&out, s->ns, n, level) != DET_OK && n == 1)
        out.mean = s->ns[0];
    return out;
}

/* Loops are a sample, but for two that stand for an interval: of those the interval counts. */
static bool is_stated(const sample *s, size_t n) {
    return s->imported && n == 2;
}

static det_interval difference_of(const sample *a, size_t na, const det_interval *ia,
                                  const sample *b, size_t nb, const det_interval *ib,
                                  double level) {
    det_interval out = {ib->mean - ia->mean, NAN, NAN, MIN(na, nb), 0}, known;
    const det_status status = is_stated(a, na) || is_stated(b, nb)
                                  ? det_interval_difference(&known, ia, ib)
                                  : det_interval_welch(&known, a->ns, na, b->ns, nb, level);
    return status == DET_OK ? known : out;
}

/* Takes both samples apart; adds a, b, difference, percent, apart and what could be seen. */
static void add_difference(json_t *out, sample *a, sample *b, double level) {
    size_t na = condense(a), nb = condense(b);
    det_interval ia = interval_of(a, na, level), ib = interval_of(b, nb, level);
    const det_interval d = difference_of(a, na, &ia, b, nb, &ib, level);
    double half = (d.high - d.low) / 2;
    double base = ia.mean > 0 ? ia.mean : NAN;
    json_object_set_new(out, "a", interval_json(&ia));
    json_object_set_new(out, "b", interval_json(&ib));
    json_object_set_new(out, "difference", interval_json(&d));
    json_object_set_new(out, "percent", number_or_null(100 * d.mean / base));
    json_object_set_new(out, "apart", json_boolean(d.low > 0 || d.high < 0));
    json_object_set_new(out, "detectable_ns", number_or_null(half));
    json_object_set_new(out, "detectable_percent", number_or_null(100 * half / base));
}

static void read_portion(const json_t *experiment, const json_t *portion, sample *out) {
    const char *parent = get_string(portion, "parent");
    read_loops(experiment, get_string(portion, "configuration"), out);
    if (!parent)
        return;
    g_autofree sample *below = g_new(sample, 1);
    read_loops(experiment, parent, below);
    subtract(out, below);
}

static size_t count_named(const json_t *portions, const char *name) {
    size_t i, n = 0;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        n += g_strcmp0(get_string(portion, "portion"), name) == 0;
    return n;
}

static const json_t *partner(const json_t *portions_a, const json_t *portion,
                             const json_t *portions_b) {
    const char *name = get_string(portion, "portion");
    size_t i;
    const json_t *candidate;
    json_array_foreach (portions_b, i, candidate)
        if (g_strcmp0(get_string(candidate, "portion"), name) == 0 &&
            g_strcmp0(get_string(candidate, "configuration"),
                      get_string(portion, "configuration")) == 0)
            return candidate;
    return name && count_named(portions_a, name) == 1 && count_named(portions_b, name) == 1
               ? find(portions_b, "portion", name)
               : NULL;
}

static json_t *compare_portions(const json_t *a, const json_t *b, double level) {
    json_t *out = json_array();
    const json_t *portions_a = json_object_get(a, "portions");
    const json_t *portions_b = json_object_get(b, "portions");
    g_autofree sample *sample_a = g_new(sample, 1), *sample_b = g_new(sample, 1);
    size_t i;
    const json_t *portion;
    json_array_foreach (portions_a, i, portion) {
        const json_t *other = partner(portions_a, portion, portions_b);
        if (!other)
            continue;
        json_t *item =
            json_pack("{s:O?, s:O?, s:O?}", "portion", json_object_get(portion, "portion"),
                      "configuration_a", json_object_get(portion, "configuration"),
                      "configuration_b", json_object_get(other, "configuration"));
        read_portion(a, portion, sample_a);
        read_portion(b, other, sample_b);
        add_difference(item, sample_a, sample_b, level);
        json_array_append_new(out, item);
    }
    return out;
}

/* The configuration at the end of the first chain: everything on. */
static const char *last_of_chain(const json_t *experiment) {
    const json_t *portions = json_object_get(experiment, "portions");
    const char *last = NULL;
    size_t i, steps = json_array_size(portions);
    const json_t *portion;
    while (steps-- > 0) {
        const char *next = NULL;
        json_array_foreach (portions, i, portion) {
            if (g_strcmp0(get_string(portion, "parent"), last) == 0) {
                next = get_string(portion, "configuration");
                break;
            }
        }
        if (!next)
            break;
        last = next;
    }
    return last;
}

static json_t *compare_totals(const json_t *a, const json_t *b, double level) {
    const char *last_a = last_of_chain(a), *last_b = last_of_chain(b);
    if (!last_a || !last_b)
        return json_null();
    g_autofree sample *sample_a = g_new(sample, 1), *sample_b = g_new(sample, 1);
    read_loops(a, last_a, sample_a);
    read_loops(b, last_b, sample_b);
    json_t *out = json_pack("{s:s, s:s}", "configuration_a", last_a, "configuration_b", last_b);
    add_difference(out, sample_a, sample_b, level);
    return out;
}

static void add_differences(json_t *out, const char *prefix, json_t *a, json_t *b, int depth);

/* Found while measuring, not set before: what differs in these is no setting. */
static bool is_found(const char *name) {
    static const char *const found[] = {"detail.budget", "detail.strays", "detail.warmup", NULL};
    return g_strv_contains(found, name);
}

static void add_one(json_t *out, const char *prefix, const char *key, json_t *a, json_t *b,
                    int depth) {
    g_autofree char *name = *prefix ? g_strconcat(prefix, ".", key, NULL) : g_strdup(key);
    if (json_equal(a, b) || is_found(name))
        return;
    if (depth > 0 && (json_is_object(a) || json_is_object(b))) {
        add_differences(out, name, json_is_object(a) ? a : NULL, json_is_object(b) ? b : NULL,
                        depth - 1);
        return;
    }
    json_array_append_new(out, json_pack("{s:s, s:O?, s:O?}", "key", name, "a", a, "b", b));
}

/* What differs between two objects, as a flat list of dotted names. */
static void add_differences(json_t *out, const char *prefix, json_t *a, json_t *b, int depth) {
    const char *key;
    json_t *value;
    json_object_foreach (a, key, value)
        add_one(out, prefix, key, value, json_object_get(b, key), depth);
    json_object_foreach (b, key, value)
        if (!json_object_get(a, key))
            add_one(out, prefix, key, NULL, value, depth);
}

static json_t *differences_of(const json_t *a, const json_t *b, const char *key) {
    enum { DEPTH = 4 };
    json_t *out = json_array();
    add_differences(out, "", json_object_get(a, key), json_object_get(b, key), DEPTH);
    return out;
}

static json_t *side(const json_t *e) {
    json_t *out = json_object();
    static const char *const keys[] = {"experiment",  "project", "night", "commit",
                                       "environment", "node",    "loops"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        json_t *value = json_object_get(e, keys[i]);
        json_object_set(out, keys[i], value ? value : json_null());
    }
    return out;
}

/* The configuration of b, where another portion has the same letter. */
static const char *which_of(const json_t *portion, const json_t *portions) {
    return count_named(portions, get_string(portion, "portion")) > 1
               ? get_string(portion, "configuration_b")
               : NULL;
}

typedef void (*say)(char *text, size_t size, const det_change *change);

/* What the portions that differ say, one after the other. */
static char *told(const json_t *portions, double level, say say_one, const char *between) {
    GString *words = g_string_new(NULL);
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion) {
        char text[DET_CHANGE_MAX];
        const json_t *difference = json_object_get(portion, "difference");
        if (!json_is_true(json_object_get(portion, "apart")))
            continue;
        g_autofree char *name =
            web_portion_name(get_string(portion, "portion"), which_of(portion, portions));
        const det_change change = {
            .name = name,
            .before = web_words_number(json_object_get(portion, "a"), "mean_ns"),
            .after = web_words_number(json_object_get(portion, "b"), "mean_ns"),
            .low = web_words_number(difference, "low_ns"),
            .high = web_words_number(difference, "high_ns"),
            .level = level};
        say_one(text, sizeof text, &change);
        g_string_append_printf(words, "%s%s", words->len ? between : "", text);
    }
    return g_string_free(words, FALSE);
}

static const char *others(const json_t *portions) {
    size_t i, apart = 0;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        apart += json_is_true(json_object_get(portion, "apart"));
    return apart < json_array_size(portions) ? "; no other portion differs measurably" : "";
}

static const char NOTHING[] = "No portion differs measurably";

/* "From A to B: Collection (C) rose from …; no other portion differs measurably" */
static char *sentence_of(const json_t *portions, double level) {
    g_autofree char *words = told(portions, level, det_change_sentence, "; ");
    if (json_array_size(portions) == 0)
        return g_strdup("The two have no portion in common");
    return *words ? g_strconcat("From A to B: ", words, others(portions), NULL) : g_strdup(NOTHING);
}

static char *headline_of(const json_t *portions, double level) {
    g_autofree char *words = told(portions, level, det_change_headline, ", ");
    return *words ? g_strconcat(words, " from A to B", NULL) : sentence_of(portions, level);
}

/* Both sides' nights at the larger of their levels. */
static double level_of(const json_t *a, const json_t *b) {
    const double level = fmax(web_words_number(a, "level"), web_words_number(b, "level"));
    return level > 0 && level < 1 ? level : WEB_COMPARE_LEVEL;
}

json_t *web_compare(const json_t *a, const json_t *b, GError **error) {
    if (!json_is_array(json_object_get(a, "portions")) ||
        !json_is_array(json_object_get(b, "portions"))) {
        g_set_error_literal(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT,
                            "what is to be compared is not an experiment");
        return NULL;
    }
    const double level = level_of(a, b);
    json_t *portions = compare_portions(a, b, level);
    g_autofree char *sentence = sentence_of(portions, level);
    g_autofree char *headline = headline_of(portions, level);
    return json_pack(
        "{s:o, s:o, s:f, s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "a", side(a), "b", side(b), "level",
        level, "headline", headline, "sentence", sentence, "same_environment",
        g_strcmp0(get_string(a, "environment"), get_string(b, "environment")) == 0, "portions",
        portions, "total", compare_totals(a, b, level), "environment",
        differences_of(a, b, "environment_detail"), "benchmark", differences_of(a, b, "benchmark"));
}
