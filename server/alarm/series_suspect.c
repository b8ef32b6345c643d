#include "server/alarm/series_suspect.h"

#include "server/alarm/alert_queries.h"

#include <string.h>

/* What is known of a suspicion that was never raised: it is from before the node could measure
 * again, or comes from one that cannot. Then people were told at once, or are told now. */
static bool was_told_before(srv__walk *w, size_t i, const det_verdict *v, bool may_raise,
                            bool *told, GError **error) {
    int64_t alert = 0;
    if (!may_raise &&
        !srv__alert_still_told(w->store, w->id, w->tree.name[i], v->since, &alert, error))
        return false;
    *told = may_raise || alert != 0;
    return true;
}

static det_outcome shown_by(srv__outcome_state state) {
    if (state == SRV__OUTCOME_CLEARED)
        return DET_CLEARED;
    return state == SRV__OUTCOME_UNDECIDED ? DET_UNDECIDED : DET_CONFIRMED;
}

/* A suspicion gets the outcome that is known; outcome->state stays NONE when nothing is.
 * change_stands: a stronger one of this night stands already. */
static bool outcome_apply(srv__walk *w, const srv__walk_night *n, const srv__suspect_night *night,
                          size_t i, det_verdict *v, bool may_raise, bool change_stands,
                          srv__outcome *outcome, GError **error) {
    if (!srv__suspicion_find(w->store, night, i, v->since, outcome, error))
        return false;
    if (outcome->state == SRV__OUTCOME_NONE && !n->remeasure) {
        bool told;
        if (!was_told_before(w, i, v, may_raise, &told, error))
            return false;
        outcome->state = told ? SRV__OUTCOME_BELIEVED : SRV__OUTCOME_CLEARED;
    }
    if (outcome->state == SRV__OUTCOME_NONE || outcome->state == SRV__OUTCOME_WAITING)
        return true;
    if (outcome->state == SRV__OUTCOME_BELIEVED && change_stands) {
        /* Not measured again, and one change is enough to explain the night. */
        v->kind = DET_VERDICT_OK;
        return true;
    }
    const det_outcome shown = shown_by(outcome->state);
    bool confirmed = shown == DET_CONFIRMED;
    /* Not there any more when the outcome of another portion explains it: nothing is left to do. */
    (void)det_watch_resolve(w->watch, i, v->since, shown);
    v->kind = confirmed ? DET_VERDICT_ANOMALY : DET_VERDICT_OK;
    if (outcome->state == SRV__OUTCOME_BELIEVED && *outcome->reason != '\0') {
        g_strlcat(v->reason, "; ", sizeof v->reason);
        g_strlcat(v->reason, outcome->reason, sizeof v->reason);
    } else if (*outcome->reason != '\0') {
        g_strlcpy(v->reason, outcome->reason, sizeof v->reason);
    }
    if (outcome->state == SRV__OUTCOME_CONFIRMED)
        v->difference = outcome->difference;
    return true;
}

/* Portions of a night, the strongest first. */
static void by_evidence(const det_verdict *verdicts, size_t count, size_t *ranked) {
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && verdicts[ranked[at - 1]].evidence < verdicts[i].evidence; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = i;
    }
}

/* Nothing is known of a suspicion, and it is the strongest of its night: what now? */
static bool outcome_of_new(srv__walk *w, const srv__suspect_night *night, size_t i,
                           det_verdict *verdicts, bool may_raise, srv__outcome *outcome,
                           GError **error) {
    srv__plan plan;
    det_verdict *v = &verdicts[i];
    double expected_ns;
    bool raised;
    if (!srv__suspicion_plan(w->store, night, v, &plan, &expected_ns, error))
        return false;
    if (plan == SRV__PLAN_BELIEVE) {
        outcome->state = SRV__OUTCOME_BELIEVED;
        (void)det_watch_resolve(w->watch, i, v->since, DET_CONFIRMED);
        v->kind = DET_VERDICT_ANOMALY;
    } else if (plan == SRV__PLAN_MEASURE && may_raise) {
        if (!srv__suspicion_raise(w->store, night, i, verdicts, expected_ns, w->now_ms, &raised,
                                  error))
            return false;
        outcome->state = raised ? SRV__OUTCOME_WAITING : outcome->state;
    }
    return true;
}

/* The suspicions of a night: outcomes that are known are applied, the strongest of the others is
 * measured again, the rest is left to the nights to come. outcomes: out [count]. */
bool srv__walk_outcomes(srv__walk *w, const srv__walk_night *n, const srv__suspect_night *night,
                        det_verdict *verdicts, bool may_raise, srv__outcome *outcomes,
                        GError **error) {
    size_t ranked[DET_CONFIGURATIONS_MAX], count = w->tree.chain.count;
    bool change_stands = false, taken = false;
    by_evidence(verdicts, count, ranked);
    for (size_t k = 0; k < count; k++) {
        size_t i = ranked[k];
        det_verdict *v = &verdicts[i];
        outcomes[i] = (srv__outcome){.state = SRV__OUTCOME_NONE};
        if (v->kind != DET_VERDICT_SUSPECT)
            continue;
        if (!outcome_apply(w, n, night, i, v, may_raise, change_stands, &outcomes[i], error))
            return false;
        if (outcomes[i].state == SRV__OUTCOME_NONE && !taken && !change_stands) {
            taken = true;
            if (!outcome_of_new(w, night, i, verdicts, may_raise, &outcomes[i], error))
                return false;
        }
        taken |= outcomes[i].state != SRV__OUTCOME_NONE;
        if (outcomes[i].state == SRV__OUTCOME_NONE)
            v->kind = DET_VERDICT_OK;
        change_stands |= v->kind == DET_VERDICT_ANOMALY;
    }
    return true;
}
