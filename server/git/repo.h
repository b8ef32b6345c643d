#pragma once
/*
 * repo - bare mirrors of the watched repositories, through libgit2.
 *
 * Runs in the fetch helper's process only: nothing here has a deadline of its own, and a hostile
 * repository may make it slow, large or dead without harm to the daemon. Errors are GIT's, in
 * G_IO_ERROR, as sentences for the project's page; addresses in them carry no password.
 */
#include "server/git/nights.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char sha[41];
    char *author; /* valid UTF-8, one line, bounded */
    char *author_email;
    char *subject;   /* likewise */
    char parent[41]; /* first parent's id, empty: none */
    int64_t time_ms;
} srv_repo_commit;
void srv_repo_commit_clear(srv_repo_commit *commit);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_repo_commit, srv_repo_commit_clear)

typedef struct {
    char head[41];
    bool changed;   /* the branch's head differs from what the mirror had */
    bool rewritten; /* the old head is no longer part of the branch */
    unsigned
        left; /* commits of the old first-parent line, all merged, that are not on the new one */
    int64_t left_s; /* when the first of them was committed */
    char tags[65];  /* differs when the releases do; empty: there are none */
} srv_repo_fetched;

typedef struct {
    char *name;
    char sha[41]; /* of the commit */
} srv_repo_tag;

/**
 * srv_repo_init - sets libgit2's global limits and cuts it off from every configuration file but
 * those in config_dir. Call once, before anything else here. Returns false with error.
 */
bool srv_repo_init(const char *config_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What one may take of the disk; 0: as much as it likes. */
typedef struct {
    uint64_t fetch_bytes;   /* sent at once */
    uint64_t mirror_bytes;  /* a mirror that holds more is fetched anew */
    uint64_t reserve_bytes; /* that stay free */
} srv_repo_limits;

/* What is wanted of a repository. */
typedef struct {
    const char *url, *branch; /* checked names (repo_name.h) */
    const char *near;     /* a mirror of the same branch that was fetched just now; NULL: none */
    const char *releases; /* glob of the tags that are releases; NULL: none */
    const char *ssh_key_file;                 /* private key; NULL: ssh's agent is asked */
    const char *const *ssh_host_fingerprints; /* "SHA256:…", any of them; NULL: known_hosts */
    srv_repo_limits limits;
    void (*connected)(void); /* called when the host has answered; NULL: nobody wants to know */
} srv_repo_source;

/* So many tags may match. */
#define SRV_REPO_TAGS 1000

/**
 * srv_repo_update - asks the remote for the branch's head and its tags, fetches what is new.
 * mirror  path of the bare mirror; made (0700) when it is not there, made anew when it holds more
 *         than it may: what was pushed away by force is gone then
 * With near the remote is not asked, unless near cannot be read.
 */
bool srv_repo_update(const char *mirror, const srv_repo_source *source, srv_repo_fetched *fetched,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_repo_tags - the mirror's tags and the commits they name, by name.
 * Returns GArray of srv_repo_tag (names are freed with it), or NULL with error.
 */
GArray *srv_repo_tags(const char *mirror, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_repo_line - first-parent commits of a branch, newest first.
 * limit  older ones beyond it are left out
 * Returns GArray of srv_nights_commit, or NULL with error.
 */
GArray *srv_repo_line(const char *mirror, const char *branch, size_t limit,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_REPO_TRAILERS 1000   /* so many are read at once */
#define SRV_REPO_TRAILER_MAX 400 /* characters of each */
#define SRV_REPO_TRAILED 2000    /* so far back it is looked for them */
#define SRV_REPO_MERGED 2000     /* so many commits of one merge are looked at */

typedef struct {
    char sha[41]; /* of the commit that says so */
    char *text;
    int64_t place; /* of the first-parent commit it came with, from 1 */
} srv_repo_trailer;

/**
 * srv_repo_trailers - what commits say with Overhead-Expected:, newest first.
 * line   [n] the branch's whole first-parent line
 * known  commits from this one on back were read before; NULL: none were
 * Returns GArray of srv_repo_trailer (texts are freed with it), or NULL with error.
 */
GArray *srv_repo_trailers(const char *mirror, const srv_nights_commit *line, size_t n,
                          const char *known, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_repo_describe - one commit by full or abbreviated id.
 * out  filled on success, clear it afterwards
 */
bool srv_repo_describe(const char *mirror, const char *commit, srv_repo_commit *out,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Where a commit and a branch parted. */
typedef struct {
    char sha[41];       /* empty: there is none, and reason says why */
    const char *reason; /* a sentence, static; NULL: there is one */
} srv_repo_base;

/**
 * srv_repo_merge_base - of a commit and the source's branch, as the mirror has it; fetches the
 * commit when it is not there.
 * head  full id
 * ref   where it is fetched from, such as refs/pull/7/head; NULL: whatever branch or pull request
 *       has it as its tip
 * Returns false with error: the repository cannot be asked; NOT_FOUND: it has no such commit (yet).
 */
bool srv_repo_merge_base(const char *mirror, const srv_repo_source *source, const char *head,
                         const char *ref, srv_repo_base *out,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Which files count, NULL-ended lists of patterns as git has them; NULL: all do, none is left out.
 */
typedef struct {
    const char *const *only, *const *but;
} srv_repo_paths;

/* What two commits differ in. */
typedef struct {
    size_t files; /* so many */
    bool touched; /* one of them counts */
    char *idle;   /* `"a", "b"`: patterns that no file of the later commit matches; NULL: all do */
} srv_repo_touch;

/**
 * srv_repo_touches - do two commits differ in a file that counts?
 * before, after  full ids, both in the mirror
 * out            its idle is the caller's
 */
bool srv_repo_touches(const char *mirror, const char *before, const char *after,
                      const srv_repo_paths *paths, srv_repo_touch *out,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_repo_same - have two commits the same files? False also where one is not in the mirror. */
bool srv_repo_same(const char *mirror, const char *a, const char *b);

/** srv_repo_ref_check - a pull or merge request's ref, or a branch's. */
bool srv_repo_ref_check(const char *ref);

typedef enum {
    SRV_REPO_UNKNOWN, /* nobody has the commit any more */
    SRV_REPO_HELD,
    SRV_REPO_PICKED, /* under another id */
    SRV_REPO_LACKED
} srv_repo_held;

typedef struct {
    srv_repo_held held;
    char as[41]; /* the id under which it was picked; empty: it was not */
} srv_repo_holding;

/**
 * srv_repo_contains - does a branch have a commit of another branch? It has, when the commit is in
 * its history; when one of its own commits, or this one, says "cherry picked from commit" of the
 * other; or when one with the same subject, or author and time, has the same patch.
 * mirror, branch  who is asked; other: mirror of the branch that the commit is of
 * commit          full id
 */
bool srv_repo_contains(const char *mirror, const char *branch, const char *other,
                       const char *commit, srv_repo_holding *out,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
