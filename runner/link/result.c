#include "runner/link/upload.h"

#include "config/model/benchmark.h"
#include "config/packed.h"
#include "runner/ground/error.h"
#include "runner/loop/loop.h"
#include "runner/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

json_t *run_result_build(const char *node, const char *lease, const run_head *head,
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
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "results: %s: %s", path, why);
    return false;
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
    const int from = open(from_path, O_RDONLY | O_CLOEXEC);
    FILE *to = from >= 0 ? fopen(path, "wbxe") : NULL;
    cfg_unpack *unpack = cfg_unpack_new(from, NULL, 0);
    const char *problem = to ? copy(unpack, to) : g_strerror(errno);
    if (to && fclose(to) != 0 && !problem)
        problem = g_strerror(errno);
    if (from >= 0)
        (void)close(from);
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
    json_array_foreach (json_object_get(benchmark, "configurations"), i, one)
        json_object_del(one, "environment");
    return benchmark;
}

static bool write_record(const char *folder, const run_job *job, const char *node,
                         const run_spool *spool, const GPtrArray *loops, GError **error) {
    json_t *record = run_result_build(node, "", run_spool_head(spool), loops);
    json_object_del(record, "lease");
    json_object_set_new(record, "commit", json_string(job->commit));
    json_object_set_new(record, "benchmark", benchmark_of(job));
    json_object_set_new(record, "before", job->before ? json_string(job->before) : json_null());
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    const bool good = json_dump_file(record, path, JSON_INDENT(1)) == 0;
    json_decref(record);
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
