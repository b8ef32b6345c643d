
#include "config/json_text.h"
#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/prepare/cache.h"
#include "runner/prepare/prepare.h"
#include "runner/process/complaint.h"
#include "runner/process/scratch.h"
#include "runner/process/volume.h"
#include "runner/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * prepare - the project's own command, once in the checkout, before anything is measured.
 */

#define FULL_BYTES (1 << 20)

/* Its file system was full, or it says so. */
static char *limit_words(const run_node *node, const run_process_spec *spec, const char *log) {
    bool full = run_scratch_free_bytes(spec->directory) < FULL_BYTES ||
                (log && strstr(log, g_strerror(ENOSPC)));
    return node->volumes && full
               ? g_strdup_printf("; it may write %" PRIu64 " MB (prepare_output_limit_bytes)",
                                 node->config->prepare_output_limit_bytes >> 20)
               : g_strdup("");
}

static bool command(const run_prepare_step *step, run_process_spec *spec, GError **error) {
    const run_node *node = step->node;
    run_process_result result;
    if (!run_process_run(spec, &result, error)) {
        g_prefix_error(error, "prepare: ");
        return false;
    }
    /* Too much is the command's fault; a disk that is full may be anybody's. */
    bool disk = run_scratch_free_bytes(node->config->work_dir) < node->config->disk_reserve_bytes;
    g_autofree char *limit = disk ? g_strdup("") : limit_words(node, spec, result.log);
    g_autofree char *problem = run_failure_of(&result, limit);
    *step->log = g_steal_pointer(&result.log);
    if (result.stragglers > 0)
        cfg_log("info", "prepare", "stragglers_killed", "count=%u", result.stragglers);
    run_process_result_clear(&result);
    if (problem) {
        g_set_error(error, RUN_ERROR, disk ? RUN_ERROR_NODE : RUN_ERROR_JOB, "prepare: %s: %s",
                    step->job->benchmark.prepare[0], problem);
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
    return command(step, spec, error);
}

/* A build's own: what is in them goes with it, so that no commit can leave anything for another. */
static bool make_own(const run_node *node, const char *path, GError **error) {
    return run_scratch_make(path, error) && run_node_give(node, path, error);
}

/*
 * Runs it with its deadline, and with prepare_output_limit_bytes on disk.
 * commit    one of the job's
 * folder    its folder; tree/ below it is the checkout
 * artifact  what {artifact} stands for, or NULL
 * step->log is what it printed, also when it went well.
 * HOME and TMPDIR are empty at first and gone afterwards: no commit can leave anything for another.
 * Errors: RUN_ERROR_JOB when it fails or writes too much, RUN_ERROR_NODE when the disk is full,
 * RUN_ERROR_STOPPED, or the tick's own.
 */
static bool prepare(const run_prepare_step *step, const char *commit, const char *folder,
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
                              .depth = job->benchmark.recursion_depth,
                              .jdk = job->benchmark.jdk,
                              .path = node->config->path};
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
    g_auto(run_sandbox_places) places = {0};
    if (!run_node_places(node, own, &places, error))
        return false;
    spec.places = &places;
    bool good = run_with_home(step, &values, &spec, home, error);
    bool gone = run_scratch_remove(own, good ? error : NULL);
    gone = run_scratch_remove(home, good && gone ? error : NULL) && gone;
    return run_scratch_remove(scratch, good && gone ? error : NULL) && gone && good;
}

#define HARNESS "{harness}/"
#define BYTES_MAX (64 << 20)

/* Where a word points; NULL: it is no such path. */
static char *path_of(const char *word, const char *harness_dir) {
    if (harness_dir && g_str_has_prefix(word, HARNESS))
        return g_build_filename(harness_dir, word + strlen(HARNESS), NULL);
    return g_path_is_absolute(word) ? g_strdup(word) : NULL;
}

static void add_stamp(GChecksum *sum, const struct stat *status) {
    g_autofree char *stamp = g_strdup_printf(
        "%" PRIdMAX " %" PRIuMAX " %" PRIdMAX ".%09ld", (intmax_t)status->st_size,
        (uintmax_t)status->st_ino, (intmax_t)status->st_mtim.tv_sec, status->st_mtim.tv_nsec);
    g_checksum_update(sum, (const guchar *)stamp, -1);
}

static void add(GChecksum *sum, const char *path, const struct stat *status) {
    g_autofree char *bytes = NULL;
    gsize size = 0;
    g_checksum_update(sum, (const guchar *)path, (gssize)strlen(path) + 1);
    if (status->st_size > BYTES_MAX || !g_file_get_contents(path, &bytes, &size, NULL)) {
        add_stamp(sum, status);
        return;
    }
    g_autofree char *own = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *)bytes, size);
    g_checksum_update(sum, (const guchar *)own, -1);
}

