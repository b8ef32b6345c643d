#include "server/series.h"

#include "detector/watch.h"
#include "server/environment.h"
#include "server/series_alerts.h"
#include "server/suspicion.h"

#include <math.h>
#include <string.h>

/* Everything that going over a series needs at hand. */
typedef struct {
    srv_store *store;
    int64_t id, project, now_ms;
    json_t *benchmark;
    srv__tree tree;
    det_policy policy;
    det_watch *watch;
    GArray *ids; /* int64_t, in order; only when gone over again */
    GArray *anomalies;
} walk;

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

static bool walk_init(walk *w, srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                      GError **error) {
    *w = (walk){.store = store, .id = series, .now_ms = now_ms};
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

static void walk_clear(walk *w) {
    det_watch_free(w->watch);
    json_decref(w->benchmark);
    if (w->ids != NULL)
        g_array_free(w->ids, TRUE);
    if (w->anomalies != NULL)
        g_array_free(w->anomalies, TRUE);
}

static bool watch_new(walk *w, GError **error) {
    det_watch_free(w->watch);
    w->watch = det_watch_new(&w->tree.chain, &w->policy);
    if (w->watch != NULL)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "the project's detection settings are out of range; correct its configuration");
    return false;
}

typedef struct {
    int64_t id;
    bool remeasure; /* on a node that can measure two commits in turn */
    char label[DET_LABEL_MAX];
    size_t rounds;
    double *means;
    char *moved; /* first of its series, and the nights before were elsewhere: what differs */
} night;

/* Was the project measured in another environment before? Asked at a series' first night only. */
static bool night_moved(walk *w, night *n, GError **error) {
    json_t *row;
    if (!srv__object(w->store,
                     "SELECT v.body AS \"old{\", x.body AS \"new{\" FROM experiment e"
                     " JOIN environment x ON x.id=e.environment_id"
                     " JOIN experiment o ON o.project_id=e.project_id AND o.hidden=0"
                     " AND o.state='measured' AND o.series_id<>e.series_id"
                     " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"
                     " JOIN environment v ON v.id=o.environment_id"
                     " JOIN series a ON a.id=e.series_id JOIN series b ON b.id=o.series_id"
                     " WHERE e.id=$1 AND a.identity=b.identity AND a.branch=b.branch"
                     " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1",
                     SRV__ARGS(SRV__I(n->id)), &row, error))
        return false;
    if (row != NULL)
        n->moved =
            srv__environment_difference(json_object_get(row, "old"), json_object_get(row, "new"));
    json_decref(row);
    return true;
}

/* The detector sees a series' first night; people see why a new one was begun. */
static void moved_tell(const night *n, det_verdict *verdict) {
    verdict->kind = DET_VERDICT_ENVIRONMENT;
    verdict->rule = DET_RULE_NEW_ENVIRONMENT;
    g_autofree char *reason =
        g_strdup_printf("the environment changed, a new baseline begins here: %s", n->moved);
    g_autofree char *cut =
        g_utf8_substring(reason, 0, MIN(g_utf8_strlen(reason, -1), (DET_REASON_MAX - 1) / 4));
    bool fits = strlen(reason) < DET_REASON_MAX;
    g_strlcpy(verdict->reason, fits ? reason : cut, sizeof verdict->reason);
}

static bool night_load(walk *w, int64_t id, night *n, GError **error) {
    *n = (night){.id = id};
    json_t *row;
    int64_t rounds;
    if (!srv__number(w->store, "SELECT max(loop) FROM loop WHERE experiment_id=$1",
                     SRV__ARGS(SRV__I(id)), 1, &rounds, error) ||
        !srv__object(w->store,
                     "SELECT night, remeasure AS \"remeasure?\" FROM experiment WHERE id=$1",
                     SRV__ARGS(SRV__I(id)), &row, error))
        return false;
    const char *date = json_string_value(json_object_get(row, "night"));
    g_strlcpy(n->label, date != NULL ? date : "", sizeof n->label);
    n->remeasure = json_is_true(json_object_get(row, "remeasure"));
    json_decref(row);
    n->rounds = (size_t)rounds;
    size_t cells = w->tree.chain.count * n->rounds;
    n->means = g_new(double, cells);
    for (size_t i = 0; i < cells; i++)
        n->means[i] = NAN;
    g_autoptr(srv__query) query = srv__query_new(
        w->store, "SELECT ordinal, loop, mean_ns FROM loop WHERE experiment_id=$1 AND used=1",
        SRV__ARGS(SRV__I(id)), error);
    if (query == NULL)
        return false;
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        size_t c = (size_t)srv__query_int(query, 0), l = (size_t)srv__query_int(query, 1) - 1;
        if (c < w->tree.chain.count && l < n->rounds)
            n->means[c * n->rounds + l] = srv__query_real(query, 2);
    }
    if (failure != NULL)
        g_propagate_error(error, failure);
    return failure == NULL;
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

