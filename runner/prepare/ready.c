#include "runner/prepare/ready.h"

#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/prepare/artifact.h"
#include "runner/prepare/checkout.h"
#include "runner/prepare/outside.h"
#include "runner/prepare/prepare.h"
#include "runner/prepare/tree.h"
#include "runner/process/box.h"
#include "runner/process/scratch.h"
#include "runner/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    json_t *words = json_array();
    for (size_t i = 0; job->benchmark.prepare && job->benchmark.prepare[i]; i++)
        json_array_append_new(words, json_string(job->benchmark.prepare[i]));
    json_t *made_of = json_pack(
        "{s:i, s:s, s:s, s:s, s:o, s:s*, s:s*, s:I}", "version", KEY_VERSION, "project",
        job->project, "url", job->url, "commit", run_job_commit(job, which), "prepare", words,
        "artifact", artifact ? artifact->sha256 : NULL, "name", artifact ? artifact->name : NULL,
        "user", (json_int_t)(node->switch_user ? node->uid : 0));
    char *text = json_dumps(made_of, JSON_COMPACT | JSON_SORT_KEYS);
    char *hash = hidden_hash(node, text ? text : "");
    free(text);
    json_decref(made_of);
    return hash;
}

/* Of the cache: a script of the node's that prepares the tree is part of what it is made of. The
 * folder's own name stays, so that an edited script moves no path. */
static char *cache_key_of(const run_node *node, const run_job *job, unsigned which) {
    char *key = key_of(node, job, which);
    g_autofree char *outside = run_outside_hash(job->benchmark.prepare, node->harness_dir);
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
    if (chmod(folder, shown ? 0711 : 0700) == 0)
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot set the mode of %s: %s", folder,
                g_strerror(errno));
    return false;
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
    return run_box_close(folder, error) && run_scratch_make(folder, error) &&
           run_scratch_open(folder, error) &&
           (!node->boxes || run_box_open(folder, NULL, config->prepare_output_limit_bytes,
                                         config->disk_reserve_bytes, error));
}

/* Out of it before anything is measured: writing through it would cost others' processor time. */
static bool leave_box(const run_ready *ready, const char *folder, GError **error) {
    if (!run_box_is_open(folder))
        return true;
    g_autofree char *copy = run_node_path(ready->step.node, "scratch/prepared");
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    run_tree_copying copying = {
        .limit_bytes = UINT64_MAX, .tick = ready->step.tick, .tick_data = ready->step.tick_data};
    const cfg_runner *config = ready->step.node->config;
    if (!run_scratch_remove(copy, error) ||
        !run_scratch_reserve(config->work_dir,
                             config->disk_reserve_bytes + run_scratch_bytes(folder), error) ||
        !run_tree_copy(folder, copy, &copying, sum, error) || !run_box_close(folder, error) ||
        !run_scratch_remove(folder, error))
        return false;
    if (rename(copy, folder) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot rename %s: %s", copy,
                    g_strerror(errno));
        return false;
    }
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
    if (!run_prepare(&ready->step, run_job_commit(ready->step.job, which), folder, artifact, error))
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
        run_log("info", "ready", "from_cache", "commit=%s", commit);
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
        run_box_drop(folder);
    }
    return good;
}
