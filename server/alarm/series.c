#include "server/alarm/series.h"

#include "server/alarm/series_alerts.h"
#include "server/alarm/series_step.h"

#include <string.h>

bool srv__series_find(srv_store *store, int64_t project, const char *branch, const char *identity,
                      int64_t environment, int64_t *series, GError **error) {
    const srv__arg *key =
        SRV__ARGS(SRV__I(project), SRV__T(branch), SRV__T(identity), SRV__I(environment));
    return srv__run(store,
                    "INSERT INTO series(project_id, branch, identity, environment_id)"
                    " VALUES($1,$2,$3,$4)"
                    " ON CONFLICT(project_id, branch, identity, environment_id) DO NOTHING",
                    key, NULL, error) &&
           srv__number(store,
                       "SELECT id FROM series WHERE project_id=$1 AND branch=$2 AND identity=$3"
                       " AND environment_id=$4",
                       key, 0, series, error);
}

static void policy_read(det_policy *policy, const json_t *detection) {
    det_policy_init(policy);
    policy->confidence = json_number_value(json_object_get(detection, "confidence"));
    policy->effect_relative =
        json_number_value(json_object_get(detection, "minimum_effect_percent")) / 100;
    policy->effect_absolute = json_number_value(json_object_get(detection, "minimum_effect_ns"));
    policy->baseline_nights = (unsigned)MIN(
        json_integer_value(json_object_get(detection, "baseline_nights")), DET_BASELINE_MAX);
    policy->minimum_loops =
        (unsigned)json_integer_value(json_object_get(detection, "minimum_loops"));
}

static bool walk_init(srv__walk *w, srv_store *store, int64_t series, int64_t experiment,
                      int64_t now_ms, GError **error) {
    *w = (srv__walk){.store = store, .id = series, .now_ms = now_ms};
    json_t *row;
    if (!srv__object(store,
                     "SELECT e.project_id AS project, b.body AS \"benchmark{\","
                     " p.detection AS \"detection{\", s.remeasure FROM experiment e"
                     " JOIN benchmark b ON b.id=e.benchmark_id JOIN project p ON p.id=e.project_id"
                     " JOIN series s ON s.id=e.series_id WHERE e.id=$1",
                     SRV__ARGS(SRV__I(experiment)), &row, error))
        return false;
    w->project = json_integer_value(json_object_get(row, "project"));
    w->benchmark = json_incref(json_object_get(row, "benchmark"));
    policy_read(&w->policy, json_object_get(row, "detection"));
    w->policy.remeasure = (int)json_integer_value(json_object_get(row, "remeasure"));
    json_decref(row);
    w->policy.minimum_loops =
        (unsigned)MAX(MIN((int64_t)w->policy.minimum_loops,
                          json_integer_value(json_object_get(w->benchmark, "loops"))),
                      1);
    w->anomalies = g_array_new(FALSE, TRUE, sizeof(srv__anomaly));
    return srv__tree_read(&w->tree, w->benchmark, error);
}

static void walk_clear(srv__walk *w) {
    det_watch_free(w->watch);
    json_decref(w->benchmark);
    if (w->ids)
        g_array_free(w->ids, TRUE);
    if (w->anomalies)
        g_array_free(w->anomalies, TRUE);
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
    size_t size = det_watch_save(w->watch, NULL, 0);
    g_autofree void *bytes = g_malloc(size);
    det_watch_save(w->watch, bytes, size);
    return srv__run(
        w->store,
        "INSERT OR REPLACE INTO series_state(series_id, place, experiment_id, state)"
        " VALUES($1,$2,$3,$4)",
        SRV__ARGS(SRV__I(w->id), SRV__I(place), SRV__I(experiment), SRV__B(bytes, size)), NULL,
        error);
}

static bool states_thin(srv__walk *w, int64_t newest, GError **error) {
    return srv__run(w->store,
                    "DELETE FROM series_state WHERE series_id=$1 AND place<=$2 AND place%$3<>0",
                    SRV__ARGS(SRV__I(w->id), SRV__I(newest - STATES_NEWEST), SRV__I(STATES_APART)),
                    NULL, error);
}