static bool verdict_keep(walk *w, int64_t experiment, size_t i, const det_verdict *v, bool cleared,
                         GError **error) {
    bool anomaly = v->kind == DET_VERDICT_ANOMALY;
    return srv__run(
        w->store,
        "UPDATE portion SET verdict=$3, rule=$4, direction=$5, judged_mean_ns=$6,"
        " judged_low_ns=$7, judged_high_ns=$8, reference_mean_ns=$9, reference_low_ns=$10,"
        " reference_high_ns=$11, reference_nights=$12, reference_from=$13, reference_to=$14,"
        " difference_mean_ns=$15, difference_low_ns=$16, difference_high_ns=$17, since=$18,"
        " before=$19, reason=$20 WHERE experiment_id=$1 AND ordinal=$2",
        SRV__ARGS(
            SRV__I(experiment), SRV__I(i), SRV__T(cleared ? "cleared" : det_verdict_text(v->kind)),
            SRV__T(det_rule_text(v->rule)), SRV__T(direction_text(v->direction)),
            SRV__D(v->night.mean), SRV__D(v->night.low), SRV__D(v->night.high),
            SRV__D(v->reference.mean), SRV__D(v->reference.low), SRV__D(v->reference.high),
            SRV__I(v->reference_nights), SRV__ID(v->reference_from), SRV__ID(v->reference_to),
            SRV__D(v->difference.mean), SRV__D(v->difference.low), SRV__D(v->difference.high),
            SRV__ID(anomaly ? v->since : 0), SRV__ID(anomaly ? v->before : 0), SRV__T(v->reason)),
        NULL, error);
}

/* Place of an experiment in the series; the last place when it is not there. */
static guint place_of(const walk *w, int64_t id) {
    if (w->ids == NULL)
        return 0;
    for (guint i = w->ids->len; i > 0; i--)
        if (g_array_index(w->ids, int64_t, i - 1) == id)
            return i - 1;
    return w->ids->len;
}

static void anomaly_note(walk *w, int64_t experiment, size_t i, const det_verdict *v,
                         const srv__suspicion *known) {
    srv__anomaly anomaly = {
        .configuration = i,
        .configuration_name = w->tree.name[i],
        .portion = w->tree.portion[i],
        .direction = v->direction,
        .from = v->before != 0 ? v->before : v->reference_to,
        .to = v->since != 0 ? v->since : experiment,
        .seen = experiment,
        .before = v->reference,
        .after = v->night,
        .difference = v->difference,
    };
    if (known->state == SRV__SUSPICION_CONFIRMED) {
        anomaly.before = known->before;
        anomaly.after = known->after;
    }
    anomaly.from_place = place_of(w, anomaly.from);
    anomaly.to_place = place_of(w, anomaly.to);
    g_strlcpy(anomaly.reason, v->reason, sizeof anomaly.reason);
    g_array_append_val(w->anomalies, anomaly);
}

/* What is known of a suspicion that was never raised: it is from before the node could measure
 * again, or comes from one that cannot. Then people were told at once, or are told now. */
static bool believed(walk *w, size_t i, const det_verdict *v, bool keep, bool *yes,
                     GError **error) {
    int64_t alert = 0;
    if (!keep && !srv__number(w->store,
                              "SELECT id FROM alert WHERE series_id=$1 AND configuration=$2"
                              " AND to_experiment=$3 AND state<>'withdrawn'",
                              SRV__ARGS(SRV__I(w->id), SRV__T(w->tree.name[i]), SRV__I(v->since)),
                              0, &alert, error))
        return false;
    *yes = keep || alert != 0;
    return true;
}

/* A suspicion gets the outcome that is known; known->state stays NONE when nothing is.
 * explained: a stronger one of this night stands already. */
static bool suspect(walk *w, const night *n, const srv__suspect_night *seen, size_t i,
                    det_verdict *v, bool keep, bool explained, srv__suspicion *known,
                    GError **error) {
    if (!srv__suspicion_find(w->store, seen, i, v->since, known, error))
        return false;
    if (known->state == SRV__SUSPICION_NONE && !n->remeasure) {
        bool yes;
        if (!believed(w, i, v, keep, &yes, error))
            return false;
        known->state = yes ? SRV__SUSPICION_BELIEVED : SRV__SUSPICION_CLEARED;
    }
    if (known->state == SRV__SUSPICION_NONE || known->state == SRV__SUSPICION_WAITING)
        return true;
    if (known->state == SRV__SUSPICION_BELIEVED && explained) {
        /* Not measured again, and one change is enough to explain the night. */
        v->kind = DET_VERDICT_OK;
        return true;
    }
    bool yes = known->state != SRV__SUSPICION_CLEARED;
    /* Not there any more when the outcome of another portion explains it: nothing is left to do. */
    (void)det_watch_resolve(w->watch, i, v->since, yes);
    v->kind = yes ? DET_VERDICT_ANOMALY : DET_VERDICT_OK;
    if (known->state == SRV__SUSPICION_BELIEVED && *known->reason != '\0') {
        g_strlcat(v->reason, "; ", sizeof v->reason);
        g_strlcat(v->reason, known->reason, sizeof v->reason);
    } else if (*known->reason != '\0') {
        g_strlcpy(v->reason, known->reason, sizeof v->reason);
    }
    if (known->state == SRV__SUSPICION_CONFIRMED)
        v->difference = known->difference;
    return true;
}

