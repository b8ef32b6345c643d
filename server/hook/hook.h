#pragma once
/*
 * hook - what a webhook says, read from its headers and body; pure functions of their arguments.
 *
 * Providers: github, gitea (Forgejo, Gogs), gitlab, jenkins (Notification plugin), generic. What
 * comes is a stranger's: nothing here trusts a length, a type or a text of it.
 */
#include "server/store/store.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* The words stand in the address. */
#define SRV_HOOK_PROVIDERS(X)                                                                      \
    X(GITHUB, "github")                                                                            \
    X(GITEA, "gitea")                                                                              \
    X(GITLAB, "gitlab")                                                                            \
    X(JENKINS, "jenkins")                                                                          \
    X(GENERIC, "generic")
#define SRV_HOOK_PROVIDER(name, word) SRV_HOOK_##name,
typedef enum { SRV_HOOK_PROVIDERS(SRV_HOOK_PROVIDER) } srv_hook_provider;
#define SRV_HOOK_WORD(name, word) word,

typedef enum {
    SRV_HOOK_PING,   /* they try whether we are there */
    SRV_HOOK_COMMIT, /* measure this commit if it is on the watched branch */
    SRV_HOOK_PULL,   /* a pull or merge request: pull says what */
    SRV_HOOK_ISSUE,  /* an issue was closed or opened again: pull says which, and what that means */
    SRV_HOOK_IGNORED, /* well-formed, but nothing to do: reason says why */
} srv_hook_kind;

typedef struct {
    srv_hook_kind kind;
    char *sha;       /* 40 or 64 lower-case hex digits; COMMIT, PULL ("": of a comment) */
    char *branch;    /* NULL: not said (generic, jenkins): the project's; PULL: the target */
    GPtrArray *urls; /* addresses of the repository, as sent; may be empty */
    char *reason;    /* IGNORED: a sentence */
    /* PULL: {"action": "opened", "labels", "comment" or "closed", "number", "head", "ref", "fork",
     * "title", "author", "url", "labels", "labels_set", "comment", "by_maintainer", "queue": of a
     * merge queue}; what is not said is left out. ISSUE: {"action": "issue", "number",
     * "repository": "owner/name", "author", "state": of an alert, "reason"} */
    json_t *pull;
} srv_hook;
void srv_hook_clear(srv_hook *hook);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_hook, srv_hook_clear)

/** srv_hook_provider_of - by its name in the address; false: there is none of that name. */
bool srv_hook_provider_of(const char *name, srv_hook_provider *provider);

/** srv_hook_lookup - a header by lower-case name; NULL: absent. */
typedef const char *(*srv_hook_lookup)(const void *user, const char *name);

/**
 * srv_hook_signed - is the body signed (github, gitea, jenkins, generic: HMAC-SHA256 over the raw
 * bytes) or the token sent (gitlab, jenkins) right for this secret? In constant time; before
 * anything is parsed. sha1 signatures are not looked at. token   jenkins: what the address carries
 * as ?token=, NULL: nothing Returns false with error (G_IO_ERROR_PERMISSION_DENIED) saying what was
 * expected.
 */
bool srv_hook_signed(srv_hook_provider provider, const char *secret, GBytes *body,
                     srv_hook_lookup header, const void *user, const char *token,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_hook_delivery - what names this delivery, to be taken once: the provider's id, else the hash
 * of the body. Caller frees.
 */
char *srv_hook_delivery(srv_hook_provider provider, GBytes *body, srv_hook_lookup header,
                        const void *user) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_hook_body - the JSON object in a body: itself, or the payload= of a form (GitHub).
 * Returns it, owned by the caller, or NULL with error (G_IO_ERROR_INVALID_ARGUMENT).
 */
json_t *srv_hook_body(GBytes *body, const char *content_type,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_hook_read - what it says.
 * hook  out; clear it, also after an error
 * Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) naming the key that is missing or wrong.
 */
bool srv_hook_read(srv_hook_provider provider, json_t *body, srv_hook_lookup header,
                   const void *user, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_hook_same_repository - do two addresses name one repository (scheme, user, .git aside)? */
bool srv_hook_same_repository(const char *a, const char *b);

/*
 * delivery - webhooks that were taken in: each once, kept until its commit has been queued.
 *
 * A delivery is (provider, id, project). It waits until the poller has fetched the commit, or given
 * it up; then it is only remembered.
 */

typedef struct {
    const char *provider;
    const char *id; /* the provider's, or the body's hash */
    const char *project;
    const char *sha;
    const char *pull; /* what it says of a pull request, JSON (hook.h); NULL: it is of a commit */
    bool fresh;       /* out: not known before */
} srv_delivery;

/**
 * srv_delivery_take - many at once, in one transaction: what is acknowledged is on disk.
 * deliveries  [srv_delivery*], their texts borrowed
 * Returns false with error; then none is taken. NOT_FOUND: a project is not there.
 */
bool srv_delivery_take(srv_store *store, const GPtrArray *deliveries,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_DELIVERY_PAGE 1000 /* so many are read at once */
