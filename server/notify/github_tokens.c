#include "server/notify/github_tokens.h"

#include <pthread.h>
#include <string.h>

#define TOKEN_MARGIN_S 60 /* a token is not used in its last minute */

typedef struct {
    char *text;
    int64_t expires_s; /* Unix time by GitHub's clock */
    int64_t skew_s;    /* GitHub's clock minus ours */
} token;

struct srv_github_tokens {
    pthread_mutex_t lock;
    GHashTable *by_rule; /* char* → token* */
};

void srv_github_token_free(char *text) {
    if (text)
        explicit_bzero(text, strlen(text));
    g_free(text);
}

static void token_free(void *pointer) {
    token *one = pointer;
    srv_github_token_free(one->text);
    g_free(one);
}

srv_github_tokens *srv_github_tokens_new(void) {
    srv_github_tokens *tokens = g_new0(srv_github_tokens, 1);
    pthread_mutex_init(&tokens->lock, NULL);
    tokens->by_rule = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, token_free);
    return tokens;
}

void srv_github_tokens_free(srv_github_tokens *tokens) {
    if (!tokens)
        return;
    g_hash_table_unref(tokens->by_rule);
    pthread_mutex_destroy(&tokens->lock);
    g_free(tokens);
}

static char *key_of(const cfg_notify *rule) {
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s %s", rule->app_id, rule->url,
                           rule->repository);
}

char *srv_github_token_kept(srv_github_tokens *tokens, const cfg_notify *rule, int64_t now_s,
                            int64_t *skew_s) {
    char *text = NULL;
    *skew_s = 0;
    if (!tokens)
        return NULL;
    g_autofree char *key = key_of(rule);
    pthread_mutex_lock(&tokens->lock);
    const token *one = g_hash_table_lookup(tokens->by_rule, key);
    if (one) {
        *skew_s = one->skew_s;
        if (one->text && now_s + one->skew_s < one->expires_s - TOKEN_MARGIN_S)
            text = g_strdup(one->text);
    }
    pthread_mutex_unlock(&tokens->lock);
    return text;
}

void srv_github_token_keep(srv_github_tokens *tokens, const cfg_notify *rule, const char *text,
                           int64_t expires_s, int64_t skew_s) {
    if (!tokens)
        return;
    token *one = g_new0(token, 1);
    *one = (token){.text = g_strdup(text), .expires_s = expires_s, .skew_s = skew_s};
    pthread_mutex_lock(&tokens->lock);
    g_hash_table_replace(tokens->by_rule, key_of(rule), one);
    pthread_mutex_unlock(&tokens->lock);
}