/* Portions of a night, the strongest first. */
static void by_evidence(const det_verdict *verdicts, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && verdicts[order[at - 1]].evidence < verdicts[i].evidence; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Nothing is known of a suspicion, and it is the strongest of its night: what now? */
static bool strongest(walk *w, const srv__suspect_night *seen, size_t i, det_verdict *v, bool keep,
                      srv__suspicion *known, GError **error) {
    srv__plan plan;
    double expected_ns;
    bool raised;
    if (!srv__suspicion_plan(w->store, seen, i, v, &plan, &expected_ns, error))
        return false;
    if (plan == SRV__PLAN_BELIEVE) {
        known->state = SRV__SUSPICION_BELIEVED;
        (void)det_watch_resolve(w->watch, i, v->since, 1);
        v->kind = DET_VERDICT_ANOMALY;
    } else if (plan == SRV__PLAN_MEASURE && keep) {
        if (!srv__suspicion_raise(w->store, seen, i, v, expected_ns, w->now_ms, &raised, error))
            return false;
        known->state = raised ? SRV__SUSPICION_WAITING : known->state;
    }
    return true;
}

/* The suspicions of a night: outcomes that are known are applied, the strongest of the others is
 * measured again, the rest is left to the nights to come. known: out [count]. */
static bool outcomes(walk *w, const night *n, const srv__suspect_night *seen, det_verdict *verdicts,
                     bool keep, srv__suspicion *known, GError **error) {
    size_t order[DET_CONFIGURATIONS_MAX], count = w->tree.chain.count;
    bool explained = false, asked = false;
    by_evidence(verdicts, count, order);
    for (size_t k = 0; k < count; k++) {
        size_t i = order[k];
        det_verdict *v = &verdicts[i];
        known[i] = (srv__suspicion){.state = SRV__SUSPICION_NONE};
        if (v->kind != DET_VERDICT_SUSPECT)
            continue;
        if (!suspect(w, n, seen, i, v, keep, explained, &known[i], error))
            return false;
        if (known[i].state == SRV__SUSPICION_NONE && !asked && !explained) {
            asked = true;
            if (!strongest(w, seen, i, v, keep, &known[i], error))
                return false;
        }
        asked |= known[i].state != SRV__SUSPICION_NONE;
        if (known[i].state == SRV__SUSPICION_NONE)
            v->kind = DET_VERDICT_OK;
        explained |= v->kind == DET_VERDICT_ANOMALY;
    }
    return true;
}

/* The verdicts of a night, with outcomes and written down. */
static bool conclude(walk *w, const night *n, det_verdict *verdicts, bool keep, GError **error) {
    const srv__suspect_night seen = {w->id, n->id, &w->tree, &w->policy, n->means, n->rounds};
    g_autofree srv__suspicion *known = g_new(srv__suspicion, DET_CONFIGURATIONS_MAX);
    for (size_t i = 0; n->moved != NULL && i < w->tree.chain.count; i++)
        moved_tell(n, &verdicts[i]);
    if (!outcomes(w, n, &seen, verdicts, keep, known, error))
        return false;
    for (size_t i = 0; keep && i < w->tree.chain.count; i++) {
        if (verdicts[i].kind == DET_VERDICT_ANOMALY)
            anomaly_note(w, n->id, i, &verdicts[i], &known[i]);
        if (!verdict_keep(w, n->id, i, &verdicts[i], known[i].state == SRV__SUSPICION_CLEARED,
                          error))
            return false;
    }
    return true;
}

/* One step of the detector; keep: write the verdicts down. */
static bool step(walk *w, int64_t experiment, bool first, bool keep, GError **error) {
    night n;
    det_verdict verdicts[DET_CONFIGURATIONS_MAX];
    bool good = night_load(w, experiment, &n, error) && (!first || night_moved(w, &n, error));
    if (good) {
        const det_night input = {.id = experiment,
                                 .label = n.label,
                                 .loops = n.rounds,
                                 .means = n.means,
                                 .new_environment = n.moved != NULL};
        det_status status = det_watch_add(w->watch, &input, verdicts);
        good = status == DET_OK;
        if (!good)
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed on %s: %s",
                        n.label, det_status_text(status));
    }
    good = good && conclude(w, &n, verdicts, keep, error);
    g_free(n.means);
    g_free(n.moved);
    return good;
}

