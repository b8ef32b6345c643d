#pragma once
/*
 * auth - who may do what: tokens, stored as SHA-256 in data_dir/tokens.json (0600), shown once.
 *
 * A token is 32 random bytes behind "mwt_", so a fast hash is enough: there is nothing to guess.
 * The table is read at the start and again when the file has changed; comparing takes the same time
 * for every wrong token.
 */
#include "config/config.h"
#include "server/ground/auth_table.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct srv_auth srv_auth;

#define SRV_AUTH_FILE "tokens.json"

/** srv_auth_open - reads path when it is there. NULL with error: "FILE: what is wrong". */
srv_auth *srv_auth_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_auth_close(srv_auth *auth);

/** srv_auth_add_secret - a token that lives in a file of its own (the runner's); not saved. */
void srv_auth_add_secret(srv_auth *auth, const char *name, unsigned scopes, const char *token);

/* What a header proves. */
typedef struct {
    char *name;         /* of the token; NULL: unknown */
    char *key;          /* of the secret that was shown, for srv_auth_lives; never to be logged */
    char **projects;    /* it is for these alone; NULL: for any */
    unsigned scopes;    /* admin has all but runner; run has submit and read; submit has read */
    int64_t expired_ms; /* when it expired, and then it has no scope; 0: it is good */
    bool first;         /* of this hour: srv_auth_save_uses is due */
} srv_auth_grant;

void srv_auth_grant_clear(srv_auth_grant *grant);

/**
 * srv_auth_check - what the bearer of an Authorization header may do ("Bearer T", or "Basic" with
 * the token as the password, so that a browser can ask for it).
 * grant   out: what is proved, to be cleared; nothing when the header is NULL; may be NULL
 * Returns srv_scope bits; SRV_SCOPE_NONE when the token is unknown or expired. Notes the hour of
 * its use. Thread-safe.
 */
unsigned srv_auth_check(srv_auth *auth, const char *authorization, int64_t now_ms,
                        srv_auth_grant *grant);

/** srv_auth_grants - is there a token with this scope that has not expired? Thread-safe. */
bool srv_auth_grants(srv_auth *auth, srv_scope scope, int64_t now_ms);

/** srv_auth_save_uses - writes the hours of last uses down. Thread-safe, waits for commands beside
 * the daemon. */
bool srv_auth_save_uses(srv_auth *auth, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A token as it is wished for. */
typedef struct {
    const char *name, *scopes;   /* scopes: "read,run" */
    const char *node;            /* scope runner: its node alone; NULL: the first that uses it */
    const char *const *projects; /* it is for these alone, not for runners; NULL: for any */
    int64_t expires_ms;          /* 0: never */
} srv_auth_wish;

/**
 * srv_auth_create - makes a token and saves the file.
 * Returns the token (owned by the caller; shown to a person once), or NULL with error.
 */
char *srv_auth_create(srv_auth *auth, const srv_auth_wish *wish, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_auth_rotate - another secret for the token of this name; saves.
 * grace_ms    the old one stays good for so long, 0: not at all; one that was rotated before ends
 * expires_ms  0: the span that it was made for begins anew, if there was one
 * Returns the new one as srv_auth_create does, or NULL with error.
 */
char *srv_auth_rotate(srv_auth *auth, const char *name, int64_t grace_ms, int64_t expires_ms,
                      int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_AUTH_ANY_NODE "*"

/** srv_auth_bind - from now on the runner's token of this name speaks for this node, or for any
 * (SRV_AUTH_ANY_NODE), whatever it was bound to; saves. Not locked: auth_lock.h. */
bool srv_auth_bind(srv_auth *auth, const char *name, const char *node,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_auth_bind_first - a runner's token that was made for no node is bound to the first one that
 * shows it. bound  out: it was now. False with error when that cannot be saved. Thread-safe.
 */
bool srv_auth_bind_first(srv_auth *auth, const char *name, const char *node, bool *bound,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_node - the only node that a token speaks for, the caller's; NULL: any. Thread-safe. */
char *srv_auth_node(srv_auth *auth, const char *name);

/** srv_auth_serves - may a runner with the token of this name speak for the node? Thread-safe. */
bool srv_auth_serves(srv_auth *auth, const char *name, const char *node);

/** srv_auth_lives - is the secret that was shown (grant's key) still good? Thread-safe. */
bool srv_auth_lives(srv_auth *auth, const char *key, int64_t now_ms);

/** srv_auth_revoke - removes a token by name and saves. NOT_FOUND when there is none. */
bool srv_auth_revoke(srv_auth *auth, const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_list - [{"name","scopes","node","projects","created_ms","rotated_ms","expires_ms",
 * "used_ms","old_until_ms"}], null where there is none; owned by the caller; no hash in it.
 * Thread-safe. */
json_t *srv_auth_list(srv_auth *auth);

/**
 * srv_auth_secret_file - the token in a file, made (0600) when it is not there.
 * Returns it, owned by the caller, or NULL with error.
 */
char *srv_auth_secret_file(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_equal - constant-time comparison of n bytes. */
bool srv_auth_equal(const void *a, const void *b, size_t n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_auth, srv_auth_close)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_auth_grant, srv_auth_grant_clear)

/*
 * identities - jobs of forges: a token that GitHub or GitLab signs for a job (OpenID Connect,
 * RS256) is looked at once, and exchanged for an ordinary token of minutes. No secret is kept at
 * the forge.
 */
typedef struct srv_identities srv_identities;

#define SRV_IDENTITY_PREFIX "job-" /* of the names of such tokens */

/* What an https address answers, owned; NULL with error. */
typedef char *(*srv_identity_fetch)(const char *url, GError **error);

/** srv_identities_new - by the rules of config, which is borrowed. fetch NULL: over the network. */
srv_identities *srv_identities_new(const cfg_server *config, srv_identity_fetch fetch);
void srv_identities_free(srv_identities *all);

/**
 * srv_identity_check - which rule this signed token fits, borrowed. The issuer's keys are fetched
 * where they are not known, and kept for an hour. NULL with error: PERMISSION_DENIED says what does
 * not fit, NOT_CONNECTED that the keys cannot be had. Thread-safe; waits for the issuer.
 */
const cfg_identity *srv_identity_check(srv_identities *all, const char *text, int64_t now_ms,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_identity_token - a token with the rule's rights, as srv_auth_create; those that are over
 * are removed. Thread-safe, waits for commands beside the daemon. */
char *srv_identity_token(srv_auth *auth, const cfg_identity *rule, int64_t now_ms,
                         int64_t *expires_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
