#include "runner/link/upload.h"

#include "config/json_text.h"
#include "config/log.h"
#include "config/model/benchmark.h"
#include "config/packed.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/ground/stop.h"
#include "runner/loop/loop.h"
#include "runner/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The body of the result call; to json_decref.
 * head   as in the spool
 * loops  all attempts, in the order they were measured */
static json_t *result_build(const char *node, const char *lease, const run_head *head,
                            const GPtrArray *loops) {
    json_t *body =
        json_pack("{s:s, s:s, s:I, s:I}", "lease", lease, "node", node, "started_ms",
                  (json_int_t)head->started_ms, "finished_ms", (json_int_t)head->finished_ms);
    if (head->explanation) { /* profiles, and nothing that was measured */
        json_object_update(body, head->explanation);
        return body;
    }
    json_object_set(body, "environment", head->environment);
    json_object_set_new(body, "loops", run_loops_json(loops));
    return body;
}

json_t *run_result_failure(const char *phase, const GError *problem, const char *log) {
    g_autofree char *cut = g_strndup(problem->message, RUN_REASON_BYTES);
    g_autofree char *reason = g_utf8_make_valid(cut, -1);
    size_t length = log ? strlen(log) : 0;
    const char *tail = length > RUN_FAILURE_LOG_BYTES ? log + (length - RUN_FAILURE_LOG_BYTES)
                       : log                          ? log
                                                      : "";
    /* A letter cut in two at either end must not make the text invalid. */
    g_autofree char *valid = g_utf8_make_valid(tail, -1);
    return json_pack("{s:s, s:s, s:s, s:b}", "phase", phase, "reason", reason, "log", valid,
                     "retry",
                     g_error_matches(problem, RUN_ERROR, RUN_ERROR_NODE) ||
                         g_error_matches(problem, RUN_ERROR, RUN_ERROR_BUSY));
}

#define PIECE_BYTES 65536u

static const char *const names[] = {[RUN_AFTER] = "after", [RUN_BEFORE] = "before"};

static bool fail(GError **error, const char *path, const char *why) {
    return run_fail(error, RUN_ERROR_NODE, "results: %s: %s", path, why);
}

/* What is wrong, or NULL. */
static const char *copy(cfg_unpack *from, FILE *to) {
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    ssize_t got;
    while ((got = cfg_unpack_read(from, piece, PIECE_BYTES)) > 0)
        if (fwrite(piece, 1, (size_t)got, to) != (size_t)got)
            return g_strerror(errno);
    return got < 0 ? cfg_unpack_problem(from) : NULL;
}

static bool unpack(const char *from_path, const char *path, GError **error) {
    g_auto(run_fd) from = open(from_path, O_RDONLY | O_CLOEXEC);
    FILE *to = from >= 0 ? fopen(path, "wbxe") : NULL;
    cfg_unpack *unpack = cfg_unpack_new(from);
    const char *problem = to ? copy(unpack, to) : g_strerror(errno);
    if (to && fclose(to) != 0 && !problem)
        problem = g_strerror(errno);
    cfg_unpack_free(unpack);
    return !problem || fail(error, path, problem);
}

