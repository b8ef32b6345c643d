/* moowatch detect FILE - what the detector says about a history, or would have said when. */
#include "ci/formats/chain.h"
#include "ci/formats/series.h"

#include <stdio.h>
#include <string.h>

#define PATIENCE_UNSET (-1)
#define PRINTED_AT_ONCE 65536u

typedef struct {
    gdouble confidence, effect_percent, effect_ns;
    gint baseline, minimum_loops, patience;
    gboolean remeasure, changes, control_free;
    char *chain, *direction, *trim;
} options;

static void options_init(options *o) {
    det_policy policy;
    det_policy_init(&policy);
    *o = (options){.confidence = policy.confidence,
                   .effect_percent = policy.effect_relative * 100,
                   .baseline = (gint)policy.baseline_nights,
                   .minimum_loops = (gint)policy.minimum_loops,
                   .patience = PATIENCE_UNSET};
}

/* A series of single values has neither loops nor a control that could excuse a night: more nights
   must agree, and speak for it a little more clearly (tests/bench/labels). */
static void patience_default(bool plain, det_policy *policy) {
    policy->patience = plain ? 4 : 2;
    policy->caution = plain ? 1.15 : 1;
}

static bool policy_of(const options *o, bool plain, det_policy *policy, GError **error) {
    det_policy_init(policy);
    policy->confidence = o->confidence;
    policy->effect_relative = o->effect_percent / 100;
    policy->effect_absolute = o->effect_ns;
    policy->baseline_nights = (unsigned)MAX(o->baseline, 0);
    policy->minimum_loops = (unsigned)MAX(o->minimum_loops, 0);
    if (o->patience == PATIENCE_UNSET)
        patience_default(plain, policy);
    else
        policy->patience = (unsigned)MAX(o->patience, 0);
    policy->unit = plain ? "" : NULL; /* the file does not say it */
    policy->remeasure = o->remeasure;
    if (g_strcmp0(o->direction, "up") == 0)
        policy->direction = 1;
    else if (g_strcmp0(o->direction, "down") == 0)
        policy->direction = -1;
    else if (o->direction && g_strcmp0(o->direction, "both") != 0)
        policy->direction = 2; /* refused below */
    const bool trimmed = !o->trim || det_trim_read(o->trim, &policy->trim) == DET_OK;
    if (trimmed && det_policy_check(policy) == DET_OK)
        return true;
    return ci_misused(
        error,
        "an option is out of range: --confidence 0.5 to 0.9999, --baseline 1 to %u, "
        "--minimum-loops from 1, --patience 1 to 4, --trim ends or slow, --direction up, "
        "down or both, effects not negative",
        DET_BASELINE_MAX);
}

/* "T,I:0,C:1": portion names with the index of the parent; without: each under the one before. */
static bool chain_of(const options *o, const ci_series *series, det_chain *chain, GError **error) {
    static const char *const classic[] = {"T", "I", "C", "W"};
    g_auto(GStrv) items = o->chain ? g_strsplit(o->chain, ",", -1) : NULL;
    det_status status = DET_OK;
    det_chain_init(chain);
    for (guint i = 0;
         status == DET_OK && i < (items ? g_strv_length(items) : series->configurations); i++) {
        g_autofree char *number = g_strdup_printf("c%u", i);
        char *colon = items ? strchr(items[i], ':') : NULL;
        gint64 parent = (gint64)i - 1;
        const bool numbered =
            !colon ||
            g_ascii_string_to_signed(colon + 1, 10, 0, DET_CONFIGURATIONS_MAX, &parent, NULL);
        if (colon)
            *colon = 0;
        const char *name = items                       ? items[i]
                           : series->plain             ? "value"
                           : i < G_N_ELEMENTS(classic) ? classic[i]
                                                       : number;
        for (guint k = 0; items && k < i; k++)
            if (g_str_equal(items[k], name))
                return ci_misused(error, "--chain: " CI_CHAIN_TWICE, name);
        status = *name && numbered ? det_chain_add(chain, name, (int)parent) : DET_EINVAL;
    }
    if (status != DET_OK || chain->count != series->configurations)
        return ci_misused(
            error, "--chain must name each of the %u configurations, parents first: T,I:0,C:1,W:2",
            series->configurations);
    if (series->plain || o->control_free)
        chain->control = -1;
    return true;
}

