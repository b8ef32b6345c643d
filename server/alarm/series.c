#include "server/alarm/series.h"

#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/series_walk.h"
#include "server/store/store_sql.h"
#include "sql/series.h"

#define IMPORTED_PATIENCE 2
#define IMPORTED_CAUTION 1.25 /* 6.5 of a history times that: the 8 of a single night */

bool srv__series_find(srv_store *store, int64_t project, const char *branch, const char *identity,
                      int64_t environment, int64_t *series, GError **error) {
    if (!srv__number(store, ASK(series_key, project, branch, identity, environment), 0, series,
                     error))
        return false;
    return *series != 0 ||
           (srv__run(store, ASK(series_insert, project, branch, identity, environment), error) &&
            srv__number(store, ASK(series_key, project, branch, identity, environment), 0, series,
                        error));
}

static void policy_read(det_policy *policy, const cfg_detection *detection) {
    det_policy_init(policy);
    policy->confidence = detection->confidence;
    policy->effect_relative = detection->minimum_effect_percent / 100;
    policy->effect_absolute = detection->minimum_effect_ns;
    policy->baseline_nights = MIN(detection->baseline_nights, DET_BASELINE_MAX);
    policy->minimum_loops = detection->minimum_loops;
    policy->trim = detection->trim;
}

/* By what a series is judged. */
typedef struct {
    int64_t project, last, confirms;
    int remeasure;
    json_t *benchmark;
    cfg_detection detection;
} settings;

static const model_member settings_members[] = {
    MODELS(settings, project, benchmark),
    MODEL_A(settings, detection, cfg_detection_model, MODEL_PART, "detection"),
    MODEL(settings, remeasure, "remeasure", MODEL_NULL), MODEL(settings, last, "last"),
    MODEL(settings, confirms, "confirms", MODEL_NULL)};
static const model_noun settings_noun = MODEL_NOUN(settings, settings_members, "series");

/* What was measured elsewhere cannot be measured again here: one night that stands out is told when
 * a second one agrees, and on the evidence that a single night would need. */
static void policy_imported(det_policy *policy, const json_t *benchmark) {
    if (g_strcmp0(cfg_json_word(benchmark, "driver", NULL), "imported") != 0)
        return;
    policy->patience = IMPORTED_PATIENCE;
    policy->caution = IMPORTED_CAUTION;
}

/* The limits of another dimension than time, and what its portions are called. */
static void dimension_set(srv__walk *w, const det_dimension *of) {
    w->of = of;
    w->dimension = of->name;
    w->policy.effect_relative = of->minimum_percent / 100;
    w->policy.effect_absolute = of->minimum;
    w->policy.unit = of->unit;
    w->policy.trim = of->fastest ? DET_TRIM_SLOW : w->policy.trim;
    w->policy.caution *= det_dimension_series();
    srv__tree_of(&w->tree, of);
    for (size_t c = 0; c < w->tree.chain.count; c++) {
        g_autofree char *name = g_strdup_printf("%s of %s", of->noun, w->tree.portion[c]);
        det_name_copy(w->tree.chain.name[c], name);
    }
}

/* of: NULL: time */
static bool walk_init(srv__walk *w, srv_store *store, int64_t series, int64_t experiment,
                      const det_dimension *of, int64_t now_ms, GError **error) {
    *w = (srv__walk){.store = store, .id = series, .dimension = SRV__TIME, .now_ms = now_ms};
    MODEL_HELD(settings, row, settings_noun);
    /* As the newest night was measured: a configuration may have come since. */
    if (!srv__one(store, ASK(series_settings, series, experiment), &settings_noun, &row, NULL,
                  error))
        return false;
    w->last = row.last;
    w->confirms = row.confirms != 0;
    w->project = row.project;
    w->benchmark = json_incref(row.benchmark);
    policy_read(&w->policy, &row.detection);
    w->dimensions = row.detection.dimensions;
    policy_imported(&w->policy, w->benchmark);
    w->policy.remeasure = row.remeasure;
    w->anomalies = g_array_new(FALSE, TRUE, sizeof(srv__anomaly));
    w->incidents = g_array_new(FALSE, FALSE, sizeof(int64_t));
    if (!srv__tree_read(&w->tree, w->benchmark, error))
        return false;
    w->policy.minimum_loops =
        (unsigned)MAX(MIN((int64_t)w->policy.minimum_loops, w->tree.loops), 1);
    if (of)
        dimension_set(w, of);
    return srv__walk_baselines_load(w, error);
}

