#include "config/model/detection.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/series_walk.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "sql/alert.h"
#include "sql/series.h"
#include "sql/trial.h"

#include <math.h>

/* Where measuring again could not tell, so many nights and so much evidence must do, as in the
 * closed loop that the detector was tuned with. */
#define BELIEVED_NIGHTS 2
#define BELIEVED_EVIDENCE 9.0

/* What is asked about one night. */
typedef struct {
    srv__question question[SRV__QUESTIONS_MAX];
    size_t count;
} questions;

static srv__outcome_state state_of(const char *text) {
    static const char *const names[] = {[SRV__OUTCOME_WAITING] = "waiting",
                                        [SRV__OUTCOME_CONFIRMED] = "confirmed",
                                        [SRV__OUTCOME_CLEARED] = "cleared",
                                        [SRV__OUTCOME_BELIEVED] = "believed",
                                        [SRV__OUTCOME_UNDECIDED] = "undecided"};
    for (size_t i = SRV__OUTCOME_WAITING; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(text, names[i]))
            return (srv__outcome_state)i;
    return SRV__OUTCOME_NONE;
}

/* A suspicion, and what measuring again has said. */
typedef struct {
    char *state, *reason;
    int64_t from;
    det_interval before, after, difference;
} suspected;

static const model_member suspected_members[] = {
    MODEL(suspected, state, "state"),
    MODEL(suspected, reason, "reason", MODEL_NULL),
    MODEL(suspected, from, "from", MODEL_NULL),
    MODEL_A(suspected, before, cfg_interval_model, MODEL_PART, "before", MODEL_NULL),
    MODEL_A(suspected, after, cfg_interval_model, MODEL_PART, "after", MODEL_NULL),
    MODEL_A(suspected, difference, cfg_interval_model, MODEL_PART, "difference", MODEL_NULL)};
static const model_noun suspected_noun = MODEL_NOUN(suspected, suspected_members, "suspicion");

/* What is known of a portion's change, as this night saw it; state NONE: nothing. */
static bool suspicion_get(srv_store *store, srv__watched of, const char *configuration,
                          int64_t seen, const det_verdict *v, srv__outcome *out, GError **error) {
    MODEL_HELD(suspected, row, suspected_noun);
    bool there;
    *out = (srv__outcome){.state = SRV__OUTCOME_NONE};
    if (!srv__one(store,
                  ASK(suspicion_get, of.series, configuration, seen, v->to, of.dimension,
                      v->direction, v->reference_from, v->trial_from),
                  &suspected_noun, &row, &there, error))
        return false;
    if (there) {
        out->state = state_of(row.state);
        g_strlcpy(out->reason, row.reason ? row.reason : "", sizeof out->reason);
        out->from = row.from;
        out->before = row.before;
        out->after = row.after;
        out->difference = row.difference;
    }
    return true;
}

/* The direction that measuring again showed, be it the one that was suspected or not; 0: none. */
static int shown_by(const srv__outcome *outcome) {
    return (outcome->difference.mean > 0) - (outcome->difference.mean < 0);
}

/* A night's commit and node, and the commit of an earlier one. */
typedef struct {
    int64_t revision, before;
    char *node;
} trial_ends;

static const model_member ends_members[] = {MODEL(trial_ends, revision, "revision_id"),
                                            MODEL(trial_ends, before, "before_id"),
                                            MODEL(trial_ends, node, "node", MODEL_NULL)};
static const model_noun trial_ends_noun = MODEL_NOUN(trial_ends, ends_members, "ends of a trial");

/* With what it is believed: the time of a call, or a value of another unit. Owned. */
static char *with_words(const char *unit, bool confirmed) {
    g_autofree char *what =
        unit ? g_strdup_printf("its value in %s", unit) : g_strdup("the time of a call");
    return g_strdup_printf("with %s, which was %smeasured again", what, confirmed ? "" : "not ");
}

/* Does a suspicion of this night, or of one before it, wait for its answer? */
static bool is_waiting(srv_store *store, const srv__suspect_night *night, const char *dimension,
                       size_t configuration, int direction, bool *waiting, GError **error) {
    int64_t count;
    if (!srv__number(store,
                     ASK(suspicions_waiting, night->series, night->tree->name[configuration],
                         direction, dimension, night->experiment),
                     0, &count, error))
        return false;
    *waiting = count > 0;
    return true;
}

/* What follows from the time of a call is not measured again by itself: it waits for the time of
 * its configuration, and is believed with it. state stays NONE where that did not move, or was
 * cleared. */
