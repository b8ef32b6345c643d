#include "runner/checkout.h"

#include "runner/error.h"
#include "runner/log.h"
#include "runner/scratch.h"

#include <string.h>
#include <unistd.h>

#define COMMAND_TIMEOUT_S 300 /* everything but a fetch works on local files */
#define GIT_LOG_BYTES 16384

typedef struct {
    const run_node *node;
    const run_job *job;
    const char *commit;
    run_process_tick tick;
    void *tick_data;
    char *mirror;
    char *home; /* empty: no configuration of any user is read */
    char **log;
} checkout;

static GPtrArray *git_environment(const checkout *work, const char *index) {
    static const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                        "LANG=C.UTF-8",
                                        "TZ=UTC",
                                        "GIT_CONFIG_NOSYSTEM=1",
                                        "GIT_CONFIG_GLOBAL=/dev/null",
                                        "GIT_ATTR_NOSYSTEM=1",
                                        "GIT_TERMINAL_PROMPT=0",
                                        "GIT_ASKPASS=/bin/false",
                                        "SSH_ASKPASS=/bin/false",
                                        "GIT_SSH_COMMAND=ssh -oBatchMode=yes",
                                        "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh"};
    GPtrArray *environment = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) {
        g_ptr_array_add(environment, g_strdup(fixed[i]));
    }
    g_ptr_array_add(environment, g_strdup_printf("HOME=%s", work->home));
    if (index != NULL) {
        g_ptr_array_add(environment, g_strdup_printf("GIT_INDEX_FILE=%s", index));
    }
    run_node_add_proxies(environment);
    g_ptr_array_add(environment, NULL);
    return environment;
}

/* Runs `git <safe settings> words…`. status: its exit status. False only when it could not run. */
static bool run_git(checkout *work, const char *index, unsigned timeout_s, int *status,
                    GError **error, ...) {
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    static const char *const safe[] = {"git",
                                       "-c",
                                       "protocol.ext.allow=never",
                                       "-c",
                                       "core.hooksPath=/dev/null",
                                       "-c",
                                       "core.fsmonitor=false",
                                       "-c",
                                       "gc.auto=0",
                                       "-c",
                                       "advice.detachedHead=false"};
    for (size_t i = 0; i < G_N_ELEMENTS(safe); i++) {
        g_ptr_array_add(argv, g_strdup(safe[i]));
    }
    va_list words;
    va_start(words, error);
    for (const char *word; (word = va_arg(words, const char *)) != NULL;) {
        g_ptr_array_add(argv, g_strdup(word));
    }
    va_end(words);
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) environment = git_environment(work, index);
    run_process_spec spec = {.argv = (char **)argv->pdata,
                             .environment = (char **)environment->pdata,
                             .directory = work->home,
                             .log_limit_bytes = GIT_LOG_BYTES,
                             .timeout_s = timeout_s,
                             .watch_directory = work->node->config->work_dir,
                             .watch_limit_bytes = UINT64_MAX,
                             .reserve_bytes = work->node->config->disk_reserve_bytes,
                             .stop_fd = work->node->stop_fd,
                             .tick = work->tick,
                             .tick_data = work->tick_data};
    spec.watch_directory = work->home; /* for the free space of its file system */
    run_process_result result;
    if (!run_process_run(&spec, &result, error)) {
        return false;
    }
    *status = result.end == RUN_END_EXIT ? result.code : -1;
    if (*status != 0) {
        g_autofree char *end = run_process_describe(&result);
        g_free(*work->log);
        *work->log = g_strdup_printf("%sgit: %s\n", result.log, end);
    }
    run_process_result_clear(&result);
    return true;
}

static bool fail(checkout *work, run_error code, const char *what, GError **error) {
    g_autofree char *last = g_strdup(*work->log != NULL ? *work->log : "");
    g_strstrip(last);
    g_set_error(error, RUN_ERROR, (int)code, "%s %s: %s", what, work->job->url, last);
    return false;
}

static bool make_mirror(checkout *work, GError **error) {
    g_autofree char *head = g_build_filename(work->mirror, "HEAD", NULL);
    if (g_file_test(head, G_FILE_TEST_EXISTS)) {
        return true;
    }
    int status = 0;
    g_autofree char *template = g_strconcat("--template=", work->home, NULL);
    if (!run_scratch_make(work->mirror, error) ||
        !run_git(work, NULL, COMMAND_TIMEOUT_S, &status, error, "init", "--quiet", "--bare",
                 template, work->mirror, NULL)) {
        return false;
    }
    return status == 0 || fail(work, RUN_ERROR_NODE, "cannot make a mirror for", error);
}

