#include "server/git/repo.h"

#include "config/credential.h"
#include "server/git/nights.h"
#include "server/git/repo_internal.h"
#include "server/git/repo_name.h"
#include "server/ground/fields.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>

enum { ENCODING_MAX = 40 /* bytes of the name of one */ };

void srv_repo_commit_clear(srv_repo_commit *commit) {
    g_clear_pointer(&commit->author, g_free);
    g_clear_pointer(&commit->author_email, g_free);
    g_clear_pointer(&commit->subject, g_free);
}

bool srv__repo_fail(GError **error, const char *url, const char *tried) {
    const git_error *last = git_error_last();
    const char *text = last && last->message ? last->message : "no reason given";
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autofree char *redacted = cfg_url_hide(valid, url ? url : "");
    g_autofree char *why = url ? srv__repo_why(url, redacted) : NULL;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", tried, why ? why : redacted);
}

bool srv_repo_init(const char *config_dir, GError **error) {
    int levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
                    GIT_CONFIG_LEVEL_PROGRAMDATA};
    bool ok = git_libgit2_init() >= 0;
    for (size_t i = 0; ok && i < G_N_ELEMENTS(levels); i++)
        ok = git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], config_dir) == 0;
    ok = ok && git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)(32 << 20)) == 0 &&
         git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)(16 << 20)) == 0 &&
         git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)(128 << 20)) == 0 &&
         git_libgit2_opts(GIT_OPT_SET_MWINDOW_FILE_LIMIT, (size_t)64) == 0;
    return ok || srv__repo_fail(error, NULL, "libgit2 cannot be initialised");
}

git_repository *srv__repo_open(const char *mirror, GError **error) {
    git_repository *repository = NULL;
    struct stat there;
    if (stat(mirror, &there) == 0) {
        if (git_repository_open_bare(&repository, mirror) < 0)
            srv__repo_fail(error, mirror,
                           "the mirror cannot be opened (remove its folder to fetch it again)");
        return repository;
    }
    if (g_mkdir_with_parents(mirror, 0700) != 0)
        return SRV__NULL(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot create %s: %s",
                         mirror, g_strerror(errno));
    if (git_repository_init(&repository, mirror, 1) < 0)
        srv__repo_fail(error, NULL, "the mirror cannot be created");
    return repository;
}

GArray *srv_repo_line(const char *mirror, const char *branch, size_t limit, GError **error) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    g_autoptr(git_revwalk) walk = NULL;
    if (!repository)
        return NULL;
    g_autofree char *ref = g_strconcat("refs/heads/", branch, NULL);
    if (git_revwalk_new(&walk, repository) < 0 || git_revwalk_push_ref(walk, ref) < 0 ||
        git_revwalk_simplify_first_parent(walk) < 0) {
        srv__repo_fail(error, NULL, "the branch's history cannot be read");
        return NULL;
    }
    g_autoptr(GArray) line = g_array_new(FALSE, TRUE, sizeof(srv_nights_commit));
    git_oid id;
    int code = 0;
    while (line->len < limit && (code = git_revwalk_next(&id, walk)) == 0) {
        g_autoptr(git_commit) commit = NULL;
        if (git_commit_lookup(&commit, repository, &id) < 0) {
            srv__repo_fail(error, NULL, "a commit of the branch cannot be read");
            return NULL;
        }
        srv_nights_commit item = {.time_s = git_commit_time(commit)};
        git_oid_tostr(item.sha, sizeof item.sha, &id);
        g_array_append_val(line, item);
    }
    if (code < 0 && code != GIT_ITEROVER) {
        srv__repo_fail(error, NULL, "the branch's history cannot be read");
        return NULL;
    }
    return g_steal_pointer(&line);
}

