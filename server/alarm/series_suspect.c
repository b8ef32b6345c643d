#include "server/alarm/series_suspect.h"

#include "server/alarm/alert_queries.h"

#include <string.h>

/* What is known of a suspicion that was never raised: it is from before the node could measure
 * again, or comes from one that cannot. Then people were told at once, or are told now. */
static bool believed(srv__walk *w, size_t i, const det_verdict *v, bool keep, bool *yes,
                     GError **error) {
    int64_t alert = 0;
    if (!keep && !srv__alert_standing(w->store, w->id, w->tree.name[i], v->since, &alert, error))
        return false;
    *yes = keep || alert != 0;
    return true;
}

/* A suspicion gets the outcome that is known; known->state stays NONE when nothing is.
 * explained: a stronger one of this night stands already. */
static bool suspect(srv__walk *w, const srv__walk_night *n, const srv__suspect_night *seen,
                    size_t i, det_verdict *v, bool keep, bool explained, srv__suspicion *known,
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
static bool strongest(srv__walk *w, const srv__suspect_night *seen, size_t i, det_verdict *verdicts,
                      bool keep, srv__suspicion *known, GError **error) {
    srv__plan plan;
    det_verdict *v = &verdicts[i];
    double expected_ns;
    bool raised;
    if (!srv__suspicion_plan(w->store, seen, i, v, &plan, &expected_ns, error))
        return false;
    if (plan == SRV__PLAN_BELIEVE) {
        known->state = SRV__SUSPICION_BELIEVED;
        (void)det_watch_resolve(w->watch, i, v->since, 1);
        v->kind = DET_VERDICT_ANOMALY;
    } else if (plan == SRV__PLAN_MEASURE && keep) {
        if (!srv__suspicion_raise(w->store, seen, i, verdicts, expected_ns, w->now_ms, &raised,
                                  error))
            return false;
        known->state = raised ? SRV__SUSPICION_WAITING : known->state;
    }
    return true;
}

/* The suspicions of a night: outcomes that are known are applied, the strongest of the others is
 * measured again, the rest is left to the nights to come. known: out [count]. */
bool srv__walk_outcomes(srv__walk *w, const srv__walk_night *n, const srv__suspect_night *seen,
                        det_verdict *verdicts, bool keep, srv__suspicion *known, GError **error) {
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
            if (!strongest(w, seen, i, verdicts, keep, &known[i], error))
                return false;
        }
        asked |= known[i].state != SRV__SUSPICION_NONE;
        if (known[i].state == SRV__SUSPICION_NONE)
            v->kind = DET_VERDICT_OK;
        explained |= v->kind == DET_VERDICT_ANOMALY;
    }
    return true;
}
