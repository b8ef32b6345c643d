#pragma once
/*
 * notify_send - one message out of the house: HTTP (config/http.h) or SMTP.
 *
 * Certificates are verified, redirects are not followed, every call has a deadline and its answer
 * a bound. No secret, no address with a secret in it, gets into a problem text.
 */
#include "config/config.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define SRV_SEND_TIMEOUT_S 30
#define SRV_SEND_ANSWER_BYTES_MAX ((size_t)1024 * 1024)

/* Asked now and then while a call is under way; true gives it up. function NULL: never. */
typedef struct {
    bool (*function)(void *user);
    void *user;
} srv_send_stop;

typedef struct {
    srv_send_stop stop;
    const char *method; /* "POST", "PATCH", "GET" */
    const char *url;
    const char *bearer; /* Authorization: Bearer …; NULL: none */
    GPtrArray *headers; /* char* "Name: value", NULL-free; NULL: none */
    const char *body;   /* JSON; NULL: none */
} srv_send_http;

typedef struct {
    srv_send_stop stop;
    const cfg_mail *mail;
    char *const *to;                                          /* plain addresses, NULL-terminated */
    const char *subject, *message_id, *in_reply_to, *list_id; /* in_reply_to may be NULL */
    const char *date;                                         /* RFC 5322 */
    const char *text, *html;
    GBytes *image; /* PNG, shown in html as cid:chart; NULL: none */
} srv_send_mail;

/* How it went. */
typedef struct {
    bool delivered;
    bool refused;           /* the receiver will never take this message: do not repeat it */
    long status;            /* HTTP or SMTP code; 0: none came */
    int64_t retry_after_ms; /* what the receiver asks for; 0: nothing */
    int64_t date_s;         /* the receiver's clock, Unix time; 0: it did not say */
    char *problem;          /* a sentence; NULL when delivered */
    char *answer;           /* of HTTP, as text; may be NULL */
} srv_sent;

void srv_sent_clear(srv_sent *sent);

/** srv_sent_explain - what a forge answers as its reason becomes the end of the problem. */
void srv_sent_explain(srv_sent *sent);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_sent, srv_sent_clear)

/** srv_send_over_http, srv_send_over_smtp - blocking, at most SRV_SEND_TIMEOUT_S; out is filled. */
void srv_send_over_http(const srv_send_http *request, srv_sent *out);
void srv_send_over_smtp(const srv_send_mail *message, srv_sent *out);
