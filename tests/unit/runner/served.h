#pragma once
/* A server for the runner that is a receiver of the test's (receiver.h), and a client of it. */
#include "tests/unit/runner/test.h"
#include "tests/unit/server/receiver.h"

#include "runner/link/client.h"

#include <string.h>
#include <unistd.h>

typedef struct {
    receiver *server;
    char *url, *folder;
    run_client *client;
    int stop[2]; /* a byte into stop[1] is what SIGTERM is to the agent */
} served;

/* For cmocka: *state is a served. */
static inline int served_make(void **state) {
    served *s = g_new0(served, 1);
    *state = s;
    s->server = receiver_new();
    s->url = g_strdup_printf("http://127.0.0.1:%u", receiver_port(s->server));
    if (pipe(s->stop) != 0 || make_test_folder((void **)&s->folder) != 0)
        return -1;
    s->client = run_client_new(s->url, "token-7", s->stop[0], NULL);
    return s->client ? 0 : -1;
}

static inline int served_free(void **state) {
    served *s = *state;
    const int gone = remove_test_folder((void **)&s->folder);
    run_client_free(s->client);
    receiver_free(s->server);
    (void)close(s->stop[0]);
    (void)close(s->stop[1]);
    g_free(s->url);
    g_free(s);
    return gone;
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, served_make, served_free)

static inline void served_stop(const served *s) {
    assert_int_equal(write(s->stop[1], "", 1), 1);
}

/* ANSWER(s, {200, NULL, NULL, "{}"}, …): the answers to come, in order. */
#define ANSWER(s, ...)                                                                             \
    receiver_script((s)->server, (const receiver_answer[]){__VA_ARGS__},                           \
                    G_N_ELEMENTS(((const receiver_answer[]){__VA_ARGS__})))

/* That so many requests came in, and the lines of them. */
static inline void expect_lines(served *s, const char *const *lines) {
    guint i = 0;
    for (; lines[i]; i++) {
        const receiver_request *one = receiver_get(s->server, i);
        assert_string_equal(one ? one->line : "(none)", lines[i]);
    }
    assert_int_equal(receiver_count(s->server), i);
}
#define EXPECT_LINES(s, ...) expect_lines((s), (const char *const[]){__VA_ARGS__, NULL})

/* An address at which nobody listens; caller frees. */
static inline char *nobody_there(void) {
    receiver *other = receiver_new();
    char *url = g_strdup_printf("http://127.0.0.1:%u", receiver_port(other));
    receiver_free(other);
    return url;
}