static bool follow_time(srv_store *store, const srv__suspect_night *night, size_t configuration,
                        const det_verdict *v, srv__outcome *out, GError **error) {
    const char *name = night->tree->name[configuration];
    srv__outcome time;
    bool up, down;
    if (!suspicion_get(store, (srv__watched){night->series, SRV__TIME}, name, night->experiment, v,
                       &time, error) ||
        !is_waiting(store, night, SRV__TIME, configuration, 1, &up, error) ||
        !is_waiting(store, night, SRV__TIME, configuration, -1, &down, error))
        return false;
    const bool with_it = time.state == SRV__OUTCOME_CONFIRMED && shown_by(&time) == v->direction;
    if (with_it || time.state == SRV__OUTCOME_BELIEVED) {
        out->state = SRV__OUTCOME_BELIEVED;
        out->with_time = with_it;
        g_autofree char *words = with_words(night->tree->unit[configuration], out->with_time);
        g_strlcpy(out->reason, words, sizeof out->reason);
    } else if (up || down) {
        out->state = SRV__OUTCOME_WAITING;
    }
    return true;
}

/* What is known of a portion's change at this night; out->state is NONE when nothing is. */
static bool suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                           const det_verdict *v, srv__outcome *out, GError **error) {
    const char *name = night->tree->name[configuration];
    const det_dimension *of = det_dimension_find(night->dimension);
    if (!suspicion_get(store, (srv__watched){night->series, night->dimension}, name,
                       night->experiment, v, out, error))
        return false;
    return out->state != SRV__OUTCOME_NONE || !of || !of->follows ||
           follow_time(store, night, configuration, v, out, error);
}

/* How many nights the supposed new level has lasted. */
static bool level_nights(srv_store *store, const srv__suspect_night *night, int64_t to,
                         int64_t *nights, GError **error) {
    return srv__number(store, ASK(series_nights_count, night->series, to, night->experiment), 0,
                       nights, error);
}

/* A portion whose counts moved with it is worth measuring again at once, whatever clearing it
 * costs: it will seldom be cleared. */
static bool is_due(srv_store *store, const srv__suspect_night *night, size_t configuration,
                   const det_verdict *verdict, bool *due, GError **error) {
    MODEL_HELD(srv__counted, counted, srv__counted_model);
    bool there;
    if (*due || verdict->trial_from == 0 || !g_str_equal(night->dimension, SRV__TIME))
        return true;
    if (!srv__one(store,
                  ASK(night_counted, verdict->trial_from, night->experiment,
                      night->tree->name[configuration]),
                  &srv__counted_model, &counted, &there, error))
        return false;
    *due = srv__counts_say(there ? &counted : NULL, verdict->direction) == DET_COUNTS_WITH;
    return true;
}

/* Both results are of one commit: measured in turn with itself it tells nothing. */
static bool is_one_commit(srv_store *store, int64_t experiment, int64_t before, bool *one,
                          GError **error) {
    MODEL_HELD(trial_ends, ends, trial_ends_noun);
    if (!srv__one(store, ASK(trial_commits, experiment, before), &trial_ends_noun, &ends, NULL,
                  error))
        return false;
    *one = ends.revision == ends.before;
    return true;
}

/* What measuring it again would cost says what to do.
 * verdict       of this configuration's portion
 * question      out: what to ask about it */
static bool suspicion_plan(srv_store *store, const srv__suspect_night *night, size_t configuration,
                           const det_verdict *verdict, srv__plan *plan, srv__question *question,
                           GError **error) {
    det_confirm_policy policy;
    if (!srv__confirm_policy(store, night->series, &policy, error))
        return false;
    policy = srv__confirm_of(&policy, night->dimension, false);
    det_confirm_plan measuring = det_confirm_plan_of(&policy, night->policy, verdict);
    *question = (srv__question){.configuration = configuration,
                                .dimension = night->dimension,
                                .expected_ns = measuring.expected,
                                .alone = measuring.stage == DET_STAGE_ALONE,
                                .level_ns = fabs(verdict->reference.mean)};
    *plan = SRV__PLAN_NOTHING;
    bool due = measuring.due != 0;
    if (!is_due(store, night, configuration, verdict, &due, error))
        return false;
    if (verdict->to == 0 || verdict->trial_from == 0 || !due)
        return true;
    bool one;
    if (!is_one_commit(store, night->experiment, verdict->trial_from, &one, error))
        return false;
    if (one) {
        *plan = SRV__PLAN_SAME;
        return true;
    }
    if (measuring.loops <= policy.maximum) {
        *plan = SRV__PLAN_MEASURE;
        return true;
    }
    int64_t nights;
    if (!level_nights(store, night, verdict->to, &nights, error))
        return false;
    if (nights >= BELIEVED_NIGHTS && verdict->evidence >= BELIEVED_EVIDENCE)
        *plan = SRV__PLAN_BELIEVE;
    return true;
}

