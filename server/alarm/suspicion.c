#include "server/alarm/suspicion.h"

#include "server/alarm/trial.h"
#include "server/alarm/trial_judge.h"

#include <math.h>
#include <string.h>

/* Where measuring again could not tell, so many nights and so much evidence must do, as in the
 * closed loop that the detector was tuned with. */
#define BELIEVED_NIGHTS 2
#define BELIEVED_EVIDENCE 9.0

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
    if (!query)
        return false;
    GError *failure = NULL;
    if (srv__query_next(query, &failure)) {
        out->state = state_of(srv__query_text(query, 0));
        const char *reason = srv__query_text(query, 1);
        g_strlcpy(out->reason, reason ? reason : "", sizeof out->reason);
        out->before = interval_of(query, 2);
        out->after = interval_of(query, 5);
        out->difference = interval_of(query, 8);
    }
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

/* Standard deviation between the loops of a configuration in this night; 0: none. */
static double spread_of(const srv__suspect_night *night, int c) {
    double sd = 0;
    size_t n = 0;
    g_autofree double *means = g_new(double, night->rounds);
    for (size_t l = 0; c >= 0 && l < night->rounds; l++) {
        double mean = night->means[(size_t)c * night->rounds + l];
        if (!isnan(mean))
            means[n++] = mean;
    }
    return n >= 2 && det_mean_of(NULL, &sd, means, n) == DET_OK ? sd : 0;
}

/* How many nights the supposed new level has lasted. */
static bool nights_since(srv_store *store, const srv__suspect_night *night, int64_t since,
                         int64_t *nights, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM experiment e JOIN experiment a ON a.id=$2"
                       " JOIN experiment z ON z.id=$3 WHERE e.series_id=$1 AND e.state='measured'"
                       " AND (e.night, e.time_ms, e.id)>=(a.night, a.time_ms, a.id)"
                       " AND (e.night, e.time_ms, e.id)<=(z.night, z.time_ms, z.id)",
                       SRV__ARGS(SRV__I(night->series), SRV__I(since), SRV__I(night->experiment)),
                       0, nights, error);
}

bool srv__suspicion_plan(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         const det_verdict *verdict, srv__plan *plan, double *expected_ns,
                         GError **error) {
    det_confirm_policy policy;
    if (!srv__confirm_policy(store, night->series, &policy, error))
        return false;
    det_confirm_plan measuring =
        det_confirm_plan_of(&policy, night->policy, verdict, spread_of(night, (int)configuration),
                            spread_of(night, night->tree->chain.parent[configuration]));
    *expected_ns = measuring.expected;
    *plan = SRV__PLAN_NOTHING;
    if (verdict->since == 0 || verdict->against == 0 || !measuring.due)
        return true;
    if (measuring.loops <= policy.maximum) {
        *plan = SRV__PLAN_MEASURE;
        return true;
    }
    int64_t nights;
    if (!nights_since(store, night, verdict->since, &nights, error))
        return false;
    if (nights >= BELIEVED_NIGHTS && verdict->evidence >= BELIEVED_EVIDENCE)
        *plan = SRV__PLAN_BELIEVE;
    return true;
}

/* The trial of a night's commit against an earlier one's, on the node that measured it. */
static bool trial_start(srv_store *store, const srv__suspect_night *night, int64_t against,
                        const srv__question *questions, size_t count, int64_t now_ms, int64_t *ids,
                        GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT e.revision_id, e.node, a.revision_id AS against FROM experiment e"
                     " JOIN experiment a ON a.id=$2 WHERE e.id=$1",
                     SRV__ARGS(SRV__I(night->experiment), SRV__I(against)), &row, error))
        return false;
    const srv__trial trial = {.kind = "confirmation",
                              .series = night->series,
                              .revision = json_integer_value(json_object_get(row, "revision_id")),
                              .against = json_integer_value(json_object_get(row, "against")),
                              .experiment = night->experiment,
                              .node = json_string_value(json_object_get(row, "node")),
                              .questions = questions,
                              .count = count};
    bool good = srv__trial_start(store, &trial, now_ms, ids, error);
    json_decref(row);
    return good;
}

