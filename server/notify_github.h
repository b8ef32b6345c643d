#pragma once
/*
 * notify_github - GitHub's REST calls: commit status, check run, issue.
 *
 * A check run needs the token of a GitHub App (that of GitHub Actions is one); a status works with
 * any token that may write statuses. An issue is opened for a change and closed when it is over.
 */
#include "server/notify_deliver.h"

void srv__github_status(const srv_delivery *d, srv_sent *out);
void srv__github_check(const srv_delivery *d, srv_sent *out);
/* reference: out, the issue's number */
void srv__github_issue(const srv_delivery *d, srv_sent *out, char **reference);

/* The one line of a secret file; NULL with out->problem. Caller frees. */
char *srv__deliver_secret(const char *path, srv_sent *out);
