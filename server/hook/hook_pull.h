#pragma once
/* hook_pull - what a webhook says of a pull or merge request: the part of hook.h that reads it. */
#include "server/hook/hook.h"

/* srv__hook_pull_github - an event pull_request of GitHub or Gitea; _comment - issue_comment of
 * GitHub; _gitlab - merge_request. As srv_hook_read. */
bool srv__hook_pull_github(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__hook_pull_comment(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__hook_pull_gitlab(json_t *body, srv_hook *hook, GError **error) G_GNUC_WARN_UNUSED_RESULT;
