#include "server/suspicion.h"

#include "server/series.h"
#include "server/trial.h"
#include "server/views_parts.h"

#include <math.h>
#include <string.h>

static det_interval interval_of(srv__query *query, int column) {
    return (det_interval){.mean = srv__query_real(query, column),
                          .low = srv__query_real(query, column + 1),
                          .high = srv__query_real(query, column + 2)};
}

static srv__suspicion_state state_of(const char *text) {
    static const char *const names[] = {[SRV__SUSPICION_WAITING] = "waiting",
                                        [SRV__SUSPICION_CONFIRMED] = "confirmed",
                                        [SRV__SUSPICION_CLEARED] = "cleared",
                                        [SRV__SUSPICION_BELIEVED] = "believed"};
    for (size_t i = SRV__SUSPICION_WAITING; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(text, names[i]))
            return (srv__suspicion_state)i;
    return SRV__SUSPICION_NONE;
}

bool srv__suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         int64_t since, srv__suspicion *out, GError **error) {
    *out = (srv__suspicion){.state = SRV__SUSPICION_NONE};
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT s.state, s.reason, q.before_mean_ns, q.before_low_ns, q.before_high_ns,"
        " q.after_mean_ns, q.after_low_ns, q.after_high_ns, q.difference_mean_ns,"
        " q.difference_low_ns, q.difference_high_ns FROM suspicion s"
        " JOIN question q ON q.id=s.question_id WHERE s.series_id=$1 AND s.configuration=$2"
        " AND s.seen_experiment=$3 AND s.since_experiment=$4",
        SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[configuration]),
                  SRV__I(night->experiment), SRV__I(since)),
        error);
    if (query == NULL)
        return false;
    GError *failure = NULL;
    if (srv__query_next(query, &failure)) {
        out->state = state_of(srv__query_text(query, 0));
        const char *reason = srv__query_text(query, 1);
        g_strlcpy(out->reason, reason != NULL ? reason : "", sizeof out->reason);
        out->before = interval_of(query, 2);
        out->after = interval_of(query, 5);
        out->difference = interval_of(query, 8);
    }
    if (failure != NULL)
        g_propagate_error(error, failure);
    return failure == NULL;
}

/* Standard deviation between loops of (configuration - parent) in this night. */
static double spread_of(const srv__suspect_night *night, size_t c) {
    int parent = night->tree->chain.parent[c];
    double sd = NAN;
    size_t n = 0;
    g_autofree double *difference = g_new(double, night->rounds);
    for (size_t l = 0; l < night->rounds; l++) {
        double value = night->means[c * night->rounds + l] -
                       (parent >= 0 ? night->means[(size_t)parent * night->rounds + l] : 0);
        if (!isnan(value))
            difference[n++] = value;
    }
    return n >= 2 && det_mean_of(NULL, &sd, difference, n) == DET_OK ? sd : NAN;
}

/* Worth it: nobody is at it already, and so many loops can tell. */
static bool worth(srv_store *store, const srv__suspect_night *night, size_t c, const det_verdict *v,
                  bool *yes, GError **error) {
    det_confirm_policy policy;
    int64_t waiting;
    det_confirm_policy_init(&policy);
    if (!srv__number(
            store,
            "SELECT count(*) FROM suspicion WHERE series_id=$1 AND state='waiting'"
            " AND configuration=$2 AND direction=$3",
            SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[c]), SRV__I(v->direction)), 0,
            &waiting, error))
        return false;
    double loops =
        det_confirm_plan(&policy, det_confirm_expected(night->policy, v), spread_of(night, c));
    *yes = waiting == 0 && !(loops > policy.maximum);
    return true;
}

static bool revision_of(srv_store *store, int64_t experiment, int64_t *revision, GError **error) {
    return srv__number(store, "SELECT revision_id FROM experiment WHERE id=$1",
                       SRV__ARGS(SRV__I(experiment)), 0, revision, error);
}

static char *node_of(srv_store *store, int64_t experiment, GError **error) {
    json_t *row;
    if (!srv__object(store, "SELECT node FROM experiment WHERE id=$1",
                     SRV__ARGS(SRV__I(experiment)), &row, error))
        return NULL;
    char *node = g_strdup(json_string_value(json_object_get(row, "node")));
    json_decref(row);
    return node;
}

