#pragma once
/*
 * notify_blame - whose the changes of a night are: its commit's, another one's, or one of several.
 */
#include "server/store/store.h"

#include <jansson.h>

/**
 * srv__blame_add - a portion of the night that changed gets "culprit" (short) where the change is
 * another commit's, or "among", of how many commits, where nobody knows yet; else neither.
 * night  as srv_view_experiment gives it
 * False with error: the store failed.
 */
bool srv__blame_add(srv_store *store, json_t *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