static bool told(const options *o, const det_verdict *v) {
    return !o->changes || v->verdict == DET_VERDICT_ANOMALY || v->verdict == DET_VERDICT_SUSPECT ||
           v->verdict == DET_VERDICT_ENVIRONMENT || v->verdict == DET_VERDICT_HARNESS;
}

/* A night as it was read. */
typedef struct {
    gint64 night;
    double *means; /* [configurations * loops] */
} one_night;

/* What goes over a history and tells of it. */
typedef struct {
    const options *o;
    const det_chain *chain;
    det_watch *watch;
    GString *out;                  /* lines that are not printed yet */
    bool found;                    /* an anomaly was among them */
    one_night first[DET_ANEW_MAX]; /* of the file; they may have to be judged once more */
    guint firsts;                  /* so many */
    bool waits;                    /* for these; until then nothing is printed */
} walk;

static void print_out(GString *out) {
    (void)fwrite(out->str, 1, out->len, stdout);
    g_string_truncate(out, 0);
}

static void verdicts_print(walk *w, const ci_series *series, const char *name,
                           const det_verdict *verdicts) {
    for (size_t p = 0; p < w->chain->count; p++) {
        w->found |= verdicts[p].verdict == DET_VERDICT_ANOMALY;
        if (told(w->o, &verdicts[p]))
            ci_verdict_line_add(w->out, &(ci_verdict_line){.series = series,
                                                           .night = name,
                                                           .portion = w->chain->name[p],
                                                           .level = w->o->confidence,
                                                           .verdict = &verdicts[p]});
    }
    if (w->out->len >= PRINTED_AT_ONCE && !w->waits)
        print_out(w->out);
}

static bool night_judge(walk *w, const ci_series *series, const one_night *one, GError **error) {
    det_verdict verdicts[DET_CONFIGURATIONS_MAX];
    g_autofree char *name = ci_series_name(series, one->night);
    const det_night night = {.id = one->night,
                             .label = series->dates ? name : NULL,
                             .loops = series->loops,
                             .means = one->means};
    const det_status status = det_watch_add(w->watch, &night, verdicts);
    if (status != DET_OK)
        return ci_wrong(error, "%s:%" G_GUINT64_FORMAT ":1: %s", series->path, series->line,
                        det_status_text(status));
    verdicts_print(w, series, name, verdicts);
    return true;
}

static void first_keep(walk *w, const ci_series *series, const one_night *one) {
    w->waits = w->firsts < DET_ANEW_MAX;
    if (!w->waits)
        return;
    w->first[w->firsts] = *one;
    w->first[w->firsts++].means =
        g_memdup2(one->means, (gsize)series->configurations * series->loops * sizeof *one->means);
}

/* The first nights were broken: the file's nights up to this one once more, and what was said of
   them and is not printed yet is not said. */
static bool first_again(walk *w, const ci_series *series, det_watch *again, GError **error) {
    det_watch_free(w->watch);
    w->watch = again;
    w->found = false;
    g_string_truncate(w->out, 0);
    for (guint i = 0; i < w->firsts; i++)
        if (!night_judge(w, series, &w->first[i], error))
            return false;
    return true;
}

/* The night that the series has come to. */
static bool night_take(walk *w, const ci_series *series, const one_night *one, GError **error) {
    if (!night_judge(w, series, one, error))
        return false;
    det_watch *again = det_watch_anew(w->watch);
    return !again || first_again(w, series, again, error);
}

