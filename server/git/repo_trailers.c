#include "server/git/repo.h"
#include "server/git/repo_internal.h"
#include "server/ground/fields.h"

#include <string.h>

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
    g_autofree char *message = srv__repo_text(commit, git_commit_message(commit));
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

/* The commit itself, and what came with it when it is a merge. */
static bool commits_read(search *s, const char *sha, GError **error) {
    g_autoptr(git_revwalk) walk = NULL;
    g_autoptr(git_commit) first = NULL;
    git_oid id;
    if (git_oid_fromstr(&id, sha) < 0 || git_commit_lookup(&first, s->repository, &id) < 0)
        return srv__repo_fail(error, NULL, "a commit of the branch cannot be read");
    message_read(s, first);
    if (git_commit_parentcount(first) < 2)
        return true;
    if (git_revwalk_new(&walk, s->repository) < 0 || git_revwalk_push(walk, &id) < 0 ||
        git_revwalk_hide(walk, git_commit_parent_id(first, 0)) < 0)
        return srv__repo_fail(error, NULL, "the commits of a merge cannot be read");
    git_oid merged;
    for (int n = 0; n < SRV_REPO_MERGED && git_revwalk_next(&merged, walk) == 0; n++) {
        g_autoptr(git_commit) commit = NULL;
        if (git_oid_equal(&merged, &id))
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
