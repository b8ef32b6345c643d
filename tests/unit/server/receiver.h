#pragma once
/* receiver - an HTTP server on this machine that answers as a test tells it, and remembers. */
#include <glib.h>

typedef struct receiver receiver;

typedef struct {
    unsigned status;
    const char *header, *value; /* one further header; NULL: none */
    const char *body;           /* NULL: empty */
} receiver_answer;

/* What an address answers: "/path?name=value" with just this query, "/path" with any. Who names the
 * ETag in its header has 304. */
typedef struct {
    const char *address;
    receiver_answer answer;
} receiver_page;

/* What came in: "METHOD path", "name=value&…" unescaped, body, headers; NULL: no such header. */
typedef struct {
    char *line, *query, *body;
    char *event, *delivery, *signature;
    char *authorization, *type, *digest, *lease;
    char *known; /* If-None-Match */
} receiver_request;

receiver *receiver_new(void);
void receiver_free(receiver *receiver);
unsigned receiver_port(const receiver *receiver);
/* The answers to come, in order; afterwards 200. Borrowed until the next call. */
void receiver_script(receiver *receiver, const receiver_answer *answers, guint count);
/* The answers by address, the first that fits, instead of in order; 404 where none does. Borrowed;
 * NULL: in order again. */
void receiver_pages(receiver *receiver, const receiver_page *pages, guint count);
/* What every answer's body is from now on, NULL: what the script says. Borrowed. */
void receiver_serve(receiver *receiver, const void *bytes, gsize size);
/* How many requests came in since the last call of receiver_forget. */
guint receiver_count(receiver *receiver);
/* The i-th of them; borrowed. */
const receiver_request *receiver_get(receiver *receiver, guint i);
void receiver_forget(receiver *receiver);
