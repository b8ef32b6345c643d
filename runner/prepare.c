#include "runner/prepare.h"

#include "runner/driver.h"
#include "runner/error.h"
#include "runner/log.h"
#include "runner/scratch.h"

#include <errno.h>
#include <sys/stat.h>

/* Whether it belongs to the user of code under test already: what he put there is not touched. */
static bool is_given(const run_node *node, const char *home) {
    struct stat status;
    return !node->switch_user || (stat(home, &status) == 0 && status.st_uid == node->uid);
}

/* One folder per project; its name comes from outside and must not be a path. */
static char *cache_home(const run_node *node, const run_job *job, GError **error) {
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, job->project, -1);
    g_autofree char *name = g_strdup_printf("homes/%.32s", hash);
    g_autofree char *home = run_node_path(node, name);
    if (g_mkdir_with_parents(home, 0700) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot make %s: %s", home,
                    g_strerror(errno));
        return NULL;
    }
    return is_given(node, home) || run_node_give(node, home, error) ? g_steal_pointer(&home) : NULL;
}

static bool run_command(const run_node *node, run_process_spec *spec, const char *program,
                        char **log, GError **error) {
    run_process_result result;
    if (!run_process_run(spec, &result, error)) {
        g_prefix_error(error, "prepare: ");
        return false;
    }
    *log = g_steal_pointer(&result.log);
    g_autofree char *problem = run_process_describe(&result);
    bool disk = result.end == RUN_END_DISK ||
                run_scratch_free_bytes(spec->directory) < node->config->disk_reserve_bytes;
    if (result.stragglers > 0) {
        run_log("info", "prepare", "stragglers_killed", "count=%u", result.stragglers);
    }
    run_process_result_clear(&result);
    if (problem != NULL) {
        g_set_error(error, RUN_ERROR, disk ? RUN_ERROR_NODE : RUN_ERROR_JOB, "prepare: %s: %s",
                    program, problem);
        return false;
    }
    return true;
}

bool run_prepare(const run_node *node, const run_job *job, const char *commit, const char *checkout,
                 run_process_tick tick, void *tick_data, char **log, GError **error) {
    *log = NULL;
    if (job->prepare[0] == NULL) {
        return true;
    }
    g_autofree char *scratch = g_strconcat(checkout, ".scratch", NULL);
    g_autofree char *home = cache_home(node, job, error);
    if (home == NULL || !run_scratch_make(scratch, error) || !run_node_give(node, scratch, error)) {
        return false;
    }
    run_placeholder values = {.checkout = checkout,
                              .scratch = scratch,
                              .harness = node->harness_dir,
                              .commit = commit,
                              .calls = run_job_calls(job, 0),
                              .depth = job->depth};
    g_autofree char *home_variable = g_strconcat("HOME=", home, NULL);
    char *own[] = {home_variable, NULL};
    g_autoptr(GPtrArray) argv = run_driver_words(&values, job->prepare);
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, own);
    g_ptr_array_remove_index(environment, environment->len - 1);
    run_node_add_proxies(environment);
    g_ptr_array_add(environment, NULL);
    run_process_spec spec = run_node_process(node);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    spec.directory = checkout;
    spec.timeout_s = job->prepare_timeout_s;
    spec.watch_directory = scratch;
    spec.watch_limit_bytes = UINT64_MAX;
    spec.tick = tick;
    spec.tick_data = tick_data;
    bool good = run_command(node, &spec, job->prepare[0], log, error);
    return run_scratch_remove(scratch, good ? error : NULL) && good;
}