/* Hex SHA-256 over the files that words name by an absolute path, or below
 * {harness}; NULL: there are none. To g_free.
 * words        of the command; NULL-ended, may be NULL
 * harness_dir  what {harness} stands for
 * The bytes of a regular file count; of what cannot be read or is larger than 64 MiB its size, its
 * inode and when it was changed. Folders and programs that PATH finds are not looked at. */
static char *outside_hash(char *const *words, const char *harness_dir) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    bool any = false;
    for (size_t i = 0; words && words[i]; i++) {
        struct stat status;
        g_autofree char *path = path_of(words[i], harness_dir);
        if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        add(sum, path, &status);
        any = true;
    }
    return any ? g_strdup(g_checksum_get_string(sum)) : NULL;
}

#define KEY_VERSION 2 /* of what is hashed: another one, and nothing old is found */
#define KEY_LENGTH 32

static char *hidden_hash(const run_node *node, const char *text) {
    const char *secret = node->secret ? node->secret : "";
    char *hash = g_compute_hmac_for_string(G_CHECKSUM_SHA256, (const guchar *)secret,
                                           strlen(secret), text, -1);
    hash[KEY_LENGTH] = '\0';
    return hash;
}

static char *key_of(const run_node *node, const run_job *job, unsigned which) {
    const run_job_artifact *artifact = run_job_artifact_of(job, which);
    json_t *words = cfg_json_texts(job->benchmark.prepare, SIZE_MAX);
    json_auto_t *made_of =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:s*, s:s*, s:s*, s:s*, s:I}", "version", KEY_VERSION,
                  "project", job->project, "url", job->url, "commit", run_job_commit(job, which),
                  "prepare", words, "artifact", artifact ? artifact->sha256 : NULL, "name",
                  artifact ? artifact->name : NULL, "jdk", job->benchmark.jdk, "path",
                  g_strcmp0(node->config->path, CFG_RUNNER_PATH) != 0 ? node->config->path : NULL,
                  "user", (json_int_t)(node->switch_user ? node->uid : 0));
    g_autofree char *text = json_dumps(made_of, JSON_COMPACT | JSON_SORT_KEYS);
    return hidden_hash(node, text ? text : "");
}

/* Of the cache: a script of the node's that prepares the tree is part of what it is made of. The
 * folder's own name stays, so that an edited script moves no path. */
static char *cache_key_of(const run_node *node, const run_job *job, unsigned which) {
    char *key = key_of(node, job, which);
    g_autofree char *outside = outside_hash(job->benchmark.prepare, node->harness_dir);
    if (!outside)
        return key;
    g_autofree char *both = g_strconcat(key, " ", outside, NULL);
    g_free(key);
    return hidden_hash(node, both);
}

char *run_ready_folder(const run_node *node, const run_job *job, unsigned which) {
    g_autofree char *key = key_of(node, job, which);
    g_autofree char *below = g_build_filename("checkout", key, NULL);
    return run_node_path(node, below);
}

bool run_ready_show(const char *folder, bool shown, GError **error) {
    return chmod(folder, shown ? 0711 : 0700) == 0 || run_cannot(error, "set the mode of", folder);
}

static char *artifact_folder(const char *folder) {
    return g_build_filename(folder, "artifact", NULL);
}

char *run_ready_artifact(const run_job *job, unsigned which, const char *folder) {
    const run_job_artifact *artifact = run_job_artifact_of(job, which);
    g_autofree char *place = artifact_folder(folder);
    return artifact ? run_artifact_path(artifact, place) : NULL;
}

static double seconds_since(int64_t start_us) {
    return (double)(g_get_monotonic_time() - start_us) / 1e6;
}

/* The copy belongs to the agent; what code under test may change is given to it. */
static bool give_copy(const run_ready *ready, const char *folder, GError **error) {
    g_autofree char *tree = g_build_filename(folder, "tree", NULL);
    g_autofree char *unpacked = g_build_filename(folder, "artifact", "unpacked", NULL);
    return run_node_give(ready->step.node, tree, error) &&
           (!g_file_test(unpacked, G_FILE_TEST_IS_DIR) ||
            run_node_give(ready->step.node, unpacked, error));
}

/* What a build writes goes into a file system of its own where that is possible. */
static bool make_folder(const run_node *node, const char *folder, GError **error) {
    const cfg_runner *config = node->config;
    return run_volume_close(folder, error) && run_scratch_make(folder, error) &&
           run_scratch_open(folder, error) &&
           (!node->volumes || run_volume_open(folder, NULL, config->prepare_output_limit_bytes,
                                              config->disk_reserve_bytes, error));
}

