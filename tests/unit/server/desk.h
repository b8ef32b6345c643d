#pragma once
/* desk - every address of the server, asked over HTTP: a watched project (watched.h), its store and
 * its mirror behind a real listener, without the daemon's own threads of polling and telling. */
#include "server/app.h"
#include "tests/unit/server/listener.h"
#include "tests/unit/server/watched.h"

typedef struct {
    watched *watched;
    fixture *fix; /* the watched one's */
    listener *listener;
    srv_app *app;
    char *admin, *runner; /* headers with a token of that scope */
} desk;

/* For cmocka: *state is a desk. A poller that a test gives to its app is ended with it. */
int desk_setup(void **state);
int desk_teardown(void **state);
#define DESK_TEST(test) cmocka_unit_test_setup_teardown(test, desk_setup, desk_teardown)

/* A call; headers: NULL or lines that end with \r\n; body: NULL: none. The whole answer, which has
 * this status; the caller's. */
char *desk_call(const desk *at, const char *method, const char *target, const char *headers,
                const char *body, unsigned status);
/* Likewise, JSON there and back; the caller's. */
json_t *desk_json(const desk *at, const char *method, const char *target, const char *headers,
                  const char *body, unsigned status);
json_t *desk_get(const desk *at, const char *target);

/* Seven nights in April 2013, the last of which moved: alert 1 is open. The newest experiment. */
int64_t desk_measure(desk *at);

/* One refused call of a table: what it is answered, and what is said. */
typedef struct {
    const char *target, *body;
    unsigned status;
    const char *says;
} desk_refusal;
void desk_refuses(const desk *at, const char *method, const char *headers,
                  const desk_refusal *cases, size_t count);
