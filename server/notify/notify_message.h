#pragma once
/*
 * notify_message - one message to one channel: what is told, to whom, and with what secret.
 */
#include "config/config.h"
#include "config/model/night.h"
#include "server/notify/notify_send.h"
#include "server/notify/notify_words.h"

typedef struct srv_github_tokens srv_github_tokens;

typedef struct {
    srv_send_stop stop;
    const cfg_server *server;
    const cfg_notify *rule;
    const cfg_project *configured; /* NULL: its file has gone */
    const char *project, *channel;
    const char *event;   /* "raised", "found", "explained", "ended", "opened", "over", "measured",
                            "searched" (a night once more), "counted", "test" */
    const json_t *items; /* alerts, incidents or one pull request; docs/api.md */
    const cfg_night *night;    /* of an event of a night */
    const char *delivery;      /* the same for every attempt at this message */
    const char *first;         /* the first alert's reference of before; NULL: none */
    unsigned made;             /* of a pull request: comments that were written for it before */
    unsigned attempts;         /* made before this one */
    GBytes *chart;             /* PNG; NULL: none */
    srv_github_tokens *tokens; /* of GitHub Apps, kept; NULL: fetched anew each time */
    int64_t now_ms;
} srv_message;

/* srv__message_words - its alerts as words take them; borrowed from the message. */
srv_words srv__message_words(const srv_message *message);

/* srv__message_secret - the one line of a secret file, the caller's; NULL with out->problem. */
char *srv__message_secret(const char *path, srv_sent *out);
