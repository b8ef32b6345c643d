/* import_again - a night of the file that is here already: has it the same values? */
#include "config/json_text.h"
#include "server/alarm/series.h"
#include "server/ground/clock.h"
#include "server/ingest/ingest.h"
#include "server/transfer/export.h"
#include "sql/transfer.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9     /* so far two values may lie apart, as a share */
#define VALUES_TOLD 5 /* of a night; of more only how many */

/* The night as it is here. alike: in the series that it would be in; series 0: it is in none. */
typedef struct {
    int64_t id, series, environment;
    char *hash;
    bool hidden, alike, ours; /* ours: of the file's environment */
    bool another;             /* the file's is another run */
} present;

static const model_member present_members[] = {
    MODEL(present, id, "id"),
    MODEL(present, series, "series", MODEL_NULL),
    MODEL(present, environment, "environment", MODEL_NULL),
    MODEL(present, hash, "hash", MODEL_NULL),
    MODEL(present, hidden, "hidden"),
    MODEL(present, alike, "alike"),
    MODEL(present, ours, "ours")};
static const model_noun present_noun = MODEL_NOUN(present, present_members, "night");

/* The value of a loop that did not fail. */
typedef struct {
    char *configuration, *label, *unit;
    double mean_ns;
} value;

static const model_member value_members[] = {MODELS(value, configuration, label),
                                             MODEL(value, unit, "unit", MODEL_NULL),
                                             MODELS(value, mean_ns)};
static const model_noun value_noun = MODEL_NOUN(value, value_members, "loop");

/* What differs, in words. */
typedef struct {
    GString *words;
    unsigned count;
} differences;

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* [double], in order of size. */
static GArray *sorted(GArray *values) {
    g_array_sort(values, by_size);
    return values;
}

static GArray *values_here(const model_list *here, const char *configuration) {
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    const value *one = here->items;
    for (unsigned i = 0; i < here->count; i++, one++)
        if (strcmp(one->configuration, configuration) == 0)
            g_array_append_val(values, one->mean_ns);
    return sorted(values);
}

static GArray *values_given(const srv__result *result, size_t configuration) {
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration == configuration && !loop->failed)
            g_array_append_val(values, loop->summary.mean);
    }
    return sorted(values);
}

