/* What a server answers to a runner's call, from the first byte of its head on: an answer or a
 * reason. */
#include "runner/ground/error.h"
#include "runner/link/client.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CALL_S = 5, ASKED_BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    int listener;
    pthread_mutex_t lock;
    GBytes
        *answer; /* the client may be gone, and asks for the next, while this one is being sent */
} peer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static GBytes *exchange(GBytes *answer) {
    pthread_mutex_lock(&peer.lock);
    GBytes *old = peer.answer;
    peer.answer = answer ? answer : old ? g_bytes_ref(old) : NULL;
    pthread_mutex_unlock(&peer.lock);
    return old;
}

/* Says it to everybody who has asked. */
static void *answer(void *nothing) {
    char asked[ASKED_BYTES];
    for (;;) {
        const int fd = accept4(peer.listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            abort();
        (void)recv(fd, asked, sizeof asked, 0);
        g_autoptr(GBytes) said = exchange(NULL);
        gsize size = 0;
        const void *data = g_bytes_get_data(said, &size);
        (void)send(fd, data, size, MSG_NOSIGNAL);
        (void)shutdown(fd, SHUT_WR);
        while (recv(fd, asked, sizeof asked, 0) > 0)
            continue;
        (void)close(fd);
    }
    return nothing;
}

static run_client *connected(void) {
    static run_client *client;
    if (client)
        return client;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    pthread_t thread;
    peer.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(peer.listener, (struct sockaddr *)&address, length) != 0 ||
        listen(peer.listener, 16) != 0 ||
        getsockname(peer.listener, (struct sockaddr *)&address, &length) != 0 ||
        pthread_create(&thread, NULL, answer, NULL) != 0)
        abort();
    g_autofree char *url = g_strdup_printf("http://127.0.0.1:%d", ntohs(address.sin_port));
    client = run_client_new(url, "token", -1, NULL);
    return client;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run_client *client = connected();
    GBytes *before = exchange(g_bytes_new(data, size));
    if (before)
        g_bytes_unref(before);
    g_autoptr(GError) error = NULL;
    g_auto(run_answer) told = {0};
    json_t *body = json_object();
    const bool good = run_client_post(client, "/api/v1/runner/lease", body, CALL_S, &told, &error);
    json_decref(body);
    if (good != (!error) || (told.body && !json_is_object(told.body)))
        abort();
    if (!good)
        return 0;
    if (told.detail && (strpbrk(told.detail, "\r\n\t") || !g_utf8_validate(told.detail, -1, NULL)))
        abort();
    if (run_client_judge(&told, "lease", &error) != (told.status >= 200 && told.status < 300) ||
        (error && error->message[0] == '\0'))
        abort();
    return 0;
}
