#include "runner/link/upload.h"

#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/ground/stop.h"
#include "runner/protocol.h"

#include <inttypes.h>

#define RESULT_TIMEOUT_S 120 /* the server stores and judges the night meanwhile */
#define DELAY_MAX_S 60

typedef struct {
    run_heartbeat *beat;
    const run_job *job;
    run_spool *spool;
    int stop_fd;
    json_t *failure;
    guint uploaded; /* raw files known to be there */
} upload;

/* One try; RUN_ERROR_AWAY and RUN_ERROR_LOST are worth another one. */
typedef bool (*upload_try)(upload *work, GError **error);

unsigned run_upload_delay_s(unsigned repetition) {
    return repetition > 6 ? DELAY_MAX_S : MIN(1u << (repetition - 1), DELAY_MAX_S);
}

static bool put_raw(upload *work, guint i, GError **error) {
    const char *sha256 = run_loops_at(run_spool_loops(work->spool), i)->raw.sha256;
    if (sha256[0] == '\0')
        return true;
    g_autofree char *path =
        g_strdup_printf(RUN_PATH_JOBS "/%" PRId64 "/raw/%s", work->job->id, sha256);
    g_autofree char *file = run_spool_raw_path(work->spool, i);
    g_auto(run_answer) answer = {0};
    return run_client_put_file(work->beat->client, path, work->beat->lease, file, &answer, error) &&
           run_client_judge(&answer, "raw file", error);
}

static bool try_result(upload *work, GError **error) {
    const guint count = run_spool_loops(work->spool)->len;
    for (; work->uploaded < count; work->uploaded++)
        if (!run_heartbeat_beat(work->beat, true, RUN_CALL_TIMEOUT_S, error) ||
            !put_raw(work, work->uploaded, error))
            return false;
    g_autofree char *path = g_strdup_printf(RUN_PATH_JOBS "/%" PRId64 "/result", work->job->id);
    g_auto(run_answer) answer = {0};
    json_t *body = run_result_build(work->beat->node, work->beat->lease,
                                    run_spool_head(work->spool), run_spool_loops(work->spool));
    bool good = run_client_post(work->beat->client, path, body, RESULT_TIMEOUT_S, &answer, error);
    json_decref(body);
    if (!good)
        return false;
    if (answer.status == 422) {
        run_log("warning", "upload", "quarantined", "job=%" PRId64 " reason=\"%s\"", work->job->id,
                answer.detail);
        return true;
    }
    if (!run_client_judge(&answer, "result", error))
        return false;
    run_log("info", "upload", "acknowledged", "job=%" PRId64 " experiment=%" JSON_INTEGER_FORMAT,
            work->job->id, json_integer_value(json_object_get(answer.body, "experiment")));
    return true;
}

static bool try_failure(upload *work, GError **error) {
    g_autofree char *path = g_strdup_printf(RUN_PATH_JOBS "/%" PRId64 "/failure", work->beat->job);
    g_auto(run_answer) answer = {0};
    json_t *body = json_copy(work->failure);
    json_object_set_new(body, "lease", json_string(work->beat->lease));
    bool good = run_client_post(work->beat->client, path, body, RUN_CALL_TIMEOUT_S, &answer, error);
    json_decref(body);
    return good && run_client_judge(&answer, "failure report", error);
}

/* Whether another try makes sense; waits before it. resumed: the job was asked for again
 * already. */
static bool again(upload *work, unsigned *repetition, bool *resumed, GError **problem) {
    if (g_error_matches(*problem, RUN_ERROR, RUN_ERROR_LOST)) {
        if (*resumed)
            return false;
        g_clear_error(problem);
        *resumed = true;
        work->beat->confirmed = false;
        work->uploaded = 0;
        if (run_heartbeat_resume(work->beat, RUN_CALL_TIMEOUT_S, problem))
            return true;
    }
    if (!g_error_matches(*problem, RUN_ERROR, RUN_ERROR_AWAY))
        return false;
    *resumed = false;
    unsigned delay_s = run_upload_delay_s(++*repetition);
    run_log("warning", "upload", "repeat", "job=%" PRId64 " in_seconds=%u reason=\"%s\"",
            work->beat->job, delay_s, (*problem)->message);
    g_clear_error(problem);
    if (run_stop_sleep(work->stop_fd, delay_s * INT64_C(1000))) {
        g_set_error(problem, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
        return false;
    }
    return true;
}

static bool repeat(upload *work, upload_try once, GError **error) {
    unsigned repetition = 0;
    bool resumed = false;
    for (;;) {
        GError *problem = NULL;
        if (once(work, &problem))
            return true;
        if (!again(work, &repetition, &resumed, &problem)) {
            g_propagate_error(error, problem);
            return false;
        }
    }
}

bool run_upload_result(run_heartbeat *beat, const run_job *job, run_spool *spool, int stop_fd,
                       GError **error) {
    upload work = {.beat = beat, .job = job, .spool = spool, .stop_fd = stop_fd};
    return repeat(&work, try_result, error);
}

bool run_upload_failure(run_heartbeat *beat, json_t *failure, int stop_fd, GError **error) {
    upload work = {.beat = beat, .failure = failure, .stop_fd = stop_fd};
    return repeat(&work, try_failure, error);
}
