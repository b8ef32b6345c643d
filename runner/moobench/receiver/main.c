/*
 * moowatch-receiver - takes what a monitoring framework sends, and counts it.
 *
 * It listens on 127.0.0.1, says so, and runs until SIGTERM. Then what was sent already is taken,
 * and the counts are printed as one line of JSON.
 */
#include "runner/moobench/receiver/receiver.h"

#include <arpa/inet.h>
#include <errno.h>
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
#define UDP_BUFFER_BYTES (8 << 20) /* the kernel gives what it allows */

static const char help_before[] =
    "Usage: moowatch-receiver --format FORMAT --port PORT\n"
    "Takes what a monitoring framework sends to 127.0.0.1, and counts it.\n"
    "\n";
static const char help_after[] =
    "  --operation TEXT     kieker: count operations whose signature contains TEXT only\n"
    "  --port PORT          where it listens; 0: any free port\n"
    "\n"
    "Prints \"ready 127.0.0.1:PORT\", and after SIGTERM, as its last line,\n"
    "{\"records\": N, \"others\": N, \"requests\": N, \"refused\": N, \"bytes\": N}.\n"
    "Exit status: 0, 1 it cannot listen, 2 wrong usage.\n";

static const rcv_format *wanted;
static const char *operation; /* NULL: every one */
static atomic_ullong records, others, requests, refused, bytes;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static unsigned open_connections;

static bool count(const char *path, const uint8_t *what, size_t size) {
    rcv_counted counted = {0};
    const bool good = wanted->count(path, what, size, &counted);
    atomic_fetch_add(&records, counted.records);
    atomic_fetch_add(&others, counted.others);
    atomic_fetch_add(&requests, 1);
    atomic_fetch_add(&bytes, size);
    if (!good)
        atomic_fetch_add(&refused, 1);
    return good;
}

static void serve_http(rcv_stream *stream) {
    rcv_http_request request;
    int got;
    bool more = true;
    while (more && (got = rcv_http_take(stream, &request)) != 0) {
        bool good = got > 0 && count(request.path, request.body, request.size);
        if (got < 0)
            atomic_fetch_add(&refused, 1);
        more = rcv_http_answer(stream, good ? 200 : 400) && got > 0 && !request.last;
        free(request.body);
    }
}

static void take_message(void *data, const char *path, const uint8_t *message, size_t size) {
    (void)data;
    (void)count(path, message, size);
}

static void serve_grpc(const rcv_stream *stream) {
    const rcv_grpc_service service = {.take = take_message,
                                      .answer = (const uint8_t *)wanted->answer,
                                      .answer_size = strlen(wanted->answer)};
    if (!rcv_grpc_serve(stream->fd, &service))
        atomic_fetch_add(&refused, 1);
}

/* Scouter's agent holds a connection on which it would be asked. */
static void serve_nothing(rcv_stream *stream) {
    while (rcv_stream_take(stream, NULL, 1))
        ;
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
    switch (wanted->over) {
    case RCV_OVER_HTTP:
        serve_http(stream);
        break;
    case RCV_OVER_GRPC:
        serve_grpc(stream);
        break;
    case RCV_OVER_UDP:
        serve_nothing(stream);
        break;
    case RCV_OVER_TCP:
        serve_kieker(stream);
        break;
    }
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

/* Bound to the port; 0 is replaced by the one that was free. -1 with errno. */
static int open_socket(int type, unsigned *port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)*port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1, buffer = UDP_BUFFER_BYTES;
    int fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool stream = type == SOCK_STREAM;
    if (fd >= 0 &&
        setsockopt(fd, SOL_SOCKET, stream ? SO_REUSEADDR : SO_RCVBUF, stream ? &yes : &buffer,
                   sizeof yes) == 0 &&
        bind(fd, (struct sockaddr *)&address, size) == 0 && (!stream || listen(fd, BACKLOG) == 0) &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return fd;
    }
    const int code = errno;
    if (fd >= 0)
        close(fd);
    errno = code;
    return -1;
}

static void take_datagrams(int fd) {
    static uint8_t datagram[65536];
    ssize_t size;
    while (fd >= 0 && (size = recv(fd, datagram, sizeof datagram, 0)) >= 0)
        (void)count("", datagram, (size_t)size);
}

/* Until told to end. */
static void take_all(int listener, int datagrams, int told) {
    struct pollfd fds[] = {{.fd = told, .events = POLLIN},
                           {.fd = listener, .events = POLLIN},
                           {.fd = datagrams, .events = POLLIN}}; /* poll passes over -1 */
    while (fds[0].revents == 0 && (poll(fds, 3, -1) >= 0 || errno == EINTR)) {
        accept_all(listener);
        take_datagrams(datagrams);
    }
    accept_all(listener);
    close(listener);
    drain();
    take_datagrams(datagrams);
}

static int run(unsigned port) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int told = signalfd(-1, &ends, SFD_CLOEXEC);
    int listener = open_socket(SOCK_STREAM, &port);
    int datagrams = -1;
    if (told < 0 || listener < 0 ||
        (wanted->over == RCV_OVER_UDP && (datagrams = open_socket(SOCK_DGRAM, &port)) < 0)) {
        char words[128];
        fprintf(stderr, "moowatch-receiver: cannot listen on 127.0.0.1:%u: %s\n", port,
                strerror_r(errno, words, sizeof words));
        return 1;
    }
    printf("ready 127.0.0.1:%u\n", port);
    fflush(stdout);
    take_all(listener, datagrams, told);
    printf("{\"records\": %llu, \"others\": %llu, \"requests\": %llu, \"refused\": %llu, "
           "\"bytes\": %llu}\n",
           atomic_load(&records), atomic_load(&others), atomic_load(&requests),
           atomic_load(&refused), atomic_load(&bytes));
    return fflush(stdout) == 0 ? 0 : 1;
}

static int tell_help(void) {
    const rcv_format *one;
    fputs(help_before, stdout);
    for (size_t i = 0; (one = rcv_format_at(i)); i++)
        printf("  --format %-11s %s\n", one->word, one->what);
    fputs(help_after, stdout);
    return 0;
}

static int wrong(const char *what) {
    fprintf(stderr, "moowatch-receiver: %s; see --help\n", what);
    return 2;
}

int main(int argc, char **argv) {
    unsigned long port = 65536;
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0)
            return tell_help();
        if (i + 1 == argc)
            return wrong("an option without its value");
        char *end = argv[i + 1] + strlen(argv[i + 1]);
        if (strcmp(argv[i], "--format") == 0)
            wanted = rcv_format_named(argv[i + 1]);
        else if (strcmp(argv[i], "--operation") == 0)
            operation = argv[i + 1];
        else if (strcmp(argv[i], "--port") == 0)
            port = strtoul(argv[i + 1], &end, 10);
        else
            return wrong("unknown option");
        if (*end != '\0' || argv[i + 1][0] == '\0')
            return wrong("--port: not a number");
    }
    if (!wanted)
        return wrong("--format must be one of those that --help names");
    return port > 65535 ? wrong("--port must be a number from 0 to 65535") : run((unsigned)port);
}
