#include "config/credential.h"
#include "config/projects.h"
#include "server/git/mirror.h"
#include "server/git/repo_internal.h"

#include <gio/gio.h>
#include <string.h>

enum {
    BRANCHES_NAMED = 8,  /* in "the repository has …" */
    LOOK_BYTES = 8 << 20 /* received between two looks at the disk */
};

static int watch_size(const git_indexer_progress *stats, void *payload) {
    srv__transfer *t = payload;
    const srv_repo_limits *limits = &t->source->limits;
    const uint64_t received = stats->received_bytes;
    if (t->stopped)
        return -1;
    if (limits->fetch_bytes > 0 && received > limits->fetch_bytes) {
        g_set_error(&t->stopped, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
                    "the repository sends more than %" G_GUINT64_FORMAT
                    " MiB at once; fetching was stopped (fetch_limit_bytes)",
                    limits->fetch_bytes >> 20);
        return -1;
    }
    if (received - t->looked_at_bytes < LOOK_BYTES)
        return 0;
    t->looked_at_bytes = received;
    return srv__mirror_room(t->mirror, limits->reserve_bytes, &t->stopped) ? 0 : -1;
}

/* "the repository has main, next, …": what a person needs to correct a branch name. */
static void name_branches(GString *text, const git_remote_head **heads, size_t n) {
    unsigned named = 0;
    for (size_t i = 0; i < n && named <= BRANCHES_NAMED; i++) {
        if (!g_str_has_prefix(heads[i]->name, "refs/heads/"))
            continue;
        const char *name = heads[i]->name + strlen("refs/heads/");
        if (!cfg_is_branch(name))
            continue;
        if (named++ < BRANCHES_NAMED)
            g_string_append_printf(text, "%s%s", named == 1 ? "" : ", ", name);
        else
            g_string_append(text, ", …");
    }
    if (named == 0)
        g_string_append(text, "no branches at all");
}

/* The branch that is where this one was last, when we saw it; NULL: there is none. */
static const char *renamed_to(git_repository *repository, const git_remote_head **heads, size_t n,
                              const char *ref) {
    git_oid last;
    const bool had = git_reference_name_to_id(&last, repository, ref) == 0;
    for (size_t i = 0; had && i < n; i++)
        if (g_str_has_prefix(heads[i]->name, "refs/heads/") &&
            git_oid_equal(&heads[i]->oid, &last) &&
            cfg_is_branch(heads[i]->name + strlen("refs/heads/")))
            return heads[i]->name + strlen("refs/heads/");
    return NULL;
}

static bool remote_head(git_repository *repository, const git_remote_head **heads, size_t n,
                        const char *branch, git_oid *out, GError **error) {
    g_autofree char *wanted = g_strconcat("refs/heads/", branch, NULL);
    for (size_t i = 0; i < n; i++)
        if (strcmp(heads[i]->name, wanted) == 0)
            return git_oid_cpy(out, &heads[i]->oid) == 0;
    g_autoptr(GString) text = g_string_new("");
    const char *renamed = renamed_to(repository, heads, n, wanted);
    name_branches(text, heads, n);
    if (renamed)
        g_string_append_printf(text, " (%s points to its last commit and may be its new name)",
                               renamed);
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "branch %s is not (or no longer) in the repository, which has %s; correct branch: "
        "or branches: in the project's file, or restore it",
        branch, text->str);
}

/* Some bytes of deltas stand for a file of any size; git may map so much and no more
 * (fetch_helper.c). */
static bool needs_memory(const git_error *last) {
    return last && (last->klass == GIT_ERROR_NOMEMORY ||
                    (last->message && strstr(last->message, "overly large object")));
}

bool srv__repo_download(git_remote *remote, srv__transfer *t, const GPtrArray *specs,
                        const git_fetch_options *base, GError **error) {
    git_strarray list = {(char **)specs->pdata, specs->len};
    if (git_remote_fetch(remote, &list, base, NULL) == 0)
        return true;
    if (t->stopped) {
        g_propagate_error(error, g_steal_pointer(&t->stopped));
        return false;
    }
    return needs_memory(git_error_last())
               ? srv__repo_fail(error, t->source->url,
                                "the repository cannot be fetched: a file in it needs more memory "
                                "than git has here (2 GiB) to unpack it; remove it from the "
                                "branch, if it is no attack")
               : srv__repo_fail(error, t->source->url, "fetching stopped");
}

