#pragma once
/*
 * transfer_rows - what an export reads, and what an import looks up and writes.
 */
#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/ingest/ingest_night.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__import_project_insert - a project that is not configured here, disabled, with a header's
 * title, repository and detection. */
bool srv__import_project_insert(srv_store *store, const char *name, const json_t *header,
                                const char *branch, int64_t benchmark, int64_t *id,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