static bool state_keep(walk *w, int64_t last, GError **error) {
    size_t size = det_watch_save(w->watch, NULL, 0);
    g_autofree void *bytes = g_malloc(size);
    det_watch_save(w->watch, bytes, size);
    return srv__run(w->store, "UPDATE series SET state=$2, state_experiment=$3 WHERE id=$1",
                    SRV__ARGS(SRV__I(w->id), SRV__B(bytes, size), SRV__I(last)), NULL, error);
}

/* The stored state, when it ends just before this experiment; appended: whether it does. */
static bool state_load(walk *w, int64_t experiment, bool *appended, GError **error) {
    *appended = false;
    g_autoptr(srv__query) query = srv__query_new(
        w->store,
        "SELECT s.state, s.state_experiment, (SELECT o.id FROM experiment o"
        " WHERE o.series_id=s.id AND o.state='measured' AND o.id<>$2"
        " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1),"
        " (SELECT l.id FROM experiment l WHERE l.series_id=s.id AND l.state='measured'"
        " ORDER BY l.night DESC, l.time_ms DESC, l.id DESC LIMIT 1)"
        " FROM series s WHERE s.id=$1",
        SRV__ARGS(SRV__I(w->id), SRV__I(experiment)), error);
    GError *failure = NULL;
    if (query == NULL)
        return false;
    if (srv__query_next(query, &failure) && srv__query_int(query, 3) == experiment &&
        !srv__query_null(query, 0) && srv__query_int(query, 1) == srv__query_int(query, 2)) {
        size_t size;
        const void *bytes = srv__query_blob(query, 0, &size);
        w->watch = det_watch_restore(&w->tree.chain, &w->policy, bytes, size);
        *appended = w->watch != NULL;
    }
    if (failure != NULL)
        g_propagate_error(error, failure);
    return failure == NULL;
}

static bool ids_load(walk *w, GError **error) {
    w->ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    g_autoptr(srv__query) query =
        srv__query_new(w->store,
                       "SELECT id FROM experiment WHERE series_id=$1 AND state='measured'"
                       " ORDER BY night, time_ms, id",
                       SRV__ARGS(SRV__I(w->id)), error);
    GError *failure = NULL;
    while (query != NULL && srv__query_next(query, &failure)) {
        int64_t id = srv__query_int(query, 0);
        g_array_append_val(w->ids, id);
    }
    if (failure != NULL)
        g_propagate_error(error, failure);
    return query != NULL && failure == NULL;
}

/* From the first night on; verdicts are rewritten from this experiment on. */
static bool go_over(walk *w, int64_t experiment, GError **error) {
    if (!ids_load(w, error) || !watch_new(w, error))
        return false;
    guint from = place_of(w, experiment);
    for (guint i = 0; i < w->ids->len; i++)
        if (!step(w, g_array_index(w->ids, int64_t, i), i == 0, i >= from, error))
            return false;
    return state_keep(w, g_array_index(w->ids, int64_t, w->ids->len - 1), error) &&
           srv__alerts_reconcile(w->store, w->id, w->anomalies, w->ids, from, w->now_ms, error);
}

/* From the first night on a capable node on, suspicions are measured again. */
static bool mode_set(srv_store *store, int64_t series, int64_t experiment, GError **error) {
    return srv__run(store,
                    "UPDATE series SET remeasure=1, state=NULL WHERE id=$1 AND remeasure=0"
                    " AND (SELECT remeasure FROM experiment WHERE id=$2)=1",
                    SRV__ARGS(SRV__I(series), SRV__I(experiment)), NULL, error);
}

bool srv__series_add(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                     GError **error) {
    walk w;
    bool appended;
    if (!mode_set(store, series, experiment, error))
        return false;
    bool good = walk_init(&w, store, series, experiment, now_ms, error) &&
                state_load(&w, experiment, &appended, error);
    if (good && appended)
        good = step(&w, experiment, false, true, error) && state_keep(&w, experiment, error) &&
               srv__alerts_add(store, series, w.anomalies, now_ms, error);
    else if (good)
        good = go_over(&w, experiment, error);
    walk_clear(&w);
    return good;
}

bool srv__series_again(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                       GError **error) {
    walk w;
    bool good =
        walk_init(&w, store, series, experiment, now_ms, error) && go_over(&w, experiment, error);
    walk_clear(&w);
    return good;
}
