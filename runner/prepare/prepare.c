#include "runner/prepare/prepare.h"

#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define FULL_BYTES (1 << 20)

/* Its file system was full, or it says so. */
static char *limit_words(const run_node *node, const run_process_spec *spec, const char *log) {
    bool full = run_scratch_free_bytes(spec->directory) < FULL_BYTES ||
                (log && strstr(log, g_strerror(ENOSPC)));
    return node->boxes && full
               ? g_strdup_printf("; it may write %" PRIu64 " MB (prepare_output_limit_bytes)",
                                 node->config->prepare_output_limit_bytes >> 20)
               : g_strdup("");
}

static bool run_command(const run_prepare_step *step, run_process_spec *spec, GError **error) {
    const run_node *node = step->node;
    run_process_result result;
    if (!run_process_run(spec, &result, error)) {
        g_prefix_error(error, "prepare: ");
        return false;
    }
    *step->log = g_steal_pointer(&result.log);
    g_autofree char *problem = run_process_describe(&result);
    /* Too much is the command's fault; a disk that is full may be anybody's. */
    bool disk = run_scratch_free_bytes(node->config->work_dir) < node->config->disk_reserve_bytes;
    g_autofree char *limit = problem && !disk ? limit_words(node, spec, *step->log) : g_strdup("");
    if (result.stragglers > 0)
        run_log("info", "prepare", "stragglers_killed", "count=%u", result.stragglers);
    run_process_result_clear(&result);
    if (problem) {
        g_set_error(error, RUN_ERROR, disk ? RUN_ERROR_NODE : RUN_ERROR_JOB, "prepare: %s: %s%s",
                    step->job->benchmark.prepare[0], problem, limit);
        return false;
    }
    return true;
}

static bool run_with_home(const run_prepare_step *step, const run_placeholder *values,
                          run_process_spec *spec, const char *home, GError **error) {
    g_autofree char *home_variable = g_strconcat("HOME=", home, NULL);
    char *own[] = {home_variable, NULL};
    g_autoptr(GPtrArray) argv = run_driver_words(values, step->job->benchmark.prepare);
    g_autoptr(GPtrArray) environment = run_driver_environment(values, own);
    g_ptr_array_remove_index(environment, environment->len - 1);
    run_node_add_proxies(environment);
    g_ptr_array_add(environment, NULL);
    spec->argv = (char **)argv->pdata;
    spec->environment = (char **)environment->pdata;
    return run_command(step, spec, error);
}

/* A build's own: what is in them goes with it, so that no commit can leave anything for another. */
static bool make_own(const run_node *node, const char *path, GError **error) {
    return run_scratch_make(path, error) && run_node_give(node, path, error);
}

bool run_prepare(const run_prepare_step *step, const char *commit, const char *folder,
                 const char *artifact, GError **error) {
    const run_node *node = step->node;
    const run_job *job = step->job;
    *step->log = NULL;
    g_autofree char *checkout = g_build_filename(folder, "tree", NULL);
    g_autofree char *scratch = g_build_filename(folder, "scratch", NULL);
    g_autofree char *home = g_build_filename(folder, "home", NULL);
    if (!make_own(node, scratch, error) || !make_own(node, home, error))
        return false;
    run_placeholder values = {.checkout = checkout,
                              .scratch = scratch,
                              .harness = node->harness_dir,
                              .commit = commit,
                              .artifact = artifact,
                              .calls = run_job_calls(job, 0),
                              .depth = job->benchmark.recursion_depth};
    run_process_spec spec = run_node_process(node);
    spec.directory = checkout;
    spec.timeout_s = job->benchmark.prepare_timeout_s;
    spec.file_limit_bytes = node->config->prepare_output_limit_bytes;
    spec.watch_directory = folder;
    spec.reserve_directory = node->config->work_dir;
    spec.watch_limit_bytes = node->config->prepare_output_limit_bytes;
    spec.limit_name = "prepare_output_limit_bytes";
    spec.printed = node->printed;
    spec.tick = step->tick;
    spec.tick_data = step->tick_data;
    g_autofree char *own = g_build_filename(folder, "private", NULL);
    g_auto(run_private) places = {0};
    if (!run_node_places(node, own, &places, error))
        return false;
    spec.places = &places;
    bool good = run_with_home(step, &values, &spec, home, error);
    bool gone = run_scratch_remove(own, good ? error : NULL);
    gone = run_scratch_remove(home, good && gone ? error : NULL) && gone;
    return run_scratch_remove(scratch, good && gone ? error : NULL) && gone && good;
}
