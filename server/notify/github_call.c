#include "config/json_text.h"
#include "server/ground/error.h"
#include "server/ground/thread.h"
#include "server/notify/notify_deliver.h"

#include <gio/gio.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* RFC 7515, appendix C: base64 with - and _, without padding. */
static void append_base64url(GString *to, const void *bytes, gsize size) {
    g_autofree char *text = g_base64_encode(bytes, size);
    for (const char *c = text; *c != '\0' && *c != '='; c++)
        g_string_append_c(to, *c == '+' ? '-' : *c == '/' ? '_' : *c);
}

static bool fail(GError **error, int code) {
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "the key cannot be used: %s; an RSA key in PEM format is needed, without a password",
        gnutls_strerror(code));
}

static bool sign(gnutls_privkey_t key, GString *token, GError **error) {
    gnutls_datum_t signature = {0};
    const gnutls_datum_t text = {(unsigned char *)token->str, (unsigned)token->len};
    const int code = gnutls_privkey_sign_data2(key, GNUTLS_SIGN_RSA_SHA256, 0, &text, &signature);
    if (code < 0)
        return fail(error, code);
    g_string_append_c(token, '.');
    append_base64url(token, signature.data, signature.size);
    gnutls_free(signature.data);
    return true;
}

/* Header.claims.signature, each in base64url. RFC 7515, 7518.
 * key  PEM, RSA, PKCS#1 or PKCS#8
 * Returns the token, caller frees; NULL with error (G_IO_ERROR): the key cannot be used. No part
 * of the key is in the error's text. */
static char *jwt_sign(const char *key, gsize key_size, const json_t *claims, GError **error) {
    static const char header[] = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";
    g_autofree char *body = json_dumps(claims, JSON_COMPACT);
    GString *token = g_string_new(NULL);
    append_base64url(token, header, strlen(header));
    g_string_append_c(token, '.');
    append_base64url(token, body, strlen(body));
    g_autofree unsigned char *pem = g_memdup2(key, key_size);
    const gnutls_datum_t data = {pem, (unsigned)key_size};
    gnutls_privkey_t loaded = NULL;
    int code = gnutls_privkey_init(&loaded);
    if (code >= 0)
        code = gnutls_privkey_import_x509_raw(loaded, &data, GNUTLS_X509_FMT_PEM, NULL, 0);
    const bool good = code < 0 ? fail(error, code) : sign(loaded, token, error);
    if (loaded)
        gnutls_privkey_deinit(loaded);
    if (key_size > 0)
        gnutls_memset(pem, 0, key_size);
    return g_string_free(token, !good);
}

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

/* Overwrites it first. NULL is fine. */
static void github_token_free(char *text) {
    if (text)
        explicit_bzero(text, strlen(text));
    g_free(text);
}

static void token_free(void *pointer) {
    token *one = pointer;
    github_token_free(one->text);
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

/* The token of this rule's App and repository, if it is still good.
 * tokens  NULL: none are kept
 * now_s   Unix time by our clock
 * skew_s  out, in any case: GitHub's clock minus ours as far as is known
 * Returns it for github_token_free, or NULL. */
static char *github_token_kept(srv_github_tokens *tokens, const cfg_notify *rule, int64_t now_s,
                               int64_t *skew_s) {
    char *text = NULL;
    *skew_s = 0;
    if (!tokens)
        return NULL;
    g_autofree char *key = key_of(rule);
    SRV_HOLD(&tokens->lock);
    const token *one = g_hash_table_lookup(tokens->by_rule, key);
    if (one) {
        *skew_s = one->skew_s;
        if (one->text && now_s + one->skew_s < one->expires_s - TOKEN_MARGIN_S)
            text = g_strdup(one->text);
    }
    return text;
}

/* Text: NULL when the one before is good no longer; expires_s: Unix time by GitHub's clock. */
static void github_token_keep(srv_github_tokens *tokens, const cfg_notify *rule, const char *text,
                              int64_t expires_s, int64_t skew_s) {
    if (!tokens)
        return;
    token *one = g_new0(token, 1);
    *one = (token){.text = g_strdup(text), .expires_s = expires_s, .skew_s = skew_s};
    SRV_HOLD(&tokens->lock);
    g_hash_table_replace(tokens->by_rule, key_of(rule), one);
}

#define KEY_BYTES_MAX ((gsize)65536)
#define JWT_BACK_S 60   /* as GitHub advises, for clocks that differ a little */
#define JWT_VALID_S 540 /* GitHub takes at most 600 s */

/* path from the API's root. */
static json_t *send(const srv_message *d, const char *bearer, const char *method, const char *path,
                    const json_t *body, srv_sent *out) {
    const char *api = d->rule->url;
    g_autofree char *url =
        g_strdup_printf("%s%s%s", api, g_str_has_suffix(api, "/") ? "" : "/", path);
    g_autofree char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    char accept[] = "Accept: application/vnd.github+json";
    char version[] = "X-GitHub-Api-Version: 2022-11-28";
    g_autoptr(GPtrArray) headers = g_ptr_array_new();
    g_ptr_array_add(headers, accept);
    g_ptr_array_add(headers, version);
    const srv_send_http request = {.stop = d->stop,
                                   .method = method,
                                   .url = url,
                                   .bearer = bearer,
                                   .headers = headers,
                                   .body = text};
    srv_sent_clear(out);
    srv_send_over_http(&request, out);
    /* GitHub answers 403 with Retry-After when it is asked too often */
    return out->delivered && out->answer ? json_loads(out->answer, JSON_REJECT_DUPLICATES, NULL)
                                         : NULL;
}

static char *jwt_of(const srv_message *d, int64_t skew_s, srv_sent *out) {
    g_autofree char *pem = NULL;
    gsize size = 0;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(d->rule->secret_file, &pem, &size, &error)) {
        out->problem = g_strdup(error->message);
        return NULL;
    }
    const int64_t now_s = d->now_ms / 1000 + skew_s;
    g_autofree char *issuer = g_strdup_printf("%" G_GUINT64_FORMAT, d->rule->app_id);
    json_auto_t *claims = json_pack("{s:I,s:I,s:s}", "iat", (json_int_t)(now_s - JWT_BACK_S), "exp",
                                    (json_int_t)(now_s + JWT_VALID_S), "iss", issuer);
    char *text = size <= KEY_BYTES_MAX ? jwt_sign(pem, size, claims, &error) : NULL;
    explicit_bzero(pem, size);
    if (!text)
        out->problem = g_strdup_printf("%s: %s", d->rule->secret_file,
                                       error ? error->message : "too large for a key");
    return text;
}

