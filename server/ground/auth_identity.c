/* Jobs of forges: a signed token (OpenID Connect, RS256) against its issuer's keys and our rules.
 */
#include "server/ground/auth.h"

#include "config/http.h"
#include "config/json_text.h"
#include "server/ground/auth_random.h"
#include "server/ground/thread.h"

#include <gio/gio.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <string.h>
#include <unistd.h>

enum {
    TOKEN_MAX = 16 * 1024,
    KEYS_MAX = 256 * 1024,
    KEY_BITS_MIN = 2048,
    SKEW_S = 60,       /* between the forge's clock and ours */
    KEYS_S = 3600,     /* keys are good for so long, */
    KEYS_AGAIN_S = 30, /* and are not asked for again before */
    ANSWER_S = 10
};

/* What is known of one issuer. */
typedef struct {
    json_t *keys; /* of its JWKS; NULL: none came yet */
    char *problem;
    int64_t asked_s, got_s;
} issuer;

struct srv_identities {
    const cfg_server *config;
    srv_identity_fetch fetch;
    pthread_mutex_t lock;
    GHashTable *issuers; /* char* → issuer* */
};

/* A token, taken apart. */
typedef struct {
    json_t *header, *claims;
    gnutls_datum_t text, signature; /* text: what is signed */
} jwt;

static void jwt_clear(jwt *token) {
    json_decref(token->header);
    json_decref(token->claims);
    g_free(token->text.data);
    g_free(token->signature.data);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(jwt, jwt_clear)

G_GNUC_PRINTF(2, 3) static bool refuse(GError **error, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_clear_error(error);
    if (error)
        *error = g_error_new_valist(G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, format, args);
    va_end(args);
    return false;
}

static void issuer_free(void *pointer) {
    issuer *one = pointer;
    json_decref(one->keys);
    g_free(one->problem);
    g_free(one);
}

static char *fetched(const char *url, GError **error) {
    g_auto(cfg_http_answer) answer = {0};
    const cfg_http_call call = {
        .url = url, .agent = "moowatchd", .timeout_s = ANSWER_S, .answer_bytes_max = KEYS_MAX};
    if (cfg_http_send(NULL, &call, &answer) && answer.status == 200 && answer.body)
        return g_strdup(answer.body->str);
    if (answer.problem)
        return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", url, answer.problem);
    return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s answers %ld", url, answer.status);
}

srv_identities *srv_identities_new(const cfg_server *config, srv_identity_fetch fetch) {
    srv_identities *all = g_new0(srv_identities, 1);
    all->config = config;
    all->fetch = fetch ? fetch : fetched;
    pthread_mutex_init(&all->lock, NULL);
    all->issuers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, issuer_free);
    return all;
}

void srv_identities_free(srv_identities *all) {
    if (!all)
        return;
    g_hash_table_unref(all->issuers);
    pthread_mutex_destroy(&all->lock);
    g_free(all);
}

/* RFC 7515, appendix C; nothing when it is not that. */
static gnutls_datum_t base64url(const char *text, gsize length) {
    g_autofree char *plain = g_strndup(text, length);
    if (length == 0 || length % 4 == 1 ||
        strspn(plain, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != length)
        return (gnutls_datum_t){0};
    g_strdelimit(plain, "-", '+');
    g_strdelimit(plain, "_", '/');
    g_autofree char *padded = g_strconcat(plain, &"==="[3 - (4 - length % 4) % 4], NULL);
    gsize size = 0;
    guchar *bytes = g_base64_decode(padded, &size);
    return (gnutls_datum_t){bytes, (unsigned)size};
}

static json_t *part(const char *text, gsize length) {
    const gnutls_datum_t bytes = base64url(text, length);
    json_t *object =
        bytes.data ? json_loadb((const char *)bytes.data, bytes.size, JSON_REJECT_DUPLICATES, NULL)
                   : NULL;
    g_free(bytes.data);
    if (object && !json_is_object(object))
        g_clear_pointer(&object, json_decref);
    return object;
}

static bool take_apart(const char *text, jwt *out, GError **error) {
    const char *first = strlen(text) <= TOKEN_MAX ? strchr(text, '.') : NULL;
    const char *second = first ? strchr(first + 1, '.') : NULL;
    if (!second)
        return refuse(error,
                      "this is no signed token: three parts of at most %d bytes are expected",
                      TOKEN_MAX);
    out->header = part(text, (gsize)(first - text));
    out->claims = part(first + 1, (gsize)(second - first - 1));
    out->signature = base64url(second + 1, strlen(second + 1));
    out->text = (gnutls_datum_t){(unsigned char *)g_strndup(text, (gsize)(second - text)),
                                 (unsigned)(second - text)};
    if (!out->header || !out->claims || !out->signature.data)
        return refuse(error, "this is no signed token: a part of it cannot be read");
    return true;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = cfg_json_word(object, key, NULL);
    return text ? text : "";
}

/* Scheme and host of an address; keys are fetched from the issuer's alone. */
static gsize origin(const char *url) {
    const char *host = strstr(url, "://");
    return host ? (gsize)(host - url) + 3 + strcspn(host + 3, "/?#") : 0;
}

static json_t *keys_of(srv_identities *all, const char *name, GError **error) {
    g_autofree char *place = g_strconcat(name, "/.well-known/openid-configuration", NULL);
    g_autofree char *text = all->fetch(place, error);
    if (!text)
        return NULL;
    json_auto_t *about = json_loads(text, 0, NULL);
    const char *uri = text_of(about, "jwks_uri");
    const gsize own = origin(name);
    if (own == 0 || origin(uri) != own || strncmp(uri, name, own) != 0)
        return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         "%s names no jwks_uri of the same host", place);
    g_autofree char *listed = all->fetch(uri, error);
    json_auto_t *list = listed ? json_loads(listed, 0, NULL) : NULL;
    json_t *keys = json_object_get(list, "keys");
    if (listed && !json_is_array(keys))
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s lists no keys", uri);
    return json_is_array(keys) ? json_incref(keys) : NULL;
}

