#pragma once
/* github_tokens - what GitHub Apps were given, kept in memory until it expires. Thread-safe. */
#include "config/config.h"

#include <stdint.h>

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