static bool nights(walk *w, ci_series *series, GError **error) {
    g_autoptr(GError) wrong = NULL;
    gint64 before = -1;
    while (ci_series_next(series, &wrong)) {
        const one_night one = {.night = series->night, .means = series->means};
        if (series->night <= before) {
            g_autofree char *name = ci_series_name(series, series->night);
            g_autofree char *last = ci_series_name(series, before);
            return ci_wrong(error, "%s:%" G_GUINT64_FORMAT ":1: night %s is not after night %s",
                            series->path, series->line, name, last);
        }
        before = series->night;
        first_keep(w, series, &one);
        if (!night_take(w, series, &one, error))
            return false;
    }
    if (!wrong)
        return true;
    g_propagate_error(error, g_steal_pointer(&wrong));
    return false;
}

static bool run(const options *o, const char *path, bool *found, GError **error) {
    g_autoptr(ci_series) series = ci_series_open(path, error);
    det_chain chain;
    det_policy policy;
    if (!series || !policy_of(o, series->plain, &policy, error) ||
        !chain_of(o, series, &chain, error))
        return false;
    g_autoptr(GString) out = g_string_new(NULL);
    walk w = {.o = o, .chain = &chain, .watch = det_watch_new(&chain, &policy), .out = out};
    g_assert(w.watch); /* chain and policy were checked; g_malloc's rule for memory */
    const bool fine = nights(&w, series, error);
    print_out(out); /* what was judged before an error, too */
    det_watch_free(w.watch);
    for (guint i = 0; i < w.firsts; i++)
        g_free(w.first[i].means);
    *found = w.found;
    return fine;
}

static const ci_usage usage = {
    .synopsis = "detect FILE",
    .description =
        "Reads loop means (night,c0_1,…,c3_10) or a plain series (index,value[,lo,hi]).\n"
        "Prints one JSON line for each portion of each night. Exit status 1: a change was\n"
        "found.",
    .least = 1,
    .most = 1};

static ci_exit detect(int argc, char **argv, GError **error) {
    options o = {0};
    options_init(&o);
    const GOptionEntry entries[] = {
        {"changes", 'c', 0, G_OPTION_ARG_NONE, &o.changes,
         "Print only what would have been reported: a dry run of a policy", NULL},
        CI_REAL("effect", &o.effect_percent,
                "Smallest change that matters, in percent (default: 1)", "PERCENT"),
        CI_REAL("effect-ns", &o.effect_ns, "Smallest change that matters, in ns (default: 0)",
                "NS"),
        CI_REAL("confidence", &o.confidence, "Level of the intervals shown (default: 0.95)", "P"),
        CI_COUNT("baseline", &o.baseline, "Nights of reference (default: 30)", "N"),
        CI_COUNT("minimum-loops", &o.minimum_loops,
                 "With fewer loops a night is suspect (default: 2)", "N"),
        CI_STRING("trim", &o.trim,
                  "Loops that do not count: ends (default), or slow on a node that others use",
                  "WHICH"),
        CI_COUNT("patience", &o.patience,
                 "Nights that must agree, 1 to 4 (default: 2; of single values 4)", "N"),
        CI_STRING("direction", &o.direction, "up, down or both (default)", "WAY"),
        CI_FLAG("remeasure", &o.remeasure,
                "Report what would be measured again, instead of taking one night as proof"),
        CI_STRING("chain", &o.chain, "Portions and parents (default: T,I:0,C:1,W:2)", "NAMES"),
        CI_FLAG("no-control", &o.control_free,
                "The first configuration is not a control; it may change, too"),
        {0}};
    bool found = false;
    if (!ci_parse(&usage, entries, &argc, &argv, error) || !run(&o, argv[1], &found, error))
        return CI_INPUT;
    return found ? CI_FOUND : CI_OK;
}

const ci_command ci_command_detect = {"detect", "run the detector on a history in a file", detect};
