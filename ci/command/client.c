#include "ci/command/client.h"

#include "config/http.h"
#include "config/json_text.h"
#include "config/packed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TIMEOUT_S 60
#define IMPORT_TIMEOUT_S 900 /* taking in 32 MiB of lines takes a slow machine minutes */
#define PAGE 500u
#define TOKEN_BYTES_MAX 4096
#define IDENTITY_CHARS 16

struct ci_client {
    cfg_http *http;
    char *server;
    char *authorization; /* the whole header line; NULL: there is no token */
    long status;         /* of the last answer; 0: there was none */
};

static bool is_token(const char *text) {
    return *text && !strpbrk(text, " \r\n\t");
}

/* A secret that was pasted often ends with a line break. */
static char *token_of_environment(GError **error) {
    const char *given = g_getenv("MOOWATCH_TOKEN");
    char *token = given ? g_strstrip(g_strdup(given)) : NULL;
    if (token && *token && !is_token(token)) {
        ci_misused(error, "MOOWATCH_TOKEN: holds no token");
        g_clear_pointer(&token, g_free);
    }
    return token;
}

static char *token_read(const ci_client_options *options, GError **error) {
    if (!options->token_file)
        return token_of_environment(error);
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) wrong = NULL;
    if (!g_file_get_contents(options->token_file, &text, &size, &wrong)) {
        ci_misused(error, "--token-file: %s", wrong->message);
        return NULL;
    }
    g_strstrip(text);
    if (size > TOKEN_BYTES_MAX || !is_token(text)) {
        ci_misused(error, "--token-file %s: holds no token", options->token_file);
        return NULL;
    }
    return g_steal_pointer(&text);
}

ci_client *ci_client_new(const ci_client_options *options, GError **error) {
    const char *server = options->server ? options->server : g_getenv("MOOWATCH_SERVER");
    if (server && *server && !strstr(server, "://")) {
        ci_misused(error, "--server %s: an address begins with http:// or https://; http://%s?",
                   server, server);
        return NULL;
    }
    if (!server || !(g_str_has_prefix(server, "http://") || g_str_has_prefix(server, "https://"))) {
        ci_misused(error, "which server? Give --server http(s)://… or set MOOWATCH_SERVER");
        return NULL;
    }
    g_autoptr(GError) wrong = NULL;
    g_autofree char *token = token_read(options, &wrong);
    if (wrong) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return NULL;
    }
    ci_client *client = g_new0(ci_client, 1);
    client->server = g_strdup(server);
    while (g_str_has_suffix(client->server, "/"))
        client->server[strlen(client->server) - 1] = 0;
    client->http = cfg_http_new();
    if (token && *token)
        client->authorization = g_strdup_printf("Authorization: Bearer %s", token);
    return client;
}

void ci_client_free(ci_client *client) {
    if (!client)
        return;
    cfg_http_free(client->http);
    g_free(client->authorization);
    g_free(client->server);
    g_free(client);
}

/* False with error when there was no answer. */
static bool perform(ci_client *client, const char *url, cfg_http_call *call,
                    cfg_http_answer *answer, GError **error) {
    call->url = url;
    call->agent = "moowatch";
    call->answer_bytes_max = CI_ANSWER_BYTES_MAX;
    const bool good = cfg_http_send(client->http, call, answer);
    client->status = good ? answer->status : 0;
    if (!good)
        ci_refuse(error, CI_ERROR_SERVER, "%s: %s", url, answer->problem);
    return good;
}

static json_t *answer_json(const char *url, long status, const GString *answer, GError **error) {
    json_error_t wrong;
    json_auto_t *json = json_loadb(answer->str, answer->len, 0, &wrong);
    if (status >= 200 && status < 300 && json)
        return json_incref(json);
    const char *detail = cfg_json_word(json, "detail", NULL);
    const char *title = cfg_json_word(json, "title", NULL);
    if (status >= 300 && status < 400)
        detail = "it answers with a redirect, which is not followed; give the final address";
    else if (status < 300)
        detail = "the answer is not JSON; is this a moowatch server?";
    ci_refuse(error, CI_ERROR_SERVER, "%s: %ld %s", url, status,
              detail  ? detail
              : title ? title
                      : "");
    return NULL;
}

