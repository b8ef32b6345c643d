#include "detector/watch/counts.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/series_walk.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/series.h"

#include <math.h>
#include <string.h>

#define STUDENT_TIMES 6.482876414 /* qt(0.975, 1) / qnorm(0.975) */
#define ABOVE_ZERO 0.99           /* of its mean a loop of two leans so far at most */

/* The place of a configuration in a night. */
typedef struct {
    int64_t ordinal;
    char *name;
} configuration_place;

static const model_member place_members[] = {MODELS(configuration_place, ordinal, name)};
static const model_noun place_noun =
    MODEL_NOUN(configuration_place, place_members, "configuration of a night");

/* ordinals: out, [configurations of the tree], the place that each has in the night; -1: the night
 * lacks it. */
static bool night_ordinals(srv_store *store, int64_t experiment, const srv__tree *tree,
                           int64_t *ordinals, GError **error) {
    g_auto(model_list) places = {0};
    const bool good =
        srv__many(store, ASK(night_ordinals, experiment), &place_noun, &places, error);
    const configuration_place *row = places.items;
    for (size_t c = 0; c < tree->chain.count; c++)
        ordinals[c] = -1;
    for (unsigned i = 0; i < places.count; i++, row++) {
        const int c = srv__tree_find(tree, row->name);
        if (c >= 0)
            ordinals[c] = row->ordinal;
    }
    return good;
}

/* stated: of two loops that may stand for an interval of a file (server/ingest/ingest.c). */
typedef struct {
    int64_t ordinal, loop;
    bool used, stated;
    double mean_ns;
} loop_mean;

static const model_member loop_members[] = {MODELS(loop_mean, ordinal, loop, used, stated),
                                            MODEL(loop_mean, mean_ns, "mean_ns", MODEL_NULL, NAN)};
static const model_noun loop_noun = MODEL_NOUN(loop_mean, loop_members, "loop");

static size_t place_at(const int64_t *ordinals, size_t count, int64_t ordinal) {
    size_t c = 0;
    while (c < count && ordinals[c] != ordinal)
        c++;
    return c;
}

/* Two loops lie so far apart that Student's interval of them is the one that a file states. What
 * states it knows more than two loops do: for the detector they lie apart as its standard error
 * says, and above 0, as all that it takes. */
static void stated_widen(double *loops, size_t rounds) {
    double *two[2] = {NULL};
    size_t n = 0;
    for (size_t l = 0; l < rounds; l++)
        if (!isnan(loops[l])) {
            if (n < 2)
                two[n] = &loops[l];
            n++;
        }
    if (n != 2)
        return;
    const double mean = (*two[0] + *two[1]) / 2, half = *two[1] - mean;
    const double wide = fmax(1, fmin(STUDENT_TIMES, ABOVE_ZERO * mean / fabs(half)));
    *two[0] = mean - wide * half;
    *two[1] = mean + wide * half;
}

/* The means of the loops that count: [count * rounds], NaN: missing; owned, NULL with error.
 * ordinals: [count]; rounds: out, how many the night has, at least 1. */
static double *night_means(srv_store *store, int64_t experiment, const int64_t *ordinals,
                           size_t count, size_t *rounds, GError **error) {
    g_auto(model_list) loops = {0};
    if (!srv__many(store, ASK(night_means, experiment), &loop_noun, &loops, error))
        return NULL;
    const loop_mean *all = loops.items;
    bool stated[DET_CONFIGURATIONS_MAX] = {false};
    *rounds = 1;
    for (unsigned i = 0; i < loops.count; i++)
        *rounds = MAX(*rounds, (size_t)MAX(all[i].loop, 1));
    double *means = g_new(double, count **rounds);
    for (size_t i = 0; i < count * *rounds; i++)
        means[i] = NAN;
    for (unsigned i = 0; i < loops.count; i++) {
        const size_t place = place_at(ordinals, count, all[i].ordinal);
        if (place == count)
            continue;
        stated[place] |= all[i].stated;
        if (all[i].loop >= 1 && all[i].used)
            means[place * *rounds + (size_t)all[i].loop - 1] = all[i].mean_ns;
    }
    for (size_t c = 0; c < count; c++)
        if (stated[c])
            stated_widen(&means[c * *rounds], *rounds);
    return means;
}

