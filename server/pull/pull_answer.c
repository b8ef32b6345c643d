
#include "config/model/detection.h"
#include "detector/watch/merge.h"
#include "detector/words/counted.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/pull/pull.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#include <math.h>
#include <string.h>

/* pull_judge - what the loops of a pull request say of each portion. */

#define LOSS_SURE                                                                                  \
    0.9999 /* as of a night's share, but of the loops' means alone: how many records each had is   \
               not kept */

/* Common to all portions of one. */
typedef struct {
    srv_store *store;
    int64_t pull;
    size_t portions;
    bool last;
} judging;

/* A portion that a pull request asks about. */
typedef struct {
    int64_t ordinal;
    char *configuration, *parent, *portion; /* parent: NULL, it is a root */
    double percent;
    cfg_detection detection;
} asked_portion;

static const model_member asked_members[] = {
    MODELS(asked_portion, ordinal, configuration),
    MODEL(asked_portion, parent, "parent", MODEL_NULL), MODEL(asked_portion, portion, "portion"),
    MODEL(asked_portion, percent, "percent", MODEL_NULL),
    MODEL_A(asked_portion, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun asked_noun = MODEL_NOUN(asked_portion, asked_members, "portion");

static det_merge_question question_of(const judging *j, const asked_portion *portion) {
    return (det_merge_question){.name = portion->portion,
                                .portions = j->portions,
                                .alpha = DET_MERGE_ALPHA,
                                .effect_relative = portion->percent / 100,
                                .effect_absolute = portion->detection.minimum_effect_ns,
                                .level = portion->detection.confidence,
                                .last = j->last};
}

static bool answer_put(const judging *j, const asked_portion *portion, const det_merge_result *r,
                       GError **error) {
    return srv__run(j->store,
                    ASK(pull_portion_answer, j->pull, portion->ordinal, det_merge_text(r->answer),
                        r->loops, SRV__RANGE(r->before), SRV__RANGE(r->after),
                        SRV__RANGE(r->difference), r->least_ns, r->seen_ns, r->sentence),
                    error);
}

static bool too_few(const judging *j, const asked_portion *portion, GError **error) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    det_merge_result none = {.answer = j->last ? DET_MERGE_UNSURE : DET_MERGE_MORE,
                             .before = unknown,
                             .after = unknown,
                             .difference = unknown,
                             .least_ns = NAN,
                             .seen_ns = NAN};
    g_strlcpy(none.sentence, "Too few of its loops succeeded to tell", sizeof none.sentence);
    return answer_put(j, portion, &none, error);
}

static bool share_of(det_interval *share, const GArray *loops) {
    return det_interval_mean(share, (const double *)(const void *)loops->data, loops->len,
                             LOSS_SURE) == DET_OK;
}

/* What is faster because it loses more is no faster: that is said, and nobody is told of an
 * improvement. */
static bool loss_say(const judging *j, const asked_portion *portion, det_merge_result *result,
                     GError **error) {
    const det_dimension *lost = det_dimension_find("lost_percent");
    g_autoptr(GArray) losses =
        srv__means_read(j->store, ASK(pull_losses, j->pull, portion->configuration), NULL, error);
    if (!losses)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(losses, 0);
    det_counted counted = {.dimension = lost};
    char words[DET_COUNTED_MAX];
    if (!share_of(&counted.after, r.column[0]) || !share_of(&counted.before, r.column[2]) ||
        !det_counted_lost(words, sizeof words, portion->portion, &counted))
        return true;
    const size_t length = strlen(result->sentence);
    const bool faster = result->answer == DET_MERGE_FASTER;
    (void)g_snprintf(result->sentence + length, sizeof result->sentence - length,
                     faster ? ", but %s: this is no improvement" : "; %s", words);
    result->answer = faster ? DET_MERGE_UNSURE : result->answer;
    return true;
}

static bool portion_judge(const judging *j, const asked_portion *portion, bool *open,
                          GError **error) {
    const char *parent = portion->parent;
    det_merge_result result;
    /* As srv__trial_means (alarm/trial_rows.h). */
    g_autoptr(GArray) means = srv__means_read(
        j->store, ASK(pull_means, j->pull, portion->configuration, parent ? parent : ""), NULL,
        error);
    if (!means)
        return false;
    g_auto(srv__rounds) r = srv__rounds_of(means, 0);
    const det_confirm_sample sample = srv__rounds_sample(&r, parent != NULL);
    const det_merge_question question = question_of(j, portion);
    const det_status status = det_merge_judge(&result, &question, &sample);
    *open = status == DET_OK ? result.answer == DET_MERGE_MORE : !j->last;
    if (status == DET_OK && !*open && !loss_say(j, portion, &result, error))
        return false;
    if (status == DET_OK)
        return answer_put(j, portion, &result, error);
    if (status == DET_ESHORT)
        return too_few(j, portion, error);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed: %s",
                     det_status_text(status));
}

