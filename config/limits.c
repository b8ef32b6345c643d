#include "config/limits.h"

#include "config/model/benchmark.h"
#include "config/units.h"
#include "detector/statistics/portion.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9 /* of a quotient */

/* What a unit is of, by the end of a dimension's name. */
typedef enum { TIME, SIZE, SHARE, COUNT } family;

static const struct {
    const char *name;
    family of;
    double factor; /* of MiB, %, 1 */
} units[] = {{"KiB", SIZE, 1.0 / 1024},
             {"MiB", SIZE, 1},
             {"GiB", SIZE, 1024},
             {"%", SHARE, 1},
             {"", COUNT, 1}};

static const struct {
    const char *suffix, *unit;
    family of;
    double factor;
} endings[] = {{"_ms", "ms", TIME, 1e6},
               {"_ns", "ns", TIME, 1},
               {"_mb", "MiB", SIZE, 1},
               {"_percent", "%", SHARE, 1},
               {"", "", COUNT, 1}};

/* The place in endings of a dimension; NULL: of time. */
static size_t ending_of(const char *dimension) {
    size_t i = 0;
    while (!g_str_has_suffix(dimension ? dimension : "_ns", endings[i].suffix))
        i++;
    return i;
}

static char *stem_of(const char *dimension) {
    return g_strndup(dimension, strlen(dimension) - strlen(endings[ending_of(dimension)].suffix));
}

static const det_dimension *dimension_named(const char *stem) {
    for (size_t i = 0; i < DET_DIMENSIONS; i++) {
        g_autofree char *own = stem_of(det_dimensions[i].name);
        if (g_str_equal(own, stem))
            return &det_dimensions[i];
    }
    return NULL;
}

void cfg_limit_clear(cfg_limit *limit) {
    g_clear_pointer(&limit->portion, g_free);
    g_clear_pointer(&limit->unit, g_free);
}

static bool wrong(GError **error, const char *text, const char *what) {
    g_set_error(error, MODEL_ERROR, 0, "\"%s\": %s, as in \"start <= 2 s\" or \"W <= 500 ns\"",
                text, what);
    return false;
}

/* What is limited. A portion may be called so, too: "number of spans". */
static bool subject_read(const char *subject, const char *text, cfg_limit *out, GError **error) {
    g_auto(GStrv) of = g_strsplit(subject, " of ", 2);
    out->dimension = of[0] ? dimension_named(g_strstrip(of[0])) : NULL;
    if (*subject == '\0')
        return wrong(error, text, "expected a dimension or a portion before <= or >=");
    if (of[1] && out->dimension && out->dimension->whole)
        return wrong(error, text, "it is of a whole process: leave out the portion");
    out->portion = !out->dimension ? g_strdup(subject) : of[1] ? g_strdup(g_strstrip(of[1])) : NULL;
    return true;
}

/* 0: it is no such unit. */
static double factor_of(const char *unit, family of) {
    for (size_t i = 0; of != TIME && i < G_N_ELEMENTS(units); i++)
        if (g_str_equal(units[i].name, unit) && units[i].of == of)
            return units[i].factor;
    return of == TIME ? cfg_unit_ns(unit) : 0;
}

/* subject: a portion may be called as a dimension is, but has another unit: "cpu <= 20 %". */
static bool bound_read(const char *bound, const char *subject, const char *text, cfg_limit *out,
                       GError **error) {
    const size_t ending = ending_of(out->dimension ? out->dimension->name : NULL);
    char *end = NULL;
    const double number = g_ascii_strtod(bound, &end);
    if (end == bound || !isfinite(number) || number < 0)
        return wrong(error, text, "expected a number of at least 0 after <= or >=");
    g_autofree char *unit = g_strstrip(g_strdup(end));
    const double factor = factor_of(unit, endings[ending].of);
    if (factor > 0) {
        out->bound = number * factor / endings[ending].factor;
        return true;
    }
    if (!out->dimension && cfg_is_unit(unit)) {
        out->bound = number;
        out->unit = g_steal_pointer(&unit);
        return true;
    }
    if (out->dimension && !out->portion && *unit != '\0') {
        out->dimension = NULL;
        out->portion = g_strdup(subject);
        return bound_read(bound, subject, text, out, error);
    }
    static const char *const expected[] = {"its unit must be ns, us, ms or s",
                                           "its unit must be KiB, MiB or GiB", "its unit must be %",
                                           "it is a number without a unit"};
    return wrong(error, text, expected[endings[ending].of]);
}