static bool is_same(double a, double b) {
    return fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

static bool are_same(const GArray *a, const GArray *b) {
    bool same = a->len == b->len;
    for (guint i = 0; same && i < a->len; i++)
        same = is_same(g_array_index(a, double, i), g_array_index(b, double, i));
    return same;
}

static double mean_of(const GArray *values) {
    double sum = 0;
    for (guint i = 0; i < values->len; i++)
        sum += g_array_index(values, double, i);
    return values->len > 0 ? sum / values->len : (double)NAN;
}

static char *mean_words(double mean, const char *unit) {
    return isnan(mean) ? g_strdup("no value")
                       : g_strdup_printf("%.10g %s", mean, unit ? unit : "ns");
}

/* "Deactivated probe is 535.877 ns here and 540.1 ns in the file" */
static void compare(differences *to, const char *label, const char *unit, const GArray *here,
                    const GArray *given) {
    const double mean_here = mean_of(here), mean_given = mean_of(given);
    if (are_same(here, given) || to->count++ >= VALUES_TOLD)
        return;
    g_autofree char *was = mean_words(mean_here, unit), *is = mean_words(mean_given, unit);
    g_string_append_printf(to->words, "%s%s: %s here, ", to->count > 1 ? "; " : "", label, was);
    if (is_same(mean_here, mean_given))
        g_string_append(to->words, "with another interval or other loops in the file");
    else
        g_string_append_printf(to->words, "%s in the file", is);
}

/* Of what the file names, and of what is here and not in it. */
static void compare_all(differences *to, const model_list *here, const srv__tree *tree,
                        const srv__result *result) {
    const char *before = "";
    for (size_t c = 0; c < tree->chain.count; c++) {
        g_autoptr(GArray) was = values_here(here, tree->name[c]), is = values_given(result, c);
        compare(to, tree->label[c], tree->unit[c], was, is);
    }
    const value *one = here->items;
    for (unsigned i = 0; i < here->count; before = one->configuration, i++, one++) {
        if (strcmp(before, one->configuration) == 0 ||
            srv__tree_find(tree, one->configuration) >= 0)
            continue;
        g_autoptr(GArray) was = values_here(here, one->configuration),
                          is = g_array_new(FALSE, FALSE, sizeof(double));
        compare(to, one->label, one->unit, was, is);
    }
    if (to->count > VALUES_TOLD)
        g_string_append_printf(to->words, "; and %u more", to->count - VALUES_TOLD);
}

/* Why the file's values cannot take the place of those here; NULL: they can. */
static const char *stays(const present *here, const srv__night *night,
                         const srv__import_benchmark *of) {
    return !of->imported                 ? "a node measured it"
           : !here->alike                ? "it is of another suite, format or chain here"
           : night->flaw && here->series ? "with those of the file it could not be judged"
                                         : NULL;
}

/* What was in no series, and can be judged now, begins like a night that comes in; the others are
 * judged once all are there. */
static bool replace(srv__importing *into, srv__night *night, const present *here,
                    const srv__tree *tree, const srv__result *result, GError **error) {
    srv__again again = {here->series, here->id, srv_night_over_ms(night->night, into->now_ms)};
    const bool fresh = here->series == 0 && !night->flaw;
    if ((fresh && !srv__series_find(into->store, night->project, night->branch, night->lineage,
                                    here->environment, &again.series, error)) ||
        !srv__night_replace(into->store, night, tree, result, here->id, again.series, error) ||
        !srv__event(into->store, SRV_EVENT_NIGHT, here->id))
        return false;
    if (again.series != 0 && !fresh)
        g_array_append_val(into->again, again);
    return !fresh || srv__series_add(into->store, again.series, here->id, again.over_ms, error);
}

/* asv dates a run by its commit: another of its machines or environments is another run. */
static bool is_another(const present *here, const srv__result *result) {
    return !here->ours && g_str_equal(cfg_json_word(result->environment, "imported", ""), "asv");
}

/* Where its values are others, that is told, and they are replaced where somebody wants that. */
static bool take(srv__importing *into, srv__night *night, const srv__import_benchmark *of,
                 present *here, const srv__tree *tree, const srv__result *result, GError **error) {
    g_auto(model_list) values = {0};
    g_autoptr(GString) words = g_string_new(NULL);
    differences all = {words, 0};
    if (!srv__many(into->store, ASK(import_values_there, here->id), &value_noun, &values, error))
        return false;
    compare_all(&all, &values, tree, result);
    into->counts.known += all.count == 0;
    here->another = all.count > 0 && is_another(here, result);
    const char *why = stays(here, night, of);
    const bool replaces = into->replace && !why;
    if (all.count == 0 || here->another)
        return true;
    json_array_append_new(replaces ? into->replaced : into->differing,
                          json_pack("{s:s, s:s++}", "night", night->night, "reason", words->str,
                                    why ? "; it stays as it is: " : "", why ? why : ""));
    return !replaces || replace(into, night, here, tree, result, error);
}

bool srv__import_again(srv__importing *into, srv__night *night, const srv__import_benchmark *of,
                       const srv__tree *tree, const srv__result *result, bool *there,
                       GError **error) {
    MODEL_HELD(present, here, present_noun);
    if (!srv__one(into->store,
                  ASK(import_night_there, night->revision, night->lineage, result->node,
                      result->started_ms, of->own, result->environment_hash, night->branch),
                  &present_noun, &here, there, error))
        return false;
    const bool alike = here.hidden || g_strcmp0(here.hash, night->result_hash) == 0;
    into->counts.known += *there && alike;
    const bool good = !*there || alike || take(into, night, of, &here, tree, result, error);
    *there = *there && !here.another;
    return good;
}

bool srv__import_judge_again(srv__importing *into, GError **error) {
    for (guint i = 0; i < into->again->len; i++) {
        const srv__again *one = &g_array_index(into->again, srv__again, i);
        int64_t open;
        if (!srv__number(into->store, ASK(import_unjudged, one->experiment), 0, &open, error) ||
            (open > 0 &&
             !srv__series_again(into->store, one->series, one->experiment, one->over_ms, error)))
            return false;
    }
    return true;
}