/* Out of it before anything is measured: writing through it would cost others' processor time. */
static bool leave_box(const run_ready *ready, const char *folder, GError **error) {
    if (!run_volume_is_open(folder))
        return true;
    g_autofree char *copy = run_node_path(ready->step.node, "scratch/prepared");
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    run_tree_copying copying = {
        .limit_bytes = UINT64_MAX, .tick = ready->step.tick, .tick_data = ready->step.tick_data};
    const cfg_runner *config = ready->step.node->config;
    if (!run_scratch_remove(copy, error) ||
        !run_scratch_reserve(config->work_dir,
                             config->disk_reserve_bytes + run_scratch_bytes(folder), error) ||
        !run_tree_copy(folder, copy, &copying, sum, error) || !run_volume_close(folder, error) ||
        !run_scratch_remove(folder, error))
        return false;
    if (rename(copy, folder) != 0)
        return run_cannot(error, "rename", copy);
    return run_scratch_open(folder, error) && give_copy(ready, folder, error);
}

static bool check_out(const run_ready *ready, unsigned which, const char *folder, json_t *record,
                      GError **error) {
    const cfg_runner *config = ready->step.node->config;
    int64_t start_us = g_get_monotonic_time();
    g_autofree char *tree = g_build_filename(folder, "tree", NULL);
    if (!run_scratch_reserve(config->work_dir, config->disk_reserve_bytes, error) ||
        !make_folder(ready->step.node, folder, error) ||
        !run_checkout(&ready->step, run_job_commit(ready->step.job, which), tree, error) ||
        !run_node_give(ready->step.node, tree, error))
        return false;
    json_object_set_new(record, "checkout_seconds", json_real(seconds_since(start_us)));
    return true;
}

static bool get_artifact(const run_ready *ready, unsigned which, const char *folder, json_t *record,
                         GError **error) {
    const run_job_artifact *artifact = run_job_artifact_of(ready->step.job, which);
    if (!artifact)
        return true;
    int64_t start_us = g_get_monotonic_time();
    g_autofree char *place = artifact_folder(folder);
    g_clear_pointer(ready->step.log, g_free); /* of git, which has succeeded in the end */
    if (!run_artifact_get(&ready->step, artifact, place, error))
        return false;
    json_object_set_new(record, "artifact",
                        json_pack("{s:s, s:s, s:I, s:f}", "name", artifact->name, "sha256",
                                  artifact->sha256, "bytes", (json_int_t)artifact->bytes, "seconds",
                                  seconds_since(start_us)));
    return true;
}

static bool build(const run_ready *ready, unsigned which, const char *folder, json_t *record,
                  GError **error) {
    if (!ready->step.job->benchmark.prepare[0])
        return true;
    int64_t start_us = g_get_monotonic_time();
    g_autofree char *artifact = run_ready_artifact(ready->step.job, which, folder);
    g_clear_pointer(ready->step.log, g_free);
    if (!prepare(&ready->step, run_job_commit(ready->step.job, which), folder, artifact, error))
        return false;
    json_object_set_new(record, "from", json_string("build"));
    json_object_set_new(record, "seconds", json_real(seconds_since(start_us)));
    return true;
}

static bool from_cache(const run_ready *ready, const char *key, const char *folder, json_t **record,
                       GError **error) {
    *record = NULL;
    int64_t start_us = g_get_monotonic_time();
    if (!ready->cache)
        return true;
    if (!run_cache_get(ready->cache, key, folder, ready->step.tick, ready->step.tick_data, record,
                       error))
        return false;
    if (!*record)
        return true;
    json_object_set_new(*record, "from", json_string("cache"));
    json_object_set_new(*record, "checkout_seconds", json_real(seconds_since(start_us)));
    return give_copy(ready, folder, error);
}

bool run_ready_make(const run_ready *ready, unsigned which, json_t **record, GError **error) {
    const char *commit = run_job_commit(ready->step.job, which);
    g_autofree char *key = cache_key_of(ready->step.node, ready->step.job, which);
    g_autofree char *folder = run_ready_folder(ready->step.node, ready->step.job, which);
    g_clear_pointer(ready->step.log, g_free);
    if (!ready->phase(ready->phase_data, RUN_PHASE_CHECKOUT, error) ||
        !from_cache(ready, key, folder, record, error)) {
        g_clear_pointer(record, json_decref);
        return false;
    }
    if (*record) {
        cfg_log("info", "ready", "from_cache", "commit=%s", commit);
        return run_ready_show(folder, false, error);
    }
    *record = json_pack("{s:s, s:s}", "commit", commit, "from", "checkout");
    bool good = check_out(ready, which, folder, *record, error) &&
                ready->phase(ready->phase_data, RUN_PHASE_PREPARE, error) &&
                get_artifact(ready, which, folder, *record, error) &&
                build(ready, which, folder, *record, error) && leave_box(ready, folder, error);
    if (good) {
        uint64_t bytes = run_scratch_bytes(folder);
        json_object_set_new(*record, "disk_mb", json_integer((json_int_t)(bytes >> 20)));
        good = !ready->cache || run_cache_put(ready->cache, key, folder, *record, ready->step.tick,
                                              ready->step.tick_data, error);
    }
    good = good && run_ready_show(folder, false, error);
    if (!good) {
        g_clear_pointer(record, json_decref);
        run_volume_drop(folder);
    }
    return good;
}
