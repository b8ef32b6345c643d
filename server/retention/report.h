#pragma once
/* report - what a policy keeps of each project's raw data, and what goes by it; removes nothing. */
#include "config/config.h"
#include "server/store/store.h"

/**
 * srv_retention_report - all projects that have or had raw data.
 * Returns [{"project", "stays": {"young"|"in_use"|"alerts"|"releases"|"first_of_month":
 * {"jobs","files", "bytes"}}, "goes": {"age"|"budget": …}, "removed": {"jobs","files","bytes"}}],
 * owned; NULL with error.
 */
json_t *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_retention_report_text - the same for people, a line a project and reason; caller frees. */
char *srv_retention_report_text(const json_t *report);
