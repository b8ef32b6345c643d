#pragma once
/*
 * github_call - one call of GitHub's REST API, as a rule's token or GitHub App.
 *
 * An App proves itself with a JWT, ten minutes at most, and gets a token of the rule's repository
 * for an hour (docs.github.com: authenticating as a GitHub App installation). Tokens are kept in
 * memory until shortly before they expire. A clock that is wrong by more than GitHub allows is
 * found by the Date of its answer.
 */
#include "config/config.h"
#include "server/notify/notify_message.h"

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

/**
 * srv__github_call - blocking.
 * path  behind /repos/owner/name/
 * body  taken over; NULL: none
 * Returns the answer's JSON or NULL; out says how it went. A token that GitHub no longer takes is
 * fetched anew, once.
 */
json_t *srv__github_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out);

/* github_tokens - what GitHub Apps were given, kept in memory until it expires. Thread-safe. */

typedef struct srv_github_tokens srv_github_tokens;

srv_github_tokens *srv_github_tokens_new(void);
void srv_github_tokens_free(srv_github_tokens *tokens);

/**
 * srv_github_token_kept - the token of this rule's App and repository, if it is still good.
 * tokens  NULL: none are kept
 * now_s   Unix time by our clock
 * skew_s  out, in any case: GitHub's clock minus ours as far as is known
 * Returns it for srv_github_token_free, or NULL.
 */
char *srv_github_token_kept(srv_github_tokens *tokens, const cfg_notify *rule, int64_t now_s,
                            int64_t *skew_s);

/* srv_github_token_keep - text: NULL when the one before is good no longer; expires_s: Unix time by
 * GitHub's clock. */
void srv_github_token_keep(srv_github_tokens *tokens, const cfg_notify *rule, const char *text,
                           int64_t expires_s, int64_t skew_s);

/* srv_github_token_free - overwrites it first. NULL is fine. */
void srv_github_token_free(char *text);

/*
 * jwt - JSON web tokens signed with RSA (RS256), as GitHub Apps prove who they are. With https
 * listening, one of the daemon's two users of GnuTLS itself.
 */

/**
 * srv_jwt_sign - header.claims.signature, each in base64url. RFC 7515, 7518.
 * key  PEM, RSA, PKCS#1 or PKCS#8
 * Returns the token, caller frees; NULL with error (G_IO_ERROR): the key cannot be used. No part
 * of the key is in the error's text.
 */
char *srv_jwt_sign(const char *key, gsize key_size, const json_t *claims,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