/* Each portion is judged anew, with all loops so far; in a transaction.
 * last   no more is measured
 * open   out: portions that need more loops */
static bool pull_judge(srv_store *store, int64_t pull, bool last, size_t *open, GError **error) {
    *open = 0;
    g_auto(model_list) portions = {0};
    if (!srv__many(store, ASK(pull_portions, pull), &asked_noun, &portions, error))
        return false;
    const judging j = {store, pull, portions.count, last};
    for (unsigned i = 0; i < portions.count; i++) {
        bool more = false;
        if (!portion_judge(&j, (const asked_portion *)portions.items + i, &more, error))
            return false;
        *open += more;
    }
    return true;
}

/* The pull request that a job is of. */
typedef struct {
    int64_t id;               /* 0: it is of none */
    char hash[65], state[16]; /* hash: of the job's result; "": there is none */
} standing;

static bool standing_get(srv_store *store, int64_t job, standing *s, GError **error) {
    static const model_member members[] = {
        MODEL(standing, id, "id"), MODEL_CHARS_OF(standing, hash, "result_hash", MODEL_NULL),
        MODEL_CHARS_OF(standing, state, "state")};
    static const model_noun noun = MODEL_NOUN(standing, members, "pull request");
    bool there;
    return srv__one(store, ASK(pull_of_job, job), &noun, s, &there, error);
}

bool srv__pull_there(srv_store *store, int64_t job, const char *hash, int64_t *pull,
                     GError **error) {
    standing s;
    *pull = 0;
    if (!standing_get(store, job, &s, error))
        return false;
    if (s.hash[0] == '\0')
        return true;
    *pull = s.id;
    if (g_str_equal(s.hash, hash))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "job %" G_GINT64_FORMAT " already has another result; discard this one", job);
}

static bool loops_insert(srv_store *store, int64_t pull, const srv__pull_result *r,
                         GError **error) {
    for (guint i = 0; i < r->result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(r->result->loops, srv__loop, i);
        if (!srv__run(
                store,
                ASK(pull_loop_insert, pull, r->job, i, r->tree->name[loop->configuration],
                    loop->before, loop->loop, loop->used, loop->seconds,
                    loop->failed ? NAN : loop->summary.mean, loop->duet,
                    srv__reading_of(det_dimension_find("lost_percent"), loop->readings, NULL)),
                error))
            return false;
    }
    return true;
}

static bool settle(srv_store *store, int64_t pull, const char *state, const char *reason,
                   int64_t now_ms, GError **error) {
    return srv__run(store, ASK(pull_end, pull, state, reason, now_ms), error) &&
           srv__event(store, SRV_EVENT_PULL, pull);
}

/* More loops where a portion needs them and there is time, else the last look. */
static bool go_on(srv_store *store, int64_t pull, int64_t now_ms, GError **error) {
    size_t open;
    bool queued = false;
    if (!pull_judge(store, pull, false, &open, error) ||
        (open > 0 && !srv__pull_batch(store, pull, now_ms, &queued, error)))
        return false;
    if (queued)
        return srv__event(store, SRV_EVENT_PULL, pull);
    return (open == 0 || pull_judge(store, pull, true, &open, error)) &&
           settle(store, pull, "done", NULL, now_ms, error);
}

bool srv__pull_take(srv_store *store, const srv__pull_result *r, int64_t now_ms, int64_t *pull,
                    GError **error) {
    standing s;
    if (!standing_get(store, r->job, &s, error))
        return false;
    *pull = s.id;
    if (*pull == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                         "job %" G_GINT64_FORMAT " belongs to no pull request", r->job);
    return srv__run(store, ASK(pull_job_result, r->job, r->hash), error) &&
           srv__run(store, ASK(pull_node, *pull, r->result->node), error) &&
           loops_insert(store, *pull, r, error) && go_on(store, *pull, now_ms, error);
}

bool srv__pull_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                      GError **error) {
    standing s;
    if (!standing_get(store, job, &s, error))
        return false;
    /* What was dropped has its reason, and its job was cancelled for it. */
    if (s.id == 0 || !g_str_equal(s.state, "measuring"))
        return true;
    g_autofree char *text = g_strdup_printf("it could not be measured: %s", reason);
    return settle(store, s.id, "failed", text, now_ms, error);
}

static GArray *stranded_jobs(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store, ASK(pull_jobs_stranded, before_ms), error);
}

bool srv__pulls_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {.list = stranded_jobs,
                                           .reason = "its node has been silent for three days",
                                           .failed = srv__pull_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error);
}
