#pragma once
/*
 * http - one HTTP request and its answer, as runner, server and command line all make them.
 *
 * Certificates are verified; redirects are not followed, since they would carry secrets away; a
 * connection must come within 10 s, answers are bounded, and proxies are those of the environment
 * (https_proxy, …). Nothing is tried again here.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Connections that stay open from call to call. Of one thread at a time. */
typedef struct cfg_http cfg_http;

cfg_http *cfg_http_new(void);
void cfg_http_free(cfg_http *http);

typedef struct {
    const char *url;           /* http or https */
    const char *method;        /* NULL: GET, with a body POST, with a file PUT */
    const char *agent;         /* which of our programs asks: "moowatch-runner" */
    const char *const *header; /* "Name: value" each, ends with NULL; NULL: none */
    const char *body;          /* what is sent; NULL: none, or */
    FILE *file;                /* this one from where it stands; */
    int64_t file_bytes;        /* so much of it, -1: until its end */
    unsigned timeout_s;        /* of the whole call; 0: none */
    unsigned stall_s;          /* without a byte; 0: none */
    gsize answer_bytes_max;    /* more of a 2xx answer is an error; of another one it is cut off */
    /* Where the bytes of a 2xx answer go instead; false ends the call. NULL: into answer.body. */
    bool (*take)(void *user, const char *bytes, gsize size);
    /* Asked about once a second; true ends the call. NULL: never. */
    bool (*stop)(void *user);
    void *user;
    const char *sigv4, *key; /* "aws:amz:REGION:s3" and "id:secret" that sign it; NULL: nothing */
} cfg_http_call;

/* What came of it. */
typedef struct {
    long status;            /* 0: no answer came */
    GString *body;          /* of the answer, as far as it came and nobody took it */
    bool ended;             /* stop or take said so */
    char *problem;          /* why there is no whole answer, without the address; NULL: there is */
    char *detail;           /* likewise, as exactly as it is known: it may have the address */
    char *etag;             /* NULL: none */
    char *redirect;         /* where it would go; NULL: it is no redirect */
    int64_t date_s;         /* the other's clock, Unix time; 0: it did not say */
    int64_t retry_after_ms; /* that the other asks for, at most a day; 0: nothing */
} cfg_http_answer;

/** cfg_http_send - blocking. http: NULL: of a connection of its own. answer: out, to be cleared.
 * False: problem says why. */
bool cfg_http_send(cfg_http *http, const cfg_http_call *call, cfg_http_answer *answer);
void cfg_http_answer_clear(cfg_http_answer *answer);

/** cfg_http_init - libcurl is ready; done by every call, and before threads where there are some.
 */
void cfg_http_init(void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_http_answer, cfg_http_answer_clear)
