#pragma once
/* settle - wait until nothing of a project is under way. */
#include "ci/command/client.h"

/**
 * ci_settle_wait - ask until the project is settled, with a line on a terminal that names what is
 * open.
 * timeout_s  how long; 0: ask once
 * Returns the project (owned), or NULL with error (CI_ERROR_TIMEOUT, which names what is open;
 * CI_ERROR_SERVER). A server that is away for a moment is asked again until the time is up.
 */
json_t *ci_settle_wait(ci_client *client, const char *project, unsigned timeout_s,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
