#pragma once
/*
 * pulls - what webhooks said of pull requests is heard, and git is asked for the merge bases of
 * those that wait.
 */
#include "server/poll/question.h"

/** srv_pulls_look - after the project's branch was fetched. Returns false with error: the store
 * failed, or the repository cannot be asked. */
bool srv_pulls_look(srv__asker *by, const cfg_project *project, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
