#pragma once
/* settled - is anything of a project still under way, and what. */
#include "server/store/store.h"

/**
 * srv__settled_add - gives a project's row "settled" (is nothing under way?) and, in place of its
 * counts in "open", an array of what is, a few words each, such as "2 jobs queued".
 */
bool srv__settled_add(srv_store *store, json_t *project, GError **error) G_GNUC_WARN_UNUSED_RESULT;
