/*
 * moowatch-receiver - takes what a monitoring framework sends, and counts it.
 *
 * It listens on 127.0.0.1, says so, and runs until SIGTERM. Then what was sent already is taken,
 * and the counts are printed as one line of JSON.
 */
#include "runner/moobench/receiver/http.h"
#include "runner/moobench/receiver/kieker.h"
#include "runner/moobench/receiver/otlp.h"
#include "runner/moobench/receiver/zipkin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DRAIN_S 4 /* the runner waits five seconds */
#define BACKLOG 64

static const char help[] =
    "Usage: moowatch-receiver --format FORMAT --port PORT\n"
    "Takes what a monitoring framework sends to 127.0.0.1, and counts it.\n"
    "\n"
    "  --format otlp    OTLP over HTTP (protobuf): spans sent to /v1/traces\n"
    "  --format zipkin  Zipkin's API, version 2 (JSON): spans sent to /api/v2/spans\n"
    "  --format kieker  Kieker's TCP writer: activations of operations\n"
    "  --operation TEXT  kieker: count operations whose signature contains TEXT only\n"
    "  --port PORT      where it listens; 0: any free port\n"
    "\n"
    "Prints \"ready 127.0.0.1:PORT\", and after SIGTERM, as its last line,\n"
    "{\"records\": N, \"others\": N, \"requests\": N, \"refused\": N, \"bytes\": N}.\n"
    "Exit status: 0, 1 it cannot listen, 2 wrong usage.\n";

typedef enum { FORMAT_NONE, FORMAT_OTLP, FORMAT_ZIPKIN, FORMAT_KIEKER } format;

static format wanted;
static const char *operation; /* NULL: every one */
static atomic_ullong records, others, requests, refused, bytes;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static unsigned open_connections;

/* What is sent elsewhere (metrics, logs) is taken, and no span. */
static bool count_body(const rcv_http_request *request) {
    uint64_t spans = 0;
    bool good = true;
    if (wanted == FORMAT_OTLP && strcmp(request->path, "/v1/traces") == 0)
        good = rcv_otlp_count(request->body, request->size, &spans);
    else if (wanted == FORMAT_ZIPKIN && strcmp(request->path, "/api/v2/spans") == 0)
        good = rcv_zipkin_count(request->body, request->size, &spans);
    else
        atomic_fetch_add(&others, 1);
    atomic_fetch_add(&records, spans);
    return good;
}

static void serve_http(rcv_stream *stream) {
    rcv_http_request request;
    int got;
    bool more = true;
    while (more && (got = rcv_http_take(stream, &request)) != 0) {
        bool good = got > 0 && count_body(&request);
        atomic_fetch_add(&requests, 1);
        atomic_fetch_add(&bytes, request.size);
        if (!good)
            atomic_fetch_add(&refused, 1);
        more = rcv_http_answer(stream, good ? 200 : 400) && got > 0 && !request.last;
        free(request.body);
    }
}

static void serve_kieker(rcv_stream *stream) {
    rcv_kieker_counts counts;
    if (!rcv_kieker_read(stream, operation, &counts)) {
        atomic_fetch_add(&refused, 1);
        printf("refused: %s\n", counts.problem);
        fflush(stdout);
    }
    atomic_fetch_add(&requests, 1);
    atomic_fetch_add(&records, counts.records);
    atomic_fetch_add(&others, counts.others);
}

static void *serve(void *data) {
    rcv_stream *stream = data;
    if (wanted == FORMAT_KIEKER)
        serve_kieker(stream);
    else
        serve_http(stream);
    close(stream->fd);
    free(stream);
    pthread_mutex_lock(&mutex);
    open_connections--;
    pthread_cond_signal(&fewer);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void begin(int fd) {
    pthread_t thread;
    rcv_stream *stream = malloc(sizeof *stream);
    if (!stream) {
        close(fd);
        return;
    }
    stream->fd = fd;
    stream->at = stream->end = 0;
    pthread_mutex_lock(&mutex);
    open_connections++;
    pthread_mutex_unlock(&mutex);
    if (pthread_create(&thread, NULL, serve, stream) == 0) {
        pthread_detach(thread);
        return;
    }
    close(fd);
    free(stream);
    pthread_mutex_lock(&mutex);
    open_connections--;
    pthread_mutex_unlock(&mutex);
}

static void accept_all(int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        begin(fd);
}

/* Senders that have ended have closed: their connections come to an end by themselves. */
static void drain(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += DRAIN_S;
    pthread_mutex_lock(&mutex);
    while (open_connections > 0 && pthread_cond_timedwait(&fewer, &mutex, &until) == 0)
        ;
    pthread_mutex_unlock(&mutex);
}

static int open_listener(unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        char words[128];
        fprintf(stderr, "moowatch-receiver: cannot listen on 127.0.0.1:%u: %s\n", port,
                strerror_r(errno, words, sizeof words));
        return -1;
    }
    printf("ready 127.0.0.1:%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static int run(unsigned port) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int told = signalfd(-1, &ends, SFD_CLOEXEC);
    int listener = open_listener(port);
    if (listener < 0 || told < 0)
        return 1;
    struct pollfd fds[] = {{.fd = listener, .events = POLLIN}, {.fd = told, .events = POLLIN}};
    while (fds[1].revents == 0 && (poll(fds, 2, -1) >= 0 || errno == EINTR))
        accept_all(listener);
    accept_all(listener);
    close(listener);
    drain();
    printf("{\"records\": %llu, \"others\": %llu, \"requests\": %llu, \"refused\": %llu, "
           "\"bytes\": %llu}\n",
           atomic_load(&records), atomic_load(&others), atomic_load(&requests),
           atomic_load(&refused), atomic_load(&bytes));
    return fflush(stdout) == 0 ? 0 : 1;
}

static format format_of(const char *word) {
    static const char *const words[] = {NULL, "otlp", "zipkin", "kieker"};
    for (format i = FORMAT_OTLP; i <= FORMAT_KIEKER; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return FORMAT_NONE;
}

static int wrong(const char *what) {
    fprintf(stderr, "moowatch-receiver: %s; see --help\n", what);
    return 2;
}

int main(int argc, char **argv) {
    unsigned long port = 65536;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
        if (i + 1 == argc)
            return wrong("an option without its value");
        char *end = argv[i + 1] + strlen(argv[i + 1]);
        if (strcmp(argv[i], "--format") == 0)
            wanted = format_of(argv[i + 1]);
        else if (strcmp(argv[i], "--operation") == 0)
            operation = argv[i + 1];
        else if (strcmp(argv[i], "--port") == 0)
            port = strtoul(argv[i + 1], &end, 10);
        else
            return wrong("unknown option");
        if (*end != '\0' || argv[i + 1][0] == '\0')
            return wrong("--port: not a number");
        i++;
    }
    if (wanted == FORMAT_NONE)
        return wrong("--format must be otlp, zipkin or kieker");
    return port > 65535 ? wrong("--port must be a number from 0 to 65535") : run((unsigned)port);
}
