/*
 * github-action-benchmark: data.js has the runs of each suite, a custom file the values of one.
 *
 * What "range" means, the tool behind the action decides: a deviation of Catch2, cargo, pytest and
 * BenchmarkDotNet is no interval, that of MooBench's ten loops gives one. An interval is
 * benchmark.js's margin of error, what our own export writes, and, which is told, "± x" of a
 * custom file. That of benchmark.js is of the mean time of a cycle, a share of it, though its value
 * is a rate.
 */
#include "config/formats/formats.h"
#include "config/json_text.h"
#include "config/model/benchmark.h"
#include "config/units.h"
#include "detector/detector.h"

#include <math.h>
#include <string.h>

#define OWN "95 % interval"  /* begins "extra" of our export, */
#define OVER "portion over " /* and this ends it, with the name of what it is a difference to */
#define MOOBENCH_LOOPS 10    /* in all of upstream's workflows */
#define HALVED_LEAST 0.9     /* range over value where every second number was 0 */
#define HALVED_MOST 1.2
#define FIRST_MS 1e11 /* in 1973: what is below are seconds, or no date */

static bool is(const fmt_input *in) {
    return fmt_has(in->root, "{s:{}}", "entries") ||
           fmt_has(in->root, "[{s:o,s:o}]", "name", "value");
}

/* A bench and the run that it is of. */
typedef struct {
    fmt_at at;
    const char *tool, *name, *unit, *extra;
    double value;
    bool moobench; /* its range is the deviation of MooBench's loops */
} bench;

/* Forks of the action say at a bench, or at its run, whether more is better: as custom files do.
 * Of a tool that is known that says nothing new, and its repetitions and deviations stay such. */
static const char *tool_of(const fmt_at *list, const fmt_at *at, const char *tool) {
    if (tool && !g_str_has_prefix(tool, "custom"))
        return tool;
    const json_t *own = json_object_get(at->json, "biggerIsBetter");
    const json_t *run = list->above ? json_object_get(list->above->json, "bigger_is_better") : NULL;
    const json_t *said = own ? own : run;
    return json_is_true(said)    ? "customBiggerIsBetter"
           : json_is_false(said) ? "customSmallerIsBetter"
           : tool                ? tool
                                 : "custom";
}

/* All values of go's line were one unit, "ns/op\t 16 B/op": the first is that of the value. */
static void unit_cut(bench *b) {
    const size_t first = b->unit ? strcspn(b->unit, "\t ") : 0;
    if (!b->unit || !g_str_equal(b->tool, "go") || b->unit[first] == '\0')
        return;
    json_object_set_new(b->at.json, "unit", json_stringn(b->unit, first));
    b->unit = fmt_text_of(&b->at, "unit");
}

static bench bench_of(const fmt_at *list, size_t i, const char *tool) {
    bench b = {.at = fmt_item(list, i)};
    b.tool = tool_of(list, &b.at, tool);
    b.name = fmt_text_of(&b.at, "name");
    b.unit = fmt_text_of(&b.at, "unit");
    b.extra = fmt_text_of(&b.at, "extra");
    b.value = fmt_real_of(&b.at, "value");
    unit_cut(&b);
    return b;
}

/* A text for a name: its line that ends or begins with a word; NULL: all of it on one line. */
static char *line_of(const char *text, const char *word) {
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (GStrv line = lines; word && *line; line++)
        if (strstr(*line, word))
            return g_strdup(*line);
    return word ? NULL : g_strjoinv(" ", lines);
}

/* A custom file's value in a unit of its own: kept as it is, and told apart by its name. */
static bool has_unit(const bench *b) {
    return g_str_has_prefix(b->tool, "custom") && b->unit && cfg_is_unit(b->unit);
}

/* A time, or calls a time. What a custom file has of a throughput is the time of no call, nor is a
 * time of which more is better: both are kept as they are. */
static bool time_of(const bench *b, cfg_unit *unit) {
    return cfg_unit_of(b->unit, unit) &&
           (unit->rate ? !(has_unit(b) && cfg_unit_is_throughput(b->unit))
                       : !g_str_equal(b->tool, "customBiggerIsBetter"));
}

/* Asked of each bench of each: nothing else of it is read for that. */
static bool is_called(const fmt_at *list, size_t i, const char *name) {
    return g_strcmp0(cfg_json_word(json_array_get(list->json, i), "name", NULL), name) == 0;
}

