#include "runner/prepare/prepare.h"

#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/process/scratch.h"
#include "runner/process/walk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Those beside the references that a fetch takes. */
static const char *const names[] = {"HEAD.lock",   "FETCH_HEAD.lock", "packed-refs.lock",
                                    "config.lock", "shallow.lock",    NULL};

static bool remove_lock(void *data, const run_walk_step *step, GError **error) {
    (void)data;
    (void)error;
    if (step->event == RUN_WALK_OTHER && g_str_has_suffix(step->name, ".lock"))
        (void)unlinkat(step->folder, step->name, 0);
    return true;
}

/* From a bare repository that no git works on now; one that is not there has none. Links are not
 * followed. Returns false with RUN_ERROR_NODE when it cannot be looked through. */
static bool locks_remove(const char *mirror, GError **error) {
    const int folder = run_walk_open(AT_FDCWD, mirror, false);
    if (folder < 0)
        return true;
    for (const char *const *name = names; *name; name++)
        (void)unlinkat(folder, *name, 0);
    const int inside = run_walk_open(folder, "refs", false);
    close(folder);
    if (inside < 0)
        return true;
    close(inside);
    g_autofree char *refs = g_build_filename(mirror, "refs", NULL);
    return run_walk(refs, 0, remove_lock, NULL, error);
}

#define COMMAND_TIMEOUT_S 300 /* everything but a fetch works on local files */
#define GIT_LOG_BYTES 16384
#define MEMORY_BYTES_MAX ((uint64_t)4 << 30)
/* In its HOME: it reads local repositories of other users, who are in the project's file. */
#define TRUST "trust"

void run_git_select(run_git *git, const char *url) {
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, url, -1);
    g_autofree char *name = g_strdup_printf("mirrors/%.32s.git", hash);
    g_free(git->mirror);
    git->mirror = run_node_path(git->node, name);
    git->url = url;
    cfg_credential_clear(&git->credential);
    cfg_credential_take(url, &git->credential);
}

void run_git_clear(run_git *git) {
    g_clear_pointer(&git->mirror, g_free);
    cfg_credential_clear(&git->credential);
}

/* git hands it to a shell. Paths: config refuses what ssh itself would take apart. */
static char *ssh_command(const cfg_runner *config) {
    GString *command = g_string_new("GIT_SSH_COMMAND=ssh -oBatchMode=yes");
    if (config->ssh_key_file) {
        g_autofree char *path = g_shell_quote(config->ssh_key_file);
        g_string_append_printf(command, " -oIdentitiesOnly=yes -oIdentityAgent=none -i %s", path);
    }
    if (config->ssh_known_hosts_file) {
        g_autofree char *option =
            g_strdup_printf("-oUserKnownHostsFile=\"%s\"", config->ssh_known_hosts_file);
        g_autofree char *quoted = g_shell_quote(option);
        g_string_append_printf(
            command, " -oStrictHostKeyChecking=yes -oGlobalKnownHostsFile=none %s", quoted);
    }
    return g_string_free(command, FALSE);
}

static GPtrArray *copies_of(const char *const *words, size_t count) {
    GPtrArray *copies = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < count; i++)
        g_ptr_array_add(copies, g_strdup(words[i]));
    return copies;
}

static GPtrArray *git_environment(const run_git *git, const char *index) {
    static const char *const fixed[] = {
        "LANG=C.UTF-8",           "TZ=UTC",
        "GIT_CONFIG_NOSYSTEM=1",  "GIT_ATTR_NOSYSTEM=1",
        "GIT_TERMINAL_PROMPT=0",  "GIT_ASKPASS=/bin/false",
        "SSH_ASKPASS=/bin/false", "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh"};
    GPtrArray *environment = copies_of(fixed, G_N_ELEMENTS(fixed));
    const char *path = git->node->config->path;
    g_ptr_array_add(environment, g_strconcat("PATH=", path ? path : CFG_RUNNER_PATH, NULL));
    g_ptr_array_add(environment, ssh_command(git->node->config));
    g_ptr_array_add(environment, g_strdup_printf("HOME=%s", git->home));
    g_ptr_array_add(environment, git->node->switch_git
                                     ? g_strdup_printf("GIT_CONFIG_GLOBAL=%s/" TRUST, git->home)
                                     : g_strdup("GIT_CONFIG_GLOBAL=/dev/null"));
    if (index)
        g_ptr_array_add(environment, g_strdup_printf("GIT_INDEX_FILE=%s", index));
    if (git->credential.user) {
        g_ptr_array_add(environment,
                        g_strconcat(CFG_CREDENTIAL_USER, "=", git->credential.user, NULL));
        g_ptr_array_add(environment,
                        g_strconcat(CFG_CREDENTIAL_PASSWORD, "=", git->credential.password, NULL));
    }
    run_node_add_proxies(environment);
    g_ptr_array_add(environment, NULL);
    return environment;
}