static bool suspicion_insert(srv_store *store, const srv__suspect_night *night, size_t c,
                             const det_verdict *v, int64_t question, int64_t now_ms,
                             GError **error) {
    return srv__run(store,
                    "INSERT INTO suspicion(series_id, configuration, direction, seen_experiment,"
                    " since_experiment, before_experiment, question_id, state, raised_ms)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7,'waiting',$8)",
                    SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[c]),
                              SRV__I(v->direction), SRV__I(night->experiment), SRV__I(v->since),
                              SRV__I(v->before), SRV__I(question), SRV__I(now_ms)),
                    NULL, error);
}

/* Those of the same two nights share their processes. taken: set for the ones done here. */
static bool raise_together(srv_store *store, const srv__suspect_night *night,
                           const det_verdict *verdicts, const bool *which, size_t first,
                           bool *taken, int64_t now_ms, GError **error) {
    srv__question questions[SRV__QUESTIONS_MAX];
    int64_t ids[SRV__QUESTIONS_MAX];
    const det_verdict *lead = &verdicts[first];
    srv__trial trial = {.kind = "confirmation",
                        .series = night->series,
                        .experiment = night->experiment,
                        .questions = questions};
    for (size_t c = first; c < night->tree->chain.count; c++) {
        bool yes;
        if (!which[c] || taken[c] || verdicts[c].since != lead->since ||
            verdicts[c].before != lead->before)
            continue;
        taken[c] = true;
        if (!worth(store, night, c, &verdicts[c], &yes, error))
            return false;
        if (yes)
            questions[trial.count++] =
                (srv__question){c, det_confirm_expected(night->policy, &verdicts[c])};
    }
    if (trial.count == 0)
        return true;
    g_autofree char *node = node_of(store, night->experiment, error);
    trial.node = node;
    if (node == NULL || !revision_of(store, lead->since, &trial.revision, error) ||
        !revision_of(store, lead->before, &trial.against, error) ||
        !srv__trial_start(store, &trial, now_ms, ids, error))
        return false;
    for (size_t i = 0; i < trial.count; i++) {
        size_t c = questions[i].configuration;
        if (!suspicion_insert(store, night, c, &verdicts[c], ids[i], now_ms, error))
            return false;
    }
    return true;
}

bool srv__suspicions_raise(srv_store *store, const srv__suspect_night *night,
                           const det_verdict *verdicts, const bool *which, int64_t now_ms,
                           GError **error) {
    bool taken[DET_CONFIGURATIONS_MAX] = {false};
    for (size_t c = 0; c < night->tree->chain.count; c++)
        if (which[c] && !taken[c] &&
            !raise_together(store, night, verdicts, which, c, taken, now_ms, error))
            return false;
    return true;
}

bool srv__suspicions_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                            GError **error) {
    json_t *row;
    g_autofree char *unable =
        failed ? g_strdup_printf("it could not be measured again (%s): the night is taken at its "
                                 "word",
                                 failed)
               : NULL;
    if (!srv__run(store,
                  "UPDATE suspicion SET settled_ms=$2, state=(SELECT CASE q.state"
                  " WHEN 'yes' THEN 'confirmed' WHEN 'no' THEN 'cleared' ELSE 'believed' END"
                  " FROM question q WHERE q.id=suspicion.question_id),"
                  " reason=(SELECT CASE q.state WHEN 'failed' THEN $3 ELSE q.reason END"
                  " FROM question q WHERE q.id=suspicion.question_id)"
                  " WHERE state='waiting' AND question_id IN"
                  " (SELECT id FROM question WHERE trial_id=$1)",
                  SRV__ARGS(SRV__I(trial), SRV__I(now_ms), SRV__T(unable)), NULL, error) ||
        !srv__object(store, "SELECT series_id, experiment_id FROM trial WHERE id=$1",
                     SRV__ARGS(SRV__I(trial)), &row, error))
        return false;
    int64_t series = json_integer_value(json_object_get(row, "series_id"));
    int64_t experiment = json_integer_value(json_object_get(row, "experiment_id"));
    json_decref(row);
    return srv__series_again(store, series, experiment, now_ms, error) &&
           srv__night_event(store, experiment, error);
}