/* Is there another of its name that says the same else, and has the same unit, or another one? */
static bool is_twin(const fmt_at *list, const bench *b, bool of_unit) {
    for (size_t i = 0; i < fmt_size(list); i++) {
        if (!is_called(list, i, b->name))
            continue;
        const bench other = bench_of(list, i, b->tool);
        if (other.at.json != b->at.json && g_strcmp0(other.extra, b->extra) == 0 &&
            (g_strcmp0(other.unit, b->unit) == 0) == of_unit)
            return true;
    }
    return false;
}

/* What else a bench has as text: "ubuntu-latest" of its platform. Owned, "" without. */
static char *others_of(const bench *b) {
    static const char *const read[] = {"name", "unit", "extra", "value", "range", NULL};
    const char *key;
    json_t *value;
    GString *text = g_string_new(NULL);
    json_object_foreach (b->at.json, key, value)
        if (json_is_string(value) && !g_strv_contains(read, key))
            g_string_append_printf(text, ", %s", json_string_value(value));
    return g_string_free(text, FALSE);
}

/* What tells benches of one name apart; those of go and Google that nothing does are loops. What is
 * no time has its unit beside each of its numbers already. */
static char *apart_of(const fmt_at *list, const bench *b) {
    cfg_unit unit;
    if (g_str_equal(b->tool, "go"))
        return line_of(b->extra, "procs");
    if (g_str_equal(b->tool, "googlecpp"))
        return line_of(b->extra, "threads");
    g_autofree char *extra = line_of(b->extra, NULL);
    const bool twin = is_twin(list, b, true);
    if (*extra && has_unit(b) && !time_of(b, &unit) && !twin && !is_twin(list, b, false))
        return g_steal_pointer(&extra);
    g_autofree char *others = twin ? others_of(b) : g_strdup("");
    return g_strconcat(b->unit ? b->unit : "", *extra ? ", " : "", extra, others, NULL);
}

static bool repeats(const bench *b) {
    return g_str_equal(b->tool, "go") || g_str_equal(b->tool, "googlecpp");
}

/* What its value is a difference to; NULL: it is whole. */
static const char *over_of(const bench *b) {
    const char *said =
        b->extra && g_str_has_prefix(b->tool, "custom") ? strstr(b->extra, OVER) : NULL;
    return said ? said + strlen(OVER) : NULL;
}

/* Why the number of a range is the half width of an interval, and by how much; 0: it is none. */
static double interval_of(const bench *b, const char *text, fmt_night *night) {
    const bool sign = text && (g_str_has_prefix(text, "±") || g_str_has_prefix(text, "+/-"));
    const bool custom = g_str_has_prefix(b->tool, "custom");
    if ((b->extra && g_str_has_prefix(b->extra, OWN)) || g_str_equal(b->tool, "benchmarkjs"))
        return 1;
    if (custom && sign) {
        fmt_night_note(night, "\"range\" is read as a 95 % interval, because it says ±");
        return 1;
    }
    if (custom && b->moobench) {
        fmt_night_note(
            night, "MooBench's \"range\" is the standard deviation of its loops (10 where it is "
                   "published); the interval is computed from them");
        return det_t_quantile(0.975, MOOBENCH_LOOPS - 1) / sqrt(MOOBENCH_LOOPS);
    }
    fmt_night_note(night,
                   "\"range\" is not read: it is a standard deviation, or does not say what it is");
    return 0;
}

/* The number of a range's text, in the unit of the value; NaN: it is none, or in none that can be
 * turned into it. All of the text has to say it: "±1,5" is no ±1. */
static double range_number(const bench *b, const char *text) {
    static const char *const signs[] = {"±", "+/-"};
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
        text += g_str_has_prefix(text, signs[i]) ? strlen(signs[i]) : 0;
    text += strspn(text, " ");
    char *end = NULL;
    const double number = g_ascii_strtod(text, &end);
    g_autofree char *unit = g_strstrip(g_strdup(end));
    cfg_unit own, theirs;
    if (end == text || end > text + strspn(text, "0123456789.eE+-")) /* no hexadecimal, no inf */
        return (double)NAN;
    if (*unit == '\0' || g_strcmp0(unit, b->unit) == 0)
        return number;
    if (g_str_equal(unit, "%"))
        return number * fabs(b->value) / 100;
    const bool same =
        cfg_unit_of(unit, &own) && cfg_unit_of(b->unit, &theirs) && !own.rate && !theirs.rate;
    return same ? number * own.ns / theirs.ns : (double)NAN;
}

