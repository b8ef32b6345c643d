#include "config/http.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>

#define CONNECT_TIMEOUT_S 10L
#define RETRY_AFTER_MAX_S INT64_C(86400)

struct cfg_http {
    CURLSH *connections;
};

/* While it is under way. */
typedef struct {
    CURL *curl;
    const cfg_http_call *call;
    cfg_http_answer *answer;
    bool cut;
} exchange;

static void init(void) {
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

void cfg_http_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, init);
}

cfg_http *cfg_http_new(void) {
    cfg_http_init();
    cfg_http *http = g_new0(cfg_http, 1);
    http->connections = curl_share_init();
    if (http->connections)
        (void)curl_share_setopt(http->connections, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
    return http;
}

void cfg_http_free(cfg_http *http) {
    if (http && http->connections)
        (void)curl_share_cleanup(http->connections);
    g_free(http);
}

void cfg_http_answer_clear(cfg_http_answer *answer) {
    if (answer->body)
        g_string_free(answer->body, TRUE);
    g_free(answer->problem);
    g_free(answer->detail);
    g_free(answer->etag);
    g_free(answer->redirect);
    *answer = (cfg_http_answer){0};
}

static size_t take(char *bytes, size_t size, size_t count, void *user) {
    exchange *e = user;
    const gsize length = size * count, room = e->call->answer_bytes_max - e->answer->body->len;
    (void)curl_easy_getinfo(e->curl, CURLINFO_RESPONSE_CODE, &e->answer->status);
    const bool good = e->answer->status / 100 == 2;
    if (good && e->call->take) {
        e->answer->ended = !e->call->take(e->call->user, bytes, length);
        return e->answer->ended ? 0 : length;
    }
    e->cut = !good && length > room;
    if (length <= room || e->cut)
        g_string_append_len(e->answer->body, bytes, (gssize)MIN(length, room));
    return length <= room ? length : 0;
}

/* libcurl calls this about once a second: the only way out of a long wait. */
static int may_go_on(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    exchange *e = user;
    (void)a, (void)b, (void)c, (void)d;
    e->answer->ended |= e->call->stop && e->call->stop(e->call->user);
    return e->answer->ended;
}

static bool set_sending(CURL *c, const cfg_http_call *call) {
    bool good = true;
    if (call->body)
        good = curl_easy_setopt(c, CURLOPT_POSTFIELDS, call->body) == CURLE_OK;
    else if (call->file)
        good =
            curl_easy_setopt(c, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
            curl_easy_setopt(c, CURLOPT_READDATA, call->file) == CURLE_OK &&
            curl_easy_setopt(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)call->file_bytes) == CURLE_OK;
    if (call->method)
        good = good && curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, call->method) == CURLE_OK;
    if (call->sigv4)
        good = good && curl_easy_setopt(c, CURLOPT_AWS_SIGV4, call->sigv4) == CURLE_OK &&
               curl_easy_setopt(c, CURLOPT_USERPWD, call->key) == CURLE_OK;
    return good;
}

static bool set_limits(CURL *c, const cfg_http_call *call) {
    return curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)call->timeout_s) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, call->stall_s > 0 ? 1L : 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)call->stall_s) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
}

static bool set_up(cfg_http *http, exchange *e, struct curl_slist *headers, const char *agent,
                   char *detail) {
    CURL *c = e->curl;
    return (!http || curl_easy_setopt(c, CURLOPT_SHARE, http->connections) == CURLE_OK) &&
           curl_easy_setopt(c, CURLOPT_URL, e->call->url) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_USERAGENT, agent) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_ERRORBUFFER, detail) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_WRITEDATA, e) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, may_go_on) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFODATA, e) == CURLE_OK && set_limits(c, e->call) &&
           set_sending(c, e->call);
}

/* NULL: there is none; until the next call. */
static const char *header(CURL *c, const char *name) {
    struct curl_header *found = NULL;
    return curl_easy_header(c, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value
                                                                               : NULL;
}

/* Seconds, or a date by the clock of who sent it. libcurl's own reading ends at six hours since 8.
 */
static int64_t retry_after_ms(const char *value, int64_t date_s) {
    const int64_t s = !value                    ? 0
                      : g_ascii_isdigit(*value) ? strtoll(value, NULL, 10)
                      : date_s > 0              ? (int64_t)curl_getdate(value, NULL) - date_s
                                                : 0;
    return CLAMP(s, 0, RETRY_AFTER_MAX_S) * 1000;
}

static void read_headers(CURL *c, cfg_http_answer *answer) {
    char *redirect = NULL;
    (void)curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &answer->status);
    (void)curl_easy_getinfo(c, CURLINFO_REDIRECT_URL, &redirect);
    const char *date = header(c, "Date");
    answer->date_s = date ? MAX((int64_t)curl_getdate(date, NULL), 0) : 0;
    answer->retry_after_ms = retry_after_ms(header(c, "Retry-After"), answer->date_s);
    answer->etag = g_strdup(header(c, "ETag"));
    answer->redirect = g_strdup(redirect);
}

/* A handle of its own for each call: used for a second one, libcurl before 8.0 looks at the freed
 * headers of the first when the second answer begins with a folded line. The connections outlive
 * it. */
bool cfg_http_send(cfg_http *http, const cfg_http_call *call, cfg_http_answer *answer) {
    char detail[CURL_ERROR_SIZE] = "";
    g_autofree char *agent = g_strconcat(call->agent, "/" MOOWATCH_VERSION, NULL);
    struct curl_slist *headers = NULL;
    cfg_http_init();
    *answer = (cfg_http_answer){.body = g_string_new(NULL)};
    exchange e = {.curl = curl_easy_init(), .call = call, .answer = answer};
    for (gsize i = 0; call->header && call->header[i]; i++)
        headers = curl_slist_append(headers, call->header[i]);
    CURLcode code = CURLE_FAILED_INIT;
    if (e.curl && set_up(http, &e, headers, agent, detail))
        code = curl_easy_perform(e.curl);
    if (e.curl)
        read_headers(e.curl, answer);
    if (code != CURLE_OK && !e.cut) {
        answer->problem = g_strdup(curl_easy_strerror(code));
        answer->detail = g_strdup(*detail ? detail : answer->problem);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(e.curl);
    return !answer->problem;
}