static GPtrArray *safe_words(const run_git *git) {
    static const char *const safe[] = {
        "git", "-c", "protocol.ext.allow=never", "-c", "core.hooksPath=/dev/null", "-c",
        "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "advice.detachedHead=false",
        /* so that a fetch that is killed leaves nothing of a commit */
        "-c", "fetch.unpackLimit=1",
        /* so that a pack larger than the limit can be read */
        "-c", "core.packedGitLimit=1g", "-c", "core.packedGitWindowSize=64m", "-c",
        "core.bigFileThreshold=64m", "-c", "pack.threads=2"};
    GPtrArray *argv = copies_of(safe, G_N_ELEMENTS(safe));
    if (git->credential.user) {
        g_ptr_array_add(argv, g_strdup("-c"));
        g_ptr_array_add(argv, g_strdup("http.followRedirects=false"));
        g_ptr_array_add(argv, g_strdup("-c"));
        g_ptr_array_add(argv, g_strdup(git->credential.setting));
    }
    return argv;
}

static void keep_log(run_git *git, const run_process_result *result) {
    g_autofree char *end = run_process_describe(result);
    g_autofree char *whole = g_strdup_printf("%sgit: %s\n", result->log, end);
    g_free(*git->log);
    *git->log = cfg_url_hide(whole, git->url);
}

bool run_git_run(run_git *git, const char *index, const char *output, unsigned timeout_s,
                 int *status, GError **error, ...) {
    g_autoptr(GPtrArray) argv = safe_words(git);
    va_list words;
    va_start(words, error);
    for (const char *word; (word = va_arg(words, const char *));)
        g_ptr_array_add(argv, g_strdup(word));
    va_end(words);
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) environment = git_environment(git, index);
    const cfg_runner *config = git->node->config;
    run_process_spec spec = {.argv = (char **)argv->pdata,
                             .environment = (char **)environment->pdata,
                             .directory = git->home,
                             .log_path = output,
                             .log_limit_bytes = GIT_LOG_BYTES,
                             .timeout_s = timeout_s,
                             .file_limit_bytes = config->prepare_output_limit_bytes,
                             .memory_limit_bytes = MEMORY_BYTES_MAX,
                             .cpu_limit_s = timeout_s,
                             .cgroup = git->node->cgroup,
                             .own_namespaces = git->node->namespaces,
                             .sandbox = git->node->sandbox,
                             .switch_user = git->node->switch_git,
                             .uid = git->node->git_uid,
                             .gid = git->node->git_gid,
                             .cpus = &git->node->housekeeping_cpus,
                             .watch_directory = git->home,
                             .watch_also = git->mirror,
                             .watch_limit_bytes = config->prepare_output_limit_bytes,
                             .limit_name = "prepare_output_limit_bytes",
                             .reserve_bytes = config->disk_reserve_bytes,
                             .stop_fd = git->node->stop_fd,
                             .tick = git->tick,
                             .tick_data = git->tick_data};
    if (output)
        unlink(output);
    run_process_result result;
    if (!run_process_run(&spec, &result, error))
        return false;
    *status = result.end == RUN_END_EXIT ? result.code : -1;
    if (*status != 0)
        keep_log(git, &result);
    run_process_result_clear(&result);
    return true;
}

bool run_git_fail(run_git *git, int code, const char *what, GError **error) {
    g_autofree char *last = g_strdup(*git->log ? *git->log : "");
    g_autofree char *shown = cfg_url_hide(git->url, git->url);
    g_strstrip(last);
    g_set_error(error, RUN_ERROR, code, "%s %s: %s", what, shown, last);
    return false;
}

bool run_git_home(const run_git *git, GError **error) {
    g_autofree char *trust = g_build_filename(git->home, TRUST, NULL);
    if (!run_scratch_make(git->home, error))
        return false;
    if (git->node->switch_git && !g_file_set_contents(trust, "[safe]\n\tdirectory = *\n", -1, NULL))
        return run_fail(error, RUN_ERROR_NODE, "cannot write %s", trust);
    return run_node_give_git(git->node, git->home, error);
}

/* One from before, when git ran as another user, is not used: its settings are that user's, and to
 * hand over a folder with all in it can stay half done. */
static bool is_own(const run_git *git) {
    struct stat status;
    const uid_t user = git->node->switch_git ? git->node->git_uid : geteuid();
    return lstat(git->mirror, &status) == 0 && status.st_uid == user;
}

static bool make_mirror(run_git *git, GError **error) {
    g_autofree char *head = g_build_filename(git->mirror, "HEAD", NULL);
    g_autofree char *template = g_build_filename(git->home, "template", NULL);
    if (is_own(git) && g_file_test(head, G_FILE_TEST_EXISTS))
        return locks_remove(git->mirror, error);
    int status = 0;
    g_autofree char *from = g_strconcat("--template=", template, NULL);
    if (!run_scratch_make(template, error) || !run_node_give_git(git->node, template, error) ||
        !run_scratch_make(git->mirror, error) ||
        !run_node_give_git(git->node, git->mirror, error) ||
        !run_git_run(git, NULL, NULL, COMMAND_TIMEOUT_S, &status, error, "init", "--quiet",
                     "--bare", from, git->mirror, NULL))
        return false;
    return status == 0 || run_git_fail(git, RUN_ERROR_NODE, "cannot make a mirror for", error);
}

