#include "server/alarm/series_step.h"

#include "server/alarm/alert_rows.h"
#include "server/alarm/series_suspect.h"
#include "server/result/environment.h"

#include <math.h>
#include <string.h>

/* Was the project measured in another environment before? Asked at a series' first night only. */
static bool night_moved(srv__walk *w, srv__walk_night *n, GError **error) {
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
    if (row)
        n->moved =
            srv__environment_difference(json_object_get(row, "old"), json_object_get(row, "new"));
    json_decref(row);
    return true;
}

/* The detector sees a series' first night; people see why a new one was begun. */
static void moved_tell(const srv__walk_night *n, det_verdict *verdict) {
    verdict->kind = DET_VERDICT_ENVIRONMENT;
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
    json_t *row;
    int64_t rounds;
    if (!srv__number(w->store, "SELECT max(loop) FROM loop WHERE experiment_id=$1",
                     SRV__ARGS(SRV__I(id)), 1, &rounds, error) ||
        !srv__object(w->store,
                     "SELECT night, remeasure AS \"remeasure?\" FROM experiment WHERE id=$1",
                     SRV__ARGS(SRV__I(id)), &row, error))
        return false;
    const char *date = json_string_value(json_object_get(row, "night"));
    g_strlcpy(n->label, date ? date : "", sizeof n->label);
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
    if (!query)
        return false;
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        size_t c = (size_t)srv__query_int(query, 0), l = (size_t)srv__query_int(query, 1) - 1;
        if (c < w->tree.chain.count && l < n->rounds)
            n->means[c * n->rounds + l] = srv__query_real(query, 2);
    }
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

static bool verdict_keep(srv__walk *w, int64_t experiment, size_t i, const det_verdict *v,
                         bool cleared, GError **error) {
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
guint srv__walk_place(const srv__walk *w, int64_t id) {
    if (!w->ids)
        return 0;
    for (guint i = w->ids->len; i > 0; i--)
        if (g_array_index(w->ids, int64_t, i - 1) == id)
            return i - 1;
    return w->ids->len;
}

static void anomaly_note(srv__walk *w, int64_t experiment, size_t i, const det_verdict *v,
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
    anomaly.from_place = srv__walk_place(w, anomaly.from);
    anomaly.to_place = srv__walk_place(w, anomaly.to);
    g_strlcpy(anomaly.reason, v->reason, sizeof anomaly.reason);
    g_array_append_val(w->anomalies, anomaly);
}

/* The verdicts of a night, with outcomes and written down. */
static bool conclude(srv__walk *w, const srv__walk_night *n, det_verdict *verdicts, bool keep,
                     GError **error) {
    const srv__suspect_night seen = {w->id, n->id, &w->tree, &w->policy, n->means, n->rounds};
    g_autofree srv__suspicion *known = g_new(srv__suspicion, DET_CONFIGURATIONS_MAX);
    for (size_t i = 0; n->moved && i < w->tree.chain.count; i++)
        moved_tell(n, &verdicts[i]);
    if (!srv__walk_outcomes(w, n, &seen, verdicts, keep, known, error))
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
bool srv__walk_step(srv__walk *w, int64_t experiment, bool first, bool keep, GError **error) {
    srv__walk_night n;
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