/* The half width that a range says: "±1.5%", "± 0.09", "± 90 ns", 0.3. NaN: it is no interval. */
static double half_width(const bench *b, fmt_night *night) {
    const fmt_at range = fmt_get(&b->at, "range");
    const char *text = fmt_text(&range);
    const double width = text ? range_number(b, text) : fmt_real(&range);
    if (!range.json || (text && *text == '\0') || json_is_null(range.json))
        return (double)NAN;
    if (!(isfinite(width) && width >= 0)) {
        fmt_night_note(night, "\"range\" is not read where it is no number in the value's unit");
        return (double)NAN;
    }
    const double times = interval_of(b, text, night);
    return times > 0 ? width * times : (double)NAN;
}

/* Google's own aggregates of repetitions stand among them by these names. */
static const char *aggregate_of(const char *name) {
    static const char *const words[] = {"_mean", "_median", "_stddev", "_cv"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_str_has_suffix(name, words[i]))
            return words[i];
    return NULL;
}

static bool has(const fmt_at *list, const char *name) {
    for (size_t i = 0; i < fmt_size(list); i++)
        if (is_called(list, i, name))
            return true;
    return false;
}

/* Whether a bench is such an aggregate that is not to be read as a benchmark. name: out, to g_free,
 * what it is called then. */
static bool is_aggregate(const fmt_at *list, const bench *b, char **name) {
    const char *word = g_str_equal(b->tool, "googlecpp") ? aggregate_of(b->name) : NULL;
    *name = g_strdup(b->name);
    if (!word)
        return false;
    g_autofree char *base = g_strndup(b->name, strlen(b->name) - strlen(word));
    g_autofree char *mean = g_strconcat(base, "_mean", NULL);
    g_autofree char *deviation = g_strconcat(base, "_stddev", NULL);
    if (!has(list, mean) || !has(list, deviation))
        return false;
    if (!g_str_equal(word, "_mean") || has(list, base))
        return true;
    g_free(*name);
    *name = g_steal_pointer(&base);
    return false;
}

/* Go's names have no blanks: "A - ns/op" is the first of the values in the line of A, beside which
 * the action writes it, or in place of it. Owned; NULL: another name. */
static char *go_name(const bench *b) {
    static const char end[] = " - ns/op";
    return g_str_equal(b->tool, "go") && g_str_has_suffix(b->name, end)
               ? g_strndup(b->name, strlen(b->name) - strlen(end))
               : NULL;
}

static bool has_time(const fmt_at *list, const char *name) {
    bool found = false;
    for (size_t i = 0; i < fmt_size(list) && !found; i++)
        found = is_called(list, i, name) && g_strcmp0(bench_of(list, i, "go").unit, "ns/op") == 0;
    return found;
}

/* Why a bench is no value; NULL: it is one. */
static char *flaw_of(const bench *b) {
    cfg_unit unit;
    if (!b->name || !b->name[strspn(b->name, " \t\r\n")])
        return g_strdup("has no name");
    if (!isfinite(b->value))
        return g_strdup("its value is not a number");
    if (time_of(b, &unit) || has_unit(b))
        return NULL;
    return b->unit && *b->unit
               ? g_strdup_printf("its unit \"%s\" is not a time per call", b->unit)
               : g_strdup("it has no unit: without one nobody knows what may be compared with it");
}

/* Of a rate more is better, and who says otherwise is told what was believed. */
static void smaller_note(const bench *b, bool time, fmt_night *night) {
    g_autofree char *text =
        time
            ? g_strdup_printf("\"%s\" is read as calls a time, of which more is better, though the "
                              "file says customSmallerIsBetter",
                              b->unit)
            : g_strdup_printf("\"%s\" is a rate, and less of it is better, because the file says "
                              "customSmallerIsBetter",
                              b->unit);
    if (g_str_equal(b->tool, "customSmallerIsBetter") && cfg_unit_is_rate(b->unit))
        fmt_night_note(night, text);
}

