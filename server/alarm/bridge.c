#include "server/alarm/bridge.h"

#include "config/model/detection.h"
#include "detector/statistics/interval.h"
#include "detector/words/change.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/store/store_sql.h"
#include "sql/bridge.h"
#include "sql/trial.h"
#include "web/layout/text.h"

#include <math.h>

/* A change of the code that is looked for: as a share of its level, and not below the project's. */
#define LOOKED_FOR 0.1

/* The nights of an incident that a bridge is between. */
typedef struct {
    int64_t from, to, after_id, before_id;
    char *before; /* the last commit before, short */
    char *night, *node;
} bridge_ends;

static const model_member ends_members[] = {
    MODELS(bridge_ends, from, to, after_id, before_id, before, night),
    MODEL(bridge_ends, node, "node", MODEL_NULL)};
static const model_noun ends_noun = MODEL_NOUN(bridge_ends, ends_members, "bridge");

/* Of one portion: its level before, and of the same commit here; what the code changed. */
typedef struct {
    char *portion, *unit, *state; /* unit NULL: ns; state: of the question; NULL: there was none */
    det_interval old, here, change;
} bridge_level;

static const model_member level_members[] = {
    MODEL(bridge_level, portion, "portion"),
    MODEL(bridge_level, unit, "unit", MODEL_NULL),
    MODEL_A(bridge_level, old, cfg_interval_model, MODEL_PART, "old", MODEL_NULL),
    MODEL_A(bridge_level, here, cfg_interval_model, MODEL_PART, "here", MODEL_NULL),
    MODEL_A(bridge_level, change, cfg_interval_model, MODEL_PART, "change", MODEL_NULL),
    MODEL(bridge_level, state, "state", MODEL_NULL)};
static const model_noun level_noun = MODEL_NOUN(bridge_level, level_members, "level");

/* Every portion is asked for its code's change: with the answers come the levels. */
static size_t questions_of(const srv__walk *w, const srv__walk_night *n, srv__question *out) {
    det_portions tonight;
    if (det_portions_of(&tonight, &w->tree.chain, n->means, n->rounds, w->policy.confidence) !=
        DET_OK)
        return 0;
    size_t count = 0;
    for (size_t c = 0; c < w->tree.chain.count; c++) {
        const double level = tonight.portion[c].mean;
        if (!isfinite(level))
            continue;
        const double least = fmax(w->policy.effect_absolute,
                                  fmax(w->policy.effect_relative, LOOKED_FOR) * fabs(level));
        out[count++] = (srv__question){.configuration = c, .expected_ns = least};
    }
    return count;
}

static bool trial_begin(srv__walk *w, const srv__walk_night *n, const bridge_ends *ends,
                        int64_t *trial, GError **error) {
    srv__question questions[SRV__QUESTIONS_MAX];
    int64_t ids[SRV__QUESTIONS_MAX];
    const srv__trial asked = {.kind = "confirmation",
                              .series = w->id,
                              .after = ends->after_id,
                              .before = ends->before_id,
                              .experiment = n->id,
                              .node = ends->node,
                              .questions = questions,
                              .count = questions_of(w, n, questions),
                              .in_turn = true};
    *trial = 0;
    return asked.count == 0 ||
           (srv__trial_start(w->store, &asked, w->now_ms, ids, error) &&
            srv__number(w->store, ASK(trial_of_question, ids[0]), 0, trial, error));
}

/* What the machine does to a level: now by before. Unknown where one of them may be 0. */
static det_interval factor_of(const bridge_level *row) {
    det_interval factor;
    if (det_interval_ratio(&factor, &row->old, &row->here) != DET_OK)
        return (det_interval){.mean = NAN, .low = NAN, .high = NAN};
    return factor;
}

/* Of all portions together, where they are times: values of other units have no sum. The intervals'
 * widths are taken as independent, which makes it wider: neighbours share a configuration with
 * opposite signs. */
static det_interval factor_of_all(const model_list *levels) {
    det_interval sum[2] = {{.mean = 0}, {.mean = 0}}, factor = {.mean = NAN};
    double squares[2] = {0, 0};
    const bridge_level *row = levels->items;
    for (unsigned i = 0; i < levels->count; i++)
        if (row[i].unit)
            return factor;
    for (unsigned i = 0; i < levels->count; i++, row++)
        for (int side = 0; side < 2; side++) {
            const det_interval *one = side ? &row->here : &row->old;
            sum[side].mean += one->mean;
            squares[side] += pow((one->high - one->low) / 2, 2);
        }
    for (int side = 0; side < 2; side++) {
        sum[side].low = sum[side].mean - sqrt(squares[side]);
        sum[side].high = sum[side].mean + sqrt(squares[side]);
    }
    (void)det_interval_ratio(&factor, &sum[0], &sum[1]);
    return factor;
}

static void add_factor(GString *to, const char *name, const det_interval *factor) {
    char text[DET_FACTOR_MAX];
    det_factor_text(text, sizeof text, factor);
    g_string_append_printf(to, "%s%s × %s", to->len > 0 ? ", " : "", name, text);
}