/* The last one: a name may have some of its own, "operator<=". */
static const char *sign_of(const char *text) {
    const char *sign = NULL;
    for (const char *at = text; (at = strpbrk(at, "<>")); at++)
        sign = at[1] == '=' ? at : sign;
    return sign;
}

bool cfg_limit_read(const char *text, cfg_limit *out, GError **error) {
    const char *sign = sign_of(text);
    *out = (cfg_limit){.least = sign && *sign == '>'};
    if (!sign)
        return wrong(error, text, "expected NAME <= NUMBER UNIT, or >=");
    g_autofree char *subject = g_strstrip(g_strndup(text, (gsize)(sign - text)));
    g_autofree char *bound = g_strstrip(g_strdup(sign + 2));
    bool good =
        subject_read(subject, text, out, error) && bound_read(bound, subject, text, out, error);
    if (good && out->least && out->dimension)
        good = wrong(error, text,
                     "a lower limit is of a portion; of a dimension, less is always better");
    if (!good)
        cfg_limit_clear(out);
    return good;
}

char *cfg_limit_words(const char *dimension, const char *portion, const char *unit, double bound,
                      bool least) {
    const char *own = unit ? unit : endings[ending_of(dimension)].unit;
    const double digit = bound > 0 ? pow(10, floor(log10(bound)) - 1) : 1;
    const double digits = least ? floor(bound / digit + ROUNDING) : ceil(bound / digit - ROUNDING);
    g_autofree char *stem = dimension ? stem_of(dimension) : NULL;
    return g_strdup_printf("%s%s%s %s %.10g%s%s", stem ? stem : "", stem && portion ? " of " : "",
                           portion ? portion : "",
                           least ? ">=" : "<=", bound > 0 ? digits * digit : 0, *own ? " " : "",
                           own);
}

/* Of the loops of a whole process; of what every loop counts alike it is known. */
static det_interval whole_of(const det_dimension *dimension, const cfg_counted *row, double level) {
    det_interval own = {.mean = row->total, .low = NAN, .high = NAN};
    double values[DET_LOOPS_MAX];
    size_t n = 0, i;
    const json_t *value;
    if (dimension->whole) {
        own = row->now;
        own.low = fmax(own.low, 0);
        return own;
    }
    json_array_foreach (row->loops, i, value)
        if (n < DET_LOOPS_MAX)
            values[n++] = json_number_value(value);
    if (det_interval_mean(&own, values, n, level) != DET_OK &&
        dimension->kind == DET_DIMENSION_COUNTED)
        own.low = own.high = own.mean;
    return own;
}

/* What is limited in a night. */
typedef struct {
    det_interval now;
    char *portion, *configuration; /* borrowed; NULL: of none */
    unsigned among;                /* so many that the limit names */
} held;

/* The dearest counts (of a lower limit the least): configurations may share a letter, and one that
 * was not measured never does. */
static void keep_most(held *most, held one, bool least) {
    const bool nearer = least ? one.now.mean >= most->now.mean : one.now.mean <= most->now.mean;
    one.among = most->among + 1;
    if (isfinite(one.now.mean) && !nearer)
        *most = one;
    most->among = one.among;
}

static held nothing_held(void) {
    return (held){.now = {.mean = NAN, .low = NAN, .high = NAN}};
}

static held counted_of(const cfg_night *night, const cfg_limit *limit) {
    const double level = night->level > 0 && night->level < 1 ? night->level : 0.95;
    held most = nothing_held();
    for (unsigned d = 0; d < night->dimensions_count; d++) {
        const cfg_dimension *one = &night->dimensions[d];
        for (unsigned i = 0; i < one->portions_count; i++) {
            const cfg_counted *row = &one->portions[i];
            if (!cfg_is(one->dimension, limit->dimension->name) ||
                (limit->portion && !cfg_is(row->portion, limit->portion)))
                continue;
            const det_interval now =
                limit->portion ? row->now : whole_of(limit->dimension, row, level);
            keep_most(&most, (held){now, row->portion, row->configuration, 0}, false);
        }
    }
    return most;
}