/* Nobody knows all units. */
static void guess_note(const bench *b, fmt_night *night) {
    g_autofree char *text =
        g_strdup_printf("less of \"%s\" is better, as the file does not say otherwise", b->unit);
    if (!g_str_has_suffix(b->tool, "IsBetter") && !cfg_unit_is_rate(b->unit))
        fmt_night_note(night, text);
}

/* More is better of what says so, and of rates where nobody says. */
static void put_as_it_is(const bench *b, double half, fmt_value *value) {
    const bool said = g_str_has_suffix(b->tool, "IsBetter");
    value->unit = g_strdup(b->unit);
    value->higher = said ? g_str_equal(b->tool, "customBiggerIsBetter") : cfg_unit_is_rate(b->unit);
    fmt_value_add(value, b->value);
    value->low_ns = b->value - half;
    value->high_ns = b->value + half;
}

/* of_time: the half width is that share of the time, be the value a rate. */
static void put_time(const cfg_unit *unit, double mean, double half, bool of_time,
                     fmt_value *value) {
    const double ns = cfg_unit_to_ns(unit, mean), share = half / mean;
    fmt_value_add(value, ns);
    const double one = of_time ? ns * (1 - share) : cfg_unit_to_ns(unit, mean - half);
    const double other = of_time ? ns * (1 + share) : cfg_unit_to_ns(unit, mean + half);
    const bool bounded = of_time || !unit->rate || mean > half;
    value->low_ns = bounded ? fmin(one, other) : (double)NAN;
    value->high_ns = bounded ? fmax(one, other) : (double)NAN;
}

/* "threads: 4" among JMH's lines; 0: it does not say. */
static double threads_of(const bench *b) {
    g_autofree char *line = line_of(b->extra, "threads: ");
    return line ? g_ascii_strtod(line + strlen("threads: "), NULL) : 0;
}

static bool bench_read(const fmt_at *list, const bench *b, double times, fmt_night *night,
                       GError **error) {
    cfg_unit unit;
    g_autofree char *name = NULL, *flaw = flaw_of(b);
    if (flaw || is_aggregate(list, b, &name)) {
        fmt_night_leave(night, b->name, NULL, "%s",
                        flaw ? flaw : "is an aggregate of its repetitions");
        return true;
    }
    g_autofree char *own = go_name(b);
    if (own && has_time(list, own)) {
        fmt_night_note(night,
                       "\"NAME - ns/op\" is the value of \"NAME\" once more: it is read once");
        return true;
    }
    g_autofree char *apart = apart_of(list, b);
    const guint there = night->values->len;
    fmt_value *value = fmt_night_value(night, own ? own : name, apart);
    if (night->values->len == there && !repeats(b))
        return fmt_wrong(&b->at, error, "\"%s\" is there twice", name);
    const double half = half_width(b, night);
    value->over = g_strdup(over_of(b));
    if (repeats(b))
        fmt_value_loop(value);
    smaller_note(b, time_of(b, &unit), night);
    if (!time_of(b, &unit)) {
        guess_note(b, night);
        put_as_it_is(b, half, value);
        return true;
    }
    if (g_str_equal(b->tool, "jmh"))
        fmt_jmh_threads(&unit, threads_of(b), night);
    put_time(&unit, b->value * times, half * times, g_str_equal(b->tool, "benchmarkjs"), value);
    return true;
}

/* Numbers without a sign beside MooBench's labels: what its workflows publish. */
static bool is_moobench(const fmt_at *list) {
    bool root = false;
    for (size_t i = 0; i < fmt_size(list); i++) {
        const bench b = bench_of(list, i, NULL);
        if (b.extra)
            return false;
        root = root || (b.name && g_ascii_strcasecmp(b.name, "No instrumentation") == 0);
    }
    return root;
}

/* MooBench since 2025-09-18: an empty line joins each loop as a 0, so half of the mean is told and
 * its deviation is as large as itself, in every series. */
static bool is_halved(const fmt_at *list) {
    size_t known = 0; /* a configuration that failed says nothing */
    for (size_t i = 0; i < fmt_size(list); i++) {
        const bench b = bench_of(list, i, NULL);
        const double share = fmt_real_of(&b.at, "range") / b.value;
        if (isfinite(share) && !(share > HALVED_LEAST && share < HALVED_MOST))
            return false;
        known += isfinite(share);
    }
    return known > 1;
}

