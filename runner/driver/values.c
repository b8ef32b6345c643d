#include "runner/driver/harvest.h"

#include "config/units.h"
#include "detector/statistics/stats.h"
#include "runner/ground/error.h"

#include <math.h>
#include <string.h>

#define NAMES_TOLD 20 /* of an error: enough to see what the tool calls its values */
#define NAME_BYTES 200

struct run_values {
    char *wanted, *unit;
    bool samples;
    unsigned warmup;  /* of the first ones, which do not count */
    GArray *ns;       /* double */
    GPtrArray *names; /* told in errors: different ones, in the order they came */
    size_t seen;
    char *first_place;
    double mean_ns;         /* the tool's; NaN: that of the values */
    double allocated_bytes; /* a call; NaN: nobody said */
};

run_values *run_values_new(const char *wanted, const char *unit, bool samples) {
    run_values *values = g_new0(run_values, 1);
    values->wanted = g_strdup(wanted);
    values->unit = g_strdup(unit);
    values->samples = samples;
    values->mean_ns = values->allocated_bytes = (double)NAN;
    values->ns = g_array_new(FALSE, FALSE, sizeof(double));
    values->names = g_ptr_array_new_with_free_func(g_free);
    return values;
}

void run_values_free(run_values *values) {
    if (!values)
        return;
    g_free(values->wanted);
    g_free(values->unit);
    g_array_unref(values->ns);
    g_ptr_array_unref(values->names);
    g_free(values->first_place);
    g_free(values);
}

static void note_name(run_values *values, const char *name) {
    for (guint i = 0; i < values->names->len; i++)
        if (g_str_equal(values->names->pdata[i], name))
            return;
    if (values->names->len < NAMES_TOLD)
        g_ptr_array_add(values->names, g_strdup(name));
}

static bool to_ns(double value, const char *unit, const char *place, double *ns, GError **error) {
    cfg_unit known;
    const bool is = cfg_unit_of(unit, &known);
    if (!isfinite(value))
        return run_wrong(error, "%s: the value is not a finite number", place);
    if (value < 0) {
        return run_wrong(error, "%s: the value %g is negative; a call cannot take negative time",
                         place, value);
    }
    if (!is) {
        return run_wrong(
            error,
            "%s: unknown unit \"%.*s\"; known are ns, us, ms, s, min and rates such as "
            "ops/s; correct the pattern's unit group, set read.unit, or set "
            "configurations[].unit where it is no time of a call",
            place, NAME_BYTES, unit);
    }
    if (known.rate && value <= 0)
        return run_wrong(error, "%s: a rate of 0 %s cannot be turned into a time per call", place,
                         unit);
    *ns = cfg_unit_to_ns(&known, value);
    return isfinite(*ns) || run_wrong(error, "%s: %g %s is out of range", place, value, unit);
}

/* It is kept as it is: what has another unit is another value. */
static bool as_it_is(double value, const char *unit, const char *wanted, const char *place,
                     double *kept, GError **error) {
    if (!isfinite(value) || value < 0)
        return run_wrong(error, "%s: the value %g is not a finite number of at least 0", place,
                         value);
    cfg_unit given, own;
    *kept = value;
    if (g_str_equal(unit, wanted))
        return true;
    /* a prefix changes no value, and a tool's file may have turned it round */
    if (cfg_unit_of(unit, &given) && cfg_unit_of(wanted, &own) &&
        (g_str_equal(unit, "ns") || (given.rate && own.rate))) {
        *kept = cfg_unit_from_ns(&own, cfg_unit_to_ns(&given, value));
        return isfinite(*kept) ||
               run_wrong(error, "%s: %g %s cannot be turned into %s", place, value, unit, wanted);
    }
    return run_wrong(error,
                     "%s: the unit is \"%.*s\" and not \"%s\"; values of two units are never "
                     "compared: correct configurations[].unit, which begins a new series",
                     place, NAME_BYTES, unit, wanted);
}

/* Whether it is one of ours by its name; false with error when there is no telling. */
static bool is_wanted(run_values *values, const char *name, const char *place, bool *ours,
                      GError **error) {
    values->seen++;
    *ours = values->wanted == NULL;
    if (!name)
        return true;
    g_autofree char *cut = g_utf8_make_valid(name, (gssize)strnlen(name, NAME_BYTES));
    note_name(values, cut);
    *ours = values->wanted == NULL || g_str_equal(name, values->wanted);
    return values->wanted || values->names->len == 1 ||
           run_wrong(error,
                     "%s: values with several names (%s, %s, …); set configurations[].result to "
                     "the one of this configuration",
                     place, (char *)values->names->pdata[0], (char *)values->names->pdata[1]);
}

