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
    const char *event; /* "raised", "found", "explained", "ended", "opened", "over", "measured",
                          "searched" (a night once more), "counted", "limited",
                          "test" */
    const model_list *alerts;  /* [cfg_alert], or incidents and nights as such */
    const json_t *items;       /* the same, or one pull request, as docs/api.md has them */
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

/* github_tokens - what GitHub Apps were given, kept in memory until it expires. Thread-safe. */

srv_github_tokens *srv_github_tokens_new(void);
void srv_github_tokens_free(srv_github_tokens *tokens);

/*
 * notify_github - GitHub's REST calls: commit status, check run, issue.
 *
 * A check run needs a GitHub App (app_id); a status works with any token that may write statuses.
 * An issue is opened for a change and closed when it is over.
 */

void srv__github_status(const srv_message *d, srv_sent *out);
void srv__github_check(const srv_message *d, srv_sent *out);
/* reference: out, the issue's number */
void srv__github_issue(const srv_message *d, srv_sent *out, char **reference);

/*
 * notify_github_comment - a comment on a pull request, found again by a hidden marker.
 */

/* srv__github_comment - one comment on each open pull request whose head the night's commit is,
 * brought up to date. */
void srv__github_comment(const srv_message *d, srv_sent *out);

/* One call of a provider's API: srv__github_call and its like. */
typedef json_t *(*srv__comment_call)(const srv_message *d, const char *method, const char *path,
                                     json_t *body, srv_sent *out);

/*
 * srv__comment_marker - what a comment begins with, the caller's; NULL: out has why. Signed, so
 * that nobody else can put a comment in front of ours and have it overwritten with our words, or
 * keep us from telling.
 */
char *srv__comment_marker(const srv_message *d, const char *kind, json_int_t number, srv_sent *out);

/* srv__comment_find - our comment's id; 0: there is none, or out says what went wrong.
 * all  path of the comments */
json_int_t srv__comment_find(const srv_message *d, srv__comment_call call, const char *all,
                             const char *marker, srv_sent *out);

/*
 * notify_pull - a pull request told where it was asked: commit status, check run, one comment that
 * is kept up to date. GitHub's REST calls, which Gitea and Forgejo take for status and comment, and
 * GitLab's.
 */

/** srv__notify_pull - d->items has the pull request (docs/api.md).
 * reference  out, owned: the check run's or the comment's id, to be changed next time */
void srv__notify_pull(const srv_message *d, srv_sent *out, char **reference);
