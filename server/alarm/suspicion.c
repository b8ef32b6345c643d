#include "server/alarm/suspicion.h"

#include "server/alarm/alarm_queries.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_judge.h"
#include "server/alarm/trial_queries.h"

#include <math.h>
#include <string.h>

/* Where measuring again could not tell, so many nights and so much evidence must do, as in the
 * closed loop that the detector was tuned with. */
#define BELIEVED_NIGHTS 2
#define BELIEVED_EVIDENCE 9.0

bool srv__suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         int64_t since, srv__outcome *out, GError **error) {
    return srv__suspicion_get(store, night->series, night->tree->name[configuration],
                              night->experiment, since, out, error);
}

/* How many nights the supposed new level has lasted. */
static bool nights_since(srv_store *store, const srv__suspect_night *night, int64_t since,
                         int64_t *nights, GError **error) {
    return srv__series_nights_count(store, night->series, since, night->experiment, nights, error);
}

bool srv__suspicion_plan(srv_store *store, const srv__suspect_night *night,
                         const det_verdict *verdict, srv__plan *plan, double *expected_ns,
                         GError **error) {
    det_confirm_policy policy;
    if (!srv__confirm_policy(store, night->series, &policy, error))
        return false;
    det_confirm_plan measuring = det_confirm_plan_of(&policy, night->policy, verdict);
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
static bool trial_start(srv_store *store, const srv__suspect_night *night, int64_t before,
                        const srv__question *questions, size_t count, int64_t now_ms, int64_t *ids,
                        GError **error) {
    json_t *row;
    if (!srv__trial_commits(store, night->experiment, before, &row, error))
        return false;
    const srv__trial trial = {.kind = "confirmation",
                              .series = night->series,
                              .after = json_integer_value(json_object_get(row, "revision_id")),
                              .before = json_integer_value(json_object_get(row, "before_id")),
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
    if (!srv__suspicions_waiting(store, night->series, night->tree->name[configuration], direction,
                                 &count, error))
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
        srv__outcome outcome;
        double expected_ns;
        bool waiting;
        const det_verdict *v = &verdicts[i];
        if (i == questions[0].configuration || v->kind != DET_VERDICT_SUSPECT ||
            v->since != strongest->since || !moved_itself(night, i, v))
            continue;
        if (!srv__suspicion_find(store, night, i, v->since, &outcome, error) ||
            !srv__suspicion_plan(store, night, v, &plan, &expected_ns, error) ||
            !is_waiting(store, night, i, v->direction, &waiting, error))
            return false;
        if (outcome.state == SRV__OUTCOME_NONE && plan == SRV__PLAN_MEASURE && !waiting)
            questions[(*count)++] = (srv__question){i, expected_ns};
    }
    return true;
}

static bool suspicion_insert(srv_store *store, const srv__suspect_night *night,
                             size_t configuration, const det_verdict *v, int64_t question,
                             int64_t now_ms, GError **error) {
    return srv__suspicion_insert(store, night->series, night->tree->name[configuration],
                                 night->experiment, v, question, now_ms, error);
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
