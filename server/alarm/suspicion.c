#include "server/alarm/suspicion.h"

#include "server/alarm/series_rows.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_judge.h"
#include "server/alarm/trial_rows.h"
#include "sql/series.h"
#include "sql/trial.h"

#include <math.h>
#include <string.h>

/* Where measuring again could not tell, so many nights and so much evidence must do, as in the
 * closed loop that the detector was tuned with. */
#define BELIEVED_NIGHTS 2
#define BELIEVED_EVIDENCE 9.0

/* What is asked about one night. */
typedef struct {
    srv__question question[SRV__QUESTIONS_MAX];
    size_t count;
} questions;

bool srv__suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         int64_t to, srv__outcome *out, GError **error) {
    return srv__suspicion_get(store, night->series, night->dimension,
                              night->tree->name[configuration], night->experiment, to, out, error);
}

/* How many nights the supposed new level has lasted. */
static bool level_nights(srv_store *store, const srv__suspect_night *night, int64_t to,
                         int64_t *nights, GError **error) {
    return srv__number(store, SQL(series_nights_count),
                       SRV__ARGS(SRV__I(night->series), SRV__I(to), SRV__I(night->experiment)), 0,
                       nights, error);
}

/* A portion whose counts moved with it is worth measuring again at once, whatever clearing it
 * costs: it will seldom be cleared. */
static bool is_due(srv_store *store, const srv__suspect_night *night, size_t configuration,
                   const det_verdict *verdict, bool *due, GError **error) {
    srv__counted counted;
    bool there;
    if (*due || verdict->trial_from == 0 || !g_str_equal(night->dimension, SRV__TIME))
        return true;
    if (!srv__one(store, SQL(night_counted),
                  SRV__ARGS(SRV__I(verdict->trial_from), SRV__I(night->experiment),
                            SRV__T(night->tree->name[configuration])),
                  &srv__counted_model, &counted, &there, error))
        return false;
    *due = srv__witness_of(there ? &counted : NULL, verdict->direction) == DET_WITNESS_WITH;
    model_clear(&srv__counted_model, &counted);
    return true;
}

bool srv__suspicion_plan(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         const det_verdict *verdict, srv__plan *plan, srv__question *question,
                         GError **error) {
    det_confirm_policy policy;
    if (!srv__confirm_policy(store, night->series, &policy, error))
        return false;
    policy = srv__confirm_of(&policy, night->dimension);
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
    srv__trial_ends ends;
    if (!srv__one(store, SQL(trial_commits), SRV__ARGS(SRV__I(night->experiment), SRV__I(before)),
                  &srv__trial_ends_model, &ends, NULL, error))
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
    const bool good = srv__trial_start(store, &trial, now_ms, ids, error);
    model_clear(&srv__trial_ends_model, &ends);
    return good;
}

static bool is_waiting(srv_store *store, const srv__suspect_night *night, size_t configuration,
                       int direction, bool *waiting, GError **error) {
    int64_t count;
    if (!srv__number(store, SQL(suspicions_waiting),
                     SRV__ARGS(SRV__I(night->series), SRV__T(night->tree->name[configuration]),
                               SRV__I(direction), SRV__T(night->dimension)),
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
                       const det_verdict *verdicts, questions *asked, GError **error) {
    const size_t first = asked->question[0].configuration;
    for (size_t i = 0; i < night->tree->chain.count; i++) {
        srv__plan plan;
        srv__outcome outcome;
        srv__question question;
        bool waiting;
        const det_verdict *v = &verdicts[i];
        if (i == first || v->verdict != DET_VERDICT_SUSPECT || v->to != verdicts[first].to ||
            !moved_itself(night, i, v))
            continue;
        if (!srv__suspicion_find(store, night, i, v->to, &outcome, error) ||
            !srv__suspicion_plan(store, night, i, v, &plan, &question, error) ||
            !is_waiting(store, night, i, v->direction, &waiting, error))
            return false;
        if (outcome.state == SRV__OUTCOME_NONE && plan == SRV__PLAN_MEASURE && !waiting)
            asked->question[asked->count++] = question;
    }
    return true;
}

bool srv__suspicion_raise(srv_store *store, const srv__suspect_night *night,
                          const det_verdict *verdicts, srv__question question, int64_t now_ms,
                          bool *raised, GError **error) {
    const det_verdict *strongest = &verdicts[question.configuration];
    questions asked = {.question = {question}, .count = 1};
    int64_t ids[SRV__QUESTIONS_MAX];
    bool waiting;
    if (!is_waiting(store, night, question.configuration, strongest->direction, &waiting, error))
        return false;
    *raised = !waiting;
    if (waiting)
        return true;
    bool good = companions(store, night, verdicts, &asked, error) &&
                trial_start(store, night, strongest->trial_from, &asked, now_ms, ids, error);
    for (size_t i = 0; good && i < asked.count; i++) {
        const size_t c = asked.question[i].configuration;
        const srv__suspicion_row row = {.series = night->series,
                                        .seen = night->experiment,
                                        .configuration = night->tree->name[c],
                                        .dimension = night->dimension,
                                        .verdict = &verdicts[c],
                                        .question = ids[i]};
        good = srv__suspicion_insert(store, &row, now_ms, error);
    }
    return good;
}
