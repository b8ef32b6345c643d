#pragma once
/* auth_lock - one process at a time changes the tokens' file. */
#include <glib.h>

/**
 * srv_auth_lock - waits for it; the folder is made (0700) when it is not there.
 * Returns a descriptor to close, which unlocks; -1 with error.
 */
int srv_auth_lock(const char *data_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;
