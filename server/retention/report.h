#pragma once
/* report - what a policy keeps of each project's raw data, and what goes by it; removes nothing. */
#include "server/retention/plan.h"

typedef struct {
    char *project;
    srv_raw_sums fate[SRV_FATE_COUNT], removed;
} srv_retention_sums;

/* srv_retention_report - all projects that have or had raw data, by name: [srv_retention_sums],
 * owned; NULL with error. */
GArray *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_retention_report_text - the same for people, a line a project and reason; caller frees. */
char *srv_retention_report_text(const GArray *report);