/* That it is not there is an answer; git's last words stay those about why it did not come. */
static bool has_commit(run_git *git, const char *commit, bool *has, GError **error) {
    int status = 0;
    g_autofree char *before = g_strdup(*git->log);
    g_autofree char *object = g_strconcat(commit, "^{commit}", NULL);
    bool good = run_git_run(git, NULL, NULL, COMMAND_TIMEOUT_S, &status, error, "--git-dir",
                            git->mirror, "cat-file", "-e", object, NULL);
    *has = status == 0;
    if (good && !*has && before) {
        g_free(*git->log);
        *git->log = g_steal_pointer(&before);
    }
    return good;
}

/* depth: how much of the history; came: whether it went well. */
static bool fetch(run_git *git, const char *refspec, const char *depth, bool *came,
                  GError **error) {
    int status = 0;
    bool good = run_git_run(git, NULL, NULL, RUN_FETCH_TIMEOUT_S, &status, error, "--git-dir",
                            git->mirror, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
                            "--force", depth, "--", git->credential.address, refspec, NULL);
    *came = status == 0;
    return good;
}

#define WHOLE "--update-shallow" /* what is already shallow may stay so */

/* The branch first, as everybody allows that; then the commit itself, if it is no longer on it.
 * Without a branch the other way round: a submodule's commit is enough, without its history. */
static bool fetch_commit(run_git *git, const char *commit, const char *branch, bool *has,
                         bool *answered, GError **error) {
    g_autofree char *one =
        branch ? g_strdup_printf("+refs/heads/%s:refs/heads/%s", branch, branch) : NULL;
    const char *first = branch ? one : commit;
    const char *second = branch ? commit : "+refs/heads/*:refs/heads/*";
    bool came = false;
    if (!fetch(git, first, branch ? WHOLE : "--depth=1", answered, error) ||
        !has_commit(git, commit, has, error))
        return false;
    if (*has)
        return true;
    if (!fetch(git, second, WHOLE, &came, error))
        return false;
    *answered = *answered || (came && branch == NULL);
    return has_commit(git, commit, has, error);
}

static bool get_commit(run_git *git, const char *commit, const char *branch, GError **error) {
    bool has = false, answered = false;
    if (!make_mirror(git, error) || !has_commit(git, commit, &has, error))
        return false;
    if (!has && !fetch_commit(git, commit, branch, &has, &answered, error))
        return false;
    return has ||
           run_git_fail(git, answered ? RUN_ERROR_JOB : RUN_ERROR_NODE,
                        answered ? "the server does not have this commit:" : "cannot fetch from",
                        error);
}

static bool write_tree(run_git *git, const char *commit, const char *directory, const char *index,
                       GError **error) {
    int status = 0;
    unlink(index);
    bool good = run_scratch_make(directory, error) &&
                run_node_give_git(git->node, directory, error) &&
                run_git_run(git, index, NULL, COMMAND_TIMEOUT_S, &status, error, "--git-dir",
                            git->mirror, "read-tree", commit, NULL);
    if (good && status == 0) {
        good = run_git_run(git, index, NULL, COMMAND_TIMEOUT_S, &status, error, "--git-dir",
                           git->mirror, "--work-tree", directory, "checkout-index", "--all",
                           "--force", NULL);
    }
    return good &&
           (status == 0 ||
            run_git_fail(git, RUN_ERROR_NODE, "cannot write the files of the commit from", error));
}

/* Also a commit of which a part is there, and which no branch has yet: git asks of branches only.
 */
static bool is_damaged(run_git *git, const char *commit) {
    int status = 0;
    bool has = false;
    if (!run_git_run(git, NULL, NULL, COMMAND_TIMEOUT_S, &status, NULL, "--git-dir", git->mirror,
                     "fsck", "--connectivity-only", "--no-dangling", NULL))
        return false;
    if (status != 0)
        return true;
    return has_commit(git, commit, &has, NULL) && has &&
           run_git_run(git, NULL, NULL, COMMAND_TIMEOUT_S, &status, NULL, "--git-dir", git->mirror,
                       "rev-list", "--objects", "--quiet", "--max-count=1", commit, NULL) &&
           status != 0;
}

bool run_git_tree(run_git *git, const char *commit, const char *branch, const char *directory,
                  const char *index, GError **error) {
    g_autoptr(GError) first = NULL;
    if (get_commit(git, commit, branch, &first) &&
        write_tree(git, commit, directory, index, &first))
        return true;
    if (!g_error_matches(first, RUN_ERROR, RUN_ERROR_NODE) || !is_damaged(git, commit)) {
        g_propagate_error(error, g_steal_pointer(&first));
        return false;
    }
    /* As a power cut or a full disk leaves it: made anew, once. */
    cfg_log("warning", "checkout", "mirror_damaged", "mirror=\"%s\" next=\"made anew\"",
            git->mirror);
    return run_scratch_remove(git->mirror, error) && get_commit(git, commit, branch, error) &&
           write_tree(git, commit, directory, index, error);
}
