#pragma once
/*
 * stamps - a word a project that is another one whenever its nights, alerts, incidents or sweeps
 * may have changed, or those of another branch of it: who keeps a copy asks for nothing else until
 * then. What polls, waiting jobs and their progress change is left out.
 *
 * Words are of one run of the server: another run has others, whatever changed meanwhile.
 */
#include "server/store/changes.h"
#include "server/store/store.h"

/**
 * srv_view_stamps - {"items": [{"project", "stamp"}], "next": null}; owned, NULL with error.
 * run  what is in every word: which run of the server this is, and who asks
 */
json_t *srv_view_stamps(srv_store *store, const srv_changes *changes, const char *run,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