static void walk_clear(srv__walk *w) {
    det_watch_free(w->watch);
    json_decref(w->benchmark);
    model_list_clear(&w->open);
    json_decref(w->baselines);
    if (w->ids)
        g_array_free(w->ids, TRUE);
    if (w->anomalies)
        g_array_free(w->anomalies, TRUE);
    if (w->incidents)
        g_array_free(w->incidents, TRUE);
}

/* Of a value that is no time: a share is all that a project says of what is too small, and 0 is a
 * value. */
#define ZERO 1e-6

det_policy srv__walk_policy(const srv__walk *w, size_t i) {
    det_policy own = w->policy;
    if (w->of || !w->tree.unit[i])
        return own;
    own.unit = w->tree.unit[i];
    own.effect_absolute = 0;
    own.zero = ZERO;
    return own;
}

static void policies_set(srv__walk *w) {
    for (size_t i = 0; w->watch && i < w->tree.chain.count; i++) {
        const det_policy own = srv__walk_policy(w, i);
        if (own.unit)
            (void)det_watch_set_policy(w->watch, i, &own);
    }
}

static bool watch_new(srv__walk *w, GError **error) {
    det_watch_free(w->watch);
    w->watch = det_watch_new(&w->tree.chain, &w->policy);
    policies_set(w);
    if (w->watch)
        return true;
    return SRV__FAIL(
        error, SRV_ERROR, SRV_ERROR_INTERNAL,
        "the project's detection settings are out of range; correct its configuration");
}

/*
 * The state after the newest nights is kept, since suspicions of these get their answers later, and
 * after every so many of the older ones, for nights that are back-filled: so no step into the past
 * goes over more than that, and what is stored grows by little.
 */
#define STATES_NEWEST 16
#define STATES_APART 128

static bool state_keep(srv__walk *w, int64_t place, int64_t experiment, GError **error) {
    const size_t size = det_watch_save(w->watch, NULL, 0);
    g_autofree void *bytes = g_malloc(size);
    const srv__series_state state = {experiment, place, bytes, size};
    det_watch_save(w->watch, bytes, size);
    return srv__series_state_put(w->store, w->id, w->dimension, &state, error);
}

/* Did the night have the same configurations in the same order? */
static bool same_tree(srv_store *store, int64_t experiment, const srv__tree *tree, bool *same,
                      GError **error) {
    static const model_member member[] = {MODEL_IT(char *, "name")};
    static const model_noun noun = MODEL_NOUN(char *, member, "configuration");
    g_auto(model_list) list = {0};
    if (!srv__many(store, ASK(night_same_tree, experiment), &noun, &list, error))
        return false;
    char *const *names = list.items;
    *same = list.count == tree->chain.count;
    for (size_t i = 0; *same && i < tree->chain.count; i++)
        *same = g_str_equal(names[i], tree->name[i]);
    return true;
}

/* The detector as it was then; place 0: there is none, or it is of another release or of other
 * configurations. Frees bytes. */
static bool state_restore(srv__walk *w, srv__series_state *state, GError **error) {
    bool same = false;
    const bool good =
        state->place == 0 || same_tree(w->store, state->experiment, &w->tree, &same, error);
    if (good && same)
        w->watch = det_watch_restore(&w->tree.chain, &w->policy, state->bytes, state->size);
    policies_set(w);
    if (!w->watch)
        state->place = state->experiment = 0;
    g_clear_pointer(&state->bytes, g_free);
    return good;
}