static bool has_commit(checkout *work, bool *has, GError **error) {
    int status = 0;
    g_autofree char *object = g_strconcat(work->commit, "^{commit}", NULL);
    bool good = run_git(work, NULL, COMMAND_TIMEOUT_S, &status, error, "--git-dir", work->mirror,
                        "cat-file", "-e", object, NULL);
    *has = status == 0;
    return good;
}

static bool fetch(checkout *work, const char *refspec, int *status, GError **error) {
    return run_git(work, NULL, RUN_FETCH_TIMEOUT_S, status, error, "--git-dir", work->mirror,
                   "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--force", "--",
                   work->job->url, refspec, NULL);
}

/* The branch first, as everybody allows that; then the commit itself, if it is no longer on it. */
static bool get_commit(checkout *work, GError **error) {
    bool has = false;
    int status = 0;
    if (!make_mirror(work, error) || !has_commit(work, &has, error)) {
        return false;
    }
    if (has) {
        return true;
    }
    g_autofree char *branch =
        g_strdup_printf("+refs/heads/%s:refs/heads/%s", work->job->branch, work->job->branch);
    if (!fetch(work, branch, &status, error)) {
        return false;
    }
    bool branch_came = status == 0;
    if (!has_commit(work, &has, error) ||
        (!has && (!fetch(work, work->commit, &status, error) || !has_commit(work, &has, error)))) {
        return false;
    }
    if (has) {
        return true;
    }
    return fail(work, branch_came ? RUN_ERROR_JOB : RUN_ERROR_NODE,
                branch_came ? "the commit is not to be had from" : "cannot fetch from", error);
}

static bool write_tree(checkout *work, const char *directory, GError **error) {
    int status = 0;
    g_autofree char *index = g_strconcat(directory, ".index", NULL);
    unlink(index);
    bool good = run_scratch_make(directory, error) &&
                run_git(work, index, COMMAND_TIMEOUT_S, &status, error, "--git-dir", work->mirror,
                        "read-tree", work->commit, NULL);
    if (good && status == 0) {
        good = run_git(work, index, COMMAND_TIMEOUT_S, &status, error, "--git-dir", work->mirror,
                       "--work-tree", directory, "checkout-index", "--all", "--force", NULL);
    }
    unlink(index);
    if (good && status != 0) {
        good = fail(work, RUN_ERROR_NODE, "cannot write the files of the commit from", error);
    }
    return good;
}

/* A mirror that git cannot work with any more (power cut, full disk) is made anew, once. */
static bool get_tree(checkout *work, const char *directory, GError **error) {
    g_autoptr(GError) first = NULL;
    if (get_commit(work, &first) && write_tree(work, directory, &first)) {
        return true;
    }
    bool stopped = !g_error_matches(first, RUN_ERROR, RUN_ERROR_NODE);
    g_autofree char *head = g_build_filename(work->mirror, "HEAD", NULL);
    int status = 0;
    if (stopped ||
        !run_git(work, NULL, COMMAND_TIMEOUT_S, &status, NULL, "--git-dir", work->mirror, "fsck",
                 "--connectivity-only", "--no-dangling", NULL) ||
        status == 0) {
        g_propagate_error(error, g_steal_pointer(&first));
        return false;
    }
    run_log("warning", "checkout", "mirror_damaged", "mirror=\"%s\" next=\"made anew\"",
            work->mirror);
    return run_scratch_remove(work->mirror, error) && get_commit(work, error) &&
           write_tree(work, directory, error);
}

bool run_checkout(const run_node *node, const run_job *job, const char *commit,
                  const char *directory, run_process_tick tick, void *tick_data, char **log,
                  GError **error) {
    *log = NULL;
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, job->url, -1);
    g_autofree char *name = g_strdup_printf("mirrors/%.32s.git", hash);
    g_autofree char *mirror = run_node_path(node, name);
    g_autofree char *home = g_strconcat(directory, ".home", NULL);
    checkout work = {.node = node,
                     .job = job,
                     .commit = commit,
                     .tick = tick,
                     .tick_data = tick_data,
                     .mirror = mirror,
                     .home = home,
                     .log = log};
    if (!run_scratch_make(home, error)) {
        return false;
    }
    bool good = get_tree(&work, directory, error);
    return run_scratch_remove(home, good ? error : NULL) && good;
}
