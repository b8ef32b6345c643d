
#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/prepare/prepare.h"
#include "runner/process/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void submodule_free(void *memory) {
    run_submodule *one = memory;
    g_free(one->path);
    g_free(one->commit);
    g_free(one->url);
    g_free(one);
}

/* ---- which there are ---- */

/* "160000 <id> 0\t<path>" */
static run_submodule *read_entry(const char *entry) {
    size_t digits = 0;
    if (!g_str_has_prefix(entry, "160000 "))
        return NULL;
    const char *id = entry + strlen("160000 ");
    digits = strspn(id, "0123456789abcdef");
    if ((digits != 40 && digits != 64) || strncmp(id + digits, " 0\t", 3) != 0)
        return NULL;
    run_submodule *one = g_new0(run_submodule, 1);
    one->commit = g_strndup(id, digits);
    one->path = g_strdup(id + digits + 3);
    return one;
}

/* Values of submodule.<name>.<key>, by name. */
static GHashTable *values_of(const char *modules, gsize length, const char *key) {
    GHashTable *values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (gsize at = 0; at < length; at += strlen(modules + at) + 1) {
        const char *line = modules + at, *end = strchr(line, '\n');
        g_autofree char *name = end ? g_strndup(line, (gsize)(end - line)) : NULL;
        if (name && g_str_has_prefix(name, "submodule.") && g_str_has_suffix(name, key)) {
            name[strlen(name) - strlen(key)] = '\0';
            g_hash_table_insert(values, g_strdup(name), g_strdup(end + 1));
        }
    }
    return values;
}

static const char *name_of(GHashTable *paths, const char *path) {
    GHashTableIter each;
    void *name, *value;
    g_hash_table_iter_init(&each, paths);
    while (g_hash_table_iter_next(&each, &name, &value))
        if (strcmp(value, path) == 0)
            return name;
    return NULL;
}

/* From the output of `git ls-files -s -z` and of `git config -z --get-regexp` for
 * submodule.*.path and submodule.*.url. Returns a GPtrArray of run_submodule, which it owns. */
static GPtrArray *submodule_list(const char *files, gsize files_length, const char *modules,
                                 gsize modules_length) {
    g_autoptr(GHashTable) paths = values_of(modules, modules_length, ".path");
    g_autoptr(GHashTable) urls = values_of(modules, modules_length, ".url");
    GPtrArray *list = g_ptr_array_new_with_free_func(submodule_free);
    for (gsize at = 0; at < files_length; at += strlen(files + at) + 1) {
        run_submodule *one = read_entry(files + at);
        if (one) {
            const char *name = name_of(paths, one->path);
            one->url = name ? g_strdup(g_hash_table_lookup(urls, name)) : NULL;
            g_ptr_array_add(list, one);
        }
    }
    return list;
}

/* ---- where they are ---- */

/* As git does it: each "../" takes one part off the parent's address. NULL: there are not so
 * many. */
static char *relative_url(const char *parent, const char *url) {
    g_autofree char *base = g_strdup(parent);
    const char *scheme = strstr(base, "://");
    /* The part that must stay: scheme and host, or user and host. */
    size_t fixed = scheme ? (size_t)(scheme - base) + 3 : 0;
    fixed += scheme ? strcspn(base + fixed, "/") : strcspn(base, ":/");
    for (;;) {
        size_t length = strlen(base);
        if (length > fixed && base[length - 1] == '/') {
            base[length - 1] = '\0';
        } else if (g_str_has_prefix(url, "./")) {
            url += 2;
        } else if (g_str_has_prefix(url, "../")) {
            char *slash = strrchr(base + fixed, '/');
            char *colon = !scheme ? strrchr(base + fixed, ':') : NULL;
            if (slash) {
                *slash = '\0';
                url += 3;
            } else if (colon && colon[1] != '\0') {
                colon[1] = '\0';
                url += 3;
            } else {
                return NULL;
            }
        } else {
            bool joined = g_str_has_suffix(base, ":");
            return g_strconcat(base, joined ? "" : "/", url, NULL);
        }
    }
}

/* The address to fetch from.
 * parent  the address of the repository that has the submodule
 * url     as in .gitmodules; "./" and "../" are relative to parent
 * Returns a string to g_free, or NULL with RUN_ERROR_JOB: why it is not asked. */
