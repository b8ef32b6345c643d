#include "server/git/repo_internal.h"

#include <errno.h>
#include <gio/gio.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BY_SERVER "give the address of a server that has it (https, ssh, git)"

/* Of an absolute path or a file address; NULL: of something else. */
static const char *path_of(const char *url) {
    const char *path = g_str_has_prefix(url, "file://") ? url + strlen("file://") : url;
    return path[0] == '/' ? path : NULL;
}

/* The first line of a small file, without what stands before it; NULL: there is none. */
static char *line_of(const char *folder, const char *name, const char *before) {
    g_autofree char *file = g_build_filename(folder, name, NULL);
    g_autofree char *text = NULL;
    struct stat info;
    if (stat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > PATH_MAX ||
        !g_file_get_contents(file, &text, NULL, NULL) || !g_str_has_prefix(text, before))
        return NULL;
    text[strcspn(text, "\n")] = '\0';
    return g_strdup(text + strlen(before));
}

/* Where the repository at this path keeps what its worktrees share; the caller's. */
static char *folder_of(const char *path) {
    g_autofree char *inside = g_build_filename(path, ".git", NULL);
    g_autofree char *named = line_of(path, ".git", "gitdir: ");
    g_autofree char *folder = named ? g_canonicalize_filename(named, path)
                              : g_file_test(inside, G_FILE_TEST_IS_DIR) ? g_steal_pointer(&inside)
                                                                        : g_strdup(path);
    g_autofree char *common = line_of(folder, "commondir", "");
    return common ? g_canonicalize_filename(common, folder) : g_steal_pointer(&folder);
}

bool srv__repo_whole(const char *url, GError **error) {
    const char *path = path_of(url);
    struct stat info;
    if (!path)
        return true;
    /* libgit2 calls a path that is not there an unsupported protocol */
    if (stat(path, &info) != 0)
        return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno),
                         "the repository cannot be reached: %s: %s", path, g_strerror(errno));
    g_autofree char *folder = folder_of(path);
    g_autofree char *shallow = g_build_filename(folder, "shallow", NULL);
    if (stat(shallow, &info) != 0 || info.st_size == 0)
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_FAILED,
        "the repository is a shallow clone, in which older commits are missing; complete "
        "it: git -C %s fetch --unshallow",
        path);
}

static char *name_of(uid_t uid) {
    struct passwd entry, *found = NULL;
    char buffer[4096];
    return getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) == 0 && found
               ? g_strdup(found->pw_name)
               : g_strdup_printf("the user %lu", (unsigned long)uid);
}

/* libgit2 looks at the working tree as well as at what is in it. */
static char *why_owner(const char *path, const char *folder) {
    struct stat tree, inside;
    if (stat(path, &tree) != 0 || stat(folder, &inside) != 0)
        return NULL;
    const uid_t owner = tree.st_uid != geteuid() ? tree.st_uid : inside.st_uid;
    if (owner == geteuid())
        return NULL;
    g_autofree char *his = name_of(owner);
    g_autofree char *ours = name_of(geteuid());
    return g_strdup_printf(
        "%s belongs to %s and the server runs as %s, and git reads no repository "
        "of another user; give the server a clone (git clone --mirror), or "
        "allow this one: git config --file data_dir/.gitconfig --add "
        "safe.directory %s",
        path, his, ours, path);
}

typedef struct {
    const char *key, *value; /* value NULL: any */
    const char *what, *mend;
} format;

static const format formats[] = {
    {"extensions.objectformat", "sha256", "uses SHA-256 object ids", NULL},
    {"extensions.refstorage", NULL, "keeps its branches as reftable",
     BY_SERVER ", or: git refs migrate --ref-format=files"},
    {"extensions.relativeworktrees", NULL, "has worktrees with relative paths", BY_SERVER},
    {"extensions.worktreeconfig", NULL, "has a configuration for each worktree", BY_SERVER},
    {"extensions.preciousobjects", NULL, "has precious objects", BY_SERVER},
};

static char *of_format(const char *what, const char *mend) {
    int major = 0, minor = 0, revision = 0;
    git_libgit2_version(&major, &minor, &revision);
    return g_strdup_printf("the repository %s, which libgit2 %d.%d.%d on this machine cannot read"
                           "%s%s",
                           what, major, minor, revision, mend ? "; " : "", mend ? mend : "");
}

static char *why_format(const git_config *config, const char *last) {
    g_autofree char *words = g_ascii_strdown(last, -1);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        git_buf value = {0};
        const bool there = git_config_get_string_buf(&value, config, formats[i].key) == 0 &&
                           (!formats[i].value || strcmp(value.ptr, formats[i].value) == 0);
        git_buf_dispose(&value);
        if (there && (formats[i].value || strstr(words, formats[i].key)))
            return of_format(formats[i].what, formats[i].mend);
    }
    return NULL;
}

/* Each key is looked at here: git_config_foreach_match of libgit2 1.5.1 leaks 20 KiB for each that
 * does not match. */
static int is_promisor(const git_config_entry *entry, void *found) {
    if (g_str_has_prefix(entry->name, "remote.") && g_str_has_suffix(entry->name, ".promisor"))
        *(bool *)found = true;
    return 0;
}

static char *why_partial(const git_config *config, const char *path) {
    bool partial = false;
    (void)git_config_foreach(config, is_promisor, &partial);
    return partial ? g_strdup_printf("the repository is a partial clone (--filter), in which "
                                     "objects are missing; watch the repository it was cloned "
                                     "from, or complete it: git -C %s fetch --refetch --no-filter",
                                     path)
                   : NULL;
}

static char *why_there(const char *path, const char *last) {
    g_autofree char *folder = folder_of(path);
    g_autofree char *file = g_build_filename(folder, "config", NULL);
    git_config *config = NULL;
    char *why = NULL;
    if (strstr(last, "safe.directory") || strstr(last, "not owned by"))
        why = why_owner(path, folder);
    if (!why && git_config_open_ondisk(&config, file) == 0)
        why = why_format(config, last);
    if (!why && config && strstr(last, "object not found"))
        why = why_partial(config, path);
    git_config_free(config);
    return why;
}

/* libgit2 1.5 and 1.9 have different words for the same. */
static char *why_sent(const char *last) {
    static const struct {
        const char *words, *why;
    } known[] = {
        {"REF pkt-line", "what the server sends cannot be read: the repository there is a shallow "
                         "clone (git fetch --unshallow there), or uses SHA-256 object ids"},
        {"invalid packet line", "what the server sends cannot be read: the repository there is a "
                                "shallow clone; complete it there: git fetch --unshallow"},
        {"early EOF", "the server ended in the middle: its disk may be full, or the repository "
                      "there is a partial clone (--filter), in which objects are missing"},
        {"could not read from remote", "the server ended in the middle: its disk may be full, or "
                                       "the repository there is a partial clone (--filter), in "
                                       "which objects are missing"},
        {"Failed getting banner",
         "the ssh server ended the connection before it said who it is: it has too many at once, "
         "or shuts out this machine for a while because keys of it were refused (OpenSSH since "
         "9.8), if only another project's; its log says which"},
        {"invalid content-type",
         "the address answers, but not like a git server; is it a web page, or plain files (dumb "
         "HTTP), which libgit2 cannot fetch? Serve it with git http-backend"},
    };
    if (strstr(last, "object format 'sha256'"))
        return of_format("uses SHA-256 object ids", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strstr(last, known[i].words))
            return g_strdup(known[i].why);
    return NULL;
}

char *srv__repo_why(const char *url, const char *last) {
    const char *path = path_of(url);
    return path ? why_there(path, last) : why_sent(last);
}
