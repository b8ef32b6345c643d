#pragma once
/*
 * poll_queries - what is asked of the releases among a project's commits.
 */
#include "server/store/store_sql.h"

/* srv__releases_marked - {"sha","release"} of the commits that carry one; owned, NULL with error.
 */
json_t *srv__releases_marked(srv_store *store, int64_t project,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__release_set - the release of a commit, NULL: it has none; one that is so already, or that
 * nobody measured, is not written. */
bool srv__release_set(srv_store *store, int64_t project, const char *sha, const char *release,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
