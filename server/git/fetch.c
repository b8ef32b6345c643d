#include "server/git/fetch.h"

#include "config/json_text.h"
#include "server/ground/error.h"
#include "server/ground/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* 40 years of nightly commits with long subjects stay far below it. */
enum { ANSWER_MAX = 32 << 20, READ_SIZE = 65536 };

struct srv_fetch {
    char *program;
    char *home;
    pid_t child; /* 0: none */
    int to;
    int from;
    int stop_fd;
};

srv_fetch *srv_fetch_new(const char *program, const char *home, int stop_fd) {
    srv_fetch *fetch = g_new0(srv_fetch, 1);
    fetch->program = g_strdup(program);
    fetch->home = g_strdup(home);
    fetch->to = -1;
    fetch->from = -1;
    fetch->stop_fd = stop_fd;
    return fetch;
}

void srv_fetch_free(srv_fetch *fetch) {
    if (!fetch)
        return;
    srv_fetch_rest(fetch);
    g_free(fetch->program);
    g_free(fetch->home);
    g_free(fetch);
}

void srv_fetch_rest(srv_fetch *fetch) {
    if (fetch->child <= 0)
        return;
    close(fetch->to);
    close(fetch->from);
    srv_spawn_kill(fetch->child, 0);
    fetch->child = 0;
    fetch->to = -1;
    fetch->from = -1;
}

/* What git needs of our surroundings and nothing else. */
static char **environment(const char *home) {
    static const char *const wanted[] = {"PATH",        "SSH_AUTH_SOCK", "http_proxy",
                                         "https_proxy", "HTTPS_PROXY",   "no_proxy",
                                         "NO_PROXY",    "SSL_CERT_FILE", "SSL_CERT_DIR"};
    GPtrArray *list = g_ptr_array_new();
    g_ptr_array_add(list, g_strconcat("HOME=", home, NULL));
    g_ptr_array_add(list, g_strdup("LC_ALL=C.UTF-8"));
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const char *value = g_getenv(wanted[i]);
        if (value)
            g_ptr_array_add(list, g_strconcat(wanted[i], "=", value, NULL));
    }
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

static bool start(srv_fetch *fetch, GError **error) {
    if (fetch->child > 0)
        return true;
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno), "pipe: %s",
                         g_strerror(errno));
    if (pipe2(out, O_CLOEXEC) != 0) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "pipe: %s", g_strerror(errno));
        close(in[0]);
        close(in[1]);
        return false;
    }
    g_auto(GStrv) env = environment(fetch->home);
    const char *argv[] = {fetch->program, "--fetch-helper", NULL};
    fetch->child = srv_spawn(argv, (const char *const *)env, in[0], out[1], error);
    close(in[0]);
    close(out[1]);
    if (fetch->child <= 0) {
        close(in[1]);
        close(out[0]);
        fetch->child = 0;
        return false;
    }
    fetch->to = in[1];
    fetch->from = out[0];
    return true;
}

/* A request is smaller than a pipe's buffer, so this cannot block on a child that does not read. */
static bool send_line(srv_fetch *fetch, const char *line) {
    size_t left = strlen(line);
    for (const char *next = line; left > 0;) {
        ssize_t n = write(fetch->to, next, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        next += n;
        left -= (size_t)n;
    }
    return true;
}

typedef enum { ANSWER_MORE, ANSWER_WHOLE, ANSWER_LATE, ANSWER_STOPPED, ANSWER_ENDED } progress;

/* Waits for a block and takes it in. */
static progress receive_block(srv_fetch *fetch, int64_t deadline_us, GByteArray *answer) {
    guint8 block[READ_SIZE];
    int64_t left_ms = (deadline_us - g_get_monotonic_time() + 999) / 1000;
    struct pollfd wait[2] = {{.fd = fetch->from, .events = POLLIN},
                             {.fd = fetch->stop_fd, .events = POLLIN}};
    int ready = left_ms > 0 ? poll(wait, 2, (int)left_ms) : 0;
    if (ready < 0)
        return errno == EINTR ? ANSWER_MORE : ANSWER_ENDED;
    if (ready == 0)
        return ANSWER_LATE;
    if (wait[1].revents != 0)
        return ANSWER_STOPPED;
    ssize_t n = read(fetch->from, block, READ_SIZE);
    if (n <= 0 || answer->len > ANSWER_MAX)
        return n < 0 && errno == EINTR ? ANSWER_MORE : ANSWER_ENDED;
    g_byte_array_append(answer, block, (guint)n);
    return block[n - 1] == '\n' ? ANSWER_WHOLE : ANSWER_MORE;
}

static void set_error(GError **error, progress how, int limit_ms, const char *limit) {
    if (how == ANSWER_LATE)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                    "the repository did not answer within %d s; it is tried again at the next poll "
                    "(%s sets the limit)",
                    limit_ms / 1000, limit);
    else if (how == ANSWER_STOPPED)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "moowatchd is stopping");
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE,
                    "the git process ended without an answer; it is tried again at the next poll");
}

