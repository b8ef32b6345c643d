#pragma once
/*
 * auth - who may do what: tokens, stored as SHA-256 in data_dir/tokens.json (0600), shown once.
 *
 * A token is 32 random bytes behind "mwt_", so a fast hash is enough: there is nothing to guess.
 * The table is read at the start and again when the file has changed; comparing takes the same time
 * for every wrong token.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What a token may do; also what a route wants. */
typedef enum {
    SRV_SCOPE_NONE = 0, /* anybody */
    SRV_SCOPE_READ = 1 << 0,
    SRV_SCOPE_SUBMIT = 1 << 1,
    SRV_SCOPE_RUN = 1 << 2,
    SRV_SCOPE_ADMIN = 1 << 3,
    SRV_SCOPE_RUNNER = 1 << 4
} srv_scope;

typedef struct srv_auth srv_auth;

#define SRV_AUTH_FILE "tokens.json"

/** srv_auth_open - reads path when it is there. NULL with error: "FILE: what is wrong". */
srv_auth *srv_auth_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_auth_close(srv_auth *auth);

/** srv_auth_add_secret - a token that lives in a file of its own (the runner's); not saved. */
void srv_auth_add_secret(srv_auth *auth, const char *name, unsigned scopes, const char *token);

/**
 * srv_auth_check - what the bearer of an Authorization header may do ("Bearer T", or "Basic" with
 * the token as the password, so that a browser can ask for it). name  out: the token's name, owned
 * by the caller; left alone when unknown; may be NULL Returns srv_scope bits; SRV_SCOPE_NONE when
 * the header is NULL or the token unknown. admin has all but runner; run has submit and read;
 * submit has read. Thread-safe.
 */
unsigned srv_auth_check(srv_auth *auth, const char *authorization, char **name);

/**
 * srv_auth_create - makes a token and saves the file.
 * scopes  e.g. "read,run"
 * Returns the token (owned by the caller; shown to a person once), or NULL with error.
 */
char *srv_auth_create(srv_auth *auth, const char *name, const char *scopes, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_create_for - likewise, of the scope runner, for this node alone; NULL: the first that
 * uses it. */
char *srv_auth_create_for(srv_auth *auth, const char *name, const char *scopes, const char *node,
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

/** srv_auth_has - is there a token of this name? Thread-safe. */
bool srv_auth_has(srv_auth *auth, const char *name);

/** srv_auth_revoke - removes a token by name and saves. NOT_FOUND when there is none. */
bool srv_auth_revoke(srv_auth *auth, const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_list - [{"name","scopes","node" or null,"created_ms"}], owned by the caller; no hash in
 * it. */
json_t *srv_auth_list(srv_auth *auth);

/**
 * srv_auth_secret_file - the token in a file, made (0600) when it is not there.
 * Returns it, owned by the caller, or NULL with error.
 */
char *srv_auth_secret_file(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_auth_equal - constant-time comparison of n bytes. */
bool srv_auth_equal(const void *a, const void *b, size_t n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_auth, srv_auth_close)
