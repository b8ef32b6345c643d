#include "server/pull/pull_answer.h"

#include "detector/watch/merge.h"
#include "server/alarm/stranded.h"
#include "server/pull/pull.h"
#include "server/pull/pull_batch.h"
#include "server/pull/pull_judge.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#include <math.h>

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
    return srv__one(store, SQL(pull_of_job), SRV__ARGS(SRV__I(job)), &noun, s, &there, error);
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
    g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                "job %" G_GINT64_FORMAT " already has another result; discard this one", job);
    return false;
}

static bool loops_insert(srv_store *store, int64_t pull, const srv__pull_result *r,
                         GError **error) {
    for (guint i = 0; i < r->result->loops->len; i++)
        if (!srv__run(
                store, SQL(pull_loop_insert),
                SRV__ARGS(
                    SRV__I(pull), SRV__I(r->job), SRV__I(i),
                    SRV__T(r->tree->name[(&g_array_index(r->result->loops, srv__loop, i))
                                             ->configuration]),
                    SRV__I((&g_array_index(r->result->loops, srv__loop, i))->before),
                    SRV__I((&g_array_index(r->result->loops, srv__loop, i))->loop),
                    SRV__I((&g_array_index(r->result->loops, srv__loop, i))->position),
                    SRV__I((&g_array_index(r->result->loops, srv__loop, i))->used),
                    SRV__T((&g_array_index(r->result->loops, srv__loop, i))->failed),
                    SRV__D((&g_array_index(r->result->loops, srv__loop, i))->seconds),
                    SRV__D((&g_array_index(r->result->loops, srv__loop, i))->failed
                               ? NAN
                               : (&g_array_index(r->result->loops, srv__loop, i))->summary.mean),
                    SRV__T((&g_array_index(r->result->loops, srv__loop, i))->raw_sha256),
                    SRV__I((&g_array_index(r->result->loops, srv__loop, i))->duet)),
                NULL, error))
            return false;
    return true;
}

static bool settle(srv_store *store, int64_t pull, const char *state, const char *reason,
                   int64_t now_ms, GError **error) {
    return srv__run(store, SQL(pull_end),
                    SRV__ARGS(SRV__I(pull), SRV__T(state), SRV__T(reason), SRV__I(now_ms)), NULL,
                    error) &&
           srv__event(store, SRV_EVENT_PULL, pull);
}

/* More loops where a portion needs them and there is time, else the last look. */
static bool go_on(srv_store *store, int64_t pull, int64_t now_ms, GError **error) {
    size_t open;
    bool queued = false;
    if (!srv__pull_judge(store, pull, false, &open, error) ||
        (open > 0 && !srv__pull_batch(store, pull, now_ms, &queued, error)))
        return false;
    if (queued)
        return srv__event(store, SRV_EVENT_PULL, pull);
    return (open == 0 || srv__pull_judge(store, pull, true, &open, error)) &&
           settle(store, pull, "done", NULL, now_ms, error);
}

bool srv__pull_take(srv_store *store, const srv__pull_result *r, int64_t now_ms, int64_t *pull,
                    GError **error) {
    standing s;
    if (!standing_get(store, r->job, &s, error))
        return false;
    *pull = s.id;
    if (*pull == 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "job %" G_GINT64_FORMAT " belongs to no pull request", r->job);
        return false;
    }
    return srv__run(store, SQL(pull_job_result), SRV__ARGS(SRV__I(r->job), SRV__T(r->hash)), NULL,
                    error) &&
           srv__run(store, SQL(pull_node), SRV__ARGS(SRV__I(*pull), SRV__T(r->result->node)), NULL,
                    error) &&
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
    return srv__ids(store, SQL(pull_jobs_stranded), SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__pulls_expire(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded stranded = {.list = stranded_jobs,
                                           .reason = "its node has been silent for three days",
                                           .failed = srv__pull_failed};
    return srv__stranded_cancel(store, &stranded, now_ms, error);
}
