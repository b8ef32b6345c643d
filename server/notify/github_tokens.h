#pragma once
/* github_tokens - what GitHub Apps were given, kept in memory until it expires. Thread-safe. */

typedef struct srv_github_tokens srv_github_tokens;

srv_github_tokens *srv_github_tokens_new(void);
void srv_github_tokens_free(srv_github_tokens *tokens);