/* How often most of them are there; of two such numbers the smaller one. */
static guint loops_usual(const fmt_night *night) {
    guint usual = 0, most = 0;
    for (guint i = 0; i < night->values->len; i++) {
        const guint loops = ((const fmt_value *)night->values->pdata[i])->loops->len;
        guint alike = 0;
        for (guint k = 0; k < night->values->len; k++)
            alike += ((const fmt_value *)night->values->pdata[k])->loops->len == loops;
        if (alike > most || (alike == most && loops < usual)) {
            most = alike;
            usual = loops;
        }
    }
    return usual;
}

/* -count repeats all benchmarks of go alike. One that is there more often than the others is of
 * several packages, whose names the action writes since 2026 alone. */
static void packages_leave(fmt_night *night) {
    const guint usual = loops_usual(night);
    for (guint i = night->values->len; i > 0; i--) {
        const fmt_value *value = night->values->pdata[i - 1];
        if (value->loops->len <= usual)
            continue;
        fmt_night_leave(night, value->name, value->apart,
                        "is there %u times, and others %u: it may be of several packages",
                        value->loops->len, usual);
        g_ptr_array_remove_index(night->values, i - 1);
    }
}

static bool list_read(const fmt_at *list, const char *tool, fmt_night *night, GError **error) {
    const bool moobench = is_moobench(list), halved = moobench && is_halved(list);
    night->by_unit = !tool || g_str_has_prefix(tool, "custom");
    if (halved)
        fmt_night_note(night, FMT_HALVED);
    for (size_t i = 0; i < fmt_size(list); i++) {
        bench b = bench_of(list, i, tool);
        b.moobench = moobench && !halved;
        if (!bench_read(list, &b, halved ? 2 : 1, night, error))
            return false;
    }
    if (g_strcmp0(tool, "go") == 0)
        packages_leave(night);
    return true;
}

/* Of a pull request the action writes when the repository of its head was last changed, which may
 * be years before. -1: not known. */
static gint64 commit_time_of(const fmt_at *commit, fmt_night *night) {
    const char *url = fmt_text_of(commit, "url");
    if (!url || !strstr(url, "/pull/"))
        return fmt_time_ms(fmt_text_of(commit, "timestamp"));
    fmt_night_note(night,
                   "the date of a pull request's commit is not read: it is its repository's");
    return -1;
}

/* What is wrong with one run leaves it out, and no other. */
static void run_read(const fmt_at *run, const char *suite, GPtrArray *nights) {
    g_autoptr(GError) wrong = NULL;
    const fmt_at commit = fmt_get(run, "commit"), author = fmt_get(&commit, "author");
    const fmt_at benches = fmt_get(run, "benches");
    const double date = fmt_real_of(run, "date");
    fmt_night *night = fmt_night_new(nights, "github");
    night->suite = g_strdup(suite);
    night->time_ms =
        json_is_number(json_object_get(run->json, "date")) && date > FIRST_MS && date < 1e15
            ? (gint64)date
            : -1;
    night->sha = g_strdup(fmt_text_of(&commit, "id"));
    night->subject = g_strdup(fmt_text_of(&commit, "message"));
    night->author = g_strdup(fmt_text_of(&author, "name"));
    night->commit_ms = commit_time_of(&commit, night);
    if (list_read(&benches, fmt_text_of(run, "tool"), night, &wrong))
        return;
    g_ptr_array_set_size(night->values, 0);
    fmt_night_leave(night, "its run", NULL, "%s", wrong->message);
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root), entries = fmt_get(&root, "entries");
    const char *suite;
    json_t *unused, *all = entries.json;
    if (json_is_array(in->root))
        return list_read(&root, NULL, fmt_night_new(nights, "github"), error);
    json_object_foreach (all, suite, unused) {
        const fmt_at runs = fmt_get(&entries, suite);
        for (size_t i = 0; i < fmt_size(&runs); i++) {
            const fmt_at run = fmt_item(&runs, i);
            run_read(&run, suite, nights);
        }
    }
    return true;
}

const fmt_format fmt_github = {"github", "github-action-benchmark",
                               "is this data.js, or a list of {\"name\", \"value\", \"unit\"}?", is,
                               take};