static json_t *key_named(const json_t *keys, const char *name) {
    size_t i;
    json_t *key;
    json_array_foreach (keys, i, key)
        if (strcmp(text_of(key, "kid"), name) == 0 && strcmp(text_of(key, "kty"), "RSA") == 0)
            return json_incref(key);
    return NULL;
}

/* The issuer's key of this name, owned. An unknown name asks again: forges replace their keys. */
static json_t *key_of(srv_identities *all, const char *from, const char *name, int64_t now_s,
                      GError **error) {
    SRV_HOLD(&all->lock);
    issuer *one = g_hash_table_lookup(all->issuers, from);
    if (!one)
        g_hash_table_insert(all->issuers, g_strdup(from), one = g_new0(issuer, 1));
    const bool old = now_s - one->got_s >= KEYS_S;
    json_t *key = old ? NULL : key_named(one->keys, name);
    if (!key && (one->asked_s == 0 || now_s - one->asked_s >= KEYS_AGAIN_S)) {
        g_autoptr(GError) problem = NULL;
        json_t *keys = keys_of(all, from, &problem);
        one->asked_s = now_s;
        g_free(one->problem);
        one->problem = problem ? g_strdup(problem->message) : NULL;
        if (keys) {
            json_decref(one->keys);
            one->keys = keys;
            one->got_s = now_s;
        }
        key = keys ? key_named(keys, name) : NULL;
    }
    if (!key && one->problem)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_CONNECTED,
                    "the keys of %s cannot be fetched (%s); try again in a minute", from,
                    one->problem);
    else if (!key)
        refuse(error, "%s has no key \"%.100s\", which the token says it is signed with", from,
               name);
    return key;
}

static bool signed_with(const jwt *token, const json_t *key) {
    const char *n = text_of(key, "n"), *e = text_of(key, "e");
    gnutls_datum_t modulus = base64url(n, strlen(n)), exponent = base64url(e, strlen(e));
    gnutls_pubkey_t loaded = NULL;
    unsigned bits = 0;
    const bool good = modulus.data && exponent.data && gnutls_pubkey_init(&loaded) >= 0 &&
                      gnutls_pubkey_import_rsa_raw(loaded, &modulus, &exponent) >= 0 &&
                      gnutls_pubkey_get_pk_algorithm(loaded, &bits) == GNUTLS_PK_RSA &&
                      bits >= KEY_BITS_MIN &&
                      gnutls_pubkey_verify_data2(loaded, GNUTLS_SIGN_RSA_SHA256, 0, &token->text,
                                                 &token->signature) >= 0;
    if (loaded)
        gnutls_pubkey_deinit(loaded);
    g_free(modulus.data);
    g_free(exponent.data);
    return good;
}

static bool is_in_time(const json_t *claims, int64_t now_s, GError **error) {
    const json_t *end = json_object_get(claims, "exp"), *begin = json_object_get(claims, "nbf");
    if (!json_is_integer(end))
        return refuse(error, "the token does not say when it expires (exp)");
    if (now_s >= json_integer_value(end) + SKEW_S)
        return refuse(error, "the token expired %" G_GINT64_FORMAT " s ago; ask for a new one",
                      (gint64)(now_s - json_integer_value(end)));
    if (begin && (!json_is_integer(begin) || json_integer_value(begin) > now_s + SKEW_S))
        return refuse(error, "the token is not valid yet (nbf); are both clocks right?");
    return true;
}

static bool is_for(const json_t *claims, const char *audience) {
    const json_t *said = json_object_get(claims, "aud");
    size_t i;
    json_t *one;
    json_array_foreach (said, i, one)
        if (g_strcmp0(json_string_value(one), audience) == 0)
            return true;
    return g_strcmp0(json_string_value(said), audience) == 0;
}

/* GitHub says refs/heads/main in ref; GitLab in ref_path, and main in ref. Owned. */
static char *ref_of(const json_t *claims) {
    const char *path = text_of(claims, "ref_path"), *ref = text_of(claims, "ref");
    if (*path || g_str_has_prefix(ref, "refs/"))
        return g_strdup(*path ? path : ref);
    return g_strconcat(strcmp(text_of(claims, "ref_type"), "branch") == 0 ? "refs/heads/" : "", ref,
                       NULL);
}

