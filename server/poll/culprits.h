#pragma once
/*
 * culprits - begins the search for the commit behind an alert: git says which commits lie between,
 * bisection.h tests them.
 */
#include "config/config.h"
#include "server/git/fetch.h"
#include "server/store/store.h"

/**
 * srv_culprits_look - every alert of the project that has no search yet gets one.
 * mirror   the project's, just updated
 * Returns false with error when git or the store failed; alerts are taken up again next time.
 */
bool srv_culprits_look(srv_store *store, srv_fetch *fetch, const cfg_project *project,
                       const char *mirror, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
