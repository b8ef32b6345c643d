#pragma once
/*
 * store_imports - what taking in a history has brought, remembered once an import.
 */
#include "server/store/store.h"

/* srv__imports_last - the newest alert and incident there are; both out. */
bool srv__imports_last(srv_store *store, int64_t *alert, int64_t *incident,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__imports_found - the alerts and incidents of a project that came after these; both out. */
bool srv__imports_found(srv_store *store, int64_t project, int64_t *alert, int64_t *incident,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__imports_note - in a transaction: one has ended. report: its JSON (docs/api.md). */
bool srv__imports_note(srv_store *store, int64_t project, const json_t *report, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__imports_newest - {"at_ms","report"} of the newest that brought nights; row: out, owned, NULL
 * when there is none. */
bool srv__imports_newest(srv_store *store, int64_t project, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
