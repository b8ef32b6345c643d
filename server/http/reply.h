#pragma once
/*
 * reply - what a handler answers, before it becomes an HTTP response.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes made while they are sent. read returns how many were put into out, 0 at the end, -1
 * broken. */
typedef struct {
    ssize_t (*read)(void *data, char *out, size_t max);
    void (*free)(void *data);
    void *data;
} srv_reply_source;

typedef struct srv_reply {
    unsigned status;
    char *content_type;
    GBytes *body; /* NULL: none, or one of the following */
    int fd;       /* -1: none; closed with the reply */
    uint64_t fd_size;
    srv_reply_source source; /* read NULL: none */
    GBytes *gzip;            /* body packed already; NULL: not */
    const char *encoding;    /* Content-Encoding of body, static; NULL: none */
    char *etag;              /* with quotes; NULL: none */
    const char *cache;       /* Cache-Control, static; NULL: "no-cache" */
    char *fault;        /* of a 500 or 507: why, for who runs the server; NULL: it is neither */
    GPtrArray *headers; /* further: name, value, name, value …; owned */
} srv_reply;

srv_reply *srv_reply_new(unsigned status);
void srv_reply_free(srv_reply *reply);
void srv_reply_header(srv_reply *reply, const char *name, const char *value);

/** srv_reply_saved_as - the name a browser saves it under: of letters, digits, '.', '_' and '-',
 * any other becomes '_'. */
void srv_reply_saved_as(srv_reply *reply, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** srv_reply_json - takes value over; the ETag is a hash of the text. */
srv_reply *srv_reply_json(unsigned status, json_t *value);

/** srv_reply_problem - application/problem+json; detail says what was wrong and what to do. */
srv_reply *srv_reply_problem(unsigned status, const char *detail);

/** srv_reply_later - the problem 503: this cannot be answered now; ask again in pause_s seconds. */
srv_reply *srv_reply_later(const char *detail, unsigned pause_s);

/**
 * srv_reply_error - the problem an error stands for: SRV_ERROR codes as error.h says, G_IO_ERROR's
 * INVALID_ARGUMENT 400 and NOT_FOUND 404, all else 500 (its text goes to the log, not to the
 * client). Frees error.
 */
srv_reply *srv_reply_error(GError *error);

/** srv_reply_error_at - as srv_reply_error, with the member "line"; 0: without. */
srv_reply *srv_reply_error_at(GError *error, unsigned line);

/** srv_reply_bytes - takes body over; etag is copied, NULL: hashed from the body. */
srv_reply *srv_reply_bytes(const char *content_type, GBytes *body, const char *etag);

/** srv_reply_file - takes fd over. */
srv_reply *srv_reply_file(const char *content_type, int fd, uint64_t size);

/** srv_reply_stream - takes source over. */
srv_reply *srv_reply_stream(const char *content_type, srv_reply_source source);

/** srv_etag_matches - does If-None-Match (NULL: absent) name the ETag (NULL: none)? */
bool srv_etag_matches(const char *etag, const char *if_none_match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_reply, srv_reply_free)