static const char *repository_of(const json_t *claims) {
    const char *github = text_of(claims, "repository");
    return *github ? github : text_of(claims, "project_path");
}

/* How far it comes with a rule: 3 is all the way; error says what is wrong else. */
static int fits(const cfg_identity *rule, const json_t *claims, GError **error) {
    const char *repository = repository_of(claims);
    g_autofree char *ref = ref_of(claims), *wanted = g_strconcat("refs/heads/", rule->branch, NULL);
    if (!is_for(claims, rule->audience)) {
        refuse(error, "the token is for another audience; ask for one with %s", rule->audience);
        return 0;
    }
    if (strcmp(repository, rule->repository) != 0) {
        refuse(error, "the token is of repository \"%.200s\", not of %s; forks have no rights here",
               repository, rule->repository);
        return 1;
    }
    /* Such a job is of the base branch, or of one that a fork calls so, but may run what a fork
     * sent. */
    const char *how = text_of(claims, "event_name"), *source = text_of(claims, "pipeline_source");
    if (strcmp(how, "pull_request_target") == 0 || strcmp(source, "merge_request_event") == 0) {
        refuse(error, "the job was started by %s, in which a fork's code may run",
               *source ? source : how);
        return 2;
    }
    if (strcmp(ref, wanted) != 0) {
        refuse(error, "the job is of \"%.200s\", not of the branch %s", ref, rule->branch);
        return 2;
    }
    return 3;
}

static const cfg_identity *rule_of(const cfg_server *config, const char *from, const json_t *claims,
                                   GError **error) {
    g_autoptr(GError) closest = NULL;
    int most = -1;
    for (unsigned i = 0; i < config->identities_count; i++) {
        g_autoptr(GError) why = NULL;
        const cfg_identity *rule = &config->identities[i];
        const int depth = strcmp(rule->issuer, from) == 0 ? fits(rule, claims, &why) : -1;
        if (depth == 3)
            return rule;
        if (depth > most) {
            most = depth;
            g_clear_error(&closest);
            closest = g_steal_pointer(&why);
        }
    }
    if (closest)
        g_propagate_error(error, g_steal_pointer(&closest));
    return NULL;
}

static bool is_known(const cfg_server *config, const char *from) {
    for (unsigned i = 0; i < config->identities_count; i++)
        if (strcmp(config->identities[i].issuer, from) == 0)
            return true;
    return false;
}

const cfg_identity *srv_identity_check(srv_identities *all, const char *text, int64_t now_ms,
                                       GError **error) {
    g_auto(jwt) token = {0};
    const int64_t now_s = now_ms / 1000;
    if (!take_apart(text, &token, error))
        return NULL;
    const char *from = text_of(token.claims, "iss");
    if (strcmp(text_of(token.header, "alg"), "RS256") != 0 ||
        json_object_get(token.header, "crit")) {
        refuse(error, "the token must be signed with RS256, and without crit");
        return NULL;
    }
    if (!is_known(all->config, from)) {
        refuse(error, "no rule of identities names the issuer \"%.200s\"", from);
        return NULL;
    }
    json_auto_t *key = key_of(all, from, text_of(token.header, "kid"), now_s, error);
    if (!key)
        return NULL;
    if (!signed_with(&token, key)) {
        refuse(error, "the token's signature is not of %s", from);
        return NULL;
    }
    return is_in_time(token.claims, now_s, error) ? rule_of(all->config, from, token.claims, error)
                                                  : NULL;
}

/* Those of jobs that are over go: nobody revokes them by hand. With the locks held. */
static void sweep(srv_auth *auth, int64_t now_ms) {
    for (guint i = auth->tokens->len; i-- > 0;) {
        const srv__token *one = &g_array_index(auth->tokens, srv__token, i);
        if (g_str_has_prefix(one->name, SRV_IDENTITY_PREFIX) && one->expires_ms != 0 &&
            one->expires_ms <= now_ms)
            g_array_remove_index(auth->tokens, i);
    }
}

char *srv_identity_token(srv_auth *auth, const cfg_identity *rule, int64_t now_ms,
                         int64_t *expires_ms, GError **error) {
    g_autofree char *dir = g_path_get_dirname(auth->path);
    char id[SRV_AUTH_UUID_SIZE];
    if (!srv_auth_uuid(id, error))
        return NULL;
    g_autofree char *name = g_strconcat(SRV_IDENTITY_PREFIX, id, NULL);
    *expires_ms = now_ms + (int64_t)rule->minutes * 60000;
    const srv_auth_wish wish = {.name = name,
                                .scopes = rule->scope,
                                .node = rule->node,
                                .projects = (const char *const *)rule->projects,
                                .expires_ms = *expires_ms};
    const int lock = srv_auth_lock(dir, error);
    if (lock < 0)
        return NULL;
    SRV_HOLD(&auth->lock);
    char *secret = NULL;
    if (srv__auth_refresh(auth, error)) {
        sweep(auth, now_ms);
        secret = srv_auth_create(auth, &wish, now_ms, error);
    }
    close(lock);
    return secret;
}
