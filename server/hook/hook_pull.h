#pragma once
/* hook_pull - the pieces that every kind of webhook is read with, and what it says of a pull or
 * merge request. */
#include "server/hook/hook.h"

/* srv__hook_wrong - sets INVALID_ARGUMENT; returns false. */
bool srv__hook_wrong(GError **error, const char *text);
/* srv__hook_ignore - well-formed, nothing to do; returns true. */
bool srv__hook_ignore(srv_hook *hook, const char *reason);
/* srv__hook_at - what stands at a path ("pull_request.head.sha"); _text - the text there, _yes - is
 * it true? Borrowed; NULL, false: there is nothing, or something else. */
json_t *srv__hook_at(json_t *json, const char *path);
const char *srv__hook_text(json_t *json, const char *path);
bool srv__hook_yes(json_t *json, const char *path);
/* srv__hook_commit - a full commit id; all zeros is how they say "none". */
bool srv__hook_commit(srv_hook *hook, const char *sha, const char *key, GError **error);
bool srv__hook_branch(srv_hook *hook, const char *branch, const char *key, GError **error);

/* srv__hook_issue - an event issues of GitHub or Gitea. Closed with the label "accepted" or "false
 * alarm", or as not planned (accepted), else fixed. */
bool srv__hook_issue(json_t *body, srv_hook *hook, GError **error);
/* srv__hook_pull_github - an event pull_request of GitHub or Gitea; _comment - issue_comment of
 * GitHub; _queue - merge_group of GitHub; _gitlab - merge_request. As srv_hook_read. */
bool srv__hook_pull_github(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__hook_pull_comment(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__hook_pull_queue(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__hook_pull_gitlab(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
