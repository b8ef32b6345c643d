#pragma once
/* auth_random - names that nobody can guess. */
#include <glib.h>
#include <stdbool.h>

#define SRV_AUTH_UUID_SIZE 37

/**
 * srv_auth_uuid - a random UUID of the generator for keys: whoever knows a lease may end its job.
 * Returns false with error (SRV_ERROR_INTERNAL) when there is no randomness.
 */
bool srv_auth_uuid(char out[SRV_AUTH_UUID_SIZE], GError **error) G_GNUC_WARN_UNUSED_RESULT;