/* The stored state, when this experiment is the last and it ends just before; place: out, of that
 * state; 0: there is none. */
static bool state_load(srv__walk *w, int64_t experiment, int64_t *place, GError **error) {
    srv__series_state state = {0};
    *place = 0;
    if (w->last == experiment &&
        !srv__series_state_but(w->store, w->id, w->dimension, experiment, &state, error))
        return false;
    const bool good = state_restore(w, &state, error);
    *place = state.place;
    return good;
}

static bool ids_load(srv__walk *w, GError **error) {
    w->ids = srv__ids(w->store, ASK(series_nights, w->id), error);
    return w->ids != NULL;
}

static bool states_drop(const srv__walk *w, int64_t after, GError **error) {
    return srv__run(w->store, ASK(series_states_drop, w->id, after, w->dimension), error);
}

/* The newest state from before a place of w->ids; what comes after it will be another one. */
static bool begin_before(srv__walk *w, guint from, guint *begin, GError **error) {
    srv__series_state state;
    if (!srv__series_state_upto(w->store, w->id, w->dimension, from, &state, error))
        return false;
    if (!state_restore(w, &state, error))
        return false;
    bool fits =
        state.place > 0 && g_array_index(w->ids, int64_t, state.place - 1) == state.experiment;
    *begin = fits ? (guint)state.place : 0;
    return (fits || watch_new(w, error)) && states_drop(w, *begin, error);
}

/* The first nights were the broken ones: from there once more, and nothing said so far stays. */
static bool begin_anew(srv__walk *w, det_watch *again, GError **error) {
    det_watch_free(w->watch);
    w->watch = again;
    g_array_set_size(w->anomalies, 0);
    g_array_set_size(w->incidents, 0);
    return states_drop(w, 0, error);
}

/* The nights from place `begin` on; verdicts are rewritten from place `from` on. */
static bool go_on(srv__walk *w, guint begin, guint from, GError **error) {
    guint i = begin, count = w->ids->len;
    while (i < count) {
        int64_t id = g_array_index(w->ids, int64_t, i);
        bool kept = i + 1 + STATES_NEWEST > count || (i + 1) % STATES_APART == 0;
        if (!srv__walk_step(w, id, i == 0, i >= from, error))
            return false;
        det_watch *again = det_watch_anew(w->watch);
        if (again ? !begin_anew(w, again, error) : kept && !state_keep(w, i + 1, id, error))
            return false;
        from = again ? 0 : from;
        i = again ? 0 : i + 1;
    }
    w->from = from;
    return w->of || srv__incidents_reconcile(w, from, error);
}

/* Once more up to now; verdicts are rewritten from this experiment on. */
static bool go_over(srv__walk *w, int64_t experiment, GError **error) {
    guint begin;
    if (!ids_load(w, error))
        return false;
    guint from = srv__walk_place(w, experiment);
    return begin_before(w, MIN(from, w->ids->len), &begin, error) && go_on(w, begin, from, error);
}

/* One step on from the stored state. */
static bool go_one(srv__walk *w, int64_t place, int64_t experiment, GError **error) {
    w->from = -1;
    if (!srv__walk_step(w, experiment, false, true, error))
        return false;
    det_watch *again = det_watch_anew(w->watch);
    if (again)
        return begin_anew(w, again, error) && ids_load(w, error) && go_on(w, 0, 0, error);
    return state_keep(w, place + 1, experiment, error) &&
           srv__run(w->store,
                    ASK(series_states_thin, w->id, place + 1 - STATES_NEWEST, STATES_APART,
                        w->dimension),
                    error);
}

