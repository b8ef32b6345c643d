#pragma once
/*
 * notify_deliver - one message to one channel: the right words, the right protocol.
 */
#include "config/config.h"
#include "config/model/night.h"
#include "server/notify/notify_send.h"
#include "server/notify/notify_words.h"

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

/*
 * notify_message - one message to one channel: what is told, to whom, and with what secret.
 */

typedef struct srv_github_tokens srv_github_tokens;

typedef struct {
    srv_send_stop stop;
    const cfg_server *server;
    const cfg_notify *rule;
    const cfg_project *configured; /* NULL: its file has gone */
    const char *project, *channel;
    const char *event;         /* "raised", "found", "corrected", "explained", "ended", "opened",
                                  "over", "measured", "searched" (a night once more), "counted", "limited",
                                  "test" */
    const model_list *alerts;  /* [cfg_alert], or incidents and nights as such */
    const json_t *items;       /* the same, or one pull request, as docs/api.md has them */
    const cfg_night *night;    /* of an event of a night */
    const char *delivery;      /* the same for every attempt at this message */
    const char *first;         /* the first alert's reference of before; NULL: none */
    unsigned made;             /* of a pull request: comments that were written for it before; of a
                                  night: other results of its commit that were told and compared */
    unsigned attempts;         /* made before this one */
    GBytes *chart;             /* PNG; NULL: none */
    srv_github_tokens *tokens; /* of GitHub Apps, kept; NULL: fetched anew each time */
    int64_t now_ms;
} srv_message;

/* srv__message_words - its alerts as words take them; borrowed from the message. */
srv_words srv__message_words(const srv_message *message);

/* srv__message_secret - the one line of a secret file, the caller's; NULL with out->problem. */
char *srv__message_secret(const char *path, srv_sent *out);

/**
 * srv_deliver - send it; blocking.
 * reference  out, the receiver's name for it (an issue's number, a Message-ID); NULL: none
 */
void srv_deliver(const srv_message *message, srv_sent *out, char **reference);

/** srv_deliver_to_operator - what is wrong with the server, to mail->operator; blocking. */
void srv_deliver_to_operator(const cfg_mail *mail, const char *text, int64_t now_ms,
                             srv_send_stop stop, srv_sent *out);

/*
 * github_call - one call of GitHub's REST API, as a rule's token or GitHub App.
 *
 * An App proves itself with a JWT, ten minutes at most, and gets a token of the rule's repository
 * for an hour (docs.github.com: authenticating as a GitHub App installation). Tokens are kept in
 * memory until shortly before they expire. A clock that is wrong by more than GitHub allows is
 * found by the Date of its answer.
 */

/**
 * srv__github_call - blocking.
 * path  behind /repos/owner/name/
 * body  taken over; NULL: none
 * Returns the answer's JSON or NULL; out says how it went. A token that GitHub no longer takes is
 * fetched anew, once.
 */
json_t *srv__github_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out);

/** srv__github_pulls - numbers (json_int_t) of open pull requests whose head this commit is. Owned.
 */
GArray *srv__github_pulls(const srv_message *d, const char *sha, srv_sent *out);

/* github_tokens - what GitHub Apps were given, kept in memory until it expires. Thread-safe. */

srv_github_tokens *srv_github_tokens_new(void);
void srv_github_tokens_free(srv_github_tokens *tokens);

/**
 * srv__tell_forge - by status, check run, issue or comment: of a night, an alert, or a pull request
 * (d->items has it, as docs/api.md).
 * reference  out, owned: the id of the issue, or of a pull request's check run or comment, to be
 *            changed next time
 */
void srv__tell_forge(const srv_message *d, srv_sent *out, char **reference);