static void add_change(GString *to, const bridge_level *row) {
    const web_unit unit = web_unit_for(row->change.mean, row->unit);
    const double size = fabs(row->change.mean) / unit.ns;
    const int digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    if (g_strcmp0(row->state, "yes") == 0)
        g_string_append_printf(to, "%s%s %+.*f %s (%+.*f to %+.*f)", to->len > 0 ? ", " : "",
                               row->portion, digits, row->change.mean / unit.ns, unit.name, digits,
                               row->change.low / unit.ns, digits, row->change.high / unit.ns);
}

/* "levels before 2024-05-09: T × 1.07 ± 0.01, …; the code changed none of them" */
static char *words_of(const model_list *levels, const char *night, bool same_commit) {
    g_autoptr(GString) factors = g_string_new(NULL), changes = g_string_new(NULL);
    const bridge_level *row = levels->items;
    for (unsigned i = 0; i < levels->count; i++, row++) {
        const det_interval factor = factor_of(row);
        if (isfinite(factor.mean))
            add_factor(factors, row->portion, &factor);
        add_change(changes, row);
    }
    if (factors->len == 0)
        return g_strdup_printf("the levels before %s cannot be compared: their intervals reach 0",
                               night);
    if (same_commit)
        return g_strdup_printf("levels before %s: %s (the same commit on both sides)", night,
                               factors->str);
    return changes->len > 0
               ? g_strdup_printf("levels before %s: %s; and the code changed: %s", night,
                                 factors->str, changes->str)
               : g_strdup_printf("levels before %s: %s; no change of the code was confirmed", night,
                                 factors->str);
}

/* It is done, or failed; and why. */
static bool bridge_end(srv_store *store, int64_t incident, const char *state, const char *reason,
                       GError **error) {
    return srv__run(store, ASK(bridge_end, incident, state, reason), error) &&
           srv__event(store, SRV_EVENT_INCIDENT, incident);
}

static bool conclude(srv_store *store, int64_t incident, const bridge_ends *ends, bool same_commit,
                     GError **error) {
    g_auto(model_list) levels = {0};
    if (!srv__many(store, ASK(bridge_levels, incident), &level_noun, &levels, error))
        return false;
    g_autofree char *words = words_of(&levels, ends->night, same_commit);
    return bridge_end(store, incident, "done", words, error);
}

static bool begin(srv__walk *w, const srv__walk_night *n, int64_t incident, const bridge_ends *ends,
                  GError **error) {
    const bool same = ends->after_id == ends->before_id;
    int64_t trial = 0;
    if (!same && !trial_begin(w, n, ends, &trial, error))
        return false;
    if (!same && trial == 0)
        return true;
    g_autofree char *words = g_strdup_printf(
        "commit %s, the last one before, is to be measured again here", ends->before);
    return srv__run(w->store, ASK(bridge_insert, incident, srv__arg_key(trial), "open", words),
                    error) &&
           (!same || conclude(w->store, incident, ends, true, error));
}

bool srv__bridge_begin(srv__walk *w, const srv__walk_night *n, int64_t incident, GError **error) {
    MODEL_HELD(bridge_ends, ends, ends_noun);
    bool there;
    if (!n->remeasure)
        return true;
    return srv__one(w->store, ASK(bridge_ends, incident), &ends_noun, &ends, &there, error) &&
           (!there || begin(w, n, incident, &ends, error));
}

static bool fail(srv_store *store, int64_t incident, const bridge_ends *ends, const char *failed,
                 GError **error) {
    g_autofree char *words =
        g_strdup_printf("no bridge to the levels before: commit %s could not be measured again "
                        "here (%s); the series starts anew",
                        ends->before, failed);
    return bridge_end(store, incident, "failed", words, error);
}

bool srv__bridge_settle(srv_store *store, int64_t trial, const char *failed, GError **error) {
    MODEL_HELD(bridge_ends, ends, ends_noun);
    int64_t incident;
    if (!srv__number(store, ASK(bridge_of_trial, trial), 0, &incident, error))
        return false;
    if (incident == 0)
        return true;
    if (!srv__one(store, ASK(bridge_ends, incident), &ends_noun, &ends, NULL, error))
        return false;
    return failed ? fail(store, incident, &ends, failed, error)
                  : conclude(store, incident, &ends, false, error);
}

static void portions_read(cfg_bridge *bridge, const model_list *levels) {
    const bridge_level *row = levels->items;
    for (unsigned i = 0; i < levels->count; i++, row++) {
        cfg_bridged *portion = model_add(&cfg_bridge_model, bridge, "portions");
        portion->portion = g_strdup(row->portion);
        portion->unit = g_strdup(row->unit);
        portion->changed = g_strdup(row->state);
        portion->factor = factor_of(row);
        portion->change = row->change;
    }
}

bool srv__bridge_read(srv_store *store, int64_t incident, cfg_bridge **bridge, GError **error) {
    bool there;
    g_auto(model_list) levels = {0};
    cfg_bridge read;
    *bridge = NULL;
    if (!srv__one(store, ASK(bridge_state, incident), &cfg_bridge_model, &read, &there, error))
        return false;
    if (!there)
        return true;
    const bool done = cfg_is(read.state, "done");
    const bool good =
        !done || srv__many(store, ASK(bridge_levels, incident), &level_noun, &levels, error);
    if (good && done) {
        read.factor = factor_of_all(&levels);
        portions_read(&read, &levels);
    }
    *bridge = g_memdup2(&read, sizeof read);
    return good;
}
