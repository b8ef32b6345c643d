#pragma once
/*
 * notify_deliver - one message to one channel: the right words, the right protocol.
 */
#include "config/config.h"
#include "server/notify/github_tokens.h"
#include "server/notify/notify_send.h"
#include "server/notify/notify_words.h"

typedef struct {
    srv_send_stop stop;
    const cfg_server *server;
    const cfg_notify *rule;
    const char *project, *channel;
    const char *event;         /* "raised", "ended", "measured" */
    const json_t *items;       /* alerts, or for "measured" one night; docs/api.md */
    const char *delivery;      /* the same for every attempt at this message */
    const char *first;         /* the first alert's reference of before; NULL: none */
    unsigned attempts;         /* made before this one */
    GBytes *chart;             /* PNG; NULL: none */
    srv_github_tokens *tokens; /* of GitHub Apps, kept; NULL: fetched anew each time */
    int64_t now_ms;
} srv_delivery;

/**
 * srv_deliver - send it; blocking.
 * reference  out, the receiver's name for it (an issue's number, a Message-ID); NULL: none
 */
void srv_deliver(const srv_delivery *delivery, srv_sent *out, char **reference);

/** srv_deliver_signature - "sha256=<hex>" HMAC-SHA256 of the body, as GitHub signs. */
char *srv_deliver_signature(const char *key, gsize key_size, const char *body);

/* The one line of a secret file; NULL with out->problem. Caller frees. */
char *srv__deliver_secret(const char *path, srv_sent *out);
