/* repo_contains - is a commit of one branch on another, as itself or picked? */
#include "config/projects.h"
#include "server/git/repo_internal.h"

#include <gio/gio.h>
#include <string.h>

/* repo_base - the merge base of a commit that is not (yet) on the watched branch. */

/* Which commit is looked for at the remote. */
typedef struct {
    git_oid id;
    const char *ref; /* NULL: any */
} wanted;

bool srv_repo_ref_check(const char *ref) {
    return g_str_has_prefix(ref, "refs/heads/")
               ? cfg_is_branch(ref + strlen("refs/heads/"))
               : g_regex_match_simple("^refs/(pull/[0-9]{1,18}/head|"
                                      "merge-requests/[0-9]{1,18}/(head|merge|train))$",
                                      ref, G_REGEX_DOLLAR_ENDONLY, 0);
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
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     "the repository has no commit %s at %s; push it first", sha,
                     w->ref ? w->ref : "the tip of a branch or a pull request");
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

#define PICKED_FROM "cherry picked from commit "

enum {
    PICKS_MAX = 5000,  /* so many commits of the branch are looked at */
    DELTAS_MAX = 1000, /* files of a commit whose patch is compared */
    SHA_LENGTH = 40
};

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_odb, git_odb_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_tree, git_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_diff, git_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_pathspec, git_pathspec_free)

static bool pathspec_of(const char *const *patterns, git_pathspec **out) {
    union { /* GLib does not write to them; its prototype is older than const */
        const char *const *given;
        char **wanted;
    } list_of = {patterns};
    char **copies = g_strdupv(list_of.wanted);
    const git_strarray list = {copies, g_strv_length(copies)};
    const bool good = git_pathspec_new(out, &list) == 0;
    g_strfreev(copies);
    return good;
}

/* The patterns that match no file of a tree are added. */
static bool idle_add(GString *to, git_pathspec *spec, git_tree *tree) {
    git_pathspec_match_list *list = NULL;
    if (!spec)
        return true;
    if (git_pathspec_match_tree(&list, tree,
                                GIT_PATHSPEC_FIND_FAILURES | GIT_PATHSPEC_FAILURES_ONLY, spec) < 0)
        return false;
    for (size_t i = 0; i < git_pathspec_match_list_failed_entrycount(list); i++)
        g_string_append_printf(to, "%s\"%s\"", to->len > 0 ? ", " : "",
                               git_pathspec_match_list_failed_entry(list, i));
    git_pathspec_match_list_free(list);
    return true;
}

static bool tree_of(git_repository *repository, const char *sha, git_tree **out) {
    g_autoptr(git_commit) commit = NULL;
    git_oid id;
    return git_oid_fromstr(&id, sha) == 0 && git_commit_lookup(&commit, repository, &id) == 0 &&
           git_commit_tree(out, commit) == 0;
}

bool srv_repo_same(const char *mirror, const char *a, const char *b) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, NULL);
    g_autoptr(git_tree) one = NULL, other = NULL;
    return repository && tree_of(repository, a, &one) && tree_of(repository, b, &other) &&
           git_oid_equal(git_tree_id(one), git_tree_id(other));
}

bool srv_repo_touches(const char *mirror, const char *before, const char *after,
                      const srv_repo_paths *paths, srv_repo_touch *out, GError **error) {
    *out = (srv_repo_touch){.files = 0};
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    g_autoptr(git_tree) a = NULL, b = NULL;
    g_autoptr(git_diff) diff = NULL;
    g_autoptr(git_pathspec) only = NULL, but = NULL;
    g_autoptr(GString) idle = g_string_new(NULL);
    if (!repository)
        return false;
    if (!tree_of(repository, before, &a) || !tree_of(repository, after, &b) ||
        git_diff_tree_to_tree(&diff, repository, a, b, NULL) < 0 ||
        (paths->only && !pathspec_of(paths->only, &only)) ||
        (paths->but && !pathspec_of(paths->but, &but)) || !idle_add(idle, only, b) ||
        !idle_add(idle, but, b))
        return srv__repo_fail(error, mirror, "the files that two commits differ in cannot be read");
    out->files = git_diff_num_deltas(diff);
    for (size_t i = 0; i < out->files && !out->touched; i++) {
        const char *path = git_diff_get_delta(diff, i)->new_file.path;
        out->touched = (!only || git_pathspec_matches_path(only, 0, path) == 1) &&
                       (!but || git_pathspec_matches_path(but, 0, path) != 1);
    }
    out->idle = idle->len > 0 ? g_strdup(idle->str) : NULL;
    return true;
}

/* One commit and a branch that is asked for it. */
typedef struct {
    git_repository *repository;
    git_oid head;
    git_commit *commit;
    char sha[SHA_LENGTH + 1];
    git_oid patch; /* known once it was needed */
    bool has_patch, patch_tried;
} question;

static bool on_branch(const question *q, const git_oid *id) {
    return git_oid_equal(&q->head, id) || git_graph_descendant_of(q->repository, &q->head, id) == 1;
}