static json_t *call(ci_client *client, const char *path, const char *body, GError **error) {
    const char *const headers[] = {"Accept: application/json", "Content-Type: application/json",
                                   client->authorization, NULL};
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_auto(cfg_http_answer) answer = {0};
    cfg_http_call call = {.header = headers, .body = body, .timeout_s = TIMEOUT_S};
    return perform(client, url, &call, &answer, error)
               ? answer_json(url, answer.status, answer.body, error)
               : NULL;
}

char *ci_client_identity(const ci_client *client) {
    g_autofree char *who = g_strjoin("\n", client->server, client->authorization, NULL);
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, who, -1);
    return g_strndup(sum, IDENTITY_CHARS);
}

GBytes *ci_client_fetch(ci_client *client, const char *path, char **etag, GError **error) {
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_autofree char *known = *etag ? g_strconcat("If-None-Match: ", *etag, NULL) : NULL;
    const char *const headers[] = {known ? known : "Accept: */*", client->authorization, NULL};
    cfg_http_call call = {.header = headers, .timeout_s = TIMEOUT_S};
    g_auto(cfg_http_answer) answer = {0};
    g_clear_pointer(etag, g_free);
    if (!perform(client, url, &call, &answer, error))
        return NULL;
    *etag = g_steal_pointer(&answer.etag);
    if (answer.status == 200)
        return g_string_free_to_bytes(g_steal_pointer(&answer.body));
    if (answer.status != 304)
        json_decref(answer_json(url, answer.status, answer.body, error));
    return NULL;
}

bool ci_client_refused(const ci_client *client) {
    return client->status >= 200 && client->status < 500 && client->status != 408 &&
           client->status != 429;
}

/* "sha-256=:BASE64:" of the whole file, which is read from where it stands; NULL when
 * unreadable. */
static char *digest_of(FILE *file) {
    guchar hash[32];
    gsize size = sizeof hash;
    g_autoptr(GChecksum) sum = cfg_file_sum(file);
    if (!sum)
        return NULL;
    g_checksum_get_digest(sum, hash, &size);
    g_autofree char *text = g_base64_encode(hash, size);
    return g_strdup_printf("sha-256=:%s:", text);
}

typedef struct {
    const char *method, *type;
    char *digest;          /* NULL: none */
    int64_t size;          /* -1: whatever comes */
    unsigned quiet_time_s; /* after so long without a byte it is given up */
} upload;

static json_t *send_open(ci_client *client, const char *path, FILE *file, const upload *u,
                         GError **error) {
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_autofree char *type = g_strconcat("Content-Type: ", u->type, NULL);
    g_autofree char *digest = u->digest ? g_strconcat("Content-Digest: ", u->digest, NULL) : NULL;
    const char *const headers[] = {"Accept: application/json", type,
                                   digest ? digest : client->authorization,
                                   digest ? client->authorization : NULL, NULL};
    cfg_http_call call = {.method = u->method,
                          .header = headers,
                          .file = file,
                          .file_bytes = u->size,
                          .stall_s = u->quiet_time_s};
    g_auto(cfg_http_answer) answer = {0};
    g_autoptr(GError) wrong = NULL;
    /* A refusal may come before all is sent; then it says more than the broken pipe does. */
    if (perform(client, url, &call, &answer, &wrong) || answer.status >= 400)
        return answer_json(url, answer.status, answer.body, error);
    g_propagate_error(error, g_steal_pointer(&wrong));
    return NULL;
}

