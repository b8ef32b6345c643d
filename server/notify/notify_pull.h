#pragma once
/*
 * notify_pull - a pull request told where it was asked: commit status, check run, one comment that
 * is kept up to date. GitHub's REST calls, which Gitea and Forgejo take for status and comment, and
 * GitLab's.
 */
#include "server/notify/notify_message.h"

/** srv__notify_pull - d->items has the pull request (docs/api.md).
 * reference  out, owned: the check run's or the comment's id, to be changed next time */
void srv__notify_pull(const srv_message *d, srv_sent *out, char **reference);
