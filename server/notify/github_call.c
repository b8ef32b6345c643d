#include "server/notify/github_call.h"

#include "server/notify/jwt.h"

#include <string.h>

#define KEY_BYTES_MAX ((gsize)65536)
#define JWT_BACK_S 60   /* as GitHub advises, for clocks that differ a little */
#define JWT_VALID_S 540 /* GitHub takes at most 600 s */

/* path from the API's root. */
static json_t *send(const srv_message *d, const char *bearer, const char *method, const char *path,
                    const json_t *body, srv_sent *out) {
    const char *api = d->rule->url;
    g_autofree char *url =
        g_strdup_printf("%s%s%s", api, g_str_has_suffix(api, "/") ? "" : "/", path);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
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
    json_t *answer = out->delivered && out->answer
                         ? json_loads(out->answer, JSON_REJECT_DUPLICATES, NULL)
                         : NULL;
    free(text);
    return answer;
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
    json_t *claims = json_pack("{s:I,s:I,s:s}", "iat", (json_int_t)(now_s - JWT_BACK_S), "exp",
                               (json_int_t)(now_s + JWT_VALID_S), "iss", issuer);
    char *text = size <= KEY_BYTES_MAX ? srv_jwt_sign(pem, size, claims, &error) : NULL;
    explicit_bzero(pem, size);
    json_decref(claims);
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
    json_t *answer = as_app(d, "GET", path, NULL, skew_s, out);
    const json_int_t id = json_integer_value(json_object_get(answer, "id"));
    json_decref(answer);
    if (out->delivered && id == 0) {
        out->delivered = false;
        out->problem = g_strdup("GitHub's answer does not name an installation of the App");
    }
    return id;
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
    json_t *body = json_pack("{s:[s]}", "repositories", strchr(d->rule->repository, '/') + 1);
    json_t *answer = as_app(d, "POST", path, body, &skew_s, out);
    char *text = g_strdup(json_string_value(json_object_get(answer, "token")));
    if (text)
        srv_github_token_keep(d->tokens, d->rule, text,
                              time_of(json_string_value(json_object_get(answer, "expires_at"))),
                              skew_s);
    else if (out->delivered)
        out->problem = g_strdup("GitHub did not give the App a token");
    out->delivered = false;
    json_decref(body);
    json_decref(answer);
    return text;
}

static char *bearer_of(const srv_message *d, srv_sent *out) {
    if (d->rule->app_id == 0)
        return srv__message_secret(d->rule->secret_file, out);
    int64_t skew_s;
    char *text = srv_github_token_kept(d->tokens, d->rule, d->now_ms / 1000, &skew_s);
    return text ? text : fetch(d, skew_s, out);
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
        srv_github_token_free(bearer);
        if (out->status != 401 || d->rule->app_id == 0)
            break;
        srv_github_token_keep(d->tokens, d->rule, NULL, 0,
                              0); /* revoked, or of an App that was installed anew */
    }
    json_decref(body);
    return answer;
}