static bool keep(run_values *values, double value, const char *unit, const char *place,
                 GError **error) {
    double ns = 0;
    if (values->unit ? !as_it_is(value, unit, values->unit, place, &ns, error)
                     : !to_ns(value, unit, place, &ns, error))
        return false;
    if (values->ns->len == 1 && !values->samples) {
        return run_wrong(error,
                         "several values%s%s: at %s and at %s; narrow the pattern to one, or set "
                         "read.several: samples",
                         values->wanted ? " of " : "", values->wanted ? values->wanted : "",
                         values->first_place, place);
    }
    if (values->ns->len >= RUN_VALUES_MAX)
        return run_wrong(error, "%s: more than %u values", place, RUN_VALUES_MAX);
    if (!values->first_place)
        values->first_place = g_strdup(place);
    g_array_append_val(values->ns, ns);
    return true;
}

bool run_values_add(run_values *values, const char *name, double value, const char *unit,
                    const char *place, GError **error) {
    bool ours;
    return is_wanted(values, name, place, &ours, error) &&
           (!ours || keep(values, value, unit, place, error));
}

bool run_values_parse(run_values *values, const char *name, const char *text, const char *unit,
                      const char *place, GError **error) {
    bool ours;
    if (!is_wanted(values, name, place, &ours, error))
        return false;
    if (!ours)
        return true;
    char *end = NULL;
    double value = g_ascii_strtod(text, &end);
    /* strtod also takes 0x10; nobody's benchmark prints that and means 16. */
    if (end == text || *end != '\0' || g_ascii_isspace(text[0]) || strpbrk(text, "xX") != NULL) {
        return run_wrong(error,
                         "%s: \"%.*s\" is not a decimal number; make the group value match only "
                         "digits, a point and an exponent",
                         place, NAME_BYTES, text);
    }
    return keep(values, value, unit, place, error);
}

void run_values_warm_up(run_values *values, unsigned count) {
    values->warmup = count;
}

void run_values_mean(run_values *values, const char *name, double mean_ns) {
    cfg_unit rate;
    if (values->unit && cfg_unit_of(values->unit, &rate))
        return; /* what was turned back has another mean */
    if (!values->wanted || g_strcmp0(name, values->wanted) == 0)
        values->mean_ns = mean_ns;
}

void run_values_allocated(run_values *values, const char *name, double bytes) {
    if ((!values->wanted || g_strcmp0(name, values->wanted) == 0) && isfinite(bytes) && bytes >= 0)
        values->allocated_bytes = bytes;
}

size_t run_values_seen(const run_values *values) {
    return values->seen;
}

/* The tool's mean; asv rounds its samples to 5 digits, but not that. */
static bool mean_take(const run_values *values, const char *source, det_summary *summary,
                      GError **error) {
    const double slack = 1e-4 * summary->max, mean = values->mean_ns;
    const char *unit = values->unit ? values->unit : "ns";
    if (mean < summary->min - slack || mean > summary->max + slack)
        return run_wrong(error, "%s: the mean of %g %s is not within its values, %g to %g %s",
                         source, mean, unit, summary->min, summary->max, unit);
    summary->mean = CLAMP(mean, summary->min, summary->max);
    return true;
}

bool run_values_tell(const run_values *values, const char *source, run_loop *loop, GError **error) {
    if (values->ns->len == 0) {
        g_ptr_array_add(values->names, NULL);
        g_autofree char *names = g_strjoinv(", ", (char **)values->names->pdata);
        g_ptr_array_remove_index(values->names, values->names->len - 1);
        return run_wrong(
            error, "%s: no value named \"%s\"; found: %s; correct configurations[].result", source,
            values->wanted ? values->wanted : "", names[0] != '\0' ? names : "none with a name");
    }
    if (values->ns->len <= values->warmup)
        return run_wrong(error,
                         "%s: %u values, and the first %u are the warm-up; let it print more, or "
                         "set a lower read.warmup_values",
                         source, values->ns->len, values->warmup);
    const double *ns = (const double *)(const void *)values->ns->data;
    det_status status =
        det_summary_of(&loop->summary, ns + values->warmup, values->ns->len - values->warmup);
    if (status != DET_OK)
        return run_wrong(error, "%s: %s", source, det_status_text(status));
    if (isfinite(values->mean_ns) && !mean_take(values, source, &loop->summary, error))
        return false;
    loop->calls = values->ns->len;
    loop->warmup_calls = values->warmup;
    if (isfinite(values->allocated_bytes))
        run_loop_add_reading(loop, "allocated_bytes_per_call", json_real(values->allocated_bytes));
    return true;
}