static bool is_waiting(srv_store *store, const srv__suspect_night *night, size_t configuration,
                       int direction, bool *waiting, GError **error) {
    int64_t count;
    if (!srv__number(store,
                     "SELECT count(*) FROM suspicion WHERE series_id=$1 AND state='waiting'"
                     " AND configuration=$2 AND direction=$3",
                     SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[configuration]),
                               SRV__I(direction)),
                     0, &count, error))
        return false;
    *waiting = count > 0;
    return true;
}

/*
 * Did the portion itself move in this night, not only what it is measured on top of? A change of I
 * is seen in the runs that C and W are taken from as well; measuring those again would be for
 * nothing.
 */
static bool moved_itself(const srv__suspect_night *night, size_t configuration,
                         const det_verdict *verdict) {
    det_portions tonight;
    if (det_portions_of(&tonight, &night->tree->chain, night->means, night->rounds,
                        night->policy->confidence) != DET_OK)
        return false;
    const det_interval *own = &tonight.portion[configuration];
    double change = own->mean - verdict->reference.mean;
    bool outside = own->low > verdict->reference.mean || own->high < verdict->reference.mean;
    return outside && fabs(change) >= night->policy->effect_absolute &&
           fabs(change) >= night->policy->effect_relative * fabs(verdict->reference.mean);
}

/* The other portions of the same change, appended to the questions. */
static bool companions(srv_store *store, const srv__suspect_night *night,
                       const det_verdict *verdicts, srv__question *questions, size_t *count,
                       GError **error) {
    const det_verdict *strongest = &verdicts[questions[0].configuration];
    for (size_t i = 0; i < night->tree->chain.count; i++) {
        srv__plan plan;
        srv__suspicion known;
        double expected_ns;
        bool waiting;
        const det_verdict *v = &verdicts[i];
        if (i == questions[0].configuration || v->kind != DET_VERDICT_SUSPECT ||
            v->since != strongest->since || !moved_itself(night, i, v))
            continue;
        if (!srv__suspicion_find(store, night, i, v->since, &known, error) ||
            !srv__suspicion_plan(store, night, i, v, &plan, &expected_ns, error) ||
            !is_waiting(store, night, i, v->direction, &waiting, error))
            return false;
        if (known.state == SRV__SUSPICION_NONE && plan == SRV__PLAN_MEASURE && !waiting)
            questions[(*count)++] = (srv__question){i, expected_ns};
    }
    return true;
}

static bool suspicion_insert(srv_store *store, const srv__suspect_night *night,
                             size_t configuration, const det_verdict *v, int64_t question,
                             int64_t now_ms, GError **error) {
    return srv__run(store,
                    "INSERT INTO suspicion(series_id, configuration, direction, seen_experiment,"
                    " since_experiment, before_experiment, question_id, state, raised_ms)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7,'waiting',$8)",
                    SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[configuration]),
                              SRV__I(v->direction), SRV__I(night->experiment), SRV__I(v->since),
                              SRV__I(v->before), SRV__I(question), SRV__I(now_ms)),
                    NULL, error);
}

bool srv__suspicion_raise(srv_store *store, const srv__suspect_night *night, size_t configuration,
                          const det_verdict *verdicts, double expected_ns, int64_t now_ms,
                          bool *raised, GError **error) {
    const det_verdict *strongest = &verdicts[configuration];
    srv__question questions[SRV__QUESTIONS_MAX] = {{configuration, expected_ns}};
    int64_t ids[SRV__QUESTIONS_MAX];
    size_t count = 1;
    bool waiting;
    if (!is_waiting(store, night, configuration, strongest->direction, &waiting, error))
        return false;
    *raised = !waiting;
    if (waiting)
        return true;
    bool good = companions(store, night, verdicts, questions, &count, error) &&
                trial_start(store, night, strongest->against, questions, count, now_ms, ids, error);
    for (size_t i = 0; good && i < count; i++)
        good = suspicion_insert(store, night, questions[i].configuration,
                                &verdicts[questions[i].configuration], ids[i], now_ms, error);
    return good;
}