/* Has the host answered? The line that says so, at the beginning, is taken off. */
static bool take_connected(GByteArray *answer) {
    const guint length = strlen(SRV_FETCH_CONNECTED);
    if (answer->len < length || memcmp(answer->data, SRV_FETCH_CONNECTED, length) != 0)
        return false;
    g_byte_array_remove_range(answer, 0, length);
    return true;
}

/* The transfer may begin; false: the child is gone. */
static bool let_go(srv_fetch *fetch, const srv_fetch_wait *wait) {
    if (wait->connected)
        wait->connected(wait->user);
    return send_line(fetch, "\n");
}

/* Reads until the newline; NULL with error when late, too long, stopped, or at the end. A question
 * connects once: a child that says so again is not the one that was started, and gets no time. */
static char *receive_line(srv_fetch *fetch, const srv_fetch_wait *wait, GError **error) {
    const bool connects = wait->connect_ms < wait->answer_ms;
    bool connected = false;
    int64_t now_us = g_get_monotonic_time(), silent_us = INT64_MAX;
    int limit_ms = connects ? wait->connect_ms : wait->answer_ms;
    const char *limit = connects ? "fetch_connect_seconds" : "fetch_timeout_seconds";
    int64_t limit_us = now_us + (int64_t)limit_ms * 1000;
    if (wait->silent)
        silent_us = now_us + (int64_t)wait->patience_ms * 1000;
    GByteArray *answer = g_byte_array_new();
    progress how = ANSWER_MORE;
    while (how == ANSWER_MORE) {
        how = receive_block(fetch, MIN(limit_us, silent_us), answer);
        if (how == ANSWER_LATE && silent_us < limit_us) {
            wait->silent(wait->user);
            silent_us = INT64_MAX;
            how = ANSWER_MORE;
        } else if (take_connected(answer)) {
            if (connected || !let_go(fetch, wait)) {
                how = ANSWER_ENDED;
                break;
            }
            connected = true;
            limit_ms = wait->answer_ms;
            limit = "fetch_timeout_seconds";
            limit_us = g_get_monotonic_time() + (int64_t)limit_ms * 1000;
            silent_us = INT64_MAX;
            how = answer->len > 0 ? how : ANSWER_MORE;
        }
    }
    if (how == ANSWER_WHOLE && answer->len > 0) {
        answer->data[answer->len - 1] = '\0';
        return (char *)g_byte_array_free(answer, FALSE);
    }
    g_byte_array_unref(answer);
    set_error(error, how, limit_ms, limit);
    return NULL;
}

static json_t *exchange(srv_fetch *fetch, const json_t *request, const srv_fetch_wait *wait,
                        GError **error) {
    if (!start(fetch, error))
        return NULL;
    g_autofree char *text = json_dumps(request, JSON_COMPACT);
    g_autofree char *question = g_strconcat(text, "\n", NULL);
    g_autofree char *line = NULL;
    if (send_line(fetch, question))
        line = receive_line(fetch, wait, error);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE,
                    "the git process ended early; it is started again at the next poll");
    if (!line) {
        srv_fetch_rest(fetch);
        return NULL;
    }
    json_error_t where;
    json_auto_t *answer = json_loads(line, 0, &where);
    const char *refusal = cfg_json_word(answer, "error", NULL);
    if (answer && !refusal)
        return json_incref(answer);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", refusal ? refusal : where.text);
    return NULL;
}

json_t *srv_fetch_ask(srv_fetch *fetch, json_t *request, int timeout_ms, GError **error) {
    const srv_fetch_wait wait = {.connect_ms = timeout_ms, .answer_ms = timeout_ms};
    return exchange(fetch, request, &wait, error);
}

json_t *srv_fetch_ask_host(srv_fetch *fetch, json_t *request, const srv_fetch_wait *wait,
                           GError **error) {
    json_auto_t *question = json_copy(request);
    json_object_set_new(question, "tells", json_true());
    return exchange(fetch, question, wait, error);
}