static held time_of(const cfg_night *night, const cfg_limit *limit) {
    held most = nothing_held();
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        if (cfg_is(p->portion, limit->portion) && g_strcmp0(p->unit, limit->unit) == 0)
            keep_most(&most, (held){p->now, p->portion, p->configuration, 0}, limit->least);
    }
    return most;
}

static held value_of(const cfg_night *night, const cfg_limit *limit) {
    return limit->dimension ? counted_of(night, limit) : time_of(night, limit);
}

void cfg_limit_settle(cfg_limit *limit, const cfg_night *night, const char *text) {
    if (!limit->dimension || limit->portion || isfinite(value_of(night, limit).now.mean))
        return;
    const char *sign = sign_of(text);
    g_autofree char *subject = g_strstrip(g_strndup(text, (gsize)(sign - text)));
    g_autofree char *bound = g_strstrip(g_strdup(sign + 2));
    g_auto(cfg_limit) own = {.least = limit->least, .portion = g_strdup(subject)};
    if (bound_read(bound, subject, text, &own, NULL) && isfinite(value_of(night, &own).now.mean)) {
        *limit = own;
        own = (cfg_limit){0};
    }
}

/* Of a share each record was counted: where none was lost, none was. */
static const char *state_of(const det_interval *now, const cfg_limit *limit) {
    const bool least = limit->least,
               none = limit->dimension && limit->dimension->whole && now->mean <= 0;
    const double good_end = least ? now->high : now->low;
    const double bad_end = none ? now->mean : least ? now->low : now->high;
    const double way = least ? -1 : 1, bound = way * limit->bound;
    if (!isfinite(now->mean))
        return "unknown";
    if (way * good_end > bound)
        return least ? "below" : "above";
    return way * now->mean > bound || way * bad_end > bound ? "unsure" : "met";
}

/* Without an exponent, however large it is. */
static void number_add(GString *to, const char *before, double number, const char *after) {
    g_string_append_printf(to, fabs(number) < 1000 ? "%s%.4g%s" : "%s%.0f%s", before, number,
                           after);
}

cfg_limited *cfg_limit_judge(cfg_night *night, const char *text, const cfg_limit *limit) {
    const size_t ending = ending_of(limit->dimension ? limit->dimension->name : NULL);
    const char *unit = limit->unit ? limit->unit : endings[ending].unit;
    const held of = value_of(night, limit);
    const det_interval now = of.now;
    const char *state = state_of(&now, limit);
    cfg_limited *one = model_add(&cfg_night_model, night, "limits");
    g_autoptr(GString) words = g_string_new(text);
    if (isfinite(now.mean)) {
        number_add(words, ": ", now.mean, *unit ? " " : "");
        g_string_append(words, unit);
    } else
        g_string_append_printf(words, ": not measured%s%s", limit->unit ? " in " : "",
                               limit->unit ? limit->unit : "");
    if (isfinite(now.low) && now.high > now.low) {
        number_add(words, " (", now.low, " to ");
        number_add(words, "", now.high, ")");
    }
    if (of.configuration && of.among > 1)
        g_string_append_printf(words, " of %s", of.configuration);
    const char *side = limit->least ? "below" : "above";
    if (g_str_equal(state, side) || g_str_equal(state, "unsure"))
        g_string_append_printf(words, ", %s %s", *state == 'u' ? "may be" : "surely", side);
    *one = (cfg_limited){.limit = g_strdup(text),
                         .state = g_strdup(state),
                         .sentence = g_strdup(words->str),
                         .dimension = g_strdup(limit->dimension ? limit->dimension->name : "time"),
                         .portion = g_strdup(of.portion ? of.portion : limit->portion),
                         .configuration = g_strdup(of.configuration),
                         .now = now};
    return one;
}