/* The state that the query's row has: experiment, place, state. 0: none, or of another release. */
static bool state_restore(srv__walk *w, srv__query *query, int64_t *place, int64_t *experiment,
                          GError **error) {
    GError *failure = NULL;
    *place = *experiment = 0;
    if (!query)
        return false;
    if (srv__query_next(query, &failure)) {
        size_t size;
        const void *bytes = srv__query_blob(query, 2, &size);
        w->watch = det_watch_restore(&w->tree.chain, &w->policy, bytes, size);
        *experiment = w->watch != NULL ? srv__query_int(query, 0) : 0;
        *place = w->watch != NULL ? srv__query_int(query, 1) : 0;
    }
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

/* The stored state, when this experiment is the last and it ends just before; place: out, of that
 * state; 0: there is none. */
static bool state_load(srv__walk *w, int64_t experiment, int64_t *place, GError **error) {
    int64_t last, before;
    g_autoptr(srv__query) query = srv__query_new(
        w->store,
        "SELECT t.experiment_id, t.place, t.state FROM series_state t WHERE t.series_id=$1"
        " AND t.experiment_id=(SELECT o.id FROM experiment o WHERE o.series_id=$1"
        "  AND o.state='measured' AND o.id<>$2 ORDER BY o.night DESC, o.time_ms DESC, o.id DESC"
        "  LIMIT 1)",
        SRV__ARGS(SRV__I(w->id), SRV__I(experiment)), error);
    *place = 0;
    return query &&
           srv__number(w->store,
                       "SELECT id FROM experiment WHERE series_id=$1 AND state='measured'"
                       " ORDER BY night DESC, time_ms DESC, id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(w->id)), 0, &last, error) &&
           (last != experiment || state_restore(w, query, place, &before, error));
}

static bool ids_load(srv__walk *w, GError **error) {
    w->ids = srv__ids(w->store,
                      "SELECT id FROM experiment WHERE series_id=$1 AND state='measured'"
                      " ORDER BY night, time_ms, id",
                      SRV__ARGS(SRV__I(w->id)), error);
    return w->ids != NULL;
}

/* The newest state from before a place of w->ids; what comes after it will be another one. */
static bool begin_before(srv__walk *w, guint from, guint *begin, GError **error) {
    int64_t place, experiment;
    {
        g_autoptr(srv__query) query =
            srv__query_new(w->store,
                           "SELECT experiment_id, place, state FROM series_state WHERE series_id=$1"
                           " AND place<=$2 ORDER BY place DESC LIMIT 1",
                           SRV__ARGS(SRV__I(w->id), SRV__I(from)), error);
        if (!state_restore(w, query, &place, &experiment, error))
            return false;
    }
    bool fits = place > 0 && g_array_index(w->ids, int64_t, place - 1) == experiment;
    *begin = fits ? (guint)place : 0;
    return (fits || watch_new(w, error)) &&
           srv__run(w->store, "DELETE FROM series_state WHERE series_id=$1 AND place>$2",
                    SRV__ARGS(SRV__I(w->id), SRV__I(*begin)), NULL, error);
}

/* Once more up to now; verdicts are rewritten from this experiment on. */
static bool go_over(srv__walk *w, int64_t experiment, GError **error) {
    guint begin;
    if (!ids_load(w, error))
        return false;
    guint from = srv__walk_place(w, experiment), count = w->ids->len;
    if (!begin_before(w, MIN(from, count), &begin, error))
        return false;
    for (guint i = begin; i < count; i++) {
        int64_t id = g_array_index(w->ids, int64_t, i);
        bool kept = i + 1 + STATES_NEWEST > count || (i + 1) % STATES_APART == 0;
        if (!srv__walk_step(w, id, i == 0, i >= from, error) ||
            (kept && !state_keep(w, i + 1, id, error)))
            return false;
    }
    return srv__alerts_reconcile(w->store, w->id, w->anomalies, w->ids, from, w->now_ms, error);
}

/* From the first night on a capable node on, suspicions are measured again. */
static bool mode_set(srv_store *store, int64_t series, int64_t experiment, GError **error) {
    int64_t changed;
    return srv__run(store,
                    "UPDATE series SET remeasure=1 WHERE id=$1 AND remeasure=0"
                    " AND (SELECT remeasure FROM experiment WHERE id=$2)=1",
                    SRV__ARGS(SRV__I(series), SRV__I(experiment)), &changed, error) &&
           (changed == 0 || srv__run(store, "DELETE FROM series_state WHERE series_id=$1",
                                     SRV__ARGS(SRV__I(series)), NULL, error));
}

bool srv__series_add(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                     GError **error) {
    srv__walk w;
    int64_t place;
    if (!mode_set(store, series, experiment, error))
        return false;
    bool good = walk_init(&w, store, series, experiment, now_ms, error) &&
                state_load(&w, experiment, &place, error);
    if (good && place > 0)
        good = srv__walk_step(&w, experiment, false, true, error) &&
               state_keep(&w, place + 1, experiment, error) && states_thin(&w, place + 1, error) &&
               srv__alerts_add(store, series, w.anomalies, now_ms, error);
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