/* What the loops of a configuration counted: a list of numbers. */
typedef struct {
    int64_t ordinal;
    json_t *loops;
} loop_values;

static const model_member values_members[] = {MODELS(loop_values, ordinal, loops)};
static const model_noun values_noun = MODEL_NOUN(loop_values, values_members, "dimension");

static double *spread_out(const json_t *const *loops, size_t count, size_t rounds) {
    double *means = g_new(double, count *MAX(rounds, 1));
    for (size_t c = 0; c < count; c++)
        for (size_t l = 0; l < rounds; l++) {
            const json_t *value = json_array_get(loops[c], l);
            means[c * rounds + l] = json_is_number(value) ? json_number_value(value) : NAN;
        }
    return means;
}

/* Likewise of another dimension than time; rounds 0: the night has none. */
static double *night_dimension(srv_store *store, int64_t experiment, const char *dimension,
                               const int64_t *ordinals, size_t count, size_t *rounds,
                               GError **error) {
    const json_t *loops[DET_CONFIGURATIONS_MAX] = {NULL};
    const det_summary_member *of_calls = det_summary_find(dimension);
    const int64_t least = of_calls ? (int64_t)of_calls->least : 0;
    g_auto(model_list) rows = {0};
    *rounds = 0;
    if (!srv__many(store, ASK(night_dimension, experiment, dimension, least), &values_noun, &rows,
                   error))
        return NULL;
    const loop_values *row = rows.items;
    for (unsigned i = 0; i < rows.count; i++, row++) {
        const size_t c = place_at(ordinals, count, row->ordinal);
        if (c == count || loops[c])
            continue;
        loops[c] = row->loops;
        *rounds = MAX(*rounds, json_array_size(row->loops));
    }
    return spread_out(loops, count, *rounds);
}

/* A dimension that a night counted, and what was known before. */
typedef struct {
    int64_t ordinal;
    char *dimension;
    det_interval now;
    struct {
        int64_t experiment; /* 0: none counted it */
        det_interval interval;
    } last;
    det_counts_level *level; /* after that night; NULL: of an older release */
} counted;

// NOLINTBEGIN(bugprone-macro-parentheses): a type and the path of a member
#define INTERVAL(S, field)                                                                         \
    MODEL(S, field.mean, "mean", MODEL_NULL, NAN), MODEL(S, field.low, "low", MODEL_NULL, NAN),    \
        MODEL(S, field.high, "high", MODEL_NULL, NAN)
// NOLINTEND(bugprone-macro-parentheses)

static const model_member last_members[] = {
    MODEL(counted, last.experiment, "experiment", MODEL_NULL), INTERVAL(counted, last.interval)};
static const model_noun last_noun = MODEL_NOUN(counted, last_members, "night before");

static const model_member level_members[] = {MODEL(det_counts_level, mean, "mean", MODEL_NULL, NAN),
                                             MODEL(det_counts_level, half, "half", MODEL_NULL, NAN),
                                             MODEL_NULLS(det_counts_level, nights, to)};
static const model_noun level_noun = MODEL_NOUN(det_counts_level, level_members, "level");

static const model_member counted_members[] = {
    MODELS(counted, ordinal, dimension), INTERVAL(counted, now),
    MODEL_INSIDE(last_noun, "last", MODEL_NULL),
    MODEL_A(counted, level, level_noun, MODEL_OWN, "level", MODEL_NULL)};
static const model_noun counted_noun = MODEL_NOUN(counted, counted_members, "count");

