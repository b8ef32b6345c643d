#pragma once
/*
 * pull_day - how much of a day a project's pull requests may take (pull_requests.minutes_a_day).
 *
 * A day is one of UTC. It is charged with what was begun in it: with the minutes it was measured,
 * and while it is being measured with all that it may take. One may always begin when nothing was
 * charged yet, whatever it may take.
 */
#include "config/config.h"
#include "server/store/store.h"

/**
 * srv_pull_today - may this one, which waits for its commits, begin today? If not, it is written
 * down why, and told; when it may again, that is taken back. Not in a transaction.
 * may  out
 */
bool srv_pull_today(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                    bool *may, GError **error) G_GNUC_WARN_UNUSED_RESULT;
