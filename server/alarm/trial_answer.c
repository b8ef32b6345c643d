#include "detector/statistics/portion.h"
#include "detector/watch/confirm.h"
#include "server/alarm/bisection.h"
#include "server/alarm/bridge.h"
#include "server/alarm/series.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "sql/series.h"
#include "sql/trial.h"

#include <math.h>

/* What it counted of one commit, portion by portion; false: not of this dimension. */
static bool side_read(det_portions *out, const json_t *configurations, const srv__tree *tree,
                      const char *dimension, double level) {
    size_t loops;
    g_autofree double *values = srv__counts_read(configurations, tree, dimension, &loops);
    return loops > 0 && det_portions_of(out, &tree->chain, values, loops, level) == DET_OK;
}

/* One loop alone has no ends: nobody knows by how much it wavers. */
static bool is_whole(const det_interval *interval) {
    return interval->n > 0 && isfinite(interval->low) && isfinite(interval->high);
}

/* Of configuration c; false where one of the two is not known. */
static bool counted_of(const json_t *counts, const srv__tree *tree, size_t c, const char *dimension,
                       double level, srv__counted *out) {
    det_portions before, after;
    if (!side_read(&before, json_object_get(counts, "before"), tree, dimension, level) ||
        !side_read(&after, json_object_get(counts, "configurations"), tree, dimension, level) ||
        !is_whole(&before.portion[c]) || !is_whole(&after.portion[c]))
        return false;
    *out = (srv__counted){.before = before.portion[c], .after = after.portion[c]};
    return true;
}

static bool question_take(srv_store *store, const srv__open_question *question,
                          const srv__tree *tree, const json_t *counts, GError **error) {
    static char instructions[] = "instructions", bytes[] = "bytes";
    static char *const dimensions[] = {instructions, bytes};
    const int c = srv__tree_find(tree, question->configuration);
    for (size_t i = 0; c >= 0 && i < G_N_ELEMENTS(dimensions); i++) {
        srv__counted counted;
        if (!counted_of(counts, tree, (size_t)c, dimensions[i], question->detection.confidence,
                        &counted))
            continue;
        counted.dimension = dimensions[i];
        return srv__question_count(store, question->id, &counted, error);
    }
    return true;
}

/* what a job's result counted, for each open question whose portion has
 * both sides; in a transaction. A result without counts changes nothing. */
static bool trial_counts_take(srv_store *store, int64_t trial, const srv__result *result,
                              const srv__tree *tree, GError **error) {
    const json_t *counts = json_object_get(result->detail, "counts");
    g_auto(model_list) list = {0};
    if (!json_is_object(counts))
        return true;
    bool good = srv__trial_questions(store, trial, &list, error);
    const srv__open_question *questions = list.items;
    for (unsigned i = 0; good && i < list.count; i++)
        good = det_dimension_find(questions[i].dimension) ||
               question_take(store, &questions[i], tree, counts, error);
    return good;
}

/* How a trial stands; there is nothing in it to clear. */
typedef struct {
    int64_t id, batches, series, experiment;
    bool bisection;
} trial_standing;

/* That of a job; id 0: it is of none. */
static bool trial_of_job(srv_store *store, int64_t job, trial_standing *standing, GError **error) {
    static const model_member members[] = {MODELS(trial_standing, id, batches),
                                           MODEL(trial_standing, series, "series_id"),
                                           MODEL(trial_standing, experiment, "experiment_id"),
                                           MODEL(trial_standing, bisection, "bisection")};
    static const model_noun noun = MODEL_NOUN(trial_standing, members, "trial");
    bool there;
    return srv__one(store, ASK(trial_of_job, job), &noun, standing, &there, error);
}

static bool standing_get(srv_store *store, int64_t job, trial_standing *s, GError **error) {
    if (!trial_of_job(store, job, s, error))
        return false;
    return s->id != 0 || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                                   "job %" G_GINT64_FORMAT " belongs to no trial", job);
}

/* Suspicions that were the trial's questions have their outcome: the series is judged again, from
 * the earliest night that has come in meanwhile, too: what it shows of the same portion had to wait
 * for this answer. */
static bool suspicions_settle(srv_store *store, const trial_standing *s, const char *failed,
                              int64_t now_ms, GError **error) {
    int64_t first;
    g_autofree char *unable =
        failed
            ? g_strdup_printf(
                  "it could not be measured again (%s): the night's own measurement stands", failed)
            : NULL;
    return srv__run(store, ASK(suspicions_settle, s->id, now_ms, unable), error) &&
           srv__number(store, ASK(series_first_since, s->series, s->experiment), s->experiment,
                       &first, error) &&
           srv__series_again(store, s->series, first, now_ms, error) &&
           srv__event(store, SRV_EVENT_NIGHT, s->experiment);
}

/* failed: why there will be no answer, NULL when the questions have theirs. */
static bool settle(srv_store *store, const trial_standing *s, const char *failed, int64_t now_ms,
                   GError **error) {
    return srv__run(store, ASK(questions_fail, s->id, failed), error) &&
           srv__run(store, ASK(trial_end, s->id, failed ? "failed" : "done", now_ms), error) &&
           srv__bridge_settle(store, s->id, failed, error) &&
           (s->bisection ? srv__bisection_settle(store, s->id, failed, now_ms, error)
                         : suspicions_settle(store, s, failed, now_ms, error));
}

bool srv__trial_take(srv_store *store, int64_t job, const srv__result *result, const char *hash,
                     const srv__tree *tree, int64_t now_ms, GError **error) {
    det_confirm_policy policy;
    trial_standing s;
    srv__stand stand;
    if (!standing_get(store, job, &s, error) ||
        !srv__confirm_policy(store, s.series, &policy, error) ||
        !srv__run(store, ASK(trial_job_result, job, hash), error) ||
        !srv__trial_loops_insert(store, s.id, job, result, tree, error) ||
        !trial_counts_take(store, s.id, result, tree, error) ||
        !srv__trial_judge(store, s.id, job, &policy, &stand, error))
        return false;
    if (stand.open == 0)
        return settle(store, &s, NULL, now_ms, error);
    /* What is decided is told; the others join it later. */
    if (stand.answered > 0 && !s.bisection && !suspicions_settle(store, &s, NULL, now_ms, error))
        return false;
    if (stand.useless > 0)
        return settle(store, &s, "its processes failed", now_ms, error);
    /* Alone, then with the parent, and each may need twice its loops where some fail. */
    if (s.batches >= 4 * (int64_t)(policy.maximum / policy.step))
        return settle(store, &s, "too many of its processes failed", now_ms, error);
    return srv__trial_batch(store, s.id, now_ms, error);
}

bool srv__trial_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) {
    trial_standing s;
    return standing_get(store, job, &s, error) && settle(store, &s, reason, now_ms, error);
}

static GArray *stranded_jobs(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store, ASK(trial_jobs_stranded, before_ms), error);
}

bool srv__trials_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {.list = stranded_jobs,
                                           .reason = "its node has been silent for three days",
                                           .failed = srv__trial_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error) &&
           srv__trials_begin_late(store, now_ms, error);
}