/* As the App itself. A refusal may come of our clock: then once more by GitHub's. */
static json_t *as_app(const srv_message *d, const char *method, const char *path,
                      const json_t *body, int64_t *skew_s, srv_sent *out) {
    json_t *answer = NULL;
    for (int tries = 0; tries < 2; tries++) {
        srv_sent_clear(out);
        g_autofree char *jwt = jwt_of(d, *skew_s, out);
        if (!jwt)
            return NULL;
        answer = send(d, jwt, method, path, body, out);
        explicit_bzero(jwt, strlen(jwt));
        const int64_t theirs = out->date_s != 0 ? out->date_s - d->now_ms / 1000 : *skew_s;
        if (out->status != 401 || ABS(theirs - *skew_s) < JWT_BACK_S / 2)
            break;
        *skew_s = theirs;
    }
    return answer;
}

static json_int_t installation_of(const srv_message *d, int64_t *skew_s, srv_sent *out) {
    if (d->rule->installation_id != 0)
        return (json_int_t)d->rule->installation_id;
    g_autofree char *path = g_strdup_printf("repos/%s/installation", d->rule->repository);
    json_auto_t *answer = as_app(d, "GET", path, NULL, skew_s, out);
    const json_int_t id = cfg_json_integer(answer, "id");
    if (out->delivered && id == 0) {
        out->delivered = false;
        out->problem = g_strdup("GitHub's answer does not name an installation of the App");
    }
    return id;
}

/* It becomes a header. */
static bool is_token(const char *text) {
    const char *c = text;
    while (c && g_ascii_isgraph(*c))
        c++;
    return c && c != text && *c == '\0';
}

/* What its App is to be told, who configured it. */
static void refusal_explain(const srv_message *d, srv_sent *out) {
    const char *why = out->status == 401   ? "secret_file is not its key, or a clock is wrong"
                      : out->status == 403 ? "its installation is suspended, or it asks too often"
                      : out->status == 404 ? "it is not installed for "
                                           : NULL;
    if (out->delivered || !why || !out->problem)
        return;
    g_autofree char *said = out->problem;
    out->problem = g_strdup_printf("%s to App %" G_GUINT64_FORMAT ": %s%s", said, d->rule->app_id,
                                   why, out->status == 404 ? d->rule->repository : "");
}

static int64_t time_of(const char *text) {
    g_autoptr(GDateTime) time = text ? g_date_time_new_from_iso8601(text, NULL) : NULL;
    return time ? g_date_time_to_unix(time) : 0;
}

/* A fresh token of the installation for this repository alone. */
static char *fetch(const srv_message *d, int64_t skew_s, srv_sent *out) {
    const json_int_t installation = installation_of(d, &skew_s, out);
    if (installation == 0)
        return NULL;
    g_autofree char *path =
        g_strdup_printf("app/installations/%" JSON_INTEGER_FORMAT "/access_tokens", installation);
    json_auto_t *body = json_pack("{s:[s]}", "repositories", strchr(d->rule->repository, '/') + 1);
    json_auto_t *answer = as_app(d, "POST", path, body, &skew_s, out);
    char *text = g_strdup(cfg_json_word(answer, "token", NULL));
    if (!is_token(text))
        g_clear_pointer(&text, g_free);
    if (text)
        github_token_keep(d->tokens, d->rule, text,
                          time_of(cfg_json_word(answer, "expires_at", NULL)), skew_s);
    else if (out->delivered)
        out->problem = g_strdup("GitHub did not give the App a token");
    out->delivered = false;
    return text;
}

static char *bearer_of(const srv_message *d, srv_sent *out) {
    if (d->rule->app_id == 0)
        return srv__message_secret(d->rule->secret_file, out);
    int64_t skew_s;
    char *text = github_token_kept(d->tokens, d->rule, d->now_ms / 1000, &skew_s);
    if (!text)
        text = fetch(d, skew_s, out);
    if (!text)
        refusal_explain(d, out);
    return text;
}

json_t *srv__github_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out) {
    g_autofree char *full = g_strdup_printf("repos/%s/%s", d->rule->repository, path);
    json_t *answer = NULL;
    for (int tries = 0; tries < 2; tries++) {
        srv_sent_clear(out);
        char *bearer = bearer_of(d, out);
        if (!bearer)
            break;
        answer = send(d, bearer, method, full, body, out);
        github_token_free(bearer);
        if (out->status != 401 || d->rule->app_id == 0)
            break;
        github_token_keep(d->tokens, d->rule, NULL, 0,
                          0); /* revoked, or of an App that was installed anew */
    }
    json_decref(body);
    srv_sent_explain(out);
    return answer;
}