/* The questions are put to a night's commit and an earlier one's, on the node that measured it. */
static bool trial_start(srv_store *store, const srv__suspect_night *night, int64_t before,
                        const questions *asked, int64_t now_ms, int64_t *ids, GError **error) {
    MODEL_HELD(trial_ends, ends, trial_ends_noun);
    if (!srv__one(store, ASK(trial_commits, night->experiment, before), &trial_ends_noun, &ends,
                  NULL, error))
        return false;
    const srv__trial trial = {.kind = "confirmation",
                              .series = night->series,
                              .after = ends.revision,
                              .before = ends.before,
                              .experiment = night->experiment,
                              .node = ends.node,
                              .questions = asked->question,
                              .count = asked->count,
                              .later = true};
    return srv__trial_start(store, &trial, now_ms, ids, error);
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

/* The other portions of the same change, appended to the questions. One whose level began after the
 * older commit of the trial is none: this one would show its last step again. */
static bool companions(srv_store *store, const srv__suspect_night *night,
                       const det_verdict *verdicts, questions *asked, GError **error) {
    const size_t first = asked->question[0].configuration;
    const int64_t before = verdicts[first].trial_from;
    for (size_t i = 0; i < night->tree->chain.count; i++) {
        srv__plan plan;
        srv__outcome outcome;
        srv__question question;
        bool waiting;
        int64_t nights;
        const det_verdict *v = &verdicts[i];
        if (i == first || v->verdict != DET_VERDICT_SUSPECT || v->to != verdicts[first].to ||
            !moved_itself(night, i, v))
            continue;
        if (!suspicion_find(store, night, i, v, &outcome, error) ||
            !suspicion_plan(store, night, i, v, &plan, &question, error) ||
            !is_waiting(store, night, night->dimension, i, v->direction, &waiting, error) ||
            !srv__number(store, ASK(series_nights_count, night->series, v->reference_from, before),
                         0, &nights, error))
            return false;
        if (outcome.state == SRV__OUTCOME_NONE && plan == SRV__PLAN_MEASURE && !waiting &&
            nights > 0)
            asked->question[asked->count++] = question;
    }
    return true;
}

/*
 * queue the measuring of the strongest suspicion of a night, and with it of
 * those portions that moved with the same night by themselves: one change is told once, whole.
 * question  of the portion whose suspicion is the strongest
 * verdicts  [count] of the night's portions
 */
static bool suspicion_raise(srv_store *store, const srv__suspect_night *night,
                            const det_verdict *verdicts, srv__question question, int64_t now_ms,
                            GError **error) {
    const det_verdict *strongest = &verdicts[question.configuration];
    questions asked = {.question = {question}, .count = 1};
    int64_t ids[SRV__QUESTIONS_MAX];
    bool good = companions(store, night, verdicts, &asked, error) &&
                trial_start(store, night, strongest->trial_from, &asked, now_ms, ids, error);
    for (size_t i = 0; good && i < asked.count; i++) {
        const size_t c = asked.question[i].configuration;
        const det_verdict *v = &verdicts[c];
        good = srv__run(store,
                        ASK(suspicion_insert, night->series, night->tree->name[c], v->direction,
                            night->experiment, v->to, v->from, ids[i], now_ms, night->dimension),
                        error);
    }
    return good;
}

/* The suspicions of a night while they are gone through, the strongest first. */
typedef struct {
    srv__walk *walk;
    const srv__suspect_night *night;
    det_verdict *verdicts;  /* [configurations] */
    srv__outcome *outcomes; /* [configurations] */
    bool can_remeasure;     /* the node can measure two commits in turn */
    bool may_raise;         /* a suspicion that nothing is known of may be raised */
    bool change_found;      /* a stronger suspicion of this night is an anomaly */
    const char *why;        /* nothing asks the strongest one */
} suspicions;

/* Of a portion whose suspicion was never raised, since its node cannot measure again or could not
 * then: people were told at once, or are told now. */
static bool was_told(const suspicions *s, size_t i, bool *told, GError **error) {
    srv__walk *w = s->walk;
    int64_t alert = 0;
    if (!s->may_raise &&
        !srv__number(w->store,
                     ASK(alert_still_told, w->id, w->tree.name[i], s->verdicts[i].to, w->dimension),
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

/* The verdict follows from an outcome that is neither NONE nor WAITING.
 * begins  the first night of the new level, where there is one */
static void outcome_apply(suspicions *s, size_t i, int64_t begins) {
    const srv__outcome *outcome = &s->outcomes[i];
    const bool believed = outcome->state == SRV__OUTCOME_BELIEVED;
    det_verdict *v = &s->verdicts[i];
    if (believed && s->change_found && !outcome->with_time) {
        det_verdict_pend(v, "not measured again: the night tells of a stronger change");
        return;
    }
    /* It was enough to ask; it is not enough to tell. Asked again when later nights agree. */
    if (believed && !v->stands && !outcome->with_time) {
        (void)det_watch_resolve(s->walk->watch, i, v->to, DET_UNDECIDED);
        det_verdict_pend(v, *outcome->reason != '\0' ? outcome->reason : "not measured again");
        return;
    }
    const det_outcome measured = outcome_of(outcome->state);
    /* Not there any more when the outcome of another portion explains it: nothing is left to do. */
    if (outcome->state == SRV__OUTCOME_CONFIRMED && v->steps == 0 &&
        isfinite(outcome->difference.mean))
        (void)det_watch_confirm(s->walk->watch, i, begins, &outcome->before, &outcome->difference);
    else
        (void)det_watch_resolve(s->walk->watch, i, measured == DET_CONFIRMED ? begins : v->to,
                                measured);
    const bool turned = measured == DET_UNDECIDED && shown_by(outcome) == -v->direction;
    v->verdict = DET_VERDICT_OK;
    if (measured == DET_CONFIRMED)
        det_verdict_believe(v);
    else if (measured == DET_UNDECIDED)
        v->rule = DET_RULE_PENDING; /* nobody can say that it is as before */
    if (believed && *outcome->reason != '\0')
        det_verdict_add(v, outcome->reason);
    else if (*outcome->reason != '\0')
        g_strlcpy(v->reason, outcome->reason, sizeof v->reason);
    if (outcome->state != SRV__OUTCOME_CONFIRMED && !turned)
        return;
    /* All numbers of the verdict are those that were measured in turn: its percentage is the
     * alert's. */
    v->direction = shown_by(outcome);
    v->difference = outcome->difference;
    if (isfinite(outcome->before.mean) && isfinite(outcome->after.mean)) {
        v->reference = outcome->before;
        v->night = outcome->after;
    }
    v->from = outcome->from; /* what came after it is disputed: the search begins there, too */
}

/* What is known of a suspicion, applied; its state stays NONE when nothing is. */
static bool outcome_find(suspicions *s, size_t i, GError **error) {
    srv__walk *w = s->walk;
    srv__outcome *outcome = &s->outcomes[i];
    const int64_t to = s->verdicts[i].to;
    int64_t begins;
    if (!suspicion_find(w->store, s->night, i, &s->verdicts[i], outcome, error))
        return false;
    if (outcome->state == SRV__OUTCOME_NONE && !s->can_remeasure) {
        bool told;
        if (!was_told(s, i, &told, error))
            return false;
        outcome->state = told ? SRV__OUTCOME_BELIEVED : SRV__OUTCOME_CLEARED;
    }
    if (outcome->state == SRV__OUTCOME_NONE || outcome->state == SRV__OUTCOME_WAITING)
        return true;
    if (!srv__number(
            w->store,
            ASK(alert_begins_later, w->id, w->tree.name[i], w->dimension, to, s->night->experiment),
            to, &begins, error))
        return false;
    outcome_apply(s, i, begins);
    return true;
}

/* Nothing is known of a suspicion, and it is the strongest of its night: what now? */
static bool outcome_of_new(suspicions *s, size_t i, GError **error) {
    srv__walk *w = s->walk;
    det_verdict *v = &s->verdicts[i];
    srv__question question;
    srv__plan plan;
    bool waiting;
    if (!srv__number(w->store,
                     ASK(suspicion_measured, w->id, w->tree.name[i], w->dimension,
                         v->reference_from, v->trial_from, v->to),
                     v->trial_from, &v->trial_from, error) ||
        !suspicion_plan(w->store, s->night, i, v, &plan, &question, error) ||
        !is_waiting(w->store, s->night, w->dimension, i, v->direction, &waiting, error))
        return false;
    if (waiting) { /* the answer to an earlier night's suspicion says what this one is, too */
        s->why = "being measured again since an earlier night";
        return true;
    }
    s->why = plan == SRV__PLAN_SAME ? "both results are of one commit, and measuring it "
                                      "in turn with itself would tell nothing"
                                    : "not enough to say so";
    if (plan == SRV__PLAN_BELIEVE) {
        s->outcomes[i].state = SRV__OUTCOME_BELIEVED;
        (void)det_watch_resolve(w->watch, i, v->to, DET_CONFIRMED);
        v->verdict = DET_VERDICT_ANOMALY;
    } else if (plan == SRV__PLAN_MEASURE && s->may_raise) {
        if (!suspicion_raise(w->store, s->night, s->verdicts, question, w->now_ms, error))
            return false;
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
        if (outcomes[i].state == SRV__OUTCOME_WAITING)
            det_verdict_add(&verdicts[i], "to be measured again");
        else if (verdicts[i].verdict == DET_VERDICT_SUSPECT)
            det_verdict_pend(&verdicts[i],
                             first ? s.why : "a stronger suspicion of the night comes first");
        s.change_found |= verdicts[i].verdict == DET_VERDICT_ANOMALY;
    }
    return true;
}
