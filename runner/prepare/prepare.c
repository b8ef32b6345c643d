#include "runner/prepare/prepare.h"

#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/process/box.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define FULL_BYTES (1 << 20)

/* One folder per project; its name comes from outside and must not be a path. */
static char *home_of(const run_node *node, const run_job *job) {
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, job->project, -1);
    g_autofree char *name = g_strdup_printf("homes/%.32s", hash);
    return run_node_path(node, name);
}

/*
 * While another project is prepared, and while anything is measured, the folder is the agent's:
 * nobody else can enter it. What is in it stays as it is.
 */
static bool hand_home(const run_node *node, const char *home, bool to_code, GError **error) {
    if (g_mkdir_with_parents(home, 0700) == 0 &&
        (!node->switch_user ||
         lchown(home, to_code ? node->uid : geteuid(), to_code ? node->gid : getegid()) == 0))
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot hand over %s: %s", home,
                g_strerror(errno));
    return false;
}

/* In a file system of its own where that is possible, which is away while nothing is built. */
static bool box_home(const run_node *node, const char *home, GError **error) {
    g_autofree char *image = g_strconcat(home, ".image", NULL);
    if (!node->boxes) {
        unlink(image); /* of an agent that could */
        return true;
    }
    return run_box_close(home, error) && run_scratch_make(home, error) &&
           run_box_open(home, image, node->config->prepare_output_limit_bytes,
                        node->config->disk_reserve_bytes, error);
}

/* What builds kept there has grown too large: they fetch what they need once more. */
static bool open_home(const run_node *node, const char *home, GError **error) {
    if (!box_home(node, home, error))
        return false;
    if (run_scratch_bytes(home) > node->config->prepare_output_limit_bytes) {
        run_log("warning", "prepare", "home_emptied", "home=\"%s\"", home);
        if (!run_scratch_remove(home, error))
            return false;
    }
    return hand_home(node, home, true, error);
}

/* Its file system was full, or it says so. */
static char *limit_words(const run_node *node, const run_process_spec *spec, const char *log) {
    bool full = run_scratch_free_bytes(spec->directory) < FULL_BYTES ||
                (log && strstr(log, g_strerror(ENOSPC)));
    return node->boxes && full
               ? g_strdup_printf("; it may write %" PRIu64 " MB (prepare_output_limit_bytes)",
                                 node->config->prepare_output_limit_bytes >> 20)
               : g_strdup("");
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
    /* Too much is the command's fault; a disk that is full may be anybody's. */
    bool disk = run_scratch_free_bytes(node->config->work_dir) < node->config->disk_reserve_bytes;
    g_autofree char *limit = problem && !disk ? limit_words(node, spec, *log) : g_strdup("");
    if (result.stragglers > 0)
        run_log("info", "prepare", "stragglers_killed", "count=%u", result.stragglers);
    run_process_result_clear(&result);
    if (problem) {
        g_set_error(error, RUN_ERROR, disk ? RUN_ERROR_NODE : RUN_ERROR_JOB, "prepare: %s: %s%s",
                    program, problem, limit);
        return false;
    }
    return true;
}

static bool run_with_home(const run_node *node, const run_job *job, run_placeholder *values,
                          run_process_spec *spec, const char *home, char **log, GError **error) {
    g_autofree char *home_variable = g_strconcat("HOME=", home, NULL);
    char *own[] = {home_variable, NULL};
    g_autoptr(GPtrArray) argv = run_driver_words(values, job->prepare);
    g_autoptr(GPtrArray) environment = run_driver_environment(values, own);
    g_ptr_array_remove_index(environment, environment->len - 1);
    run_node_add_proxies(environment);
    g_ptr_array_add(environment, NULL);
    spec->argv = (char **)argv->pdata;
    spec->environment = (char **)environment->pdata;
    spec->watch_also = home;
    if (!open_home(node, home, error)) {
        run_box_drop(home);
        return false;
    }
    bool good = run_command(node, spec, job->prepare[0], log, error);
    bool handed = hand_home(node, home, false, good ? error : NULL);
    return run_box_close(home, good && handed ? error : NULL) && handed && good;
}

bool run_prepare(const run_node *node, const run_job *job, const char *commit, const char *folder,
                 const char *artifact, run_process_tick tick, void *tick_data, char **log,
                 GError **error) {
    *log = NULL;
    g_autofree char *checkout = g_build_filename(folder, "tree", NULL);
    g_autofree char *scratch = g_build_filename(folder, "scratch", NULL);
    g_autofree char *home = home_of(node, job);
    if (!run_scratch_make(scratch, error) || !run_node_give(node, scratch, error))
        return false;
    run_placeholder values = {.checkout = checkout,
                              .scratch = scratch,
                              .harness = node->harness_dir,
                              .commit = commit,
                              .artifact = artifact,
                              .calls = run_job_calls(job, 0),
                              .depth = job->depth};
    run_process_spec spec = run_node_process(node);
    spec.directory = checkout;
    spec.timeout_s = job->prepare_timeout_s;
    spec.file_limit_bytes = node->config->prepare_output_limit_bytes;
    spec.watch_directory = folder;
    spec.reserve_directory = node->config->work_dir;
    spec.watch_limit_bytes = node->config->prepare_output_limit_bytes;
    spec.limit_name = "prepare_output_limit_bytes";
    spec.printed = node->printed;
    spec.tick = tick;
    spec.tick_data = tick_data;
    g_autofree char *own = g_build_filename(folder, "private", NULL);
    g_auto(run_private) places = {0};
    if (!run_node_places(node, own, &places, error))
        return false;
    spec.places = &places;
    bool good = run_with_home(node, job, &values, &spec, home, log, error);
    bool gone = run_scratch_remove(own, good ? error : NULL);
    return run_scratch_remove(scratch, good && gone ? error : NULL) && gone && good;
}
