#include "server/alarm/series.h"
#include "config/model/detection.h"

#include "detector/watch/counts.h"
#include "server/alarm/baselines.h"
#include "server/alarm/incidents.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/series_baseline.h"
#include "server/alarm/series_incidents.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/series_step.h"
#include "server/store/store_sql.h"
#include "sql/series.h"

#include <string.h>

#define IMPORTED_PATIENCE 2
#define IMPORTED_CAUTION 1.25 /* 6.5 of a history times that: the 8 of a single night */

bool srv__series_find(srv_store *store, int64_t project, const char *branch, const char *identity,
                      int64_t environment, int64_t *series, GError **error) {
    const srv__series_name name = {project, environment, branch, identity};
    if (!srv__number(store, SQL(series_key),
                     SRV__ARGS(SRV__I(name.project), SRV__T(name.branch), SRV__T(name.identity),
                               SRV__I(name.environment)),
                     0, series, error))
        return false;
    return *series != 0 || (srv__run(store, SQL(series_insert),
                                     SRV__ARGS(SRV__I(name.project), SRV__T(name.branch),
                                               SRV__T(name.identity), SRV__I(name.environment)),
                                     NULL, error) &&
                            srv__number(store, SQL(series_key),
                                        SRV__ARGS(SRV__I(name.project), SRV__T(name.branch),
                                                  SRV__T(name.identity), SRV__I(name.environment)),
                                        0, series, error));
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
    MODEL(settings, project, "project"),
    MODEL(settings, benchmark, "benchmark"),
    MODEL_A(settings, detection, cfg_detection_model, MODEL_PART, "detection"),
    MODEL(settings, remeasure, "remeasure", MODEL_NULL),
    MODEL(settings, last, "last"),
    MODEL(settings, confirms, "confirms", MODEL_NULL)};
static const model_noun settings_noun = MODEL_NOUN(settings, settings_members, "series");

/* What was measured elsewhere cannot be measured again here: one night that stands out is told when
 * a second one agrees, and on the evidence that a single night would need. */
static void policy_imported(det_policy *policy, const json_t *benchmark) {
    if (g_strcmp0(json_string_value(json_object_get(benchmark, "driver")), "imported") != 0)
        return;
    policy->patience = IMPORTED_PATIENCE;
    policy->caution = IMPORTED_CAUTION;
}

static bool walk_init(srv__walk *w, srv_store *store, int64_t series, int64_t experiment,
                      int64_t now_ms, GError **error) {
    *w = (srv__walk){.store = store, .id = series, .now_ms = now_ms};
    settings row;
    /* As the newest night was measured: a configuration may have come since. */
    if (!srv__one(store, SQL(series_settings), SRV__ARGS(SRV__I(series), SRV__I(experiment)),
                  &settings_noun, &row, NULL, error))
        return false;
    w->last = row.last;
    w->confirms = row.confirms != 0;
    w->project = row.project;
    w->benchmark = json_incref(row.benchmark);
    policy_read(&w->policy, &row.detection);
    policy_imported(&w->policy, w->benchmark);
    w->policy.remeasure = row.remeasure;
    model_clear(&settings_noun, &row);
    w->anomalies = g_array_new(FALSE, TRUE, sizeof(srv__anomaly));
    w->incidents = g_array_new(FALSE, FALSE, sizeof(int64_t));
    if (!srv__tree_read(&w->tree, w->benchmark, error))
        return false;
    w->policy.minimum_loops =
        (unsigned)MAX(MIN((int64_t)w->policy.minimum_loops, w->tree.loops), 1);
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

static bool watch_new(srv__walk *w, GError **error) {
    det_watch_free(w->watch);
    w->watch = det_watch_new(&w->tree.chain, &w->policy);
    if (w->watch)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "the project's detection settings are out of range; correct its configuration");
    return false;
}

/*
 * The state after the newest nights is kept, since suspicions of these get their answers later, and
 * after every so many of the older ones, for nights that are back-filled: so no step into the past
 * goes over more than that, and what is stored grows by little.
 */
#define STATES_NEWEST 16
#define STATES_APART 128

