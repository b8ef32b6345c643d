#include "config/limits.h"

#include "config/model/benchmark.h"
#include "config/units.h"
#include "detector/statistics/portion.h"

#include <math.h>
#include <string.h>

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
    g_free(limit->portion);
    g_free(limit->unit);
}

static bool wrong(GError **error, const char *text, const char *what) {
    g_set_error(error, MODEL_ERROR, 0, "\"%s\": %s, as in \"start <= 2 s\" or \"W <= 500 ns\"",
                text, what);
    return false;
}

/* What is limited. */
static bool subject_read(const char *subject, const char *text, cfg_limit *out, GError **error) {
    g_auto(GStrv) of = g_strsplit(subject, " of ", 2);
    out->dimension = of[0] ? dimension_named(g_strstrip(of[0])) : NULL;
    if (!of[0] || *of[0] == '\0')
        return wrong(error, text, "expected a dimension or a portion before <=");
    if (of[1] && !out->dimension)
        return wrong(error, text, "there is no dimension of this name (docs/dimensions.md)");
    if (of[1] && out->dimension->whole)
        return wrong(error, text, "it is of a whole process: leave out the portion");
    out->portion = of[1] ? g_strdup(g_strstrip(of[1])) : out->dimension ? NULL : g_strdup(of[0]);
    return true;
}

/* 0: it is no such unit. */
static double factor_of(const char *unit, family of) {
    for (size_t i = 0; of != TIME && i < G_N_ELEMENTS(units); i++)
        if (g_str_equal(units[i].name, unit) && units[i].of == of)
            return units[i].factor;
    return of == TIME ? cfg_unit_ns(unit) : 0;
}

static bool most_read(const char *most, const char *text, cfg_limit *out, GError **error) {
    const size_t ending = ending_of(out->dimension ? out->dimension->name : NULL);
    char *end = NULL;
    const double number = g_ascii_strtod(most, &end);
    if (end == most || !isfinite(number) || number < 0)
        return wrong(error, text, "expected a number of at least 0 after <=");
    g_autofree char *unit = g_strstrip(g_strdup(end));
    const double factor = factor_of(unit, endings[ending].of);
    if (factor > 0) {
        out->most = number * factor / endings[ending].factor;
        return true;
    }
    if (!out->dimension && cfg_is_unit(unit)) {
        out->most = number;
        out->unit = g_steal_pointer(&unit);
        return true;
    }
    static const char *const expected[] = {"its unit must be ns, us, ms or s",
                                           "its unit must be KiB, MiB or GiB", "its unit must be %",
                                           "it is a number without a unit"};
    return wrong(error, text, expected[endings[ending].of]);
}

bool cfg_limit_read(const char *text, cfg_limit *out, GError **error) {
    g_auto(GStrv) sides = g_strsplit(text, "<=", 2);
    *out = (cfg_limit){0};
    if (!sides[0] || !sides[1])
        return wrong(error, text, "expected NAME <= NUMBER UNIT");
    if (subject_read(g_strstrip(sides[0]), text, out, error) &&
        most_read(g_strstrip(sides[1]), text, out, error))
        return true;
    cfg_limit_clear(out);
    return false;
}

char *cfg_limit_words(const char *dimension, const char *portion, const char *unit, double most) {
    const char *own = unit ? unit : endings[ending_of(dimension)].unit;
    const double digit = most > 0 ? pow(10, floor(log10(most)) - 1) : 1;
    g_autofree char *stem = dimension ? stem_of(dimension) : NULL;
    return g_strdup_printf("%s%s%s <= %.10g%s%s", stem ? stem : "", stem && portion ? " of " : "",
                           portion ? portion : "", most > 0 ? ceil(most / digit - 1e-9) * digit : 0,
                           *own ? " " : "", own);
}

/* Of the loops of a whole process; of a share and of what every loop counts alike it is known. */
static det_interval whole_of(const det_dimension *dimension, const cfg_counted *row, double level) {
    det_interval own = {.mean = row->total, .low = NAN, .high = NAN};
    double values[DET_LOOPS_MAX];
    size_t n = 0, i;
    const json_t *value;
    if (dimension->whole) { /* each record was counted: no more than these were lost */
        own = row->now;
        own.low = fmax(own.low, 0);
        own.high = own.mean;
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

/* The dearest counts: configurations may share a letter, and one that was not measured never does.
 */
static void keep_most(det_interval *most, const det_interval *now) {
    if (isfinite(now->mean) && !(now->mean <= most->mean))
        *most = *now;
}

static det_interval counted_of(const cfg_night *night, const cfg_limit *limit) {
    const double level = night->level > 0 && night->level < 1 ? night->level : 0.95;
    det_interval most = {.mean = NAN, .low = NAN, .high = NAN};
    for (unsigned d = 0; d < night->dimensions_count; d++) {
        const cfg_dimension *one = &night->dimensions[d];
        for (unsigned i = 0; i < one->portions_count; i++) {
            const cfg_counted *row = &one->portions[i];
            if (!cfg_is(one->dimension, limit->dimension->name) ||
                (limit->portion && !cfg_is(row->portion, limit->portion)))
                continue;
            const det_interval now =
                limit->portion ? row->now : whole_of(limit->dimension, row, level);
            keep_most(&most, &now);
        }
    }
    return most;
}

static det_interval time_of(const cfg_night *night, const cfg_limit *limit) {
    det_interval most = {.mean = NAN, .low = NAN, .high = NAN};
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].portion, limit->portion) &&
            g_strcmp0(night->portions[i].unit, limit->unit) == 0)
            keep_most(&most, &night->portions[i].now);
    return most;
}

static const char *state_of(const det_interval *now, double most) {
    if (!isfinite(now->mean))
        return "unknown";
    if (now->low > most)
        return "above";
    return now->mean > most || now->high > most ? "unsure" : "met";
}

cfg_limited *cfg_limit_judge(cfg_night *night, const char *text, const cfg_limit *limit) {
    const size_t ending = ending_of(limit->dimension ? limit->dimension->name : NULL);
    const char *unit = limit->unit ? limit->unit : endings[ending].unit;
    const det_interval now = limit->dimension ? counted_of(night, limit) : time_of(night, limit);
    const char *state = state_of(&now, limit->most);
    cfg_limited *one = model_add(&cfg_night_model, night, "limits");
    g_autoptr(GString) words = g_string_new(text);
    if (!isfinite(now.mean))
        g_string_append_printf(words, ": not measured%s%s", limit->unit ? " in " : "",
                               limit->unit ? limit->unit : "");
    else
        g_string_append_printf(words, ": %.4g%s%s", now.mean, *unit ? " " : "", unit);
    if (isfinite(now.low) && now.high > now.low)
        g_string_append_printf(words, " (%.4g to %.4g)", now.low, now.high);
    if (g_str_equal(state, "above") || g_str_equal(state, "unsure"))
        g_string_append(words, *state == 'a' ? ", surely above" : ", may be above");
    *one = (cfg_limited){.limit = g_strdup(text),
                         .state = g_strdup(state),
                         .sentence = g_strdup(words->str),
                         .now = now};
    return one;
}