static char *submodule_url(const char *parent, const char *url, GError **error) {
    g_auto(cfg_credential) own;
    cfg_credential_take(parent, &own);
    bool relative = g_str_has_prefix(url, "./") || g_str_has_prefix(url, "../");
    g_autofree char *whole = relative ? relative_url(own.address, url) : g_strdup(url);
    const char *wrong = NULL;
    cfg_url_kind kind = whole ? cfg_url_kind_of(whole) : CFG_URL_NONE;
    if (kind == CFG_URL_NONE) {
        wrong = "not an https, http, git, ssh or file URL";
    } else if (kind == CFG_URL_LOCAL && cfg_url_kind_of(parent) != CFG_URL_LOCAL) {
        wrong = "points to files of this machine, which a remote repository may not do";
    } else if (kind == CFG_URL_SSH && cfg_url_kind_of(parent) != CFG_URL_SSH) {
        wrong = "uses ssh, and so the runner's keys, which only a repository reached by ssh may "
                "do; write it as https or relative (../name.git)";
    }
    if (wrong) {
        g_autofree char *printable = g_strescape(url, NULL);
        g_autofree char *shown = cfg_url_hide(printable, url);
        run_wrong(error, "submodule address \"%.200s\": %s", shown, wrong);
        return NULL;
    }
    return g_steal_pointer(&whole);
}

#define COMMAND_TIMEOUT_S 300
#define LIST_BYTES_MAX (64u << 20) /* of what git lists: half a million files */

static const char lfs_mark[] = "version https://git-lfs.github.com/spec/v1\n";

typedef struct {
    run_git git;
    const run_job *job;
    char *index, *list; /* beside the tree, for git */
    unsigned submodules;
} checkout;

/* What git printed into work->list; NULL with RUN_ERROR_JOB when that is too much. */
static char *take_list(checkout *work, gsize *length, GError **error) {
    struct stat status;
    char *text = NULL;
    if (stat(work->list, &status) == 0 && status.st_size > LIST_BYTES_MAX) {
        run_wrong(error, "the commit has more files than can be listed");
        return NULL;
    }
    if (!g_file_get_contents(work->list, &text, length, NULL))
        run_fail(error, RUN_ERROR_NODE, "cannot read %s", work->list);
    unlink(work->list);
    return text;
}

/* ---- LFS ---- */

static bool is_lfs_pointer(const char *directory, const char *name) {
    g_autofree char *path = g_build_filename(directory, name, NULL);
    char head[sizeof lfs_mark - 1];
    g_auto(run_fd) fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head &&
           memcmp(head, lfs_mark, sizeof head) == 0;
}

static bool judge_lfs(checkout *work, const char *first, unsigned count, GError **error) {
    if (count == 0)
        return true;
    if (work->job->artifact) {
        cfg_log("info", "checkout", "lfs_left_out", "files=%u", count);
        return true;
    }
    g_autofree char *valid = g_utf8_make_valid(first, -1);
    return run_wrong(
        error,
        "the commit keeps %u file%s in Git LFS (such as %s), which the runner does not "
        "fetch; let CI upload what it built (benchmark.artifact), or keep them in git",
        count, count == 1 ? "" : "s", valid);
}

/* Files that are only pointers would be built and measured as if they were the real ones. */
static bool check_lfs(checkout *work, const char *directory, GError **error) {
    int status = 0;
    gsize length = 0;
    if (!run_git_run(&work->git, work->index, work->list, COMMAND_TIMEOUT_S, &status, error, "-C",
                     directory, "--git-dir", work->git.mirror, "--work-tree", directory, "ls-files",
                     "-z", "--", ":(attr:filter=lfs)", NULL))
        return false;
    if (status != 0)
        return run_git_fail(&work->git, RUN_ERROR_NODE, "cannot list the files of", error);
    g_autofree char *names = take_list(work, &length, error);
    const char *first = NULL;
    unsigned count = 0;
    for (gsize at = 0; names && at < length; at += strlen(names + at) + 1) {
        if (is_lfs_pointer(directory, names + at)) {
            first = first ? first : names + at;
            count++;
        }
    }
    return names && judge_lfs(work, first, count, error);
}

/* ---- submodules ---- */