static bool state_keep(srv__walk *w, int64_t place, int64_t experiment, GError **error) {
    srv__series_state state = {experiment, place, NULL, det_watch_save(w->watch, NULL, 0)};
    g_autofree void *bytes = state.bytes = g_malloc(state.size);
    det_watch_save(w->watch, state.bytes, state.size);
    return srv__series_state_put(w->store, w->id, &state, error);
}

/* The detector as it was then; place 0: there is none, or it is of another release or of other
 * configurations. Frees bytes. */
static bool state_restore(srv__walk *w, srv__series_state *state, GError **error) {
    bool same = false;
    const bool good = state->place == 0 ||
                      srv__night_same_tree(w->store, state->experiment, &w->tree, &same, error);
    if (good && same)
        w->watch = det_watch_restore(&w->tree.chain, &w->policy, state->bytes, state->size);
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
    if (w->last == experiment && !srv__series_state_but(w->store, w->id, experiment, &state, error))
        return false;
    const bool good = state_restore(w, &state, error);
    *place = state.place;
    return good;
}

static bool ids_load(srv__walk *w, GError **error) {
    w->ids = srv__ids(w->store, SQL(series_nights), SRV__ARGS(SRV__I(w->id)), error);
    return w->ids != NULL;
}

/* The newest state from before a place of w->ids; what comes after it will be another one. */
static bool begin_before(srv__walk *w, guint from, guint *begin, GError **error) {
    srv__series_state state;
    if (!srv__series_state_upto(w->store, w->id, from, &state, error))
        return false;
    if (!state_restore(w, &state, error))
        return false;
    bool fits =
        state.place > 0 && g_array_index(w->ids, int64_t, state.place - 1) == state.experiment;
    *begin = fits ? (guint)state.place : 0;
    return (fits || watch_new(w, error)) &&
           srv__run(w->store, SQL(series_states_drop), SRV__ARGS(SRV__I(w->id), SRV__I(*begin)),
                    NULL, error);
}

/* The first nights were the broken ones: from there once more, and nothing said so far stays. */
static bool begin_anew(srv__walk *w, det_watch *again, GError **error) {
    det_watch_free(w->watch);
    w->watch = again;
    g_array_set_size(w->anomalies, 0);
    g_array_set_size(w->incidents, 0);
    return srv__run(w->store, SQL(series_states_drop), SRV__ARGS(SRV__I(w->id), SRV__I(0)), NULL,
                    error);
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
    return srv__alerts_reconcile(w->store, w->id, w->anomalies, w->ids, from, w->now_ms, error) &&
           srv__incidents_reconcile(w, from, error);
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
    if (!srv__walk_step(w, experiment, false, true, error))
        return false;
    det_watch *again = det_watch_anew(w->watch);
    if (again)
        return begin_anew(w, again, error) && ids_load(w, error) && go_on(w, 0, 0, error);
    return state_keep(w, place + 1, experiment, error) &&
           srv__run(
               w->store, SQL(series_states_thin),
               SRV__ARGS(SRV__I(w->id), SRV__I(place + 1 - STATES_NEWEST), SRV__I(STATES_APART)),
               NULL, error) &&
           srv__alerts_add(w->store, w->id, w->anomalies, w->now_ms, error);
}

/* From the first night on a capable node on, suspicions are measured again. */
static bool mode_set(srv__walk *w, GError **error) {
    if (w->policy.remeasure || !w->confirms)
        return true;
    w->policy.remeasure = 1;
    return srv__run(w->store, SQL(series_remeasure), SRV__ARGS(SRV__I(w->id)), NULL, error) &&
           srv__run(w->store, SQL(series_states_drop), SRV__ARGS(SRV__I(w->id), SRV__I(0)), NULL,
                    error);
}

bool srv__series_add(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                     GError **error) {
    srv__walk w;
    int64_t place;
    bool good = walk_init(&w, store, series, experiment, now_ms, error) && mode_set(&w, error) &&
                state_load(&w, experiment, &place, error);
    if (good && place > 0)
        good = go_one(&w, place, experiment, error);
    else if (good)
        good = go_over(&w, experiment, error);
    walk_clear(&w);
    return good;
}

bool srv__series_again(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                       GError **error) {
    srv__walk w;
    bool good =
        walk_init(&w, store, series, experiment, now_ms, error) && go_over(&w, experiment, error);
    walk_clear(&w);
    return good;
}