/* NULL: git cannot. */
static git_revwalk *first_parents(git_repository *repository, const git_oid *from) {
    git_revwalk *walk = NULL;
    if (git_revwalk_new(&walk, repository) == 0 && git_revwalk_push(walk, from) == 0 &&
        git_revwalk_simplify_first_parent(walk) == 0)
        return walk;
    git_revwalk_free(walk);
    return NULL;
}

/* The branch was merged into another, and that one was pushed as the branch: nothing is lost, but
 * its nights are no longer on its first-parent line. */
static void count_left(git_repository *repository, const git_oid *before, const git_oid *after,
                       srv_repo_fetched *fetched) {
    g_autoptr(git_revwalk) line = first_parents(repository, after);
    g_autoptr(git_revwalk) old = first_parents(repository, before);
    g_autoptr(GHashTable) on = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    git_oid id = {{0}};
    int code = line && old ? 0 : GIT_ERROR;
    while (code == 0 && (code = git_revwalk_next(&id, line)) == 0 && !git_oid_equal(&id, before))
        g_hash_table_add(on, g_strdup(git_oid_tostr_s(&id)));
    if (code != GIT_ITEROVER) /* it is on the line, or nobody can say */
        return;
    while (git_revwalk_next(&id, old) == 0 && !g_hash_table_contains(on, git_oid_tostr_s(&id))) {
        g_autoptr(git_commit) commit = NULL;
        if (git_commit_lookup(&commit, repository, &id) == 0)
            fetched->left_s = git_commit_time(commit);
        fetched->left++;
    }
}

static void compare(git_repository *repository, const git_oid *before, bool had,
                    const git_oid *after, srv_repo_fetched *fetched) {
    fetched->changed = !had || !git_oid_equal(before, after);
    fetched->rewritten =
        had && fetched->changed && git_graph_descendant_of(repository, after, before) != 1;
    fetched->left = 0;
    fetched->left_s = 0;
    if (had && fetched->changed && !fetched->rewritten)
        count_left(repository, before, after, fetched);
    git_oid_tostr(fetched->head, sizeof fetched->head, after);
}

/* With the remote connected: what differs from the mirror is fetched. */
static bool bring(git_repository *repository, git_remote *remote, srv__transfer *t,
                  const git_fetch_options *options, void *data, GError **error) {
    const srv_repo_source *source = t->source;
    srv_repo_fetched *fetched = data;
    const git_remote_head **heads = NULL;
    size_t n = 0;
    git_oid after;
    git_oid before;
    g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
    if (git_remote_ls(&heads, &n, remote) < 0)
        return srv__repo_fail(error, t->source->url, "the repository's branches cannot be listed");
    if (!remote_head(repository, heads, n, source->branch, &after, error) ||
        !srv__tags_wanted(repository, heads, n, source->releases, specs, fetched->tags, error))
        return false;
    g_autofree char *ref = g_strconcat("refs/heads/", source->branch, NULL);
    bool had = git_reference_name_to_id(&before, repository, ref) == 0;
    if (!had || !git_oid_equal(&before, &after))
        g_ptr_array_add(specs, g_strdup_printf("+%s:%s", ref, ref));
    if (specs->len > 0 && !srv__repo_download(remote, t, specs, options, error))
        return false;
    compare(repository, &before, had, &after, fetched);
    return true;
}

