#include "runner/link/client.h"

#include "config/http.h"
#include "config/json_text.h"
#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/protocol.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STALL_S 60 /* an upload that does not move for so long is given up and repeated */

struct run_client {
    cfg_http *http;
    char *server;
    char *authorization; /* the whole header line */
    int stop_fd;
};

void run_answer_clear(run_answer *answer) {
    g_clear_pointer(&answer->body, json_decref);
    g_clear_pointer(&answer->detail, g_free);
}

run_client *run_client_new(const char *server, const char *token, int stop_fd, GError **error) {
    size_t token_length = token ? strlen(token) : 0;
    if (!g_str_has_prefix(server, "http://") && !g_str_has_prefix(server, "https://")) {
        run_wrong(error, "server %s: an http:// or https:// URL is needed", server);
        return NULL;
    }
    if (token &&
        (token_length == 0 || strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                            "0123456789-._~+/=") != token_length)) {
        run_wrong(error, "the token is empty or has invalid characters");
        return NULL;
    }
    run_client *client = g_new0(run_client, 1);
    client->http = cfg_http_new();
    client->stop_fd = stop_fd;
    client->server = g_strdup(server);
    for (size_t end = strlen(server); end > 0 && server[end - 1] == '/'; end--)
        client->server[end - 1] = '\0';
    client->authorization = token ? g_strdup_printf("Authorization: Bearer %s", token) : NULL;
    return client;
}

void run_client_free(run_client *client) {
    if (!client)
        return;
    cfg_http_free(client->http);
    if (client->authorization)
        explicit_bzero(client->authorization, strlen(client->authorization));
    g_free(client->authorization);
    g_free(client->server);
    g_free(client);
}

static bool is_stopped(void *user) {
    const run_client *client = user;
    return run_stop_asked(client->stop_fd);
}

static void read_answer(const cfg_http_answer *came, run_answer *answer) {
    json_auto_t *body = came->body->len > 0 ? json_loadb(came->body->str, came->body->len,
                                                         JSON_REJECT_DUPLICATES, NULL)
                                            : NULL;
    answer->status = came->status;
    if (answer->status >= 200 && answer->status < 300) {
        answer->body = json_is_object(body) ? json_incref(body) : NULL;
    } else {
        const char *detail = cfg_json_word(body, "detail", NULL);
        g_autofree char *text = g_utf8_make_valid(
            detail ? detail : "", (gssize)MIN(detail ? strlen(detail) : 0, RUN_REASON_BYTES));
        answer->detail = g_strdelimit(g_steal_pointer(&text), "\r\n\t", ' ');
    }
}

/* http: NULL: on a connection of its own. */
static bool perform(const run_client *client, cfg_http *http, cfg_http_call *call, const char *path,
                    run_answer *answer, GError **error) {
    g_autofree char *url = g_strconcat(client->server, path, NULL);
    g_auto(cfg_http_answer) came = {0};
    memset(answer, 0, sizeof *answer);
    call->url = url;
    call->agent = "moowatch-runner";
    call->answer_bytes_max = RUN_ANSWER_BYTES_MAX;
    if (cfg_http_send(http, call, &came)) {
        read_answer(&came, answer);
        return true;
    }
    if (came.ended)
        run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
    else
        run_fail(error, RUN_ERROR_AWAY, "no answer from %s: %s", client->server, came.detail);
    return false;
}

bool run_client_post(run_client *client, const char *path, json_t *body, unsigned timeout_s,
                     run_answer *answer, GError **error) {
    /* no wait for 100-continue */
    const char *const headers[] = {"Content-Type: application/json",
                                   "Expect:", client->authorization, NULL};
    g_autofree char *text = json_dumps(body, JSON_COMPACT);
    cfg_http_call call = {.header = headers,
                          .body = text,
                          .timeout_s = timeout_s,
                          .stop = is_stopped,
                          .user = client};
    return perform(client, client->http, &call, path, answer, error);
}

bool run_client_put_file(run_client *client, const char *path, const char *lease, const char *file,
                         run_answer *answer, GError **error) {
    struct stat status;
    FILE *stream = fopen(file, "rbe");
    if (!stream || fstat(fileno(stream), &status) != 0) {
        run_cannot(error, "read", file);
        if (stream)
            fclose(stream);
        return false;
    }
    g_autofree char *of = lease ? g_strdup_printf("%s: %s", RUN_HEADER_LEASE, lease) : NULL;
    const char *const headers[] = {"Content-Type: application/zstd",
                                   "Expect:", of ? of : client->authorization,
                                   of ? client->authorization : NULL, NULL};
    cfg_http_call call = {.header = headers,
                          .file = stream,
                          .file_bytes = status.st_size,
                          .stall_s = STALL_S,
                          .stop = is_stopped,
                          .user = client};
    const bool good = perform(client, client->http, &call, path, answer, error);
    fclose(stream);
    return good;
}

typedef struct {
    run_client *client;
    const run_download *what;
    uint64_t left;
    GChecksum *sum;
    GError *problem;
} download;

static bool take_file(void *user, const char *bytes, gsize length) {
    download *work = user;
    if (length > work->left) {
        g_set_error(&work->problem, RUN_ERROR, RUN_ERROR_REFUSED,
                    "the server sent more bytes than the job announced");
        return false;
    }
    work->left -= length;
    g_checksum_update(work->sum, (const guchar *)bytes, (gssize)length);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(work->what->fd, bytes + done, length - done);
        if (written < 0 && errno != EINTR) {
            g_set_error(&work->problem, RUN_ERROR, RUN_ERROR_NODE, "cannot write a download: %s",
                        g_strerror(errno));
            return false;
        }
        done += (size_t)MAX(written, 0);
    }
    return true;
}

static bool ends_download(void *user) {
    download *work = user;
    const run_download *what = work->what;
    return is_stopped(work->client) || work->problem ||
           (what->tick && !what->tick(what->tick_data, &work->problem));
}

bool run_client_get_file(run_client *client, const run_download *what, char sha256[65],
                         run_answer *answer, GError **error) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    download work = {.client = client, .what = what, .left = what->bytes_max, .sum = sum};
    const char *const headers[] = {client->authorization, NULL};
    cfg_http_call call = {.header = headers,
                          .stall_s = STALL_S,
                          .take = take_file,
                          .stop = ends_download,
                          .user = &work};
    g_autoptr(GError) wrong = NULL;
    /* The tick makes calls on the client's connections meanwhile. */
    const bool good = perform(client, NULL, &call, what->path, answer, &wrong);
    g_strlcpy(sha256, g_checksum_get_string(sum), 65);
    if (!good)
        g_propagate_error(error, work.problem ? work.problem : g_steal_pointer(&wrong));
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