/* A stranger's word, which iconv would take for a path or an option with other characters. */
static bool is_name(const char *encoding) {
    const size_t length = strspn(encoding, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789-_.:+");
    return length > 0 && length <= ENCODING_MAX && encoding[length] == '\0';
}

/* of a commit, recoded from the encoding that the commit names, as it is where
 * that is unknown or wrong; the caller's, NULL when text is. */
static char *repo_text(const git_commit *commit, const char *text) {
    const char *encoding = git_commit_message_encoding(commit);
    char *converted = text && encoding && is_name(encoding)
                          ? g_convert(text, -1, "UTF-8", encoding, NULL, NULL, NULL)
                          : NULL;
    return converted ? converted : g_strdup(text);
}

static char *tidy_text(const git_commit *commit, const char *text, glong limit) {
    g_autofree char *converted = repo_text(commit, text);
    return srv__line_tidy(converted, limit);
}

bool srv_repo_describe(const char *mirror, const char *commit, srv_repo_commit *out,
                       GError **error) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    if (!repository)
        return false;
    g_autoptr(git_commit) found = NULL;
    if (!srv_repo_commit_check(commit))
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "a commit id has 7 to 40 hexadecimal digits");
    git_oid id;
    int code = git_oid_fromstrn(&id, commit, strlen(commit));
    if (code == 0)
        code = git_commit_lookup_prefix(&found, repository, &id, strlen(commit));
    if (code == GIT_EAMBIGUOUS)
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "more than one commit starts with %s; give more digits", commit);
    if (code < 0)
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         "commit %s is not on the watched branch as last fetched", commit);
    git_oid_tostr(out->sha, sizeof out->sha, git_commit_id(found));
    out->author = tidy_text(found, git_commit_author(found)->name, SRV__AUTHOR_CHARS);
    out->author_email = tidy_text(found, git_commit_author(found)->email, SRV__AUTHOR_CHARS);
    if (git_commit_parentcount(found) > 0)
        git_oid_tostr(out->parent, sizeof out->parent, git_commit_parent_id(found, 0));
    out->subject = tidy_text(found, git_commit_summary(found), SRV__SUBJECT_CHARS);
    out->time_ms = (int64_t)git_commit_time(found) * 1000;
    return true;
}

#define TRAILER "Overhead-Expected"

typedef struct {
    git_repository *repository;
    GArray *found; /* srv_repo_trailer */
    int64_t place;
} search;

static void trailer_clear(void *data) {
    g_free(((srv_repo_trailer *)data)->text);
}

static void message_read(search *s, const git_commit *commit) {
    git_message_trailer_array all = {NULL, 0, NULL};
    g_autofree char *message = repo_text(commit, git_commit_message(commit));
    if (git_message_trailers(&all, message) < 0)
        return;
    for (size_t i = 0; i < all.count && s->found->len < SRV_REPO_TRAILERS; i++) {
        if (g_ascii_strcasecmp(all.trailers[i].key, TRAILER) != 0)
            continue;
        srv_repo_trailer trailer = {
            .text = srv__line_tidy(all.trailers[i].value, SRV_REPO_TRAILER_MAX), .place = s->place};
        git_oid_tostr(trailer.sha, sizeof trailer.sha, git_commit_id(commit));
        g_array_append_val(s->found, trailer);
    }
    git_message_trailer_array_free(&all);
}

/* The commit itself, and what came with it when it is a merge. The walk goes by dates: where a
 * clock was behind, it also has what was there before, and the graph decides. */
static bool commits_read(search *s, const char *sha, GError **error) {
    g_autoptr(git_revwalk) walk = NULL;
    g_autoptr(git_commit) first = NULL;
    git_oid id;
    if (git_oid_fromstr(&id, sha) < 0 || git_commit_lookup(&first, s->repository, &id) < 0)
        return srv__repo_fail(error, NULL, "a commit of the branch cannot be read");
    message_read(s, first);
    if (git_commit_parentcount(first) < 2)
        return true;
    const git_oid *before = git_commit_parent_id(first, 0);
    if (git_revwalk_new(&walk, s->repository) < 0 || git_revwalk_push(walk, &id) < 0 ||
        git_revwalk_hide(walk, before) < 0)
        return srv__repo_fail(error, NULL, "the commits of a merge cannot be read");
    git_oid merged;
    for (int n = 0; n < SRV_REPO_MERGED && git_revwalk_next(&merged, walk) == 0; n++) {
        g_autoptr(git_commit) commit = NULL;
        if (git_oid_equal(&merged, &id) ||
            git_graph_descendant_of(s->repository, before, &merged) == 1)
            continue;
        if (git_commit_lookup(&commit, s->repository, &merged) < 0)
            return srv__repo_fail(error, NULL, "a merged commit cannot be read");
        message_read(s, commit);
    }
    return true;
}

GArray *srv_repo_trailers(const char *mirror, const srv_nights_commit *line, size_t n,
                          const char *known, GError **error) {
    g_autoptr(git_repository) repository = srv__repo_open(mirror, error);
    if (!repository)
        return NULL;
    g_autoptr(GArray) found = g_array_new(FALSE, TRUE, sizeof(srv_repo_trailer));
    g_array_set_clear_func(found, trailer_clear);
    search s = {repository, found, 0};
    for (size_t i = 0; i < n && i < SRV_REPO_TRAILED; i++) {
        if (known && strcmp(line[i].sha, known) == 0)
            break;
        s.place = (int64_t)(n - i);
        if (!commits_read(&s, line[i].sha, error))
            return NULL;
    }
    return g_steal_pointer(&found);
}