/* The patch of a commit without its place in history; false: it is a merge, empty or too large. */
static bool patch_of(git_repository *repository, git_commit *commit, git_oid *out) {
    g_autoptr(git_tree) after = NULL;
    g_autoptr(git_tree) before = NULL;
    g_autoptr(git_commit) parent = NULL;
    g_autoptr(git_diff) diff = NULL;
    const unsigned parents = git_commit_parentcount(commit);
    if (parents > 1 || git_commit_tree(&after, commit) < 0)
        return false;
    if (parents == 1 &&
        (git_commit_parent(&parent, commit, 0) < 0 || git_commit_tree(&before, parent) < 0))
        return false;
    if (git_diff_tree_to_tree(&diff, repository, before, after, NULL) < 0)
        return false;
    const size_t deltas = git_diff_num_deltas(diff);
    return deltas > 0 && deltas <= DELTAS_MAX && git_diff_patchid(out, diff, NULL) == 0;
}

/* Git keeps author, time and subject when it picks: others' patches need not be compared. */
static bool alike(git_commit *a, git_commit *b) {
    const git_signature *of_a = git_commit_author(a), *of_b = git_commit_author(b);
    return g_strcmp0(git_commit_summary(a), git_commit_summary(b)) == 0 ||
           (of_a->when.time == of_b->when.time && strcmp(of_a->email, of_b->email) == 0);
}

static bool same_patch(question *q, git_commit *other) {
    git_oid patch;
    if (!alike(q->commit, other))
        return false;
    if (!q->patch_tried)
        q->has_patch = patch_of(q->repository, q->commit, &q->patch);
    q->patch_tried = true;
    return q->has_patch && patch_of(q->repository, other, &patch) &&
           git_oid_equal(&patch, &q->patch);
}

/* The commit says itself where it was picked from, and that is on the branch. */
static bool picked_from_branch(const question *q, git_oid *as) {
    const char *at = git_commit_message(q->commit);
    while ((at = strstr(at, PICKED_FROM))) {
        at += strlen(PICKED_FROM);
        if (strlen(at) >= SHA_LENGTH && git_oid_fromstrn(as, at, SHA_LENGTH) == 0 &&
            on_branch(q, as))
            return true;
    }
    return false;
}

/* One of the branch's own commits says that it was picked from this one, or has its patch. */
static bool picked_on_branch(question *q, git_oid *as, GError **error) {
    g_autoptr(git_revwalk) walk = NULL;
    g_autofree char *named = g_strconcat(PICKED_FROM, q->sha, NULL);
    bool found = false;
    if (git_revwalk_new(&walk, q->repository) < 0 || git_revwalk_push(walk, &q->head) < 0 ||
        git_revwalk_hide(walk, git_commit_id(q->commit)) < 0)
        return srv__repo_fail(error, NULL, "the branch's history cannot be read");
    for (int n = 0; !found && n < PICKS_MAX && git_revwalk_next(as, walk) == 0; n++) {
        g_autoptr(git_commit) other = NULL;
        if (git_commit_lookup(&other, q->repository, as) < 0)
            return srv__repo_fail(error, NULL, "a commit of the branch cannot be read");
        /* the walk goes by dates: where a clock was behind, it also has what both have */
        found = (strstr(git_commit_message(other), named) || same_patch(q, other)) &&
                git_graph_descendant_of(q->repository, git_commit_id(q->commit), as) != 1;
    }
    return found;
}

static bool answer(question *q, srv_repo_holding *out, GError **error) {
    GError *problem = NULL;
    git_oid as;
    if (on_branch(q, git_commit_id(q->commit))) {
        out->held = SRV_REPO_HELD;
        return true;
    }
    const bool picked = picked_from_branch(q, &as) || picked_on_branch(q, &as, &problem);
    if (problem) {
        g_propagate_error(error, problem);
        return false;
    }
    out->held = picked ? SRV_REPO_PICKED : SRV_REPO_LACKED;
    if (picked)
        git_oid_tostr(out->as, sizeof out->as, &as);
    return true;
}

bool srv_repo_contains(const char *mirror, const char *branch, const char *other,
                       const char *commit, srv_repo_holding *out, GError **error) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    g_autoptr(git_odb) objects = NULL;
    g_autoptr(git_commit) found = NULL;
    g_autofree char *ref = g_strconcat("refs/heads/", branch, NULL);
    g_autofree char *others = g_build_filename(other, "objects", NULL);
    git_oid id;
    *out = (srv_repo_holding){.held = SRV_REPO_UNKNOWN};
    if (!repository)
        return false;
    question q = {.repository = repository};
    if (git_reference_name_to_id(&q.head, repository, ref) < 0)
        return srv__repo_fail(error, NULL, "the branch has not been fetched yet");
    /* Its commits come from the other branch's mirror, for as long as this one is open. */
    if (git_repository_odb(&objects, repository) < 0 ||
        (g_file_test(others, G_FILE_TEST_IS_DIR) &&
         git_odb_add_disk_alternate(objects, others) < 0))
        return srv__repo_fail(error, NULL, "the other branch's commits cannot be read");
    if (git_oid_fromstr(&id, commit) < 0 || git_commit_lookup(&found, repository, &id) < 0)
        return true;
    q.commit = found;
    git_oid_tostr(q.sha, sizeof q.sha, &id);
    return answer(&q, out, error);
}