/* What was known after the last counted night; of an older release only that night itself. */
static det_counts_level level_of(const counted *row) {
    const det_interval *was = &row->last.interval;
    const double half = (was->high - was->low) / 2;
    if (row->level)
        return *row->level;
    if (isfinite(half))
        return (det_counts_level){was->mean, half, 1, row->last.experiment};
    return (det_counts_level){.nights = 0};
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

/* Its verdict is kept, and the level that is known from then on. */
static bool judge(srv_store *store, int64_t experiment, const counted *row, GError **error) {
    const det_counts_night night = {.id = experiment,
                                    .now = row->now,
                                    .last = row->last.interval,
                                    .last_id = row->last.experiment};
    det_counts_level level = level_of(row);
    det_counts_verdict v;
    /* what is not watched, or was not counted to the end, stays without a verdict */
    if (det_counts_judge(&level, det_dimension_find(row->dimension), &night, &v) != DET_OK)
        return true;
    return srv__run(store,
                    ASK(count_put, experiment, row->dimension, row->ordinal,
                        det_verdict_text(v.verdict), direction_text(v.direction),
                        det_rule_text(v.rule), SRV__RANGE(v.before), v.from, level.mean, level.half,
                        level.nights, level.to),
                    error);
}

/* judge what a night counted, by what the counted nights before it left; in a
 * transaction. The nights before are judged already. */
static bool walk_counts(srv_store *store, int64_t experiment, GError **error) {
    g_auto(model_list) rows = {0};
    bool good = srv__many(store, ASK(counts_of_night, experiment), &counted_noun, &rows, error);
    for (unsigned i = 0; good && i < rows.count; i++)
        good = judge(store, experiment, (const counted *)rows.items + i, error);
    return good;
}

typedef struct {
    int64_t experiment;
    json_t *before, *after; /* environments */
} moved_from;

static const model_member moved_members[] = {MODELS(moved_from, experiment, before, after)};
static const model_noun moved_noun = MODEL_NOUN(moved_from, moved_members, "night before");

/* Was the project measured in another environment before? Asked at a series' first night only. */
static bool night_moved(srv__walk *w, srv__walk_night *n, GError **error) {
    MODEL_HELD(moved_from, row, moved_noun);
    bool there;
    if (!srv__one(w->store, ASK(series_moved_from, n->id), &moved_noun, &row, &there, error))
        return false;
    n->moved_from = row.experiment;
    if (there)
        n->moved = srv__environment_difference(row.before, row.after);
    return true;
}

void srv__reason_put(char out[static DET_REASON_MAX], const char *reason) {
    g_autofree char *cut =
        g_utf8_substring(reason, 0, MIN(g_utf8_strlen(reason, -1), (DET_REASON_MAX - 1) / 4));
    g_strlcpy(out, strlen(reason) < DET_REASON_MAX ? reason : cut, DET_REASON_MAX);
}

/* The detector sees a series' first night; people see why a new one was begun. */
static void moved_tell(const srv__walk_night *n, det_verdict *verdict) {
    if (verdict->rule == DET_RULE_BROKEN || verdict->rule == DET_RULE_UNIT)
        return; /* no baseline begins with a night that is not used */
    verdict->verdict = DET_VERDICT_ENVIRONMENT;
    verdict->rule = DET_RULE_NEW_ENVIRONMENT;
    g_autofree char *reason =
        g_strdup_printf("the environment changed, a new baseline begins here: %s", n->moved);
    srv__reason_put(verdict->reason, reason);
}

static bool night_load(srv__walk *w, int64_t id, srv__walk_night *n, GError **error) {
    *n = (srv__walk_night){.id = id};
    if (!srv__night_about(w->store, id, n->label, sizeof n->label, &n->remeasure, error) ||
        !night_ordinals(w->store, id, &w->tree, n->ordinals, error))
        return false;
    n->means = w->of
                   ? night_dimension(w->store, id, w->dimension, n->ordinals, w->tree.chain.count,
                                     &n->rounds, error)
                   : night_means(w->store, id, n->ordinals, w->tree.chain.count, &n->rounds, error);
    return n->means != NULL;
}

/* Place of an experiment in the series; the last place when it is not there. */
guint srv__walk_place(const srv__walk *w, int64_t id) {
    return w->ids ? srv__ids_place(w->ids, id) : 0;
}

static void anomaly_note(srv__walk *w, int64_t experiment, size_t i, const det_verdict *v,
                         const srv__outcome *outcome) {
    srv__anomaly anomaly = {
        .configuration = i,
        .configuration_name = w->tree.name[i],
        .portion = w->tree.portion[i],
        .dimension = w->dimension,
        .direction = v->direction,
        .from = v->from != 0 ? v->from : v->reference_to,
        .to = v->to != 0 ? v->to : experiment,
        .seen = experiment,
        .before = v->reference,
        .after = v->night,
        .difference = v->difference,
    };
    if (outcome->state == SRV__OUTCOME_CONFIRMED) {
        anomaly.before = outcome->before;
        anomaly.after = outcome->after;
    }
    const det_policy policy = srv__walk_policy(w, i);
    const double least =
        fmax(policy.effect_absolute, policy.effect_relative * fabs(anomaly.before.mean));
    anomaly.weight = fabs(anomaly.difference.mean) / fmax(least, policy.zero);
    anomaly.from_place = srv__walk_place(w, anomaly.from);
    anomaly.to_place = srv__walk_place(w, anomaly.to);
    g_strlcpy(anomaly.reason, v->reason, sizeof anomaly.reason);
    g_array_append_val(w->anomalies, anomaly);
}

/* What a night's portion was judged; cleared: an anomaly that measuring again did not confirm. */
static bool verdict_put(const srv__walk *w, const srv__walk_night *n, size_t i,
                        const det_verdict *v, bool cleared, GError **error) {
    const bool anomaly = v->verdict == DET_VERDICT_ANOMALY;
    const char *verdict = cleared ? "cleared" : det_verdict_text(v->verdict);
    if (w->of)
        return srv__run(w->store,
                        ASK(dimension_verdict_put, n->id, w->dimension, n->ordinals[i], verdict,
                            direction_text(v->direction), v->reason, SRV__RANGE(v->reference),
                            srv__arg_key(v->reference_to), det_rule_text(v->rule)),
                        error);
    return srv__run(w->store,
                    ASK(verdict_put, n->id, n->ordinals[i], verdict, det_rule_text(v->rule),
                        direction_text(v->direction), SRV__RANGE(v->night),
                        SRV__RANGE(v->reference), v->reference_nights,
                        srv__arg_key(v->reference_from), srv__arg_key(v->reference_to),
                        SRV__RANGE(v->difference), srv__arg_key(anomaly ? v->to : 0),
                        srv__arg_key(anomaly ? v->from : 0), v->reason),
                    error);
}

/* The verdicts of a night, with outcomes and written down. */
static bool conclude(srv__walk *w, const srv__walk_night *n, det_verdict *verdicts, bool keep,
                     GError **error) {
    const srv__suspect_night night = {w->id,    n->id,     &w->tree,    &w->policy,
                                      n->means, n->rounds, w->dimension};
    g_autofree srv__outcome *outcomes = g_new(srv__outcome, DET_CONFIGURATIONS_MAX);
    for (size_t i = 0; n->moved && i < w->tree.chain.count; i++)
        moved_tell(n, &verdicts[i]);
    if (!srv__walk_baselines(w, n, verdicts, error) ||
        !srv__walk_outcomes(w, n, &night, verdicts, keep, outcomes, error))
        return false;
    for (size_t i = 0; keep && i < w->tree.chain.count; i++) {
        if (verdicts[i].verdict == DET_VERDICT_ANOMALY)
            anomaly_note(w, n->id, i, &verdicts[i], &outcomes[i]);
        if (n->ordinals[i] >= 0 &&
            !verdict_put(w, n, i, &verdicts[i], outcomes[i].state == SRV__OUTCOME_CLEARED, error))
            return false;
    }
    return true;
}

/* One step of the detector; keep: write the verdicts down. */
bool srv__walk_step(srv__walk *w, int64_t experiment, bool first, bool keep, GError **error) {
    srv__walk_night n;
    det_verdict verdicts[DET_CONFIGURATIONS_MAX];
    bool good = night_load(w, experiment, &n, error) && (!first || night_moved(w, &n, error));
    const bool there = good && n.rounds > 0; /* a dimension need not be in every night */
    if (there) {
        const det_night input = {.id = experiment,
                                 .label = n.label,
                                 .loops = n.rounds,
                                 .means = n.means,
                                 .new_environment = n.moved != NULL};
        srv__walk_baselines_ask(w, n.label);
        det_status status = det_watch_add(w->watch, &input, verdicts);
        good = status == DET_OK;
        if (!good)
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed on %s: %s",
                        n.label, det_status_text(status));
    }
    good = good && (!there || conclude(w, &n, verdicts, keep, error)) &&
           (!keep || w->of ||
            (srv__walk_incidents(w, &n, error) && walk_counts(w->store, experiment, error)));
    g_free(n.means);
    g_free(n.moved);
    return good;
}