/* From the first night on a capable node on, suspicions are measured again. */
static bool mode_set(srv__walk *w, GError **error) {
    if (w->policy.remeasure || !w->confirms)
        return true;
    w->policy.remeasure = 1;
    return srv__run(w->store, ASK(series_remeasure, w->id), error) && states_drop(w, 0, error);
}

/* A step on where that is all, else over it again. */
static bool go(srv__walk *w, int64_t experiment, bool again, GError **error) {
    int64_t place = 0;
    if (!again && (!mode_set(w, error) || !state_load(w, experiment, &place, error)))
        return false;
    return place > 0 ? go_one(w, place, experiment, error) : go_over(w, experiment, error);
}

/* Is the dimension watched in this series? One step on that is so where this night has it, or one
 * before it left a state: nobody looks through all nights. */
static bool is_watched(srv_store *store, int64_t series, int64_t night, const det_dimension *of,
                       bool *watched, GError **error) {
    int64_t nights = 0;
    if (of->kind != DET_DIMENSION_SCATTERS) {
        *watched = false;
        return true;
    }
    const bool good =
        night == 0 ? srv__number(store, ASK(series_dimension, series, of->name), 0, &nights, error)
                   : srv__number(store, ASK(series_dimension_since, series, of->name, night), 0,
                                 &nights, error);
    *watched = nights > 0;
    return good;
}

/* The walks of a series: time, and the dimensions that are watched as it is. */
typedef struct {
    srv__walk of[1 + DET_DIMENSIONS];
    size_t count;
} walks;

static void walks_free(walks *all) {
    for (size_t i = 0; i < all->count; i++)
        walk_clear(&all->of[i]);
    g_free(all);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(walks, walks_free)

static bool walks_go(walks *all, srv_store *store, int64_t series, int64_t experiment, bool again,
                     int64_t now_ms, GError **error) {
    for (size_t i = 0; i <= DET_DIMENSIONS; i++) {
        const det_dimension *of = i > 0 ? &det_dimensions[i - 1] : NULL;
        bool watched = !of || all->of[0].dimensions;
        if (of && watched &&
            !is_watched(store, series, again ? 0 : experiment, of, &watched, error))
            return false;
        if (!watched)
            continue;
        srv__walk *w = &all->of[all->count++];
        if (!walk_init(w, store, series, experiment, of, now_ms, error) ||
            !go(w, experiment, again, error))
            return false;
    }
    return true;
}

/* One alert for all that one night moved, whatever its dimension. */
static bool walks_tell(const walks *all, GError **error) {
    const srv__walk *first = &all->of[0];
    g_autoptr(GArray) anomalies = g_array_new(FALSE, FALSE, sizeof(srv__anomaly));
    bool good = true;
    for (size_t i = 0; good && i < all->count; i++) {
        const srv__walk *w = &all->of[i];
        good = w->from < 0 ||
               srv__alerts_reconcile(w->store, (srv__watched){w->id, w->dimension}, w->anomalies,
                                     w->ids, (guint)w->from, w->now_ms, error);
        if (w->anomalies->len > 0)
            g_array_append_vals(anomalies, w->anomalies->data, w->anomalies->len);
    }
    return good && srv__alerts_add(first->store, first->id, anomalies, first->now_ms, error) &&
           srv__trials_begin(first->store, first->project, first->now_ms, error);
}

static bool walk_all(srv_store *store, int64_t series, int64_t experiment, bool again,
                     int64_t now_ms, GError **error) {
    g_autoptr(walks) all = g_new0(walks, 1);
    return walks_go(all, store, series, experiment, again, now_ms, error) &&
           srv__incidents_end_left(&all->of[0], error) && walks_tell(all, error);
}

bool srv__series_add(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                     GError **error) {
    return srv__trials_forget(store, series, experiment, error) &&
           walk_all(store, series, experiment, false, now_ms, error);
}

bool srv__series_again(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                       GError **error) {
    return walk_all(store, series, experiment, true, now_ms, error);
}