static bool has_modules(const char *directory) {
    struct stat status;
    g_autofree char *path = g_build_filename(directory, ".gitmodules", NULL);
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static GPtrArray *list_modules(checkout *work, const char *directory, GError **error) {
    int status = 0;
    gsize files_length = 0, modules_length = 0;
    g_autofree char *path = g_build_filename(directory, ".gitmodules", NULL);
    if (!run_git_run(&work->git, work->index, work->list, COMMAND_TIMEOUT_S, &status, error,
                     "--git-dir", work->git.mirror, "ls-files", "-s", "-z", NULL))
        return NULL;
    if (status != 0) {
        run_git_fail(&work->git, RUN_ERROR_NODE, "cannot list the files of", error);
        return NULL;
    }
    g_autofree char *files = take_list(work, &files_length, error);
    if (!files ||
        !run_git_run(&work->git, NULL, work->list, COMMAND_TIMEOUT_S, &status, error, "config",
                     "--file", path, "-z", "--get-regexp", "^submodule\\..*\\.(path|url)$", NULL))
        return NULL;
    /* 1: it holds nothing of that kind, or nothing at all */
    if (status != 0 && status != 1) {
        run_git_fail(&work->git, RUN_ERROR_JOB, "cannot read .gitmodules of", error);
        return NULL;
    }
    g_autofree char *modules = take_list(work, &modules_length, error);
    return modules ? submodule_list(files, files_length, modules, modules_length) : NULL;
}

/* Where git has made its empty directory; NULL when a link or something else is in the way. */
static char *place_of(const char *directory, const char *path) {
    g_autofree char *whole = g_build_filename(directory, path, NULL);
    g_autofree char *own = realpath(directory, NULL);
    g_autofree char *found = realpath(whole, NULL);
    g_autofree char *expected = own ? g_build_filename(own, path, NULL) : NULL;
    return g_strcmp0(found, expected) == 0 ? g_steal_pointer(&whole) : NULL;
}

static bool get_tree(checkout *work, const char *url, const char *commit, const char *branch,
                     const char *directory, unsigned depth, GError **error);

static bool get_module(checkout *work, const char *parent, const char *directory,
                       const run_submodule *one, unsigned depth, GError **error) {
    const cfg_runner *config = work->git.node->config;
    g_autofree char *url = submodule_url(parent, one->url, error);
    g_autofree char *place = url ? place_of(directory, one->path) : NULL;
    if (url && !place) {
        run_wrong(error, "its path is not a directory of the commit");
    } else if (url &&
               (work->submodules >= config->submodule_limit || depth >= config->submodule_depth)) {
        g_clear_pointer(&place, g_free);
        run_wrong(error,
                  "more than %u submodules, or deeper than %u (submodule_limit, submodule_depth "
                  "of the runner)",
                  config->submodule_limit, config->submodule_depth);
    }
    work->submodules++;
    if (place && get_tree(work, url, one->commit, NULL, place, depth + 1, error))
        return true;
    g_autofree char *shown = g_utf8_make_valid(one->path, -1);
    g_prefix_error(error, "submodule %s: ", shown);
    return false;
}

static bool get_modules(checkout *work, const char *url, const char *directory, unsigned depth,
                        GError **error) {
    g_autoptr(GPtrArray) list = list_modules(work, directory, error);
    bool good = list != NULL;
    for (guint i = 0; good && i < list->len; i++) {
        const run_submodule *one = list->pdata[i];
        if (!one->url)
            cfg_log("info", "checkout", "submodule_unknown", "path=\"%s\"", one->path);
        else
            good = get_module(work, url, directory, one, depth, error);
    }
    return good;
}

static bool get_tree(checkout *work, const char *url, const char *commit, const char *branch,
                     const char *directory, unsigned depth, GError **error) {
    run_git_select(&work->git, url);
    return run_git_tree(&work->git, commit, branch, directory, work->index, error) &&
           check_lfs(work, directory, error) &&
           (!has_modules(directory) || work->git.node->config->submodule_limit == 0 ||
            get_modules(work, url, directory, depth, error));
}

bool run_checkout(const run_prepare_step *step, const char *commit, const char *directory,
                  GError **error) {
    const run_job *job = step->job;
    *step->log = NULL;
    g_autofree char *home = g_strconcat(directory, ".home", NULL);
    g_autofree char *index = g_build_filename(home, "index", NULL);
    g_autofree char *list = g_strconcat(directory, ".list", NULL);
    checkout work = {.git = {.node = step->node,
                             .tick = step->tick,
                             .tick_data = step->tick_data,
                             .home = home,
                             .log = step->log,
                             .url = job->url},
                     .job = job,
                     .index = index,
                     .list = list};
    if (!run_git_home(&work.git, error))
        return false;
    bool good = get_tree(&work, job->url, commit, job->branch, directory, 0, error);
    unlink(index);
    unlink(list);
    run_git_clear(&work.git);
    return run_scratch_remove(home, good ? error : NULL) && good;
}
