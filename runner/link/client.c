#include "runner/link/client.h"

#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/protocol.h"

#include <curl/curl.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONNECT_TIMEOUT_S 10L
#define STALL_BYTES_PER_S 1L
#define STALL_S 60L /* an upload that does not move for so long is given up and repeated */

struct run_client {
    CURLSH *connections;
    CURL *curl; /* of the latest call */
    char *server;
    char *authorization; /* the whole header line */
    int stop_fd;
    char problem[CURL_ERROR_SIZE];
};

void run_answer_clear(run_answer *answer) {
    g_clear_pointer(&answer->body, json_decref);
    g_clear_pointer(&answer->detail, g_free);
}

run_client *run_client_new(const char *server, const char *token, int stop_fd, GError **error) {
    size_t token_length = token ? strlen(token) : 0;
    if (!g_str_has_prefix(server, "http://") && !g_str_has_prefix(server, "https://")) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "server %s: an http:// or https:// URL is needed", server);
        return NULL;
    }
    if (token &&
        (token_length == 0 || strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                            "0123456789-._~+/=") != token_length)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "the token is empty or has invalid characters");
        return NULL;
    }
    g_autoptr(run_client) client = g_new0(run_client, 1);
    client->stop_fd = stop_fd;
    client->server = g_strdup(server);
    for (size_t end = strlen(server); end > 0 && server[end - 1] == '/'; end--)
        client->server[end - 1] = '\0';
    client->authorization = token ? g_strdup_printf("Authorization: Bearer %s", token) : NULL;
    client->connections = curl_global_init(CURL_GLOBAL_DEFAULT) == 0 ? curl_share_init() : NULL;
    if (!client->connections ||
        curl_share_setopt(client->connections, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "cannot set up libcurl");
        return NULL;
    }
    return g_steal_pointer(&client);
}

void run_client_free(run_client *client) {
    if (client) {
        curl_easy_cleanup(client->curl);
        (void)curl_share_cleanup(client->connections);
        if (client->authorization)
            explicit_bzero(client->authorization, strlen(client->authorization));
        g_free(client->authorization);
        g_free(client->server);
        g_free(client);
    }
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    GByteArray *body = data;
    if (body->len + size * count > RUN_ANSWER_BYTES_MAX)
        return 0;
    g_byte_array_append(body, (const guint8 *)bytes, (guint)(size * count));
    return size * count;
}

/* libcurl calls this about once a second: the only way out of a long wait. */
static int check_stop(void *data, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                      curl_off_t up) {
    (void)down_all, (void)down, (void)up_all, (void)up;
    const run_client *client = data;
    return run_stop_asked(client->stop_fd) ? 1 : 0;
}

/* A handle for one call. Used for a second one, libcurl before 8.0 looks at the freed headers of
 * the first when the second answer begins with a folded line; the connections outlive the handle.
 */
static CURL *fresh_handle(run_client *client) {
    curl_easy_cleanup(client->curl);
    client->curl = curl_easy_init();
    if (!client->curl)
        g_error("libcurl cannot make a handle: out of memory"); /* as GLib ends the program, too */
    curl_easy_setopt(client->curl, CURLOPT_SHARE, client->connections);
    return client->curl;
}

static void set_common(CURL *curl, run_client *client, const char *url, struct curl_slist *headers,
                       GByteArray *body) {
    client->problem[0] = '\0';
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "moowatch-runner/" MOOWATCH_VERSION);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, client->problem);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, check_stop);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, client);
}

static void read_answer(GByteArray *bytes, run_answer *answer) {
    json_t *body = bytes->len > 0 ? json_loadb((const char *)bytes->data, bytes->len,
                                               JSON_REJECT_DUPLICATES, NULL)
                                  : NULL;
    if (answer->status >= 200 && answer->status < 300) {
        answer->body = json_is_object(body) ? json_incref(body) : NULL;
    } else {
        const char *detail = json_string_value(json_object_get(body, "detail"));
        g_autofree char *text = g_utf8_make_valid(
            detail ? detail : "", (gssize)MIN(detail ? strlen(detail) : 0, RUN_REASON_BYTES));
        answer->detail = g_strdelimit(g_steal_pointer(&text), "\r\n\t", ' ');
    }
    json_decref(body);
}

static bool perform(run_client *client, GByteArray *body, run_answer *answer, GError **error) {
    memset(answer, 0, sizeof *answer);
    CURLcode code = curl_easy_perform(client->curl);
    if (code == CURLE_ABORTED_BY_CALLBACK) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
        return false;
    }
    if (code != CURLE_OK) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_AWAY, "no answer from %s: %s", client->server,
                    client->problem[0] != '\0' ? client->problem : curl_easy_strerror(code));
        return false;
    }
    curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &answer->status);
    read_answer(body, answer);
    return true;
}

/* The headers of a call begin with it; none where there is no token. */
static struct curl_slist *authorization_of(const run_client *client) {
    return client->authorization ? curl_slist_append(NULL, client->authorization) : NULL;
}

static struct curl_slist *make_headers(const run_client *client, const char *content_type,
                                       const char *lease) {
    struct curl_slist *headers = curl_slist_append(authorization_of(client), content_type);
    headers = curl_slist_append(headers, "Expect:"); /* no wait for 100-continue */
    if (lease) {
        g_autofree char *line = g_strdup_printf("%s: %s", RUN_HEADER_LEASE, lease);
        headers = curl_slist_append(headers, line);
    }
    return headers;
}

