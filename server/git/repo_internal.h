#pragma once
/*
 * repo_internal - what the files around libgit2 share.
 */
#include "server/git/repo.h"
#include "server/ground/error.h"

#include <git2.h>
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h> /* git_error_set_str since libgit2 1.8 */
#endif
#include <glib.h>
#include <stdbool.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_repository, git_repository_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_remote, git_remote_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_commit, git_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_object, git_object_free)

/* srv__repo_fail - libgit2's last error as ours; url's user and password are cut out of it (NULL:
 * none was involved). Returns false. */
bool srv__repo_fail(GError **error, const char *url, const char *tried);

/* srv__repo_open - the mirror, made when it is not there; owned, NULL with error. */
git_repository *srv__repo_open(const char *mirror, GError **error);

/**
 * srv__tags_wanted - which of the remote's tags are to be fetched, and which of ours to go.
 * heads    [n] as the remote lists them
 * releases glob that the tags' names match; NULL: none do
 * specs    refspecs (char*, owned by it) are appended
 * state    out: the same as long as pattern, tags and what they point at are; "" when there are
 *          none
 * Tags that the remote does not have, or that do not match, are removed from the mirror. Error:
 * more than SRV_REPO_TAGS match, or GIT's.
 */
bool srv__tags_wanted(git_repository *repository, const git_remote_head **heads, size_t n,
                      const char *releases, GPtrArray *specs, char state[65],
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What one connection carries through libgit2's callbacks. */
typedef struct {
    const srv_repo_source *source;
    const char *mirror;
    unsigned credential_tries;
    uint64_t looked_at_bytes; /* when the free space was last looked at */
    GError *stopped;          /* why we ended it; NULL: we did not */
} srv__transfer;

/* What is done with a connected remote; data is the caller's. */
typedef bool (*srv__repo_use)(git_repository *repository, git_remote *remote,
                              srv__transfer *transfer, const git_fetch_options *options, void *data,
                              GError **error);

/* srv__repo_connected - opens the mirror, connects to the source, and has use do its work. */
bool srv__repo_connected(const char *mirror, const srv_repo_source *source, srv__repo_use use,
                         void *data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__repo_download - with the remote connected: fetches these refspecs (char*). */
bool srv__repo_download(git_remote *remote, srv__transfer *transfer, const GPtrArray *specs,
                        const git_fetch_options *base, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* libgit2's callbacks; payload is a srv__transfer. _credentials: the source's key, or ssh's agent.
 * _host_check: an ssh server has one of source->ssh_host_fingerprints, or stands in known_hosts. */
int srv__repo_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
                          void *payload);
int srv__repo_host_check(git_cert *certificate, int valid, const char *host, void *payload);

/*
 * repo_why - why libgit2 cannot read a repository, in words of the person who owns it.
 *
 * libgit2 names a missing configuration value where the owner is another user, and an invalid
 * packet where the repository is a shallow clone. What is known of such repositories is asked here
 * of their files, or of libgit2's words where only a server has the files.
 */

/**
 * srv__repo_whole - false with error in G_IO_ERROR when url is a path on this machine that is not
 * there, or a shallow clone, whose history libgit2 would take for the whole.
 */
bool srv__repo_whole(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__repo_why - after libgit2 could not read url.
 * url   a path or address of a repository, or the path of a mirror
 * last  libgit2's words
 * Returns what is the matter and what to do about it, the caller's; NULL: nothing is known.
 */
char *srv__repo_why(const char *url, const char *last) G_GNUC_WARN_UNUSED_RESULT;

/*
 * repo_answer - what the lines of fetch.h ask, answered with libgit2. srv_repo_init comes first.
 */

/* srv__repo_answer - request: borrowed. connected: called when a host that is asked for it has
 * answered; may be NULL. The answer, owned, or NULL with error (its sentence). */
json_t *srv__repo_answer(json_t *request, void (*connected)(void),
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