json_t *ci_client_put_file(ci_client *client, const char *path, const char *file, GError **error) {
    FILE *bytes = fopen(file, "rbe");
    g_autofree char *digest = bytes ? digest_of(bytes) : NULL;
    const upload u = {"PUT", "application/octet-stream", digest, digest ? ftell(bytes) : -1,
                      TIMEOUT_S};
    json_t *answer = NULL;
    if (!digest)
        ci_wrong(error, "%s: %s", file, g_strerror(errno));
    else if (u.size <= 0 || fseek(bytes, 0, SEEK_SET) != 0)
        ci_wrong(error, "%s: empty, or not a file", file);
    else
        answer = send_open(client, path, bytes, &u, error);
    if (bytes)
        (void)fclose(bytes);
    return answer;
}

json_t *ci_client_post_file(ci_client *client, const char *path, FILE *file, GError **error) {
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size >= 0)
        rewind(file);
    const upload u = {"POST", "application/x-ndjson", NULL, size, IMPORT_TIMEOUT_S};
    return send_open(client, path, file, &u, error);
}

json_t *ci_client_get(ci_client *client, const char *path, GError **error) {
    return call(client, path, NULL, error);
}

json_t *ci_client_post(ci_client *client, const char *path, const json_t *body, const char *texts,
                       GError **error) {
    g_autofree char *text = json_dumps(body, JSON_COMPACT);
    if (!text)
        ci_misused(error, "%s must be UTF-8 text", texts);
    return text ? call(client, path, text, error) : NULL;
}

char *ci_client_path(const char *first, const char *second, const char *third) {
    const char *const parts[] = {first, second, third};
    GString *path = g_string_new("/api/v1");
    for (gsize i = 0; i < G_N_ELEMENTS(parts) && parts[i]; i++) {
        g_string_append_c(path, '/');
        g_string_append_uri_escaped(path, parts[i], NULL, FALSE);
    }
    return g_string_free(path, FALSE);
}

json_t *ci_client_experiment(ci_client *client, json_int_t number, GError **error) {
    g_autofree char *text = g_strdup_printf("%" JSON_INTEGER_FORMAT, number);
    g_autofree char *path = ci_client_path("experiments", text, NULL);
    return ci_client_get(client, path, error);
}

bool ci_client_pages(ci_client *client, const char *list, ci_page_fn is_enough, void *user,
                     GError **error) {
    g_autofree char *path = g_strdup(list);
    while (path) {
        json_auto_t *page = ci_client_get(client, path, error);
        if (!page)
            return false;
        const char *next = is_enough(user, page) ? NULL : cfg_json_word(page, "next", NULL);
        g_autofree char *cursor = next ? g_uri_escape_string(next, NULL, FALSE) : NULL;
        g_free(path);
        path = cursor
                   ? g_strdup_printf("%s%ccursor=%s", list, strchr(list, '?') ? '&' : '?', cursor)
                   : NULL;
    }
    return true;
}

typedef struct {
    unsigned limit;
    const char *commit;
    json_t *all;
} wanted_nights;

/* Is it of the commit, once one is? */
static bool is_of_commit(const wanted_nights *wanted, const json_t *night) {
    const json_t *first = json_array_get(wanted->all, 0), *sha = cfg_json_at(night, "commit.sha");
    return first ? json_equal(cfg_json_at(first, "commit.sha"), sha)
                 : json_is_string(sha) && g_str_has_prefix(json_string_value(sha), wanted->commit);
}

static bool take_items(void *user, const json_t *page) {
    const wanted_nights *wanted = user;
    size_t i;
    json_t *night;
    cfg_json_each (page, "items", i, night) {
        if (!wanted->commit || is_of_commit(wanted, night))
            json_array_append(wanted->all, night);
        if (wanted->limit && json_array_size(wanted->all) >= wanted->limit)
            return true;
    }
    return false;
}

json_t *ci_client_nights(ci_client *client, const char *project, unsigned limit, const char *commit,
                         GError **error) {
    wanted_nights wanted = {limit, commit, json_array()};
    g_autofree char *base = ci_client_path("projects", project, "nights");
    g_autofree char *list = g_strdup_printf("%s?limit=%u", base, limit ? MIN(limit, PAGE) : PAGE);
    if (ci_client_pages(client, list, take_items, &wanted, error))
        return wanted.all;
    json_decref(wanted.all);
    return NULL;
}
