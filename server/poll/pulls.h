#pragma once
/*
 * pulls - what webhooks said of pull requests is heard, and git is asked for the merge bases of
 * those that wait.
 */
#include "config/config.h"
#include "server/git/fetch.h"
#include "server/store/store.h"

/* What asks git. */
typedef struct {
    srv_store *store;
    srv_fetch *fetch;
    const cfg_server *server;
    const char *mirror;
} srv_pulls_means;

/** srv_pulls_look - after the project's branch was fetched. Returns false with error: the store
 * failed, or the repository cannot be asked. */
bool srv_pulls_look(const srv_pulls_means *means, const cfg_project *project, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
