#pragma once
/*
 * notify_blame - whose the changes of a night are: its commit's, another one's, or one of several.
 */
#include "config/model/night.h"
#include "server/store/store.h"

/**
 * srv__blame_add - a portion of the night that changed gets "culprit" (short) where the change is
 * another commit's, or "among", of how many commits, where nobody knows yet; else neither.
 * False with error: the store failed.
 */
bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
