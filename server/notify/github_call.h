#pragma once
/*
 * github_call - one call of GitHub's REST API, as a rule's token or GitHub App.
 *
 * An App proves itself with a JWT, ten minutes at most, and gets a token of the rule's repository
 * for an hour (docs.github.com: authenticating as a GitHub App installation). Tokens are kept in
 * memory until shortly before they expire. A clock that is wrong by more than GitHub allows is
 * found by the Date of its answer.
 */
#include "server/notify/notify_message.h"

/**
 * srv__github_call - blocking.
 * path  behind /repos/owner/name/
 * body  taken over; NULL: none
 * Returns the answer's JSON or NULL; out says how it went. A token that GitHub no longer takes is
 * fetched anew, once.
 */
json_t *srv__github_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out);
