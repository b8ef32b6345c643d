/* repo_base - the merge base of a commit that is not (yet) on the watched branch. */
#include "server/git/repo_internal.h"
#include "server/git/repo_name.h"

#include <gio/gio.h>
#include <string.h>

/* Which commit is looked for at the remote. */
typedef struct {
    git_oid id;
    const char *ref; /* NULL: any */
} wanted;

bool srv_repo_ref_check(const char *ref) {
    return g_str_has_prefix(ref, "refs/heads/")
               ? srv_repo_branch_check(ref + strlen("refs/heads/"), NULL)
               : g_regex_match_simple("^refs/(pull|merge-requests)/[0-9]{1,18}/head$", ref,
                                      G_REGEX_DOLLAR_ENDONLY, 0);
}

static bool is_there(git_repository *repository, const git_oid *id) {
    g_autoptr(git_commit) commit = NULL;
    return git_commit_lookup(&commit, repository, id) == 0;
}

static bool matches(const wanted *w, const git_remote_head *head) {
    return w->ref ? strcmp(head->name, w->ref) == 0
                  : git_oid_equal(&head->oid, &w->id) && srv_repo_ref_check(head->name);
}

static bool not_there(const wanted *w, GError **error) {
    char sha[41];
    git_oid_tostr(sha, sizeof sha, &w->id);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                "the repository has no commit %s at %s; push it first", sha,
                w->ref ? w->ref : "the tip of a branch or a pull request");
    return false;
}

static bool fetch_commit(git_repository *repository, git_remote *remote, srv__transfer *t,
                         const git_fetch_options *options, void *data, GError **error) {
    const wanted *w = data;
    const git_remote_head **heads = NULL;
    size_t n = 0;
    g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
    if (git_remote_ls(&heads, &n, remote) < 0)
        return srv__repo_fail(error, t->source->url, "the repository's branches cannot be listed");
    for (size_t i = 0; i < n && specs->len == 0; i++)
        /* beside the branches: nothing that is watched is changed by it */
        if (matches(w, heads[i]))
            g_ptr_array_add(specs, g_strdup_printf("+%s:refs/moowatch/%s", heads[i]->name,
                                                   heads[i]->name + strlen("refs/")));
    if (specs->len == 0)
        return not_there(w, error);
    return srv__repo_download(remote, t, specs, options, error) &&
           (is_there(repository, &w->id) || not_there(w, error));
}

static bool base_of(git_repository *repository, const srv_repo_source *source, const git_oid *head,
                    srv_repo_base *out, GError **error) {
    g_autofree char *name = g_strconcat("refs/heads/", source->branch, NULL);
    git_oid tip, base;
    if (git_reference_name_to_id(&tip, repository, name) != 0)
        return srv__repo_fail(error, source->url, "the branch has not been fetched yet");
    const int code = git_merge_base(&base, repository, head, &tip);
    if (code == GIT_ENOTFOUND)
        out->reason = "the commit and the branch have no commit in common";
    else if (code == 0 && git_oid_equal(&base, head))
        out->reason = "the commit is on the branch already: there is nothing to compare it with";
    else if (code == 0)
        git_oid_tostr(out->sha, sizeof out->sha, &base);
    return code == 0 || code == GIT_ENOTFOUND ||
           srv__repo_fail(error, source->url, "the merge base cannot be found");
}

bool srv_repo_merge_base(const char *mirror, const srv_repo_source *source, const char *head,
                         const char *ref, srv_repo_base *out, GError **error) {
    *out = (srv_repo_base){.reason = NULL};
    wanted w = {.ref = ref};
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    if (!repository)
        return false;
    if (git_oid_fromstr(&w.id, head) != 0)
        return srv__repo_fail(error, source->url, "the commit's id cannot be read");
    if (!is_there(repository, &w.id) &&
        !srv__repo_connected(mirror, source, fetch_commit, &w, error))
        return false;
    return base_of(repository, source, &w.id, out, error);
}
