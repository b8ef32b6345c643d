#pragma once
/* stranded - queued jobs that only one node may take, and that node does not come back. */
#include "server/store/store_sql.h"

#define SRV__STRANDED_MS                                                                           \
    (INT64_C(3) * 24 * 3600 * 1000) /* after it, what waits for the node must wait no longer */

/* srv__job_failed - tells who asked for the job that it gets no answer; in a transaction. */
typedef bool (*srv__job_failed)(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                                GError **error);

/* srv__stranded_cancel - cancel these jobs, all or none, and tell who asked for them.
 * jobs     [int64_t], or NULL with error set, which is passed on; borrowed
 * reason   kept with each job
 * Not in a transaction. */
bool srv__stranded_cancel(srv_store *store, const GArray *jobs, const char *reason,
                          srv__job_failed failed, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