static bool write_raw(const char *folder, const run_job *job, const run_spool *spool,
                      GError **error) {
    const GPtrArray *loops = run_spool_loops(spool);
    g_autoptr(GArray) done = run_loops_done(job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    for (guint i = 0; i < done->len; i++) {
        const run_loop_done *one = &g_array_index(done, run_loop_done, i);
        /* A driver that has only values has no calls to unpack. */
        if (!counts[i] || run_loops_at(loops, i)->raw.sha256[0] == '\0')
            continue;
        g_autofree char *name =
            g_strdup_printf("raw-%u-%u-%s.csv", one->loop, job->benchmark.recursion_depth,
                            job->benchmark.configurations[one->configuration].name);
        g_autofree char *place = run_job_commits(job) > 1
                                     ? g_build_filename(folder, names[one->which], NULL)
                                     : g_strdup(folder);
        g_autofree char *path = g_build_filename(place, name, NULL);
        g_autofree char *kept = run_spool_raw_path(spool, i);
        if (g_mkdir_with_parents(place, 0777) != 0)
            return fail(error, place, g_strerror(errno));
        if (!unpack(kept, path, error))
            return false;
    }
    return true;
}

/* What was measured and how portions come of it; without variables, which may be secret. */
static json_t *benchmark_of(const run_job *job) {
    json_t *benchmark = model_write(&cfg_benchmark_model, &job->benchmark);
    size_t i;
    json_t *one;
    cfg_json_each (benchmark, "configurations", i, one)
        json_object_del(one, "environment");
    return benchmark;
}

static bool write_record(const char *folder, const run_job *job, const char *node,
                         const run_spool *spool, const GPtrArray *loops, GError **error) {
    json_auto_t *record = result_build(node, "", run_spool_head(spool), loops);
    json_object_del(record, "lease");
    json_object_set_new(record, "commit", json_string(job->commit));
    json_object_set_new(record, "benchmark", benchmark_of(job));
    json_object_set_new(record, "before", job->before ? json_string(job->before) : json_null());
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    const bool good = json_dump_file(record, path, JSON_INDENT(1)) == 0;
    return good || fail(error, path, g_strerror(errno));
}

/* Of a trial each commit's own loops beside its raw files, if it has any. */
static bool write_commit(const char *folder, const run_job *job, const char *node,
                         const run_spool *spool, unsigned which, GError **error) {
    g_autofree char *place = g_build_filename(folder, names[which], NULL);
    if (g_mkdir_with_parents(place, 0777) != 0)
        return fail(error, place, g_strerror(errno));
    g_autoptr(GPtrArray) own = g_ptr_array_new();
    const GPtrArray *loops = run_spool_loops(spool);
    for (guint i = 0; i < loops->len; i++)
        if (g_strcmp0(run_loops_at(loops, i)->commit, run_job_commit(job, which)) == 0)
            g_ptr_array_add(own, run_loops_at(loops, i));
    return write_record(place, job, node, spool, own, error);
}

bool run_results_folder_write(const char *folder, const run_job *job, const char *node,
                              const run_spool *spool, GError **error) {
    for (unsigned which = 0; run_job_commits(job) > 1 && which < G_N_ELEMENTS(names); which++)
        if (!write_commit(folder, job, node, spool, which, error))
            return false;
    return write_raw(folder, job, spool, error) &&
           write_record(folder, job, node, spool, run_spool_loops(spool), error);
}

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
    json_auto_t *body = result_build(work->beat->node, work->beat->lease,
                                     run_spool_head(work->spool), run_spool_loops(work->spool));
    bool good = run_client_post(work->beat->client, path, body, RESULT_TIMEOUT_S, &answer, error);
    if (!good)
        return false;
    if (answer.status == 422) {
        cfg_log("warning", "upload", "quarantined", "job=%" PRId64 " reason=\"%s\"", work->job->id,
                answer.detail);
        return true;
    }
    if (!run_client_judge(&answer, "result", error))
        return false;
    cfg_log("info", "upload", "acknowledged", "job=%" PRId64 " experiment=%" JSON_INTEGER_FORMAT,
            work->job->id, cfg_json_integer(answer.body, "experiment"));
    return true;
}

static bool try_failure(upload *work, GError **error) {
    g_autofree char *path = g_strdup_printf(RUN_PATH_JOBS "/%" PRId64 "/failure", work->beat->job);
    g_auto(run_answer) answer = {0};
    json_auto_t *body = json_copy(work->failure);
    json_object_set_new(body, "lease", json_string(work->beat->lease));
    bool good = run_client_post(work->beat->client, path, body, RUN_CALL_TIMEOUT_S, &answer, error);
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
    cfg_log("warning", "upload", "repeat", "job=%" PRId64 " in_seconds=%u reason=\"%s\"",
            work->beat->job, delay_s, (*problem)->message);
    g_clear_error(problem);
    if (run_stop_sleep(work->stop_fd, delay_s * INT64_C(1000)))
        return run_fail(problem, RUN_ERROR_STOPPED, "the agent was told to stop");
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
