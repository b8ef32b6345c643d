#pragma once
/*
 * notify_github - GitHub's REST calls: commit status, check run, issue.
 *
 * A check run needs a GitHub App (app_id); a status works with any token that may write statuses.
 * An issue is opened for a change and closed when it is over.
 */
#include "server/notify/notify_message.h"

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
