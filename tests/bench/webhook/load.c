/*
 * load - signed webhooks at a fixed rate, as GitHub sends them.
 *
 * Connections take turns; each has a thread and sends at its appointed times. A delivery's time
 * counts from when it was due, so that a server that stalls is not spared the ones that had to wait
 * for it.
 *
 * load PORT PROJECT SECRET COMMIT RATE SECONDS CONNECTIONS
 * COMMIT "-": each names another one, which is nowhere
 * prints one line a delivery: its id, the status (0: no answer), milliseconds.
 */
#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_MAX = 2048, ANSWER_MAX = 8192 };

static struct {
    uint16_t port;
    const char *project, *secret, *commit;
    unsigned rate, deliveries, connections;
    int64_t begin_us;
} plan;

typedef struct {
    int status;
    double ms;
} outcome;

static outcome *outcomes; /* [plan.deliveries] */

static int64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void sleep_until(int64_t us) {
    const struct timespec when = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) != 0) {
    }
}

static int open_connection(void) {
    static const int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(plan.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int request_of(char *out, unsigned number) {
    char body[REQUEST_MAX / 2], own[41];
    (void)snprintf(own, sizeof own, "%040x", number);
    int length = snprintf(body, sizeof body,
                          "{\"ref\":\"refs/heads/main\",\"after\":\"%s\",\"deleted\":false,"
                          "\"number\":%u,\"repository\":{\"full_name\":\"bench/%s\"}}",
                          strcmp(plan.commit, "-") == 0 ? own : plan.commit, number, plan.project);
    g_autofree char *signature =
        g_compute_hmac_for_data(G_CHECKSUM_SHA256, (const guchar *)plan.secret, strlen(plan.secret),
                                (const guchar *)body, (gsize)length);
    return snprintf(out, REQUEST_MAX,
                    "POST /api/v1/hooks/github/%s HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    "Content-Type: application/json\r\nX-GitHub-Event: push\r\n"
                    "X-GitHub-Delivery: bench-%u\r\nX-Hub-Signature-256: sha256=%s\r\n"
                    "Content-Length: %d\r\n\r\n%s",
                    plan.project, number, signature, length, body);
}

/* The status once the whole answer is there; 0: the connection ended. */
static int read_answer(int fd) {
    char text[ANSWER_MAX + 1];
    size_t have = 0;
    for (;;) {
        ssize_t n = have < ANSWER_MAX ? recv(fd, text + have, ANSWER_MAX - have, 0) : 0;
        if (n <= 0)
            return 0;
        have += (size_t)n;
        text[have] = '\0';
        const char *end = strstr(text, "\r\n\r\n");
        const char *length = end ? strstr(text, "Content-Length: ") : NULL;
        if (length && have >= (size_t)(end + 4 - text) +
                                  strtoul(length + strlen("Content-Length: "), NULL, 10))
            return atoi(text + strlen("HTTP/1.1 "));
    }
}

static void *deliver(void *data) {
    unsigned first = GPOINTER_TO_UINT(data);
    char request[REQUEST_MAX];
    int fd = -1;
    for (unsigned i = first; i < plan.deliveries; i += plan.connections) {
        int length = request_of(request, i);
        int64_t due_us = plan.begin_us + (int64_t)i * 1000000 / plan.rate;
        sleep_until(due_us);
        if (fd < 0)
            fd = open_connection();
        if (fd >= 0 && send(fd, request, (size_t)length, MSG_NOSIGNAL) == length)
            outcomes[i].status = read_answer(fd);
        outcomes[i].ms = (double)(now_us() - due_us) / 1000;
        if (outcomes[i].status == 0 && fd >= 0) {
            close(fd);
            fd = -1;
        }
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 8) {
        fprintf(stderr, "usage: load PORT PROJECT SECRET COMMIT RATE SECONDS CONNECTIONS\n");
        return 2;
    }
    plan.port = (uint16_t)atoi(argv[1]);
    plan.project = argv[2];
    plan.secret = argv[3];
    plan.commit = argv[4];
    plan.rate = (unsigned)atoi(argv[5]);
    plan.deliveries = plan.rate * (unsigned)atoi(argv[6]);
    plan.connections = (unsigned)atoi(argv[7]);
    plan.begin_us = now_us() + 200000;
    outcomes = g_new0(outcome, plan.deliveries);
    pthread_t *threads = g_new(pthread_t, plan.connections);
    for (unsigned i = 0; i < plan.connections; i++)
        if (pthread_create(&threads[i], NULL, deliver, GUINT_TO_POINTER(i)) != 0) {
            perror("load: a thread");
            return 1;
        }
    for (unsigned i = 0; i < plan.connections; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < plan.deliveries; i++)
        printf("bench-%u %d %.3f\n", i, outcomes[i].status, outcomes[i].ms);
    g_free(threads);
    g_free(outcomes);
    return 0;
}
