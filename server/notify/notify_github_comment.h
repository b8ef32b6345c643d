#pragma once
/*
 * notify_github_comment - a comment on a pull request, found again by a hidden marker.
 */
#include "server/notify/notify_message.h"

/* srv__github_comment - one comment on each open pull request whose head the night's commit is,
 * brought up to date. */
void srv__github_comment(const srv_message *d, srv_sent *out);
