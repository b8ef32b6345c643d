#include "server/alarm/series_suspect.h"

#include "server/alarm/alert_rows.h"
#include "sql/alert.h"

#include <math.h>
#include <string.h>

/* The suspicions of a night while they are gone through, the strongest first. */
typedef struct {
    srv__walk *walk;
    const srv__suspect_night *night;
    det_verdict *verdicts;  /* [configurations] */
    srv__outcome *outcomes; /* [configurations] */
    bool can_remeasure;     /* the node can measure two commits in turn */
    bool may_raise;         /* a suspicion that nothing is known of may be raised */
    bool change_found;      /* a stronger suspicion of this night is an anomaly */
} suspicions;

/* Of a portion whose suspicion was never raised, since its node cannot measure again or could not
 * then: people were told at once, or are told now. */
static bool was_told(const suspicions *s, size_t i, bool *told, GError **error) {
    srv__walk *w = s->walk;
    int64_t alert = 0;
    if (!s->may_raise && !srv__number(w->store, SQL(alert_still_told),
                                      SRV__ARGS(SRV__I(w->id), SRV__T(w->tree.name[i]),
                                                SRV__I(s->verdicts[i].to), SRV__T(w->dimension)),
                                      0, &alert, error))
        return false;
    *told = s->may_raise || alert != 0;
    return true;
}

static det_outcome outcome_of(srv__outcome_state state) {
    if (state == SRV__OUTCOME_CLEARED)
        return DET_CLEARED;
    return state == SRV__OUTCOME_UNDECIDED ? DET_UNDECIDED : DET_CONFIRMED;
}

/* The verdict follows from an outcome that is neither NONE nor WAITING. */
static void outcome_apply(suspicions *s, size_t i) {
    const srv__outcome *outcome = &s->outcomes[i];
    const bool believed = outcome->state == SRV__OUTCOME_BELIEVED;
    det_verdict *v = &s->verdicts[i];
    if (believed && s->change_found) {
        det_verdict_pend(v, "not measured again, and a stronger change explains the night");
        return;
    }
    const det_outcome measured = outcome_of(outcome->state);
    /* Not there any more when the outcome of another portion explains it: nothing is left to do. */
    if (outcome->state == SRV__OUTCOME_CONFIRMED && v->steps == 0 &&
        isfinite(outcome->difference.mean))
        (void)det_watch_confirm(s->walk->watch, i, v->to, &outcome->difference);
    else
        (void)det_watch_resolve(s->walk->watch, i, v->to, measured);
    v->verdict = measured == DET_CONFIRMED ? DET_VERDICT_ANOMALY : DET_VERDICT_OK;
    if (believed && *outcome->reason != '\0') {
        g_strlcat(v->reason, "; ", sizeof v->reason);
        g_strlcat(v->reason, outcome->reason, sizeof v->reason);
    } else if (*outcome->reason != '\0') {
        g_strlcpy(v->reason, outcome->reason, sizeof v->reason);
    }
    if (outcome->state != SRV__OUTCOME_CONFIRMED)
        return;
    /* All numbers of the verdict are those that were measured in turn: its percentage is the
     * alert's. */
    v->difference = outcome->difference;
    if (isfinite(outcome->before.mean) && isfinite(outcome->after.mean)) {
        v->reference = outcome->before;
        v->night = outcome->after;
    }
    v->from = v->trial_from; /* what came after it is disputed: the search begins there, too */
}

/* What is known of a suspicion, applied; its state stays NONE when nothing is. */
static bool outcome_find(suspicions *s, size_t i, GError **error) {
    srv__outcome *outcome = &s->outcomes[i];
    if (!srv__suspicion_find(s->walk->store, s->night, i, s->verdicts[i].to, outcome, error))
        return false;
    if (outcome->state == SRV__OUTCOME_NONE && !s->can_remeasure) {
        bool told;
        if (!was_told(s, i, &told, error))
            return false;
        outcome->state = told ? SRV__OUTCOME_BELIEVED : SRV__OUTCOME_CLEARED;
    }
    if (outcome->state != SRV__OUTCOME_NONE && outcome->state != SRV__OUTCOME_WAITING)
        outcome_apply(s, i);
    return true;
}

/* Nothing is known of a suspicion, and it is the strongest of its night: what now? */
static bool outcome_of_new(suspicions *s, size_t i, GError **error) {
    srv__walk *w = s->walk;
    det_verdict *v = &s->verdicts[i];
    srv__question question;
    srv__plan plan;
    bool raised;
    if (!srv__suspicion_plan(w->store, s->night, i, v, &plan, &question, error))
        return false;
    if (plan == SRV__PLAN_BELIEVE) {
        s->outcomes[i].state = SRV__OUTCOME_BELIEVED;
        (void)det_watch_resolve(w->watch, i, v->to, DET_CONFIRMED);
        v->verdict = DET_VERDICT_ANOMALY;
    } else if (plan == SRV__PLAN_MEASURE && s->may_raise) {
        if (!srv__suspicion_raise(w->store, s->night, s->verdicts, question, w->now_ms, &raised,
                                  error))
            return false;
        if (raised)
            s->outcomes[i].state = SRV__OUTCOME_WAITING;
    }
    return true;
}

void srv__walk_by_evidence(const det_verdict *verdicts, size_t count, size_t *ranked) {
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && verdicts[ranked[at - 1]].evidence < verdicts[i].evidence; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = i;
    }
}

bool srv__walk_outcomes(srv__walk *w, const srv__walk_night *n, const srv__suspect_night *night,
                        det_verdict *verdicts, bool may_raise, srv__outcome *outcomes,
                        GError **error) {
    suspicions s = {.walk = w,
                    .night = night,
                    .verdicts = verdicts,
                    .outcomes = outcomes,
                    .can_remeasure = n->remeasure,
                    .may_raise = may_raise};
    size_t ranked[DET_CONFIGURATIONS_MAX], count = w->tree.chain.count;
    bool asked = false; /* a stronger suspicion has its outcome, waits for it, or was too weak */
    srv__walk_by_evidence(verdicts, count, ranked);
    for (size_t k = 0; k < count; k++) {
        const size_t i = ranked[k];
        outcomes[i] = (srv__outcome){.state = SRV__OUTCOME_NONE};
        if (verdicts[i].verdict != DET_VERDICT_SUSPECT)
            continue;
        if (!outcome_find(&s, i, error))
            return false;
        const bool first = outcomes[i].state == SRV__OUTCOME_NONE && !asked && !s.change_found;
        if (first) {
            asked = true;
            if (!outcome_of_new(&s, i, error))
                return false;
        }
        asked |= outcomes[i].state != SRV__OUTCOME_NONE;
        if (outcomes[i].state == SRV__OUTCOME_NONE && verdicts[i].verdict == DET_VERDICT_SUSPECT)
            det_verdict_pend(&verdicts[i], first ? "not enough to say so"
                                                 : "a stronger suspicion of the night comes first");
        s.change_found |= verdicts[i].verdict == DET_VERDICT_ANOMALY;
    }
    return true;
}
