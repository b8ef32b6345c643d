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

/* The night's commit, 40 or 64 hex digits; NULL: it has none. Borrowed. */
const char *srv__github_sha(const json_t *night);
/* The night's page. Caller frees. */
char *srv__github_night_url(const srv_message *d, const json_t *night);
