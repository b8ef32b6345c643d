#include "runner/measure/measure.h"

#include "config/model/benchmark.h"
#include "runner/ground/error.h"
#include "runner/job/job.h"
#include "runner/link/heartbeat.h"
#include "runner/measure/session.h"
#include "runner/node/workplace.h"
#include "runner/process/scratch.h"

#define QUIET_S 15 /* a process that runs longer is told of so often */

static void tell_failure(const char *reason) {
    json_auto_t *line = json_pack("{s:s, s:s}", "reason", reason, "log", "");
    run_heartbeat_print(line);
}

static json_t *job_of(const run_measurement *what, GError **error) {
    g_autoptr(cfg_project) project = cfg_project_load(what->project, error);
    if (!project)
        return NULL;
    if (project->benchmark.artifact) {
        run_wrong(error,
                  "benchmark.artifact: %s needs a server; use a project file that builds it with "
                  "prepare instead",
                  project->benchmark.artifact);
        return NULL;
    }
    if (what->loops > 0) {
        project->benchmark.loops = what->loops;
        project->benchmark.budget_minutes = 0; /* so many, and no more */
    }
    if (what->rest_s)
        project->benchmark.rest_s = *what->rest_s;
    /* The seed decides the order within a round: another one each time, written into the job. */
    json_auto_t *job = json_pack(
        "{s:i, s:s, s:I, s:s, s:s, s:s*, s:{s:s, s:s}, s:o}", "id", 1, "project", project->name,
        "seed", (json_int_t)g_random_int(), "kind", what->before ? "confirmation" : "manual",
        "commit", what->commit, "before", what->before, "repository", "url",
        what->repository ? what->repository : project->repository, "branch", project->branch,
        "benchmark", model_write(&cfg_benchmark_model, &project->benchmark));
    if (what->before)
        json_object_set_new(json_object_get(job, "benchmark"), "count_both", json_true());
    g_autoptr(run_job) checked = run_job_parse(job, error);
    return checked ? json_incref(job) : NULL;
}

static int work(run_node *node, json_t *job, GError **error) {
    json_auto_t *head =
        json_pack("{s:O, s:I}", "job", job, "started_ms", (json_int_t)(g_get_real_time() / 1000));
    g_autoptr(run_spool) spool = NULL;
    if (run_workplace_take(node, error))
        spool = run_spool_create(node->config->work_dir, 1, head, error);
    if (!spool)
        return 1;
    const run_session_end end = run_session_run(node, NULL, spool, QUIET_S * 3);
    if (end == RUN_SESSION_STOPPED)
        tell_failure("told to stop");
    return end == RUN_SESSION_DONE ? 0 : 1;
}

int run_measure(run_node *node, const run_measurement *what) {
    g_autoptr(GError) problem = NULL;
    json_auto_t *job = job_of(what, &problem);
    int status = job ? work(node, job, &problem) : 2;
    if (problem)
        tell_failure(problem->message);
    g_clear_error(&problem);
    /* Nothing of it is of use to the next measurement. */
    if (job && !run_scratch_remove(node->config->work_dir, &problem)) {
        tell_failure(problem->message);
        status = 1;
    }
    return status;
}
