#pragma once
/* A command that asks a server: a receiver (receiver.h) that answers as the test says. */
#include "tests/unit/ci/command/called.h"
#include "tests/unit/server/receiver.h"

typedef struct {
    receiver *server;
    char *url, *folder; /* an empty one, for files */
} asked;

/* For cmocka: *state is an asked. */
static inline int asked_make(void **state) {
    asked *a = g_new0(asked, 1);
    a->server = receiver_new();
    a->url = g_strdup_printf("http://127.0.0.1:%u", receiver_port(a->server));
    *state = a;
    return make_folder((void **)&a->folder);
}

static inline int asked_free(void **state) {
    asked *a = *state;
    const int gone = remove_folder((void **)&a->folder);
    receiver_free(a->server);
    g_free(a->url);
    g_free(a);
    return gone;
}

#define ASKED(test) cmocka_unit_test_setup_teardown(test, asked_make, asked_free)

/* ANSWER(a, {200, NULL, NULL, "{}"}, …): the answers to come, in order. */
#define ANSWER(a, ...)                                                                             \
    receiver_script((a)->server, (const receiver_answer[]){__VA_ARGS__},                           \
                    G_N_ELEMENTS(((const receiver_answer[]){__VA_ARGS__})))
#define JSON(body_)                                                                                \
    { 200, NULL, NULL, (body_) }

/* That the requests were these, in order. */
static inline void expect_requests(asked *a, const char *const *lines) {
    guint i = 0;
    for (; lines[i]; i++) {
        const receiver_request *one = receiver_get(a->server, i);
        assert_string_equal(one ? one->line : "(none)", lines[i]);
    }
    assert_int_equal(receiver_count(a->server), i);
}
#define EXPECT_REQUESTS(a, ...) expect_requests((a), (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_NO_REQUEST(a) assert_int_equal(receiver_count((a)->server), 0)