bool run_client_post(run_client *client, const char *path, json_t *body, unsigned timeout_s,
                     run_answer *answer, GError **error) {
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    struct curl_slist *headers = make_headers(client, "Content-Type: application/json", NULL);
    char *text = json_dumps(body, JSON_COMPACT);
    set_common(fresh_handle(client), client, url, headers, bytes);
    curl_easy_setopt(client->curl, CURLOPT_TIMEOUT, (long)timeout_s);
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, text);
    bool good = perform(client, bytes, answer, error);
    free(text);
    curl_slist_free_all(headers);
    return good;
}

bool run_client_put_file(run_client *client, const char *path, const char *lease, const char *file,
                         run_answer *answer, GError **error) {
    struct stat status;
    FILE *stream = fopen(file, "rbe");
    if (!stream || fstat(fileno(stream), &status) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot read %s: %s", file,
                    g_strerror(errno));
        if (stream)
            fclose(stream);
        return false;
    }
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    struct curl_slist *headers = make_headers(client, "Content-Type: application/zstd", lease);
    set_common(fresh_handle(client), client, url, headers, bytes);
    curl_easy_setopt(client->curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(client->curl, CURLOPT_READDATA, stream);
    curl_easy_setopt(client->curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
    curl_easy_setopt(client->curl, CURLOPT_LOW_SPEED_LIMIT, STALL_BYTES_PER_S);
    curl_easy_setopt(client->curl, CURLOPT_LOW_SPEED_TIME, STALL_S);
    bool good = perform(client, bytes, answer, error);
    curl_slist_free_all(headers);
    fclose(stream);
    return good;
}

typedef struct {
    run_client *client;
    CURL *curl;
    const run_download *what;
    uint64_t left;
    GChecksum *sum;
    GByteArray *refusal; /* the body of an answer that is not 200 */
    GError *problem;
} download;

static size_t take_file(char *bytes, size_t size, size_t count, void *data) {
    download *work = data;
    const size_t length = size * count;
    long status = 0;
    curl_easy_getinfo(work->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200)
        return take_body(bytes, size, count, work->refusal);
    if (length > work->left) {
        g_set_error(&work->problem, RUN_ERROR, RUN_ERROR_REFUSED,
                    "the server sent more bytes than the job announced");
        return 0;
    }
    work->left -= length;
    g_checksum_update(work->sum, (const guchar *)bytes, (gssize)length);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(work->what->fd, bytes + done, length - done);
        if (written < 0 && errno != EINTR) {
            g_set_error(&work->problem, RUN_ERROR, RUN_ERROR_NODE, "cannot write a download: %s",
                        g_strerror(errno));
            return 0;
        }
        done += (size_t)MAX(written, 0);
    }
    return length;
}

static int on_progress(void *data, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                       curl_off_t up) {
    download *work = data;
    int stop = check_stop(work->client, down_all, down, up_all, up);
    const run_download *what = work->what;
    return stop != 0 || work->problem ||
           (what->tick && !what->tick(what->tick_data, &work->problem));
}

static bool perform_download(download *work, run_answer *answer, GError **error) {
    char why[CURL_ERROR_SIZE] = "";
    memset(answer, 0, sizeof *answer);
    curl_easy_setopt(work->curl, CURLOPT_ERRORBUFFER, why);
    CURLcode code = curl_easy_perform(work->curl);
    if (work->problem) {
        g_propagate_error(error, g_steal_pointer(&work->problem));
    } else if (code == CURLE_ABORTED_BY_CALLBACK) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
    } else if (code != CURLE_OK) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_AWAY, "no answer from %s: %s", work->client->server,
                    why[0] != '\0' ? why : curl_easy_strerror(code));
    } else {
        curl_easy_getinfo(work->curl, CURLINFO_RESPONSE_CODE, &answer->status);
        read_answer(work->refusal, answer);
        return true;
    }
    return false;
}

/* On a handle of its own: the tick makes calls meanwhile. */
bool run_client_get_file(run_client *client, const run_download *what, char sha256[65],
                         run_answer *answer, GError **error) {
    g_autofree char *url = g_strconcat(client->server, what->path, NULL);
    g_autoptr(GByteArray) refusal = g_byte_array_new();
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    download work = {.client = client,
                     .curl = curl_easy_init(),
                     .what = what,
                     .left = what->bytes_max,
                     .sum = sum,
                     .refusal = refusal};
    struct curl_slist *headers = authorization_of(client);
    set_common(work.curl, client, url, headers, refusal);
    curl_easy_setopt(work.curl, CURLOPT_WRITEFUNCTION, take_file);
    curl_easy_setopt(work.curl, CURLOPT_WRITEDATA, &work);
    curl_easy_setopt(work.curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(work.curl, CURLOPT_XFERINFODATA, &work);
    curl_easy_setopt(work.curl, CURLOPT_LOW_SPEED_LIMIT, STALL_BYTES_PER_S);
    curl_easy_setopt(work.curl, CURLOPT_LOW_SPEED_TIME, STALL_S);
    bool good = perform_download(&work, answer, error);
    g_strlcpy(sha256, g_checksum_get_string(sum), 65);
    curl_slist_free_all(headers);
    curl_easy_cleanup(work.curl);
    return good;
}

bool run_client_judge(const run_answer *answer, const char *what, GError **error) {
    if (answer->status >= 200 && answer->status < 300)
        return true;
    run_error code = RUN_ERROR_REFUSED;
    if (answer->status == 409)
        code = RUN_ERROR_LOST;
    else if (answer->status >= 500 || answer->status == 429 || answer->status == 408 ||
             answer->status == 401 || answer->status == 403)
        code = RUN_ERROR_AWAY;
    const char *detail = answer->detail ? answer->detail : "";
    g_set_error(error, RUN_ERROR, (int)code, "%s: the server answered %ld%s%s", what,
                answer->status, detail[0] != '\0' ? ": " : "", detail);
    return false;
}
