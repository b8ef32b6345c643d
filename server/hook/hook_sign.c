#include "server/ground/auth.h"
#include "server/ground/fields.h"
#include "server/hook/hook.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"

#include <gio/gio.h>
#include <string.h>

/* Older ones are forgotten; a provider repeats a delivery within days. */
#define KEEP 100000

static bool take_one(srv_store *store, srv_delivery *delivery, GError **error) {
    int64_t changed = 0;
    int64_t project = 0;
    if (!srv__project_id(store, delivery->project, &project, error))
        return false;
    if (!srv__change(store,
                     ASK(delivery_insert, delivery->provider, delivery->id, project, delivery->sha,
                         delivery->pull ? "said" : "waiting", delivery->pull),
                     &changed, error))
        return false;
    delivery->fresh = changed > 0;
    return true;
}

bool srv_delivery_take(srv_store *store, const GPtrArray *deliveries, GError **error) {
    if (!srv__begin(store, error))
        return false;
    bool good = true;
    for (guint i = 0; good && i < deliveries->len; i++)
        good = take_one(store, g_ptr_array_index(deliveries, i), error);
    good = good && srv__run(store, ASK(deliveries_forget, KEEP), error);
    return srv__end(store, good, error);
}

enum { HEX_SIZE = 64, DELIVERY_MAX = 100 };

bool srv_hook_provider_of(const char *name, srv_hook_provider *provider) {
    static const char *const names[] = {SRV_HOOK_PROVIDERS(SRV_HOOK_WORD)};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], name) == 0) {
            *provider = (srv_hook_provider)i;
            return true;
        }
    }
    return false;
}

static bool deny(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "%s", text);
}

/* Compares two texts by their hashes: neither length nor content shows in the time it takes. */
static bool same_text(const char *a, const char *b) {
    g_autofree char *x = g_compute_checksum_for_string(G_CHECKSUM_SHA256, a, -1);
    g_autofree char *y = g_compute_checksum_for_string(G_CHECKSUM_SHA256, b, -1);
    return srv_auth_equal(x, y, HEX_SIZE);
}

/* sent is "sha256=HEX" or, with prefix NULL, "HEX". */
static bool hmac_fits(const char *secret, GBytes *body, const char *sent, const char *prefix) {
    if (prefix) {
        if (!g_str_has_prefix(sent, prefix))
            return false;
        sent += strlen(prefix);
    }
    if (strlen(sent) != HEX_SIZE)
        return false;
    g_autofree char *lower = g_ascii_strdown(sent, HEX_SIZE);
    g_autoptr(GBytes) key = g_bytes_new_static(secret, strlen(secret));
    g_autofree char *right = g_compute_hmac_for_bytes(G_CHECKSUM_SHA256, key, body);
    return srv_auth_equal(right, lower, HEX_SIZE);
}

/* GitHub's way, which others took over: "sha256=HEX" over the body; missing: what to say where
 * nothing was sent. */
static bool hub_fits(const char *secret, GBytes *body, const char *sent, const char *missing,
                     GError **error) {
    if (!sent)
        return deny(error, missing);
    return hmac_fits(secret, body, sent, "sha256=") ||
           deny(error, "the signature does not match the body and the secret");
}

static bool gitlab_fits(const char *secret, const char *sent, GError **error) {
    if (!sent)
        return deny(error,
                    "the header X-Gitlab-Token is missing; set the secret token of the webhook");
    return same_text(sent, secret) ||
           deny(error, "X-Gitlab-Token is not the secret configured here");
}

bool srv_hook_signed(srv_hook_provider provider, const char *secret, GBytes *body,
                     srv_hook_lookup header, const void *user, const char *token, GError **error) {
    const char *hub = header(user, "x-hub-signature-256"), *own = NULL;
    switch (provider) {
    case SRV_HOOK_GITLAB:
        return gitlab_fits(secret, header(user, "x-gitlab-token"), error);
    case SRV_HOOK_JENKINS:
        if (token)
            return same_text(token, secret) ||
                   deny(error, "?token= is not the secret configured here");
        return hub_fits(secret, body, hub, "add ?token=SECRET or user:TOKEN@ to the address",
                        error);
    case SRV_HOOK_GITEA:
        own = header(user, "x-gitea-signature");
        if (own)
            return hmac_fits(secret, body, own, NULL) ||
                   deny(error, "X-Gitea-Signature does not match the body and the secret");
        break;
    case SRV_HOOK_GENERIC:
        own = header(user, "x-moowatch-signature-256");
        hub = own ? own : hub;
        break;
    case SRV_HOOK_GITHUB:
        break;
    }
    return hub_fits(secret, body, hub,
                    "the signature is missing: X-Hub-Signature-256 with the HMAC-SHA256 of the "
                    "body; set the webhook's secret (sha1 is not accepted)",
                    error);
}

/* A switch and no table: the compiler names what a new provider lacks. */
static const char *delivery_header(srv_hook_provider provider) {
    switch (provider) {
    case SRV_HOOK_GITHUB:
        return "x-github-delivery";
    case SRV_HOOK_GITEA:
        return "x-gitea-delivery";
    case SRV_HOOK_GITLAB:
        return "x-gitlab-event-uuid";
    case SRV_HOOK_JENKINS:
    case SRV_HOOK_GENERIC:
        break;
    }
    return "x-moowatch-delivery";
}

char *srv_hook_delivery(srv_hook_provider provider, GBytes *body, srv_hook_lookup header,
                        const void *user) {
    const char *id = header(user, delivery_header(provider));
    if (id && id[0] != '\0' && strlen(id) <= DELIVERY_MAX)
        return g_strdup(id);
    return g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, body);
}

/* The value of payload= in a form, decoded; NULL when there is none. */
static char *form_payload(const char *form, size_t size) {
    g_autofree char *text = g_strndup(form, size);
    g_auto(GStrv) pairs = g_strsplit(text, "&", 64);
    for (size_t i = 0; pairs[i]; i++) {
        if (!g_str_has_prefix(pairs[i], "payload="))
            continue;
        for (char *c = pairs[i]; *c != '\0'; c++)
            if (*c == '+')
                *c = ' ';
        return g_uri_unescape_string(pairs[i] + strlen("payload="), NULL);
    }
    return NULL;
}

json_t *srv_hook_body(GBytes *body, const char *content_type, GError **error) {
    gsize size = 0;
    /* No bytes are no pointer either. */
    const char *bytes = g_bytes_get_data(body, &size);
    const char *data = bytes ? bytes : "";
    g_autofree char *payload = NULL;
    if (content_type && g_str_has_prefix(content_type, "application/x-www-form-urlencoded")) {
        payload = form_payload(data, size);
        data = payload ? payload : "";
        size = strlen(data);
    }
    json_error_t where;
    if (!srv_json_cost_check(data, size, SRV_JSON_COST_HOOK, error))
        return NULL;
    /* a build's log may hold one; what is read ends there */
    json_auto_t *json = json_loadb(data, size, JSON_ALLOW_NUL, &where);
    if (json_is_object(json))
        return json_incref(json);
    if (json)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "the body is JSON but not an object");
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "the body is not JSON: line %d, column %d: %s", where.line, where.column,
                    where.text);
    return NULL;
}
