#pragma once
/* gitlab_call - one call of GitLab's REST API with a rule's token. */
#include "server/notify/notify_message.h"

/**
 * srv__gitlab_call - blocking.
 * path  behind /projects/group%2Fname/
 * body  taken over; NULL: none
 * Returns the answer's JSON or NULL; out says how it went.
 */
json_t *srv__gitlab_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out);
