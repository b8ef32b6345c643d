#pragma once
/*
 * backports - does a branch have the commits that changed the other branches of its project?
 */
#include "server/context.h"
#include "server/git/fetch.h"

/**
 * srv_backports_look - asks the branch for the commits behind the other branches' alerts, once for
 * each of its heads; a number at a time, the newest first. Reads mirrors only.
 * project  the branch; head: its newest commit as just fetched
 * Error: the store's, or that the poller ends. What git cannot say is asked again at another poll,
 * after the others.
 */
bool srv_backports_look(srv_context *context, srv_store *store, srv_fetch *fetch,
                        const cfg_project *project, const char *head,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
