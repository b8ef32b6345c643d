#pragma once
/* A server that says fixed bytes, one text after the other, to whoever asks: answers that no
 * library would send. */
#include <arpa/inet.h>
#include <glib.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct {
    const char *const *texts; /* NULL-ended */
    unsigned connections;     /* so many came */
    int listener;
    pthread_t thread;
    char *url;
} told_peer;

static inline void *told_answer(void *user) {
    told_peer *peer = user;
    char request[8192];
    int fd = -1;
    for (const char *const *text = peer->texts; *text;) {
        if (fd < 0) {
            fd = accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC);
            peer->connections++;
        }
        if (fd < 0)
            return NULL;
        if (recv(fd, request, sizeof request, 0) > 0) {
            (void)send(fd, *text, strlen(*text), MSG_NOSIGNAL);
            text++;
        } else {
            (void)close(fd);
            fd = -1;
        }
    }
    while (recv(fd, request, sizeof request, 0) > 0)
        continue;
    (void)close(fd);
    return NULL;
}

/* Until told_end; requests of less than 8 KiB, whose bodies come with their heads. */
static inline told_peer *told_begin(const char *const *texts) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    told_peer *peer = g_new0(told_peer, 1);
    peer->texts = texts;
    peer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(peer->listener, (struct sockaddr *)&address, length) != 0 ||
        listen(peer->listener, 4) != 0 ||
        getsockname(peer->listener, (struct sockaddr *)&address, &length) != 0 ||
        pthread_create(&peer->thread, NULL, told_answer, peer) != 0)
        g_error("no peer");
    peer->url = g_strdup_printf("http://127.0.0.1:%u", ntohs(address.sin_port));
    return peer;
}

/* The client must have closed its connection. How many connections there were. */
static inline unsigned told_end(told_peer *peer) {
    (void)shutdown(peer->listener, SHUT_RDWR);
    pthread_join(peer->thread, NULL);
    const unsigned connections = peer->connections;
    (void)close(peer->listener);
    g_free(peer->url);
    g_free(peer);
    return connections;
}

/* The second answer begins with a line that goes on with a header of the first: freed by then, in
 * libcurl before 8.0. */
#define TOLD_FOLDED                                                                                \
    (const char *const[]) {                                                                        \
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Long: one\r\n\r\n{}",                           \
            "HTTP/1.1 200 OK\r\n of it\r\nContent-Length: 2\r\n\r\n{}", NULL                       \
    }
