#include "detector/watch/counts.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/series_walk.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/series.h"

#include <math.h>
#include <string.h>

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
                                             MODEL(det_counts_level, nights, "nights", MODEL_NULL),
                                             MODEL(det_counts_level, to, "to", MODEL_NULL)};
static const model_noun level_noun = MODEL_NOUN(det_counts_level, level_members, "level");

static const model_member counted_members[] = {
    MODEL(counted, ordinal, "ordinal"), MODEL(counted, dimension, "dimension"),
    INTERVAL(counted, now), MODEL_INSIDE(last_noun, "last", MODEL_NULL),
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

/* A night's dimension of a configuration, as it was judged; borrowed. */
typedef struct {
    int64_t experiment, ordinal;
    const char *dimension;
    const det_counts_verdict *verdict;
    const det_counts_level *level;
} srv__count_judged;

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

/* The verdict, and the level that is known from then on. */
static bool count_put(srv_store *store, const srv__count_judged *judged, GError **error) {
    const det_counts_verdict *v = judged->verdict;
    const det_counts_level *level = judged->level;
    return srv__run(store,
                    ASK(count_put, judged->experiment, judged->dimension, judged->ordinal,
                        det_verdict_text(v->verdict), direction_text(v->direction),
                        v->rule == DET_RULE_SLOW, SRV__RANGE(v->before), v->from, level->mean,
                        level->half, level->nights, level->to),
                    error);
}

static bool judge(srv_store *store, int64_t experiment, const counted *row, GError **error) {
    const det_counts_night night = {.id = experiment,
                                    .now = row->now,
                                    .last = row->last.interval,
                                    .last_id = row->last.experiment};
    det_counts_level level = level_of(row);
    det_counts_verdict verdict;
    /* what is not watched, or was not counted to the end, stays without a verdict */
    if (det_counts_judge(&level, det_dimension_find(row->dimension), &night, &verdict) != DET_OK)
        return true;
    const srv__count_judged judged = {.experiment = experiment,
                                      .ordinal = row->ordinal,
                                      .dimension = row->dimension,
                                      .verdict = &verdict,
                                      .level = &level};
    return count_put(store, &judged, error);
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

static const model_member moved_members[] = {MODEL(moved_from, experiment, "experiment"),
                                             MODEL(moved_from, before, "before"),
                                             MODEL(moved_from, after, "after")};
static const model_noun moved_noun = MODEL_NOUN(moved_from, moved_members, "night before");

/* Was the project measured in another environment before? Asked at a series' first night only. */
static bool night_moved(srv__walk *w, srv__walk_night *n, GError **error) {
    moved_from row;
    bool there;
    if (!srv__one(w->store, ASK(series_moved_from, n->id), &moved_noun, &row, &there, error))
        return false;
    n->moved_from = row.experiment;
    if (there)
        n->moved = srv__environment_difference(row.before, row.after);
    model_clear(&moved_noun, &row);
    return true;
}

/* The detector sees a series' first night; people see why a new one was begun. */
static void moved_tell(const srv__walk_night *n, det_verdict *verdict) {
    if (verdict->rule == DET_RULE_BROKEN) /* no baseline begins with a night that is not used */
        return;
    verdict->verdict = DET_VERDICT_ENVIRONMENT;
    verdict->rule = DET_RULE_NEW_ENVIRONMENT;
    g_autofree char *reason =
        g_strdup_printf("the environment changed, a new baseline begins here: %s", n->moved);
    g_autofree char *cut =
        g_utf8_substring(reason, 0, MIN(g_utf8_strlen(reason, -1), (DET_REASON_MAX - 1) / 4));
    bool fits = strlen(reason) < DET_REASON_MAX;
    g_strlcpy(verdict->reason, fits ? reason : cut, sizeof verdict->reason);
}

static bool night_load(srv__walk *w, int64_t id, srv__walk_night *n, GError **error) {
    *n = (srv__walk_night){.id = id};
    if (!srv__night_about(w->store, id, n->label, sizeof n->label, &n->remeasure, error) ||
        !srv__night_ordinals(w->store, id, &w->tree, n->ordinals, error))
        return false;
    n->means =
        w->of ? srv__night_dimension(w->store, id, w->dimension, n->ordinals, w->tree.chain.count,
                                     &n->rounds, error)
              : srv__night_means(w->store, id, n->ordinals, w->tree.chain.count, &n->rounds, error);
    return n->means != NULL;
}

/* Place of an experiment in the series; the last place when it is not there. */
guint srv__walk_place(const srv__walk *w, int64_t id) {
    if (!w->ids)
        return 0;
    for (guint i = w->ids->len; i > 0; i--)
        if (g_array_index(w->ids, int64_t, i - 1) == id)
            return i - 1;
    return w->ids->len;
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
    anomaly.weight =
        fabs(anomaly.difference.mean) /
        fmax(w->policy.effect_absolute, w->policy.effect_relative * fabs(anomaly.before.mean));
    anomaly.from_place = srv__walk_place(w, anomaly.from);
    anomaly.to_place = srv__walk_place(w, anomaly.to);
    g_strlcpy(anomaly.reason, v->reason, sizeof anomaly.reason);
    g_array_append_val(w->anomalies, anomaly);
}

static bool verdict_put(const srv__walk *w, const srv__walk_night *n, size_t i,
                        const det_verdict *verdict, bool cleared, GError **error) {
    return w->of ? srv__dimension_verdict_put(w->store, n->id, w->dimension, n->ordinals[i],
                                              verdict, cleared, error)
                 : srv__verdict_put(w->store, n->id, n->ordinals[i], verdict, cleared, error);
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