bool srv__repo_connected(const char *mirror, const srv_repo_source *source, srv__repo_use use,
                         void *data, GError **error) {
    const char *url = source->url;
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    g_autoptr(git_remote) remote = NULL;
    if (!repository)
        return false;
    /* The address is the configured one: looking for url.*.insteadOf would leak, too (libgit2
     * before 1.6). */
    const git_remote_create_options from = {.version = GIT_REMOTE_CREATE_OPTIONS_VERSION,
                                            .repository = repository,
                                            .flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF};
    if (git_remote_create_with_opts(&remote, url, &from) < 0)
        return srv__repo_fail(error, url, "the repository's address is not valid");
    srv__transfer t = {.source = source, .mirror = mirror};
    git_fetch_options options;
    git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
    options.callbacks.credentials = srv__repo_credentials;
    options.callbacks.certificate_check = srv__repo_host_check;
    options.callbacks.transfer_progress = watch_size;
    options.callbacks.payload = &t;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
    options.prune = GIT_FETCH_PRUNE;
    options.proxy_opts.type = GIT_PROXY_AUTO;
    git_remote_connect_options connect;
    git_remote_connect_options_init(&connect, GIT_REMOTE_CONNECT_OPTIONS_VERSION);
    connect.callbacks = options.callbacks;
    connect.proxy_opts = options.proxy_opts;
    if (cfg_url_has_password(url)) {
        options.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
        connect.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
    }
    if (git_remote_connect_ext(remote, GIT_DIRECTION_FETCH, &connect) < 0) {
        if (t.stopped)
            git_error_set_str(GIT_ERROR_SSH, t.stopped->message);
        g_clear_error(&t.stopped);
        return srv__repo_fail(error, url, "the repository cannot be reached");
    }
    if (source->connected)
        source->connected();
    const bool good = use(repository, remote, &t, &options, data, error);
    g_clear_error(&t.stopped);
    return good;
}

static bool fetch_into(const char *mirror, const srv_repo_source *source, srv_repo_fetched *fetched,
                       GError **error) {
    return srv__repo_connected(mirror, source, bring, fetched, error);
}

/* From a mirror on this machine, with which the files of packs are shared. */
static bool fetch_near(const char *mirror, srv_repo_source near, srv_repo_fetched *fetched) {
    g_autoptr(git_repository) made = srv__repo_open(mirror, NULL);
    near.url = near.near;
    return made && srv__mirror_share(mirror, near.url) && fetch_into(mirror, &near, fetched, NULL);
}

/* Beside the old one, which stays when this fails; what changed is told against the old one. */
static bool fetch_anew(const char *mirror, const srv_repo_source *source, srv_repo_fetched *fetched,
                       GError **error) {
    g_autofree char *beside = srv__mirror_next(mirror);
    g_autofree char *ref = g_strconcat("refs/heads/", source->branch, NULL);
    g_autoptr(git_repository) old = srv__repo_open(mirror, error);
    git_oid before;
    const bool had = old && git_reference_name_to_id(&before, old, ref) == 0;
    bool good = old && fetch_into(beside, source, fetched, error);
    if (good && had) {
        g_autoptr(git_repository) new = srv__repo_open(beside, error);
        git_oid after;
        good = new &&git_oid_fromstr(&after, fetched->head) == 0;
        if (good)
            compare(new, &before, true, &after, fetched);
    }
    if (good) {
        srv__mirror_mark(beside);
        good = srv__mirror_replace(mirror, error);
    }
    if (!good)
        srv__mirror_forget(beside);
    return good;
}

static bool too_large(const srv_repo_source *source, uint64_t bytes, GError **error) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
                     "the mirror takes %" G_GUINT64_FORMAT " MiB even with this branch alone, and "
                     "%" G_GUINT64_FORMAT " are allowed; raise mirror_limit_bytes",
                     bytes >> 20, source->limits.mirror_bytes >> 20);
}

bool srv_repo_update(const char *mirror, const srv_repo_source *source, srv_repo_fetched *fetched,
                     GError **error) {
    const srv_repo_limits *limits = &source->limits;
    srv__mirror_sweep(mirror);
    if (!srv__repo_whole(source->url, error) ||
        !srv__mirror_room(mirror, limits->reserve_bytes, error))
        return false;
    const uint64_t bytes = limits->mirror_bytes > 0 ? srv__mirror_bytes(mirror) : 0;
    if (bytes <= limits->mirror_bytes)
        return (source->near && fetch_near(mirror, *source, fetched)) ||
               fetch_into(mirror, source, fetched, error);
    /* Fetched whole it held about as much: doing it again would change nothing. */
    const uint64_t whole = srv__mirror_marked(mirror);
    if (bytes <= whole + whole / 4)
        return too_large(source, bytes, error);
    return fetch_anew(mirror, source, fetched, error);
}
